import { describe, expect, it } from 'vitest';
import { sanitize } from '../../../../src/base/text/safe-text.ts';
import type { JsonObject } from '../../../../src/chain/api/json.ts';
import { resourceById } from '../../../../src/chain/resources/registry.ts';
import type { Session } from '../../../../src/explorer/app/session.ts';
import { visibleRows } from '../../../../src/explorer/screens/browse/list/visible-rows.ts';
import { countsLayout, countsTable, scopeText } from '../../../../src/explorer/screens/counts/lines.ts';
import type { ShownCounts } from '../../../../src/explorer/screens/counts/state.ts';
import { tell } from '../../support/browse-scenes.ts';
import { answerPage, last, press, startSession, told } from '../../support/fake-world.ts';
import { renderFrame } from '../../support/frame.ts';
import {
  contextOfTop,
  layersOf,
  layoutOf,
  listOf,
  menuItems,
  openState,
  overlayOf,
  placeOf,
  topState,
} from '../../support/layers.ts';
import { LIVE, onFirstPage, onOnlyPage, run, showing, type } from '../../support/list-scenes.ts';
import { offered } from '../../support/node-scenes.ts';
import { hexId, pageOf, provision, provisionPage } from '../../support/provision-pages.ts';

const viewOf = (session: Session): ShownCounts => openState(session, 'counts');

/** Of which rows it says that it is. */
function scopeOf(session: Session): string {
  const { scope } = viewOf(session).opening;
  return scope === null ? '' : scopeText(scope);
}

/** What its lines say. */
function lines(session: Session): readonly string[] {
  const state = session.state();
  const table = countsTable(viewOf(session), state);
  return (table?.linesFrom(0, 1000) ?? []).map(({ cells }) => cells.join(' '));
}

async function count(session: Session, column: string, verb = 'freq'): Promise<void> {
  run(session, `${verb} ${column}`);
  await counted(session);
}

async function counted(session: Session): Promise<void> {
  while (topState<ShownCounts>(session.state(), 'counts')?.counts === null) await told();
}

const shownRows = (session: Session, id: string): readonly JsonObject[] => {
  const [resource, list] = [resourceById(id), listOf(session.state(), id)];
  return resource === undefined || list === undefined ? [] : visibleRows(resource, list).slice();
};

const feePage = (parties: readonly number[]) =>
  pageOf(
    parties.map(count => ({
      ...{ market: hexId(1), asset: hexId(2), epochSeq: '4', totalFeesPaid: '10' },
      feesPaidPerParty: Array.from({ length: count }, (_, party) => ({ party: hexId(party), amount: '1' })),
    })),
  );

const labels = (session: Session): readonly string[] => {
  const state = session.state();
  const overlay = overlayOf(state);
  return overlay?.kind === 'menu' ? menuItems(state, overlay).map(({ label }) => label) : [];
};

const TABLES = ['CSV', 'TSV', 'Markdown', 'JSON'].map(form => `table as ${form}`);

describe('Frequency of a column', () => {
  it('The frequency menu offers the last column used first, then the columns that are shown', async () => {
    const { session } = await onOnlyPage(10);
    press(session, 'F');
    expect(labels(session).slice(0, 4)).toEqual(['PARTY', 'MARKET', 'STATUS', 'COMMITMENT']);
    expect(labels(session)).toContain('SELLS');
    press(session, 'j', 'enter');
    await counted(session);
    expect([placeOf(session.state()), lines(session).length]).toEqual(['screen', 3]);
    press(session, 'F');
    expect(labels(session).slice(0, 3)).toEqual(['MARKET', 'PARTY', 'STATUS']);
    press(session, 'esc', 'esc');
    expect([placeOf(session.state()), listOf(session.state(), 'provisions')?.page?.rows.length]).toEqual(['list', 10]);
  });

  it('The frequency menu begins with the last column used after coming back to a list, and at another node', async () => {
    const { session, world } = await onOnlyPage(10);
    press(session, 'g', 'enter');
    await answerPage(world, pageOf([]));
    press(session, '2');
    await count(session, 'market');
    press(session, 'esc', 'backspace', 'F');
    expect([session.state().tab, labels(session)[0]]).toEqual(['provisions', 'MARKET']);
    press(session, 'esc');
    session.dispatch({ type: 'choose-node', to: offered('backup') });
    expect(menuItems(session.state(), { id: 'count', query: '' })[0]?.label).toBe('MARKET');
  });

  it('The frequency screen shows which rows it counts: those loaded, those found, or all of them', async () => {
    const { session } = await onFirstPage();
    await count(session, 'status');
    expect(scopeOf(session)).toBe('of 50 loaded rows');
    press(session, 'esc', '/');
    type(session, 'reference-4');
    press(session, 'enter');
    await count(session, 'status');
    expect(scopeOf(session)).toBe('of 11 found among 50 loaded rows');
    expect(lines(session)[0]).toMatch(/ 11 100\.0 %$/);
    const whole = await onOnlyPage(1);
    await count(whole.session, 'STATUS');
    expect(scopeOf(whole.session)).toBe('of all 1 row');
  });

  it('The frequency of a long list is counted in slices, so that keys still work, and Esc stops it', async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => provision(index));
    const { session } = await showing(pageOf(rows));
    run(session, 'freq reference');
    expect(viewOf(session).counts).toBeNull();
    press(session, 'esc');
    expect(layersOf(session)).toEqual([]);
    run(session, 'freq reference');
    await session.idle();
    const view = viewOf(session);
    expect([view.counts?.rows, view.counts?.values.length]).toEqual([20_000, 20_000]);
    press(session, 'end');
    expect(viewOf(session).row).toBe(19_999);
  });

  it('The frequency screen keeps its counts when the rows under it change, until they are counted again', async () => {
    const { session, world } = await onFirstPage();
    press(session, 'w');
    await count(session, 'party');
    tell(session, { type: 'watch-due' });
    await answerPage(world, provisionPage(1, 7));
    expect(scopeOf(session)).toBe('of 50 loaded rows');
    press(session, 'r');
    await counted(session);
    expect(scopeOf(session)).toBe('of 7 loaded rows');
    expect(lines(session).every(line => / 1 14\.3 %$/.test(line))).toBe(true);
  });

  it('A frequency value leads to its rows at the node, when the column is one of the filters', async () => {
    const { session, world } = await onFirstPage();
    await count(session, 'market');
    press(session, 'j', 'enter');
    expect(last(world.pages).asked.request.filters).toEqual({ ...LIVE, marketId: [hexId(1_000_001)] });
    expect(placeOf(session.state())).toBe('list');
  });

  it('A frequency value otherwise leads to the loaded rows that hold it, and never to an unrelated filter', async () => {
    const bundle = (oldSigner: string, submitter: string) => ({
      oldSigner,
      submitter,
      signatures: '0x',
      epochSeq: '1',
    });
    const [one, other] = [`0x${'ab'.repeat(20)}`, `0x${'cd'.repeat(20)}`];
    const { session, world } = await showing(pageOf([bundle(one, other), bundle(other, other)]), { tab: 'bundles' });
    await count(session, 'old-signer');
    press(session, 'enter');
    expect([shownRows(session, 'bundles').map(({ oldSigner }) => oldSigner), world.pages.length]).toEqual([[one], 1]);
    press(session, 'esc', 'esc');
    await count(session, 'submitter');
    press(session, 'enter');
    expect(last(world.pages).asked.request.filters).toEqual({ submitter: [other] });
  });

  it('The frequency screen returns as it was with Esc from the rows of a value, and from there the list', async () => {
    const { session, world } = await onFirstPage();
    const rows = listOf(session.state(), 'provisions')?.page;
    await count(session, 'market');
    press(session, 'j', 'enter');
    await answerPage(world, pageOf([provision(1)]));
    expect(listOf(session.state(), 'provisions')?.page?.rows).toHaveLength(1);
    press(session, 'j', 'esc');
    await counted(session);
    expect([layersOf(session), viewOf(session).row]).toEqual([['counts'], 1]);
    expect(listOf(session.state(), 'provisions')?.page).toEqual(rows);
    press(session, 'enter', 'esc');
    await counted(session);
    expect([layersOf(session), viewOf(session).row]).toEqual([['counts'], 1]);
    press(session, 'esc');
    expect(listOf(session.state(), 'provisions')).toMatchObject({ filters: LIVE, page: rows, loading: null });
    press(session, 'esc');
    expect(session.state().notice?.text).toBe('q quits');
  });

  it('The footer under the rows of a value begins with the way back to the counts, and only there', async () => {
    const { session, world } = await onFirstPage();
    const footer = () => renderFrame(session.state()).trimEnd().split('\n').at(-1);
    expect(footer()).not.toContain('esc ');
    await count(session, 'market');
    press(session, 'j', 'enter');
    await answerPage(world, pageOf([provision(1)]));
    expect(footer()).toMatch(/^ 1-1 of 1 {3}esc counts {2}/);
    press(session, 'r');
    expect(footer()).not.toContain('esc counts');
    await answerPage(world, pageOf([provision(1)]));
    press(session, 'x');
    await answerPage(world, pageOf([provision(1)]));
    expect(footer()).not.toContain('esc counts');
  });

  it('The frequency screen does not return from rows that are not those of a value', async () => {
    const { session, world } = await onFirstPage();
    await count(session, 'market');
    press(session, 'enter');
    await answerPage(world, pageOf([provision(1)]));
    press(session, 'x');
    await answerPage(world, pageOf([provision(1)]));
    press(session, 'esc');
    expect([layersOf(session), session.state().notice?.text]).toEqual([[], 'q quits']);
  });

  it('The rows of amounts, days and missing values are those that were counted', async () => {
    const { session } = await showing(
      pageOf([
        provision(0, { commitmentAmount: '77', reference: '' }),
        provision(0, { commitmentAmount: '88', updatedAt: '1700000000000000000', reference: 'x77' }),
        provision(0, { commitmentAmount: '77', reference: '88' }),
      ]),
    );
    const ids = () => shownRows(session, 'provisions').map(({ reference }) => reference);
    await count(session, 'commitment');
    press(session, 'end', 'enter');
    expect(ids()).toEqual(['x77']);
    press(session, 'esc', 'esc');
    await count(session, 'updated');
    press(session, 'end', 'enter');
    expect(ids()).toEqual(['x77']);
    press(session, 'esc', 'esc');
    await count(session, 'reference');
    expect(lines(session)).toContain('(none) 1 33.3 %');
    press(session, 'enter');
    expect(ids()).toEqual(['']);
    expect(session.state().notice?.text).toBe('Esc comes back to the counts');
  });

  it('The rows of a number are as many as it was counted, though other rows have the digit elsewhere', async () => {
    const { session } = await showing(feePage([2, 5, 2]), { tab: 'fees' });
    await count(session, 'parties');
    expect(lines(session)).toEqual(['2 2 66.7 %', '5 1 33.3 %']);
    press(session, 'enter');
    expect(shownRows(session, 'fees')).toHaveLength(2);
    await count(session, 'parties');
    expect(lines(session)).toEqual(['2 2 100.0 %']);
    expect(scopeOf(session)).toBe('of 2 found among all 3 rows');
    press(session, 'y');
    expect(labels(session)).not.toContain('equal command');
  });

  it('The rows of a value are counted within what was found, and so are values within values', async () => {
    const { session } = await onFirstPage();
    press(session, '/');
    type(session, 'reference-4');
    press(session, 'enter');
    await count(session, 'commitment');
    expect(lines(session)).toHaveLength(11);
    press(session, 'enter');
    expect(shownRows(session, 'provisions').map(({ reference }) => reference)).toEqual(['reference-4']);
    await count(session, 'updated');
    expect(scopeOf(session)).toBe('of 1 found among 50 loaded rows');
    press(session, 'enter', 'esc', 'esc', 'esc');
    await counted(session);
    expect(scopeOf(session)).toBe('of 11 found among 50 loaded rows');
  });

  it('Equal digits of two assets are different values, with their own rows', async () => {
    const { session } = await showing(
      pageOf([0, 0, 1].map(of => provision(0, { marketId: hexId(1_000_000 + of), commitmentAmount: '77' }))),
    );
    await count(session, 'commitment');
    press(session, 'end', 'enter');
    expect(shownRows(session, 'provisions').map(({ marketId }) => marketId)).toEqual([hexId(1_000_001)]);
  });

  it('The frequency menu offers a sum for plain numbers, and sums of each asset for amounts', async () => {
    const { session } = await showing(feePage([2]), { tab: 'fees' });
    press(session, 'F');
    const details = menuItems(session.state(), { id: 'count', query: '' });
    expect(details.find(({ label }) => label === 'PARTIES')?.detail).toBe('with its sum');
    expect(details.find(({ detail }) => detail === 'with sums, of each asset')).toBeDefined();
  });

  it('Esc returns through the last ten frequency values that were chosen one within the other', async () => {
    const bundle = { oldSigner: 'one', submitter: '0xab', signatures: '0x', epochSeq: '1' };
    const { session } = await showing(pageOf([bundle, bundle]), { tab: 'bundles' });
    for (let chosen = 0; chosen < 12; chosen++) {
      await count(session, 'old-signer');
      press(session, 'enter');
    }
    const ways: string[] = [];
    for (let list = listOf(session.state(), 'bundles'); list?.counted; list = list.counted.left)
      ways.push(list.counted.value);
    expect(ways).toEqual(Array(10).fill('one'));
  });

  it('The frequency screen has the sums of each asset above the values, or only the sums on request', async () => {
    const [HELD, OTHER] = [hexId(1_000_000), hexId(1_000_001)];
    const { session, world } = await startSession({ columns: 120, rows: 24 });
    const asset = (symbol: string, decimals: number) => ({ symbol, name: symbol, status: '', decimals, quantum: '' });
    const market = (code: string, of: string) => ({
      ...{ code, name: code, state: '', asset: of, specs: [] },
      ...{ decimalPlaces: 0, positionDecimalPlaces: 0 },
    });
    const assets = new Map([
      ['a1', asset('HUSD', 2)],
      ['a2', asset('\u202eEVIL\u001b[2J', 18)],
    ]);
    const markets = new Map([
      [HELD, market('ONE', 'a1')],
      [OTHER, market('TWO', 'a2')],
    ]);
    world.directory = async () => ({ names: { assets, markets }, isOld: false });
    await answerPage(
      world,
      pageOf([
        provision(0, { marketId: HELD, commitmentAmount: '9007199254740993' }),
        provision(0, { marketId: OTHER, commitmentAmount: '1' }),
        provision(0, { marketId: HELD, commitmentAmount: '7' }),
        provision(0, { marketId: HELD, commitmentAmount: 'lots' }),
      ]),
    );
    await told();
    await count(session, 'commitment');
    const { above } = countsLayout(viewOf(session), contextOfTop(session.state()));
    expect(above).toEqual([
      'sum   90 071 992 547 410  least                 0.07  largest 90 071 992 547 409.93  HUSD, 2 rows',
      `sum 0.000000000000000001  least 0.000000000000000001  largest  0.000000000000000001  ${sanitize('\u202eEVIL\u001b[2J')}, 1 row`,
      'left out of the sums: 1 row without an amount of a known asset',
    ]);
    session.dispatch({ type: 'resized', screen: { columns: 40, rows: 24 } });
    expect(countsLayout(viewOf(session), contextOfTop(session.state())).above.slice(0, 2)).toEqual([
      'sum   90 071 992 547 410  HUSD',
      `sum 0.000000000000000001  ${sanitize('\u202eEVIL\u001b[2J')}`,
    ]);
    await count(session, 'commitment', 'sum');
    expect(lines(session)[0]).toBe('HUSD 90 071 992 547 410 2 0.07 90 071 992 547 409.93');
    press(session, 'enter');
    expect(session.state().notice?.text).toBe('a sum has no rows of its own');
  });

  it('The frequency sums add up plain numbers without a unit', async () => {
    const { session } = await showing(feePage([2, 5]), { tab: 'fees' });
    await count(session, 'parties');
    const { above } = countsLayout(viewOf(session), contextOfTop(session.state()));
    expect(above).toEqual(['sum 7  least 2  largest 5  2 rows']);
  });

  it.each([
    ['freq', 'statsu', /^no column "statsu": did you mean status\?$/],
    ['sum', 'status', /^status cannot be added up: there are commitment, /],
    ['sum', '', /no column ""/],
  ])('The line :%s %s reports what is wrong', async (verb, column, problem) => {
    const { session } = await onFirstPage();
    run(session, `${verb} ${column}`);
    const overlay = overlayOf(session.state());
    expect(overlay?.kind === 'prompt' && overlay.problem).toMatch(problem);
  });

  it('The frequency screen can be copied and saved, with the command that counts the same rows', async () => {
    const { session, world } = await onFirstPage();
    press(session, '/');
    type(session, 'reference-4');
    press(session, 'enter');
    await count(session, 'status');
    press(session, 'y');
    expect(labels(session)).toEqual(['value', 'value as shown', ...TABLES, 'equal command']);
    press(session, 'end', 'enter');
    await told();
    expect(world.copies.at(-1)?.text).toBe(
      'blockglass list provisions --demo --live --page-size 50 --find reference-4 --freq status',
    );
    for (const what of TABLES) {
      session.dispatch({ type: 'open-prompt', id: 'command' });
      type(session, `copy ${what}`);
      press(session, 'enter');
      await told();
    }
    const [csv = '', tsv = '', markdown = '', json = ''] = world.copies.slice(-4).map(({ text }) => text);
    expect(csv).toBe('value,shown,count,share\r\nSTATUS_ACTIVE,ACTIVE,11,100.0\r\n');
    expect(tsv).toBe(csv.replaceAll(',', '\t'));
    expect(markdown).toContain('| STATUS\\_ACTIVE | ACTIVE | 11 | 100.0 |');
    expect(JSON.parse(json).values).toHaveLength(1);
    press(session, 'W', 'enter');
    expect(world.saves.at(-1)?.asked).toMatchObject({ what: '1 line', content: { kind: 'figures', form: 'csv' } });
    press(session, 'esc');
    const whole = await onOnlyPage(3);
    await count(whole.session, 'commitment', 'sum');
    press(whole.session, 'y', 'end', 'enter');
    await whole.session.idle();
    expect(whole.world.copies.at(-1)?.text).toBe('blockglass list provisions --demo --live --all --sum commitment');
  });

  it('The frequency screen covers the description of the selected row, since no row is shown', async () => {
    const { session } = await showing(pageOf([{ key: 'validators.epoch.length', value: '10m0s' }]), {
      tab: 'parameters',
    });
    expect(layoutOf(session.state()).aboutRows).toBe(2);
    await count(session, 'type');
    expect(layoutOf(session.state()).aboutRows).toBe(0);
  });

  it('The frequency screen belongs to its list: another tab has none', async () => {
    const { session } = await onFirstPage();
    await count(session, 'status');
    press(session, '1');
    expect(layersOf(session)).toEqual([]);
  });

  it('The frequency key is off when there are no rows', async () => {
    const { session } = await showing(pageOf([]));
    press(session, 'F');
    expect([placeOf(session.state()), session.state().notice?.text]).toEqual(['list', 'no record here']);
  });

  it('The frequency of rows without any member can be counted', async () => {
    const empty: JsonObject = {};
    const { session } = await showing(pageOf([empty, empty]));
    press(session, 'F');
    for (const label of labels(session)) {
      session.dispatch({ type: 'back' });
      await count(session, label.toLowerCase());
      expect(lines(session).length, label).toBeGreaterThan(0);
    }
  });
});
