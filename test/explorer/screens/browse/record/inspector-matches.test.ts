import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_NAMES } from '../../../../../src/chain/directory/directory.ts';
import { resourceById } from '../../../../../src/chain/resources/registry.ts';
import type { Resource } from '../../../../../src/chain/resources/resource.ts';
import type { Session } from '../../../../../src/explorer/app/session.ts';
import { lineAtCursor, openInspector, treeLines } from '../../../../../src/explorer/screens/browse/record/inspector.ts';
import {
  endInspectorFind,
  matchLines,
  matchText,
  moveToMatch,
  startInspectorFind,
} from '../../../../../src/explorer/screens/browse/record/inspector-matches.ts';
import { FULL_RECORDS } from '../../../../chain/resources/full-records.ts';
import { anyText } from '../../../../support/any-text.ts';
import { press } from '../../../support/fake-world.ts';
import { listOf } from '../../../support/layers.ts';
import { showing, type } from '../../../support/list-scenes.ts';
import { loaded, pageOf, provision } from '../../../support/provision-pages.ts';

const order = (reference: string, offset: string) => ({
  orderId: 'ab',
  liquidityOrder: { offset, proportion: 1, reference: `PEGGED_REFERENCE_${reference}` },
});

async function inspecting(columns = 80): Promise<Session> {
  const orders = Array.from({ length: 20 }, (_, index) => order(index % 2 === 0 ? 'MID' : 'BEST_BID', String(index)));
  const { session } = await showing(pageOf([provision(1, { buys: orders, sells: [order('MID', '7')] })]), { columns });
  press(session, 'enter');
  return session;
}

function shown(session: Session) {
  const browser = listOf(session.state(), 'provisions');
  const resource = resourceById('provisions');
  if (!browser?.inspector || resource === undefined) throw new Error('no record is inspected');
  const line = lineAtCursor(resource, browser.inspector);
  return {
    resource,
    inspector: browser.inspector,
    path: line?.node.path ?? '',
    text: matchText(resource, browser.inspector),
  };
}

function find(session: Session, text: string): void {
  press(session, '/');
  type(session, text);
  press(session, 'enter');
}

describe('Matches in a record', () => {
  it('The matches in a record are stepped through with n and N, with wrap-around, and counted', async () => {
    const session = await inspecting();
    find(session, 'reference_mid');
    const paths = [];
    for (let step = 0; step < 12; step++) {
      paths.push([shown(session).path, shown(session).text]);
      press(session, 'n');
    }
    expect(paths.slice(0, 2)).toEqual([
      ['buys[0].liquidityOrder.reference', '1 of 11 matches'],
      ['buys[2].liquidityOrder.reference', '2 of 11 matches'],
    ]);
    expect(paths.slice(-2)).toEqual([
      ['sells[0].liquidityOrder.reference', '11 of 11 matches'],
      ['buys[0].liquidityOrder.reference', '1 of 11 matches'],
    ]);
    press(session, 'N', 'N');
    expect(shown(session).text).toBe('11 of 11 matches');
    press(session, 'k');
    expect(shown(session).text).toBe('11 matches');
  });

  it('The match at the cursor stays there, unfolded, after the search is left', async () => {
    const session = await inspecting();
    find(session, 'reference_mid');
    press(session, 'n', 'n', 'n');
    const { path } = shown(session);
    expect(path).toBe('buys[6].liquidityOrder.reference');
    press(session, 'esc');
    expect([shown(session).inspector.find, shown(session).path]).toEqual(['', path]);
    const lines = treeLines(shown(session).resource, shown(session).inspector).map(({ node }) => node.path);
    expect(lines).toContain('buys[6].liquidityOrder.offset');
    expect(lines).toContain('status');
    press(session, 'esc');
    expect(listOf(session.state(), 'provisions')?.inspector).toBeNull();
  });

  it('The n and N keys report when nothing is searched for in a record, or nothing matches', async () => {
    const session = await inspecting();
    press(session, 'n');
    expect(session.state().notice?.text).toBe('/ finds in the record first');
    find(session, 'no such text');
    press(session, 'N');
    expect([session.state().notice?.text, shown(session).text]).toEqual(['nothing here matches', '0 matches']);
    press(session, 'esc');
    expect(shown(session).inspector.find).toBe('');
  });

  it('A match in a record counts as one, however many lines it takes', async () => {
    const session = await inspecting(60);
    find(session, 'status_');
    expect(shown(session).text).toMatch(/^1 of \d+ match/);
  });

  const resourceOf = (id: string): Resource => {
    const resource = resourceById(id);
    if (resource === undefined) throw new Error(`no resource ${id}`);
    return resource;
  };

  it('Every match in any record, for any text, is reached one after the other', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...FULL_RECORDS),
        fc.oneof(anyText, fc.constantFrom('0', 'a', 'e', '1')),
        (record, text) => {
          const [id, row] = record;
          const resource = resourceOf(id);
          const opened = { ...openInspector(resource, row, loaded(pageOf([row])), 1), columns: 60 };
          const start = startInspectorFind(resource, opened, { find: text, names: NO_NAMES });
          const places = matchLines(resource, start);
          let at = start;
          const seen = places.map(() => {
            const { cursor } = at;
            at = moveToMatch(resource, at, 1);
            return cursor;
          });
          expect(seen).toEqual(places);
          expect(at.cursor).toBe(start.cursor);
          expect(moveToMatch(resource, moveToMatch(resource, at, 1), -1).cursor).toBe(at.cursor);
          if (text === '' || places.length === 0) return;
          const left = endInspectorFind(resource, at);
          expect(lineAtCursor(resource, left)?.node.path).toBe(lineAtCursor(resource, at)?.node.path);
        },
      ),
      { numRuns: 300 },
    );
  });
});
