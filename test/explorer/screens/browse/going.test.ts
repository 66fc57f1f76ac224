import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/chain/api/json.ts';
import { isOwnLink, linksOf, linkTargets, targetFilters } from '../../../../src/chain/resources/links.ts';
import { RESOURCES, resourceById } from '../../../../src/chain/resources/registry.ts';
import type { Session } from '../../../../src/explorer/app/session.ts';
import { visibleRows } from '../../../../src/explorer/screens/browse/list/visible-rows.ts';
import { directoryWith, market } from '../../../chain/directory/directories.ts';
import { FULL_RECORDS } from '../../../chain/resources/full-records.ts';
import { tell } from '../../support/browse-scenes.ts';
import { answerPage, browserOf, FakeWorld, last, press, startSession, told } from '../../support/fake-world.ts';
import { layersOf, menuItems, overlayOf, withOverlayOf } from '../../support/layers.ts';
import { onFirstPage, showing } from '../../support/list-scenes.ts';
import { answerNames, NamingWorld } from '../../support/naming-world.ts';
import { hexId, pageOf, provision, provisionPage } from '../../support/provision-pages.ts';

const MARKET = hexId(1_000_001);
const ASSET = 'a5'.repeat(32);

const fee = (epoch: number): JsonObject => ({
  market: MARKET,
  asset: ASSET,
  epochSeq: String(epoch),
  totalFeesPaid: '100',
  feesPaidPerParty: [
    { party: hexId(7), amount: '60' },
    { party: hexId(8), amount: '40' },
  ],
});

const fees = (count: number) => pageOf(Array.from({ length: count }, (_, index) => fee(index)));

function offered(session: Session): readonly string[] {
  const overlay = overlayOf(session.state());
  return overlay?.kind === 'menu'
    ? menuItems(session.state(), overlay).map(({ mark, label, detail }) => `${mark} ${label} ${detail.slice(-4)}`)
    : [];
}

function offeredAfterG(session: Session): readonly string[] {
  press(session, 'g');
  const items = offered(session);
  press(session, 'esc');
  return items;
}

function shown(session: Session): readonly string[] {
  const browser = browserOf(session);
  const resource = resourceById(browser.resource);
  const rows = resource === undefined ? [] : visibleRows(resource, browser).slice();
  return rows.map(row => String(row.commitmentAmount));
}

describe('Going from an ID', () => {
  it('The go menu leads from an oracle spec in the list to the markets that use it, which it does not list', async () => {
    const world = new NamingWorld();
    const { session } = await startSession({ world, tab: 'oracles' });
    const specOf = (id: string): JsonObject => ({
      externalDataSourceSpec: { spec: { id, createdAt: '1', updatedAt: '0', status: 'STATUS_ACTIVE', data: null } },
    });
    await answerPage(world, pageOf([specOf(hexId(1)), specOf(hexId(2))]));
    const specs = [{ use: 'settlement', specId: hexId(2) }] as const;
    await answerNames(world, { names: directoryWith({ markets: [[MARKET, market({ specs })]] }), isOld: false });
    expect(offeredAfterG(session)).toEqual([]);
    press(session, 'j');
    expect(offeredAfterG(session)).toEqual([
      `2 provisions of this market ${MARKET.slice(-4)}`,
      `3 paid fees of this market ${MARKET.slice(-4)}`,
      `6 the market itself ${MARKET.slice(-4)}`,
      `T statement of this market ${MARKET.slice(-4)}`,
    ]);
  });

  it('The go menu offers the IDs of the line under the cursor first, and many of a kind behind one line', async () => {
    const parties = Array.from({ length: 40 }, (_, index) => ({ party: hexId(100 + index), amount: '1' }));
    const { session } = await showing(pageOf([{ ...fee(1), feesPaidPerParty: parties }]), { tab: 'fees' });
    press(session, 'g');
    expect(offered(session).at(-1)).toBe(' the 40 parties of this record them');
    expect(offered(session).filter(item => item.includes('of this party'))).toEqual([]);
    press(session, 'end', 'enter');
    expect(offered(session).filter(item => item.includes('statement of this party'))).toHaveLength(40);
    press(session, 'q');
    press(session, 'enter', '+');
    const at = (id: string): boolean =>
      overlayOf(session.state()) === null && offeredAfterG(session)[0]?.endsWith(id) === true;
    const found = Array.from({ length: 300 }, () => {
      press(session, 'j');
      return at(hexId(139).slice(-4));
    });
    expect(found).toContain(true);
  });

  it('The go menu offers a bounded number of IDs of the marked cell first, and says how many others there are', async () => {
    for (const count of [0, 1, 6, 5000]) {
      const parties = Array.from({ length: count }, (_, index) => ({ party: hexId(100 + index), amount: '1' }));
      const row = { ...fee(1), feesPaidPerParty: parties };
      const { session } = await showing(pageOf([row]), { tab: 'fees', columns: 200 });
      for (let steps = 0; steps < 20 && browserOf(session).cellColumn !== 'parties'; steps++) press(session, 'right');
      expect(browserOf(session).cellColumn).toBe('parties');
      press(session, 'g');
      const items = offered(session);
      expect(items[0], String(count)).toMatch(count === 0 ? /of this market/ : /of this party 0064$/);
      expect(items.filter(item => item.startsWith('T statement of this party'))).toHaveLength(Math.min(count, 200));
      const rest = items.filter(item => item.includes('parties of this record'));
      expect(rest).toEqual(count > 200 ? [' the other 4 800 parties of this record them'] : []);
    }
  });

  it('The go menu offers what the IDs of a row lead to, the market first', async () => {
    const { session } = await showing(fees(1), { tab: 'fees' });
    press(session, 'g');
    expect(offered(session)).toEqual([
      '2 provisions of this market 4241',
      '3 paid fees of this market 4241',
      '6 the market itself 4241',
      '2 provisions of this party 0007',
      '3 paid fees of this party 0007',
      '2 provisions of this party 0008',
      '3 paid fees of this party 0008',
      '3 paid fees of this asset a5a5',
      '3 paid fees of this epoch 0',
      '4 signer bundles of this epoch 0',
      'T statement of this market 4241',
      'T statement of this party 0007',
      'E what it earned 0007',
      'T statement of this party 0008',
      'E what it earned 0008',
    ]);
  });

  it('The go menu offers an address once, however the record and its explanation spell it', async () => {
    const address = '0x5C53F66E23d978bcD11663af2d8ee3601d152d36';
    const world = new FakeWorld();
    const leadsTo = { entity: 'submitter', id: address } as const;
    const lines = [{ label: 'address', text: address, leadsTo }];
    world.explains = async () => ({ parts: [{ title: '', lines }], json: {}, copies: [] });
    const { session } = await startSession({ tab: 'validators', world });
    await answerPage(world, pageOf([{ id: hexId(1), ethereumAddress: address.toLowerCase() }]));
    press(session, 'enter');
    await told();
    press(session, 'G');
    expect(offeredAfterG(session).filter(item => item.includes('of this address'))).toHaveLength(1);
  });

  it('The go menu leads to the statement of what is chosen, and Esc comes back', async () => {
    const { session, world } = await showing(fees(1), { tab: 'fees' });
    const before = browserOf(session);
    press(session, 'g', 'G', 'k', 'enter');
    expect(last(world.statements).asked.question).toMatchObject({ party: hexId(8), market: '' });
    press(session, 'esc');
    expect([layersOf(session), browserOf(session)]).toEqual([[], before]);
  });

  it('The go menu leads from the fees of a market to its provisions, and Backspace comes back to the very row', async () => {
    const { session, world } = await showing(fees(40), { tab: 'fees' });
    press(session, 'pagedown', 'j', 'j');
    const before = browserOf(session);
    press(session, 'g', 'enter');
    expect(session.state().tab).toBe('provisions');
    expect(last(world.pages).asked).toMatchObject({
      resource: 'provisions',
      request: { filters: { marketId: [MARKET] } },
    });
    await answerPage(world, provisionPage(1));
    press(session, 'j', 'n');
    const asked = world.pages.length;
    press(session, 'backspace');
    expect(withOverlayOf(session.state())).toMatchObject({ tab: 'fees', trail: [], overlay: null });
    expect(browserOf(session)).toEqual(before);
    expect(world.pages.length).toBe(asked);
  });

  it('The way back restores a page in the middle of a list, with its filters, its search and the open record', async () => {
    const { session, world } = await showing(provisionPage(1));
    press(session, 'n');
    await answerPage(world, provisionPage(2));
    press(session, '/');
    session.dispatch({ type: 'type-text', value: 'reference-6' });
    press(session, 'enter', 'j', 'j', 'enter', 'j', 'j');
    // What was being fetched ahead is given up, and that alone.
    const before = { ...browserOf(session), prefetching: null };
    press(session, 'g', 'enter');
    await answerPage(world, fees(1));
    press(session, 'backspace');
    expect(browserOf(session)).toEqual({ ...before, lastRequestId: browserOf(session).lastRequestId });
    expect(browserOf(session).page?.number).toBe(2);
  });

  it('The way back remembers more than one place, and forgets the oldest', async () => {
    const { session, world } = await onFirstPage();
    for (let way = 0; way < 30; way++) {
      press(session, 'g', 'enter');
      await answerPage(world, session.state().tab === 'fees' ? fees(2) : provisionPage(1));
    }
    expect(session.state().trail).toHaveLength(20);
    const tabs = session.state().trail.map(({ tab }) => tab);
    const seen: string[] = [];
    for (let way = 0; way < 25; way++) {
      press(session, 'backspace');
      seen.unshift(session.state().tab);
    }
    expect(seen.slice(-20)).toEqual(tabs);
    press(session, 'backspace');
    expect(session.state().notice?.text).toContain('g was not pressed yet');
  });

  it('The way back holds no more rows than memory has room for, whatever the pages are', async () => {
    const { session, world } = await showing(provisionPage(1, 5000));
    for (let way = 0; way < 12; way++) {
      press(session, 'g', 'enter');
      await answerPage(world, session.state().tab === 'fees' ? fees(5000) : provisionPage(1, 5000));
    }
    const rows = session.state().trail.map(({ rows }) => rows);
    expect(rows).toEqual([5000, 5000, 5000, 5000, 5000]);
  });

  it('The way back requests a list once more that was left before anything of it had come', async () => {
    const { session, world } = await showing(fees(1), { tab: 'fees' });
    press(session, 'g', 'enter', '3');
    press(session, '2');
    expect(browserOf(session).page).toBeNull();
    press(session, '3', 'g', 'j', 'j', 'enter');
    expect(last(world.pages).asked.resource).toBe('markets');
    press(session, 'backspace', 'backspace');
    expect(session.state().tab).toBe('fees');
    expect(browserOf(session).page?.rows).toHaveLength(1);
  });

  it('The go menu opens the record of an ID in a list that is already loaded without a request', async () => {
    const market = (id: string): JsonObject => ({ id, state: 'STATE_ACTIVE' });
    const { session, world } = await showing(fees(1), { tab: 'fees' });
    press(session, 'g', 'j', 'j', 'enter');
    expect(session.state().tab).toBe('markets');
    await answerPage(world, pageOf([market('ab'), market(MARKET), market('cd')]));
    expect(browserOf(session)).toMatchObject({ view: { row: 1 }, seeking: null, inspector: { row: { id: MARKET } } });
    const asked = world.pages.length;
    press(session, 'backspace', 'g', 'j', 'j', 'enter');
    expect(browserOf(session)).toMatchObject({ view: { row: 1 }, inspector: { row: { id: MARKET } } });
    expect(world.pages.length).toBe(asked);
  });

  it('The search for a record goes from page to page, and says how far it went when the record is not there', async () => {
    const { session, world } = await startSession({ tab: 'oracles' });
    const spec = (id: string): JsonObject => ({ externalDataSourceSpec: { spec: { id } } });
    await answerPage(world, pageOf([spec('aa')]));
    session.dispatch({
      type: 'go-to',
      goal: { kind: 'record', resource: 'oracles', lead: { entity: 'spec', id: 'cc' } },
    });
    await answerPage(world, pageOf([spec('aa')], { hasNextPage: true, endCursor: 'one' }));
    expect(last(world.pages).asked.request.position).toEqual({ kind: 'after', cursor: 'one' });
    await answerPage(world, pageOf([spec('bb'), spec('cc')], { hasNextPage: true, endCursor: 'two' }));
    expect(browserOf(session)).toMatchObject({ seeking: null, view: { row: 1 } });
    session.dispatch({
      type: 'go-to',
      goal: { kind: 'record', resource: 'oracles', lead: { entity: 'spec', id: 'ee' } },
    });
    await answerPage(world, pageOf([spec('aa')], { hasNextPage: true, endCursor: 'one' }));
    await answerPage(world, pageOf([spec('dd')]));
    expect(session.state().notice?.text).toBe('not among the 2 oracle specs listed');
    expect(browserOf(session).seeking).toBeNull();
  });

  it('The search for a record covers 20 pages, and no more', async () => {
    const { session, world } = await showing(pageOf([]), { tab: 'oracles' });
    const spec = (id: string): JsonObject => ({ externalDataSourceSpec: { spec: { id } } });
    session.dispatch({
      type: 'go-to',
      goal: { kind: 'record', resource: 'oracles', lead: { entity: 'spec', id: 'cc' } },
    });
    for (let page = 1; browserOf(session).seeking !== null && page < 50; page++)
      await answerPage(world, pageOf([spec(`a${page}`)], { hasNextPage: true, endCursor: `page-${page}` }));
    expect(session.state().notice?.text).toBe('not among the first 20 oracle specs listed');
  });

  it('The search for a record does not continue after Esc has stopped it', async () => {
    const { session, world } = await showing(pageOf([]), { tab: 'oracles' });
    session.dispatch({
      type: 'go-to',
      goal: { kind: 'record', resource: 'oracles', lead: { entity: 'spec', id: 'cc' } },
    });
    press(session, 'esc', 'r');
    await answerPage(world, pageOf([{}], { hasNextPage: true }));
    expect(browserOf(session).inspector).toBeNull();
    expect(browserOf(session).loading).toBeNull();
  });

  it('The go menu offers first what the line of an open record leads to', async () => {
    const { session } = await showing(fees(1), { tab: 'fees' });
    press(session, 'enter', '/');
    session.dispatch({ type: 'type-text', value: hexId(8) });
    press(session, 'enter', 'G', 'g');
    expect(offered(session)[0]).toBe('2 provisions of this party 0008');
  });

  it('The go menu leads from a provision to all of its market, the largest commitment first, on the same row', async () => {
    const mine = provision(4, { commitmentAmount: '50' });
    const { session, world } = await showing(pageOf([provision(1), mine]));
    press(session, 'j', 'g', 'enter');
    expect(last(world.pages).asked.request.filters).toEqual({ live: ['true'], marketId: [hexId(1_000_001)] });
    const others = [provision(7, { commitmentAmount: '9' }), mine, provision(10, { commitmentAmount: '700' })];
    await answerPage(world, pageOf(others));
    const { view, sort, seeking, inspector } = browserOf(session);
    expect([view.row, sort, seeking, inspector]).toEqual([1, { column: 'commitment', isDescending: true }, null, null]);
    expect(shown(session)).toEqual(['700', '50', '9']);
    expect(session.state().notice?.text).toBe('sorted by commitment, largest first; the row you left is 2 of 3');
    press(session, 'backspace');
    expect([browserOf(session).sort, browserOf(session).view.row]).toEqual([null, 1]);
  });

  it('Going to a list reports when its order by commitment is incomplete, and when the row left is missing', async () => {
    const { session, world } = await showing(pageOf([provision(1)]));
    press(session, 'enter', 'g', 'enter');
    await answerPage(world, pageOf([provision(4), provision(7)], { hasNextPage: true }));
    expect(session.state().notice?.text).toBe(
      'only these 2 rows sorted by commitment, largest first; the row you left is not among them',
    );
    expect(browserOf(session).view.row).toBe(0);
  });

  it('Going to a list reports no sort order when there are no rows, nor on a tab that it is not about', async () => {
    const { session, world } = await showing(fees(1), { tab: 'fees' });
    press(session, 'g', 'enter');
    await answerPage(world, pageOf([]));
    expect([session.state().notice, browserOf(session).seeking]).toEqual([null, null]);
    press(session, 'backspace', 'g', 'enter', '3');
    await answerPage(world, pageOf([provision(1)]));
    expect(session.state().notice).toBeNull();
  });

  it('The go menu does not offer the list that is already on the screen, and says so when nothing is left', async () => {
    const { session, world } = await onFirstPage();
    tell(session, { type: 'set-filter', name: 'marketId', value: MARKET });
    await answerPage(world, pageOf([provision(1)]));
    press(session, 'g');
    expect(offered(session)).not.toContain('2 provisions of this market 4241');
    expect(offered(session)).toContain('3 paid fees of this market 4241');
    const parameters = await showing(pageOf([{ key: 'a.b', value: '1' }]), { tab: 'parameters' });
    press(parameters.session, 'g');
    expect(withOverlayOf(parameters.session.state())).toMatchObject({
      overlay: null,
      notice: { text: 'no ids to open; first row: Home key' },
    });
  });
});

describe('List descriptor', () => {
  it('A list descriptor has a column of its own as the one whose largest values come first', () => {
    for (const { filters, columns } of RESOURCES)
      for (const { largestFirst } of filters)
        if (largestFirst !== undefined) expect(columns.map(({ id }) => id)).toContain(largestFirst);
  });

  const entities = new Set(RESOURCES.flatMap(({ filters }) => filters.flatMap(({ entity }) => entity ?? [])));

  it.each([...entities])('A list descriptor is all that a filter of a %s needs to be offered', entity => {
    const id = entity === 'epoch' ? '41' : entity === 'submitter' ? `0x${'ab'.repeat(20)}` : 'AB'.repeat(32);
    const lists = linkTargets({ entity, id }).filter(({ kind }) => kind === 'list');
    const wanted = RESOURCES.flatMap(({ id: resource, filters }) =>
      filters.filter(filter => filter.entity === entity).map(({ name }) => `${resource} ${name}`),
    );
    expect(lists.map(goal => `${goal.resource} ${goal.kind === 'list' ? goal.filter : ''}`)).toEqual(wanted);
    for (const goal of lists)
      if (goal.kind === 'list') expect(targetFilters(goal)).toMatchObject({ [goal.filter]: [id.toLowerCase()] });
  });

  it.each(FULL_RECORDS.map(([id, record]) => [id, record] as const))(
    'A list descriptor finds a record of %s by its own IDs',
    (id, record) => {
      const resource = resourceById(id);
      if (resource === undefined) throw new Error(id);
      const own = linksOf(resource, record).filter(lead =>
        linkTargets(lead).some(goal => goal.kind === 'record' && goal.resource === id),
      );
      for (const lead of own.filter(({ id: name }) => resource.keyOf(record) === name))
        expect(isOwnLink(resource, record, lead)).toBe(true);
      for (const lead of own) expect(isOwnLink(resource, {}, lead)).toBe(false);
    },
  );

  it.each(RESOURCES.map(({ id }) => id))(
    'A list descriptor reads no ID out of anything that a node may send in %s',
    id => {
      const resource = resourceById(id);
      if (resource === undefined) throw new Error(id);
      const odd: readonly JsonObject[] = [
        {},
        { id: [] },
        { delegations: { party: 1 } },
        { tradableInstrument: [{ a: 1 }] },
      ];
      for (const record of odd) expect(() => linksOf(resource, record)).not.toThrow();
    },
  );
});
