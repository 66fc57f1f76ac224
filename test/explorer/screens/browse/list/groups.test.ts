import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { networkParameters } from '../../../../../src/chain/resources/network-parameters.ts';
import type { Session } from '../../../../../src/explorer/app/session.ts';
import { groupedLines } from '../../../../../src/explorer/screens/browse/list/table-lines.ts';
import { visibleRows } from '../../../../../src/explorer/screens/browse/list/visible-rows.ts';
import { tell } from '../../../support/browse-scenes.ts';
import { outOfRange } from '../../../support/cursor-rules.ts';
import { answerPage, browserOf, last, press, startSession, told } from '../../../support/fake-world.ts';
import { layoutOf } from '../../../support/layers.ts';
import { pageOf } from '../../../support/provision-pages.ts';

const page = (keys: readonly string[]) => pageOf(keys.map(key => ({ key, value: '1h' })));

async function parameters(keys: readonly string[], size: { readonly columns?: number; readonly rows?: number } = {}) {
  const started = await startSession({ ...size, tab: 'parameters' });
  await answerPage(started.world, page(keys));
  return started;
}

const KEYS = ['lonely', 'a.one', 'a.two', 'b.one', 'market.liquidity.x', 'market.y', 'z'];

/** The lines of the window, the selected one with a mark. */
function shown(session: Session): readonly string[] {
  const browser = browserOf(session);
  const { tableRows } = layoutOf(session.state());
  const lines = groupedLines(networkParameters, browser)?.lines ?? [];
  return lines.slice(browser.view.top, browser.view.top + tableRows).map(line => {
    if (line.kind === 'heading') return `[${line.title}]`;
    return `${line.index === browser.view.row ? '>' : ''}${String(line.row.key)}`;
  });
}

const selected = (session: Session): string => {
  const browser = browserOf(session);
  return String(visibleRows(networkParameters, browser).at(browser.view.row)?.key);
};

const NAMES = ['a', 'b', 'market.liquidity', 'governance.proposal.asset'];

/** Keys in any order, so that a group may come again. */
const anyKeys = fc.array(
  fc
    .tuple(fc.constantFrom('', ...NAMES), fc.stringMatching(/^[a-z]{1,5}$/))
    .map(([group, name]) => (group === '' ? name : `${group}.${name}`)),
  { minLength: 1, maxLength: 120 },
);

describe('List in groups', () => {
  it('A list in groups has a heading above the rows of each group, and none above rows without a group', async () => {
    const { session } = await parameters(KEYS);
    expect(shown(session)).toEqual([
      '>lonely',
      '[a]',
      'a.one',
      'a.two',
      '[b]',
      'b.one',
      '[market.liquidity]',
      'market.liquidity.x',
      '[market]',
      'market.y',
      'z',
    ]);
  });

  it('A list in groups selects only rows, one after the other, down and up', async () => {
    const { session } = await parameters(KEYS);
    for (const key of KEYS.slice(1)) {
      press(session, 'j');
      expect(selected(session)).toBe(key);
    }
    press(session, 'j');
    expect(selected(session)).toBe('z');
    for (const key of KEYS.toReversed().slice(1)) {
      press(session, 'k');
      expect(selected(session)).toBe(key);
    }
    press(session, 'G');
    expect(selected(session)).toBe('z');
    press(session, 'home');
    expect(selected(session)).toBe('lonely');
  });

  it('A list in groups shows the heading of the first row on the screen when there is one right above it', async () => {
    const many = Array.from({ length: 40 }, (_, index) => `a.k${String(index).padStart(2, '0')}`);
    const { session } = await parameters(many);
    press(session, 'G');
    expect(shown(session)[0]).not.toBe('[a]');
    for (let presses = 0; presses < 39; presses++) press(session, 'k');
    expect(shown(session).slice(0, 2)).toEqual(['[a]', '>a.k00']);
  });

  it('A list in groups reaches every row by whole pages, and skips none of them on the screen', async () => {
    await fc.assert(
      fc.asyncProperty(anyKeys, async keys => {
        const { session } = await parameters(keys);
        const seen = new Set(shown(session));
        for (let presses = 0; presses < keys.length; presses++) {
          press(session, 'pagedown');
          for (const line of shown(session)) seen.add(line.replace('>', ''));
        }
        expect(keys.filter(key => !seen.has(key) && !seen.has(`>${key}`))).toEqual([]);
        expect(selected(session)).toBe(keys.at(-1));
        for (let presses = 0; presses < keys.length; presses++) press(session, 'pageup');
        expect(selected(session)).toBe(keys[0]);
      }),
      { numRuns: 40 },
    );
  });

  it('A list in groups keeps the selected row on the screen, whatever key is pressed and whatever the size', async () => {
    const moves = fc.array(
      fc.constantFrom('j', 'k', 'G', 'home', 'pagedown', 'pageup', 'ctrl-d', 'ctrl-u', 'enter', 'esc', 'n'),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(anyKeys, moves, fc.integer({ min: 12, max: 30 }), async (keys, presses, rows) => {
        const { session } = await parameters(keys, { rows });
        for (const key of presses) {
          press(session, key);
          expect(outOfRange(session.state())).toEqual([]);
        }
        session.dispatch({ type: 'resized', screen: { columns: 160, rows: 13 } });
        expect(outOfRange(session.state())).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('A list in groups keeps its groups during a search, and counts only rows', async () => {
    const { session } = await parameters(KEYS);
    press(session, '/');
    session.paste('.one');
    press(session, 'enter');
    expect(shown(session)).toEqual(['[a]', '>a.one', '[b]', 'b.one']);
    expect(visibleRows(networkParameters, browserOf(session)).length).toBe(2);
  });

  it('A list in groups has no groups while its rows are sorted, and shows the whole key again', async () => {
    const { session } = await parameters(KEYS);
    tell(session, { type: 'sort-by', column: 'key' });
    expect(groupedLines(networkParameters, browserOf(session))).toBeUndefined();
    expect(outOfRange(session.state())).toEqual([]);
  });
});

describe('Description of the selected row', () => {
  const spokenOf = (session: Session) => browserOf(session).spokenOf?.row.key;
  const rests = (world: Awaited<ReturnType<typeof parameters>>['world']) =>
    world.waits.filter(({ asked }) => asked.ms === 150);

  it('The description follows when the selection rests, not at each key', async () => {
    const { session, world } = await parameters(KEYS);
    expect([spokenOf(session), rests(world).length]).toEqual([undefined, 0]);
    press(session, 'j', 'j');
    expect(spokenOf(session)).toBe('lonely');
    expect(rests(world).map(({ signal }) => signal.aborted)).toEqual([true, false]);
    last(rests(world)).answer();
    await told();
    expect(spokenOf(session)).toBeUndefined();
  });

  it('The description is not that of the previous page once another page is shown', async () => {
    const { session, world } = await parameters(KEYS);
    press(session, 'j', 'r');
    await answerPage(world, page(['other.key']));
    expect(browserOf(session).spokenOf?.page).not.toBe(browserOf(session).page);
  });

  it('The description needs no wait in a list that has no descriptions', async () => {
    const { session, world } = await startSession({ tab: 'bundles' });
    await answerPage(world, pageOf([{ nonce: '1' }, { nonce: '2' }]));
    press(session, 'j');
    expect(browserOf(session).spokenOf).toBeNull();
    expect(rests(world)).toEqual([]);
  });
});
