import { describe, expect, it } from 'vitest';
import { type JsonObject, parseJson } from '../../../../src/chain/api/json.ts';
import type { Session } from '../../../../src/explorer/app/session.ts';
import { tell } from '../../support/browse-scenes.ts';
import { atRange, end, exporting } from '../../support/export-scenes.ts';
import { answerPage, browserOf, press, startSession, told } from '../../support/fake-world.ts';
import { type AnyMenuId, menuItems, overlayOf, withOverlayOf } from '../../support/layers.ts';
import { showing } from '../../support/list-scenes.ts';
import { hexId, pageOf, provision } from '../../support/provision-pages.ts';

const itemsIn = (session: Session, id: AnyMenuId) => menuItems(session.state(), { id, query: '' });

async function listed(members: JsonObject = {}) {
  const { session, world } = await showing(pageOf([provision(1, members), provision(2)]));
  return { session, world };
}

describe('Menu items', () => {
  it('The sort menu marks the column that is sorted by and its direction', async () => {
    const { session } = await listed();
    const marked = () =>
      itemsIn(session, 'sort').flatMap(({ mark, label, detail }) => (mark === ' ' ? [] : [[mark, label, detail]]));
    expect(marked()).toEqual([['*', "the node's own order", '']]);
    tell(session, { type: 'sort-by', column: 'fee' });
    expect(marked()).toEqual([['^', 'FEE', 'again: largest first']]);
    tell(session, { type: 'sort-by', column: 'fee' });
    expect(marked()).toEqual([['v', 'FEE', 'again: smallest first']]);
  });

  it('The column menu marks the columns that are shown, the first one always', async () => {
    const { session } = await listed();
    press(session, 'c', 'j', 'j', 'enter');
    expect(
      itemsIn(session, 'columns').map(({ mark, label, detail, disabledReason }) => [
        mark,
        label,
        detail,
        disabledReason,
      ]),
    ).toEqual([
      ['[x]', 'PARTY', 'always shown', 'the first column is always shown'],
      ...['MARKET'].map(label => ['[x]', label, '', undefined]),
      ...['STATUS'].map(label => ['[ ]', label, '', undefined]),
      ...['COMMITMENT'].map(label => ['[x]', label, '', undefined]),
      ...['COMMIT %'].map(label => ['[ ]', label, '', undefined]),
      ...['FEE', 'VER', 'UPDATED', 'ID', 'REFERENCE', 'CREATED'].map(label => ['[x]', label, '', undefined]),
      ...['NEXT COMMITMENT', 'NEXT FEE', 'NEXT VER', 'BUYS', 'SELLS'].map(label => ['[ ]', label, '', undefined]),
      [' ', "the list's own columns", '', undefined],
    ]);
  });

  it('The copy menu has the items of the inspected record, and of its line only when that has a value', async () => {
    const { session } = await listed({ version: parseJson('12') });
    const labels = () => itemsIn(session, 'copy').map(({ label }) => label);
    expect(labels().slice(0, 2)).toEqual(['party', 'market']);
    press(session, 'enter');
    await told();
    expect(labels()[0]).toBe('party');
    press(session, 'j', 'j', 'j', 'j');
    expect(itemsIn(session, 'copy').slice(0, 2)).toEqual([
      {
        mark: '',
        label: 'value',
        detail: '12',
        action: { type: 'copy', what: 'value', content: { kind: 'text', text: '12' } },
      },
      {
        mark: '',
        label: 'path',
        detail: 'version',
        action: { type: 'copy', what: 'path', content: { kind: 'text', text: 'version' } },
      },
    ]);
    expect(labels()).toContain('curl for this page');
  });

  it('The copy menu has no empty items, and only the page when there is no row', async () => {
    const { session, world } = await listed({ reference: '' });
    expect(itemsIn(session, 'copy').map(({ label }) => label)).not.toContain('reference');
    press(session, 'r');
    await answerPage(world, pageOf([]));
    expect(itemsIn(session, 'copy').map(({ label }) => label)).toEqual(['command for this page', 'curl for this page']);
  });

  it('The copy menu has no items when nothing is loaded', async () => {
    const { session } = await startSession();
    expect(itemsIn(session, 'copy')).toEqual([]);
    const exporting = await atRange();
    expect(itemsIn(exporting.session, 'copy')).toEqual([]);
  });

  it('The copy menu of an export has its command, and its file once it is saved', async () => {
    const { session, world } = await exporting();
    const command = 'blockglass export --demo --table ledger --from 501 --to 1500';
    const labelled = () => itemsIn(session, 'copy').map(({ label, detail }) => [label, detail]);
    expect(labelled()).toEqual([['equal command', command]]);
    await end(world);
    expect(labelled()).toEqual([
      ['path of the file', '/out/x.zip'],
      ['equal command', command],
      ['command that converts it to Parquet', 'blockglass convert /out/x.zip --parquet --out /out/x-parquet'],
    ]);
    expect(itemsIn(session, 'sort')).toEqual([]);
    expect(itemsIn(session, 'columns')).toEqual([]);
  });

  it('The copy menu of a stopped export has no file', async () => {
    const { session, world } = await exporting();
    await end(world, { kind: 'cancelled', partPath: '/out/x.zip.part', elapsedMs: 1 });
    expect(itemsIn(session, 'copy').map(({ label }) => label)).toEqual(['equal command']);
  });

  it('The column menu has the titles that the columns have under the filters of the page', async () => {
    const { session, world } = await showing(pageOf([]), { tab: 'fees' });
    tell(session, { type: 'set-filter', name: 'partyIds', value: hexId(3) });
    await answerPage(world, pageOf([]));
    expect(itemsIn(session, 'columns').map(({ label }) => label)).toContain('MARKET TOTAL');
  });

  it('The help menu has the keys of the mode below, each with what it does', async () => {
    const { session } = await listed();
    press(session, '?');
    const items = itemsIn(session, 'keys');
    expect(items.find(({ label }) => label === 'next page')).toEqual({
      mark: 'n ]',
      label: 'next page',
      detail: 'this is the last page',
      disabledReason: 'this is the last page',
      action: { type: 'in-layer', layer: expect.any(Number), event: { type: 'next-page' } },
    });
    expect(items.find(({ label }) => label === 'reload')).toEqual({
      mark: 'r',
      label: 'reload',
      detail: '',
      action: { type: 'in-layer', layer: expect.any(Number), event: { type: 'reload' } },
    });
  });

  it('Menu items are searched by mark, label and detail, in any case', async () => {
    const { session } = await listed();
    const found = (id: AnyMenuId, query: string) => menuItems(session.state(), { id, query }).map(({ label }) => label);
    expect(found('columns', '[ ] SE')).toEqual(['SELLS']);
    expect(found('columns', 'Always SHOWN')).toEqual(['PARTY']);
    expect(found('keys', 'ctrl-f A screen')).toEqual(['a screen down']);
  });

  it('A menu stays open when a disabled item is chosen', async () => {
    const { session } = await listed();
    press(session, '?', '/');
    session.dispatch({ type: 'type-text', value: 'next page' });
    press(session, 'enter');
    expect(withOverlayOf(session.state())).toMatchObject({
      notice: { text: 'this is the last page' },
      overlay: { kind: 'menu' },
    });
    press(session, 'esc', 'G', 'x');
    expect(overlayOf(session.state())).toMatchObject({ kind: 'menu', isFiltering: false, query: '' });
    expect(browserOf(session).page?.rows.length).toBe(2);
  });
});
