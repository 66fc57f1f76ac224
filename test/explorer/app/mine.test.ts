import { describe, expect, it } from 'vitest';
import { RefusedError } from '../../../src/chain/api/errors.ts';
import { type Mine, NOTHING_MINE } from '../../../src/chain/directory/mine.ts';
import { resourceById } from '../../../src/chain/resources/registry.ts';
import type { RowPage } from '../../../src/chain/resources/resource.ts';
import type { Session } from '../../../src/explorer/app/session.ts';
import { rootEvent } from '../../../src/explorer/openings.ts';
import { visibleRows } from '../../../src/explorer/screens/browse/list/visible-rows.ts';
import { answerPage, browserOf, FakeWorld, last, press, startSession, told } from '../support/fake-world.ts';
import { menuItems, overlayOf } from '../support/layers.ts';
import { barTexts, run } from '../support/list-scenes.ts';
import { provision } from '../support/provision-pages.ts';

const id = (digits: string): string => digits.repeat(32);
const [NODE, OTHER, PARTY, SECOND, MARKET] = ['a1', 'a2', 'b1', 'b2', 'c1'].map(id) as [
  string,
  string,
  string,
  string,
  string,
];
const ADDRESS = `0x${'ab'.repeat(20)}`;

const page = (...rows: readonly object[]): RowPage => ({
  rows: JSON.parse(JSON.stringify(rows)),
  ...{ cursors: [], startCursor: '', endCursor: '', hasNextPage: false, hasPreviousPage: false, flaws: [] },
});

const VALIDATORS = page(
  { id: NODE, name: 'Ashgrove', ethereumAddress: ADDRESS, pubKey: PARTY, delegations: [] },
  {
    id: OTHER,
    name: 'Dunlin',
    ethereumAddress: `0x${'cd'.repeat(20)}`,
    pubKey: SECOND,
    delegations: [{ party: PARTY, nodeId: OTHER }],
  },
);

const bundle = (submitter: string) => ({
  oldSigner: `0x${'ef'.repeat(20)}`,
  submitter,
  nonce: '1',
  epochSeq: '1',
  timestamp: '1',
  signatures: '0x',
});

async function started(tab: string, mine: Partial<Mine> = {}, world = new FakeWorld()) {
  world.mine = { ...NOTHING_MINE, ...mine };
  const { session } = await startSession({ tab, world });
  await told();
  const notice = () => session.state().notice?.text;
  const rows = () => visibleRows(resourceById(tab) ?? (undefined as never), browserOf(session)).length;
  return { world, session, notice, rows, mine: () => session.state().directory.mine };
}

const setFilter = ({ dispatch, state }: Session, name: string, value: string): void =>
  dispatch(rootEvent('browse', [state().tab], { type: 'set-filter', name, value }));

/** The ids that M offers. */
const marks = (session: Session) => menuItems(session.state(), { id: 'mine', query: '' });

describe('Key M', () => {
  it('The key M marks the ID of the record as the user’s, says so, and undoes it', async () => {
    const { world, session, notice, mine } = await started('validators');
    await answerPage(world, VALIDATORS);
    press(session, 'M');
    await told();
    expect(notice()).toBe('validator a1a1a..1a1a1 is yours now');
    expect([...(mine()?.node ?? [])]).toEqual([NODE]);
    press(session, 'M');
    await told();
    expect(notice()).toBe('validator a1a1a..1a1a1 is no longer yours');
    expect(world.mine).toEqual(NOTHING_MINE);
  });

  it('The marked IDs are read again with a list that is reloaded by its key', async () => {
    const { world, session, mine } = await started('bundles');
    await answerPage(world, page(bundle(ADDRESS)));
    world.mine = { ...NOTHING_MINE, submitter: new Set([ADDRESS]) };
    press(session, 'r');
    await answerPage(world, page(bundle(ADDRESS)));
    await told();
    expect([...(mine()?.submitter ?? [])]).toEqual([ADDRESS]);
    const before = mine();
    press(session, 'r');
    await answerPage(world, page(bundle(ADDRESS)));
    await told();
    expect(mine()).toBe(before);
  });

  it('The key M makes room for the mark in the lists of the other tabs too', async () => {
    const { world, session } = await started('validators');
    await answerPage(world, VALIDATORS);
    press(session, '4');
    await answerPage(world, page(bundle(ADDRESS)));
    press(session, 'M', 'enter');
    await told();
    press(session, '7');
    expect(browserOf(session).namesLaidOut.mine).toBe(session.state().directory.mine);
  });

  it('The key M offers the IDs of a record that has none of its own, and marks the chosen one', async () => {
    const { world, session, notice } = await started('bundles');
    await answerPage(world, page(bundle(ADDRESS)));
    press(session, 'M');
    expect(session.state().layers.at(-1)?.screen).toBe('menu');
    press(session, 'down', 'enter');
    await told();
    expect(notice()).toMatch(/^submitter 0x\w+\.\.\w+ is yours now$/);
    expect([...world.mine.submitter]).toEqual([ADDRESS]);
  });

  it('The key M marks the ID on the line of a record', async () => {
    const { world, session } = await started('bundles');
    await answerPage(world, page(bundle(ADDRESS)));
    press(session, 'enter');
    await told();
    for (let line = 0; line < 12 && world.mine.submitter.size === 0; line++) {
      press(session, 'M');
      await told();
      if (overlayOf(session.state()) !== null) press(session, 'esc');
      press(session, 'down');
    }
    expect(world.mine.submitter.size).toBe(1);
  });

  it('The key M offers the party of a provision before its market, and the markets of fees before their parties', async () => {
    const { world, session } = await started('provisions');
    await answerPage(world, page(provision(1, { partyId: PARTY, marketId: MARKET })));
    press(session, 'M');
    expect(marks(session).map(({ label }) => label)).toEqual([
      expect.stringMatching(/^party /),
      expect.stringMatching(/^market /),
    ]);
    press(session, 'enter');
    await told();
    expect([...world.mine.party]).toEqual([PARTY]);
    const fees = await started('fees');
    const paid = [PARTY, SECOND].map(party => ({ party, amount: '1', quantumAmount: '1' }));
    await answerPage(
      fees.world,
      page({ market: MARKET, asset: id('e1'), epochSeq: '1', totalFeesPaid: '2', feesPaidPerParty: paid }),
    );
    press(fees.session, 'M');
    const [first] = marks(fees.session);
    expect(first?.label).toMatch(/^market /);
  });

  it('The key M says what could not be written, and marks nothing', async () => {
    const { world, session, notice, mine } = await started('validators');
    world.saveMine = () => Promise.reject(new Error('mine.json: no space left on device'));
    await answerPage(world, VALIDATORS);
    press(session, 'M');
    await told();
    expect(notice()).toBe('not saved: mine.json: no space left on device');
    expect(mine()).toBeUndefined();
  });

  it('The key M writes one change after the other', async () => {
    const { world, session, notice } = await started('validators');
    await answerPage(world, VALIDATORS);
    press(session, 'M', 'M');
    expect(notice()).toBe('the last change is being written');
    await told();
    expect([...world.mine.node]).toEqual([NODE]);
  });

  it('The key M has nothing to mark in a list of parameters', async () => {
    const { world, session, notice } = await started('parameters');
    await answerPage(world, page({ key: 'a', value: '1' }));
    press(session, 'M');
    expect(notice()).toBe('nothing here can be yours');
    press(session, 'm');
    expect(notice()).toBe('nothing in this list can be yours');
  });

  it('The key M marks nothing when the node does not report its chain', async () => {
    const world = new FakeWorld();
    world.chainId = async () => '';
    const { session, notice } = await started('validators', { node: new Set([NODE]) }, world);
    await answerPage(world, VALIDATORS);
    press(session, 'M');
    expect(notice()).toContain('the node does not report a chain id');
  });
});

describe('Key m', () => {
  it('The key m says what to do when no ID is marked', async () => {
    const { world, session, notice } = await started('validators');
    await answerPage(world, VALIDATORS);
    press(session, 'm');
    expect(notice()).toBe('nothing is yours yet: M marks ids');
  });

  it('The key m reduces the loaded rows to the user’s own, and shows all again', async () => {
    const { world, session, notice, rows } = await started('validators', {
      node: new Set([NODE]),
      party: new Set([PARTY]),
    });
    await answerPage(world, VALIDATORS);
    press(session, 'm');
    expect([rows(), notice()]).toEqual([1, '1 of 2 loaded rows has one of your ids; m shows all']);
    press(session, 'm');
    expect(rows()).toBe(2);
    press(session, 'm', 'esc');
    expect(rows()).toBe(2);
  });

  it('The key m filters provisions by the user’s party before any were listed, with one key', async () => {
    const { world, session, notice } = await started('provisions', { party: new Set([PARTY]) });
    await answerPage(world, page());
    press(session, 'm');
    expect(last(world.pages).asked.request.filters).toMatchObject({ partyId: [PARTY], live: ['true'] });
    expect(notice()).toBe('party you, filtered by the node; m shows all');
  });

  it('The key m goes from one own ID to the next when the node takes one, and to all after the last', async () => {
    const { world, session, notice } = await started('provisions', { party: new Set([PARTY, SECOND]) });
    await answerPage(world, page());
    press(session, 'm');
    expect(notice()).toBe('party you b1b1 (1 of 2), filtered by the node; m shows the next');
    press(session, 'm');
    expect(notice()).toBe('party you b2b2 (2 of 2), filtered by the node; m shows all');
    expect(last(world.pages).asked.request.filters).toMatchObject({ partyId: [SECOND] });
    press(session, 'm');
    expect(browserOf(session).filters).not.toHaveProperty('partyId');
  });

  it('The key m shows all rows in the end when the list was restored with a filter for one own ID', async () => {
    const { world, session, notice } = await started('provisions', { party: new Set([PARTY, SECOND]) });
    await answerPage(world, page());
    setFilter(session, 'partyId', PARTY);
    await answerPage(world, page());
    press(session, 'm');
    expect(notice()).toBe('party you b2b2 (2 of 2), filtered by the node; m shows all');
    press(session, 'm');
    expect(notice()).toBe('no longer limited to yours');
    expect(browserOf(session).filters).not.toHaveProperty('partyId');
  });

  it('The key m searches every market for own rows, and restores the earlier filters', async () => {
    const { world, session, notice } = await started('provisions', { party: new Set([PARTY, SECOND]) });
    await answerPage(world, page());
    const before = { marketId: [MARKET], reference: ['r'] };
    setFilter(session, 'marketId', MARKET);
    setFilter(session, 'reference', 'r');
    await answerPage(world, page());
    run(session, 'sort commitment');
    press(session, 'm');
    expect(browserOf(session).sort).toBeNull();
    expect(last(world.pages).asked.request.filters).toEqual({ partyId: [PARTY], live: ['true'] });
    expect(notice()).toBe('party you b1b1 (1 of 2), any market, any reference, filtered by the node; m shows the next');
    press(session, 'm');
    expect(last(world.pages).asked.request.filters).toEqual({ partyId: [SECOND], live: ['true'] });
    press(session, 'm');
    expect(browserOf(session).filters).toEqual({ ...before, live: ['true'] });
    expect(browserOf(session).sort?.column).toBe('commitment');
    expect(notice()).toBe('no longer limited to yours: market and reference set again');
  });

  it('The key m leaves no own rows when the node refuses to list all, and shows them again with the next m', async () => {
    const { world, session } = await started('provisions', { party: new Set([PARTY]) });
    await answerPage(world, page());
    press(session, 'm');
    await answerPage(world, page(provision(1)));
    press(session, 'm');
    const detail = { type: '', code: '280001', message: '', inner: 'market or party filters are required', rest: {} };
    const fault = { code: 13, message: 'Internal error', details: [detail] };
    last(world.pages).fail(new RefusedError(500, fault, { url: '', hint: '' }));
    await told();
    expect(browserOf(session)).toMatchObject({ filters: { live: ['true'] }, page: null });
    expect(barTexts(session)).toEqual(['', '', '', 'true']);
    press(session, 'm');
    await answerPage(world, page(provision(1)));
    expect(browserOf(session)).toMatchObject({ filters: { partyId: [PARTY] }, filterBar: null });
  });

  it('The key m restores nothing when the filters were changed in between', async () => {
    const { world, session } = await started('fees', { party: new Set([PARTY]) });
    await answerPage(world, page());
    setFilter(session, 'marketId', MARKET);
    setFilter(session, 'epochSeq', '7');
    press(session, 'm');
    expect(browserOf(session).filters).toEqual({ epochSeq: ['7'], partyIds: [PARTY] });
    setFilter(session, 'epochSeq', '8');
    press(session, 'm');
    expect(browserOf(session).filters).toEqual({ epochSeq: ['8'] });
  });

  it('The key m requests the fees of all own parties at once', async () => {
    const { world, session, notice } = await started('fees', { party: new Set([PARTY, SECOND]) });
    await answerPage(world, page());
    press(session, 'm');
    expect(last(world.pages).asked.request.filters).toMatchObject({ partyIds: [PARTY, SECOND] });
    expect(notice()).toBe('your 2 parties, filtered by the node; m shows all');
    press(session, 'm');
    expect(browserOf(session).filters).not.toHaveProperty('partyIds');
  });

  it('The key m filters by own markets when no party is marked', async () => {
    const { world, session } = await started('fees', { market: new Set([MARKET]) });
    await answerPage(world, page());
    press(session, 'm');
    expect(last(world.pages).asked.request.filters).toMatchObject({ marketId: [MARKET] });
  });

  it('The key m says which kind of ID is missing', async () => {
    const { world, session, notice } = await started('bundles', { market: new Set([MARKET]) });
    await answerPage(world, page(bundle(ADDRESS)));
    press(session, 'm');
    expect(notice()).toBe('no submitter is yours yet: M on one adds it');
  });

  it('The key m shows the oracle specs that own markets use', async () => {
    const { world, session, rows } = await started('oracles', { market: new Set([MARKET]) });
    world.directory = async () => ({ names: {}, isOld: false });
    const spec = (digits: string) => ({
      externalDataSourceSpec: { spec: { id: id(digits), status: 'STATUS_ACTIVE', data: {} } },
    });
    await answerPage(world, page(spec('d1'), spec('d2')));
    press(session, 'm');
    expect(rows()).toBe(0);
  });
});

describe('Own IDs of the user', () => {
  it('The own IDs are read for the chain of the node, and a damaged file is reported', async () => {
    const world = new FakeWorld();
    world.mineProblem = '/x/mine.json is not used: it is not valid JSON';
    const { session, notice, mine } = await started('validators', { node: new Set([NODE]) }, world);
    await answerPage(world, VALIDATORS);
    expect(notice()).toBe(world.mineProblem);
    expect(mine()?.node.has(NODE)).toBe(true);
    press(session, 'r');
    await answerPage(world, VALIDATORS);
    expect(notice()).toBeUndefined();
  });
});
