import { describe, expect, it } from 'vitest';
import { NetworkError, RateLimitedError, RefusedError } from '../../../src/chain/api/errors.ts';
import type { Session } from '../../../src/explorer/app/session.ts';
import { toScreenFailure } from '../../../src/explorer/services/failure.ts';
import { tabKey } from '../../support/tabs.ts';
import { tell } from '../support/browse-scenes.ts';
import { answerPage, browserOf, FakeWorld, last, press, startSession, told } from '../support/fake-world.ts';
import { placeOf } from '../support/layers.ts';
import { barTexts, onFirstPage, showing } from '../support/list-scenes.ts';
import { hexId, pageOf, provision, provisionPage } from '../support/provision-pages.ts';

const inner = 'partyID: , marketID: , reference: : market or party filters are required';
const detail = { type: '', code: '280001', message: '', inner, rest: {} };
const demand = new RefusedError(500, { code: 13, message: 'x', details: [detail] }, { url: '', hint: '' });
const broken = new NetworkError('no route', { url: '', hint: '' });
const fee = { market: hexId(1), asset: hexId(2), epochSeq: '4', totalFeesPaid: '10', feesPaidPerParty: [] };
const times = (count: number, key: string): readonly string[] => Array.from({ length: count }, () => key);

async function refuse(world: FakeWorld, error: Error): Promise<void> {
  last(world.pages).fail(error);
  await told();
}

const isInWindow = (session: Session, resource: string, height: number): boolean => {
  const { row, top } = browserOf(session, resource).view;
  return top <= row && row < top + height;
};

describe('Connection events', () => {
  const connected = { label: 'mine', address: 'http://n:3008', preferences: {}, notice: null };

  it('A connection brings the page size and columns of the settings to lists, even those being loaded', async () => {
    const world = new FakeWorld();
    const preferences = { pageSize: 7, columns: { provisions: { fee: false, buys: true } } };
    world.connected = Promise.resolve({ ...connected, preferences });
    const { session } = await startSession({ world });
    expect(world.pages.map(({ asked }) => asked.request.size)).toEqual([7]);
    expect(browserOf(session)).toMatchObject({ pageSize: 7, columnChoice: { fee: false, buys: true } });
    expect(browserOf(session).opened.columnChoice).toBe(browserOf(session).columnChoice);
    expect(browserOf(session, 'oracles')).toMatchObject({ pageSize: 7, columnChoice: {} });
    expect(browserOf(session, 'fees').pageSize).toBe(5000);
    expect(session.state().node).toMatchObject({ label: 'mine', address: 'http://n:3008', hasLogin: false });
    expect(session.state().notice).toBeNull();
  });

  it('A connection reports what is wrong with the settings, and whether it has a login', async () => {
    const world = new FakeWorld();
    world.connected = Promise.resolve({ ...connected, hasLogin: true, notice: 'settings: no object' });
    const { session } = await startSession({ world });
    expect(session.state()).toMatchObject({
      notice: { text: 'settings: no object', tone: 'bad' },
      node: { status: 'ready', hasLogin: true },
    });
  });

  it('A connection that is not made yet has no address and no login, and nothing behind its lists', async () => {
    const world = new FakeWorld();
    world.connected = Promise.withResolvers<Awaited<FakeWorld['connected']>>().promise;
    const { session } = await startSession({ world });
    expect(session.state().node).toMatchObject({ status: 'starting', label: 'demo', address: '', hasLogin: false });
    expect(browserOf(session)).toMatchObject({ page: null, behind: [] });
  });

  it('A connection that is made again requests the list that is shown', async () => {
    const world = new FakeWorld();
    world.connected = Promise.reject(new Error('refused'));
    const { session } = await startSession({ world, tab: 'oracles' });
    world.connected = Promise.resolve(connected);
    press(session, 'r');
    expect(session.state().node.status).toBe('starting');
    await told();
    expect(world.pages.map(({ asked }) => asked.resource)).toEqual(['oracles']);
  });
});

describe('Node state from responses', () => {
  it('The node state keeps what a response without headers does not report', async () => {
    const { session, world } = await startSession();
    await answerPage(world, provisionPage(1), { blockHeight: '7', rate: { limitPerSecond: 20 } });
    expect(session.state().node.height).toEqual({ block: '7', ageMs: null, readAtMs: world.clockMs });
    world.clockMs += 5;
    press(session, 'r');
    await answerPage(world, provisionPage(1));
    expect(session.state().node).toMatchObject({
      ratePerSecond: 20,
      height: { block: '7', readAtMs: world.clockMs - 5 },
      nowMs: world.clockMs,
    });
  });

  it('The node state stays blocked for the longest of its refusals, at most until the next response', async () => {
    const { session, world } = await onFirstPage();
    const until = (ms: number) => new RateLimitedError('429', { url: '', retryAtMs: world.clockMs + ms });
    press(session, 'n');
    await refuse(world, until(9000));
    expect(session.state().node).toMatchObject({ blockedUntilMs: world.clockMs + 9000, nowMs: world.clockMs });
    press(session, '4');
    await refuse(world, until(10));
    expect(session.state().node.blockedUntilMs).toBe(world.clockMs + 9000);
    press(session, '3');
    await answerPage(world, pageOf([fee]));
    expect(session.state().node.blockedUntilMs).toBe(0);
  });

  it('The node state takes the time of its last failure', async () => {
    const { session, world } = await onFirstPage();
    world.clockMs += 70;
    press(session, 'n');
    await refuse(world, broken);
    expect(session.state().node.nowMs).toBe(world.clockMs);
  });
});

describe('Events for closed items', () => {
  it('An event for something that is no longer open changes nothing', async () => {
    const { session } = await onFirstPage();
    const before = session.state();
    const failure = toScreenFailure(broken);
    for (let requestId = 0; requestId <= browserOf(session).lastRequestId + 1; requestId++) {
      tell(session, { type: 'page-slow', requestId });
      tell(session, { type: 'page-failed', requestId, failure, demand: null, atMs: 9e15 });
      session.dispatch({ type: 'copied', requestId: requestId, message: 'late', isDone: true });
    }
    tell(session, { type: 'watch-due' });
    tell(session, { type: 'watch-due' }, 'nothing');
    tell(session, { type: 'page-slow', requestId: 1 }, 'nothing');
    expect(session.state()).toBe(before);
  });

  it('An event of an earlier wait does not show a wait as long that has just begun', async () => {
    const { session } = await onFirstPage();
    press(session, 'n');
    const requestId = browserOf(session).loading?.requestId ?? 0;
    tell(session, { type: 'page-slow', requestId: requestId - 1 });
    tell(session, { type: 'watch-due' });
    expect(browserOf(session).loading).toMatchObject({ isSlow: false, move: 'next' });
  });
});

describe('Reload of a list', () => {
  it('A reload keeps the position of a record that is gone, and the record in the inspector', async () => {
    const { session, world } = await onFirstPage();
    press(session, ...times(20, 'j'), 'enter', 'r');
    const { row, top } = browserOf(session).view;
    await answerPage(world, pageOf(provisionPage(2).rows));
    expect(browserOf(session)).toMatchObject({ view: { row, top }, inspector: { row: { reference: 'reference-20' } } });
  });

  it('A reload keeps the selected record among the search results', async () => {
    const { session, world } = await onFirstPage();
    press(session, '/');
    session.dispatch({ type: 'type-text', value: 'reference-4' });
    press(session, 'enter', 'j', 'j', 'r');
    await answerPage(world, pageOf([provision(400), ...provisionPage(1).rows]));
    expect(browserOf(session).view.row).toBe(3);
  });

  it('A reload brings the rows around the record in the inspector', async () => {
    const { session, world } = await onFirstPage();
    press(session, 'enter', 'r');
    const rows = [provision(0), provision(1)];
    await answerPage(world, pageOf(rows));
    expect(browserOf(session).inspector?.around.rows).toBe(browserOf(session).page?.rows);
    expect(browserOf(session).page?.rows).toEqual(rows);
  });

  it('A reload keeps the position in the rows shown only: another page begins at its top', async () => {
    const { session, world } = await onFirstPage();
    press(session, ...times(20, 'j'), 'n');
    await answerPage(world, provisionPage(2));
    expect(browserOf(session).view).toMatchObject({ row: 0, top: 0 });
  });
});

describe('Change of the terminal size', () => {
  it('A change of size keeps the selected row of every list in view', async () => {
    const { session, world } = await onFirstPage();
    press(session, ...times(18, 'j'), '3');
    await answerPage(world, pageOf(Array.from({ length: 40 }, () => fee)));
    press(session, ...times(12, 'j'));
    session.dispatch({ type: 'resized', screen: { columns: 60, rows: 12 } });
    expect(session.state().screen).toEqual({ columns: 60, rows: 12 });
    expect(browserOf(session, 'provisions').view.row).toBe(18);
    expect(browserOf(session, 'fees').view.row).toBe(12);
    expect([isInWindow(session, 'provisions', 6), isInWindow(session, 'fees', 6)]).toEqual([true, true]);
  });
});

describe('Node that demands filters', () => {
  it('A node that demands filters is asked for fees only when no ID is known and none is on its way', async () => {
    const { session, world } = await startSession({ tab: 'fees' });
    press(session, '2');
    await refuse(world, demand);
    expect(world.pages.map(({ asked }) => asked.resource)).toEqual(['fees', 'provisions']);
    world.pages[0]?.answer({ page: pageOf([fee]), facts: { rate: {} }, size: 5000 });
    await told();
    press(session, 'esc', 'r');
    await refuse(world, demand);
    expect(world.pages.map(({ asked }) => asked.resource)).toEqual(['fees', 'provisions', 'provisions']);
  });

  it('A node that demands filters is not asked for fees when the rows shown have a market', async () => {
    const { session, world } = await onFirstPage();
    press(session, 'r');
    await refuse(world, demand);
    expect(browserOf(session)).toMatchObject({ demand: expect.any(String), page: null });
    expect(world.pages.map(({ asked }) => asked.resource)).toEqual(['provisions', 'provisions']);
  });

  it('A node that demands filters is not asked for fees again when they hold no market', async () => {
    const { session, world } = await showing(pageOf([]), { tab: 'fees' });
    press(session, '2');
    await refuse(world, demand);
    expect(world.pages.length).toBe(2);
    expect(placeOf(session.state())).toBe('offered-filters');
  });

  it('A node that demands filters does not disturb what is being typed into the filter bar', async () => {
    const { session, world } = await startSession();
    press(session, 'f');
    session.dispatch({ type: 'type-text', value: 'abc' });
    await refuse(world, demand);
    expect(barTexts(session)).toEqual(['abc', '', '', 'true']);
    expect(browserOf(session).loading).toBeNull();
  });

  it('A node that demands filters is not asked again by a return to its tab', async () => {
    const { session, world } = await startSession();
    await refuse(world, demand);
    press(session, 'esc', '3', '2');
    expect(world.pages.map(({ asked }) => asked.resource)).toEqual(['provisions', 'fees']);
  });
});

describe('Watched list', () => {
  it('A watched list is not requested while a page is loading, nor before there is one', async () => {
    const { session, world } = await startSession();
    press(session, 'w');
    last(world.pages).fail(broken);
    await told();
    press(session, 'w');
    tell(session, { type: 'watch-due' });
    expect(world.pages.length).toBe(1);
    press(session, 'r');
    await answerPage(world, provisionPage(1));
    press(session, 'n');
    tell(session, { type: 'watch-due' });
    expect([browserOf(session).loading?.move, world.pages.length]).toEqual(['next', 3]);
  });
});

describe('Return to a tab', () => {
  it('A return to a tab requests nothing that is there', async () => {
    const { session, world } = await onFirstPage();
    press(session, tabKey('history'), '2');
    expect([world.pages.length, world.segments.length]).toEqual([1, 1]);
  });

  it('A return to a tab requests nothing that failed, is on its way or is there', async () => {
    const { session, world } = await startSession();
    press(session, '1', '2', '1');
    expect(world.pages.map(({ asked }) => asked.resource)).toEqual(['provisions', 'parameters']);
    await refuse(world, broken);
    press(session, '2', '1');
    expect(world.pages.length).toBe(2);
  });
});
