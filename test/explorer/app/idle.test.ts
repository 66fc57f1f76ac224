import { describe, expect, it } from 'vitest';
import { NetworkError, RateLimitedError, UndecodableError } from '../../../src/chain/api/errors.ts';
import type { Session } from '../../../src/explorer/app/session.ts';
import type { Action } from '../../../src/explorer/core/action.ts';
import type { OfferedNode } from '../../../src/explorer/services/node/offered-node.ts';
import { tell } from '../support/browse-scenes.ts';
import { atReview, exportEvent, startExport } from '../support/export-scenes.ts';
import { answerPage, browserOf, ending, FakeWorld, last, press, startSession, told } from '../support/fake-world.ts';
import { overlayOf } from '../support/layers.ts';
import { onFirstPage, showing } from '../support/list-scenes.ts';
import { pageOf, provision, provisionPage } from '../support/provision-pages.ts';

const ELSEWHERE: OfferedNode = { choice: { kind: 'address', address: 'http://a:1' }, name: 'http://a:1', address: '' };

async function isIdle(session: Session): Promise<boolean> {
  let idle = false;
  void session.idle().then(() => {
    idle = true;
  });
  await told();
  return idle;
}

const limited = (world: FakeWorld) =>
  new RateLimitedError('HTTP 429: api request rate limit exceeded', {
    url: 'http://n/',
    retryAtMs: world.clockMs + 2500,
  });

describe('`session.idle`', () => {
  it('`session.idle` waits for the requested page, and then for the name of the chain', async () => {
    const { session, world } = await startSession();
    expect(await isIdle(session)).toBe(false);
    await answerPage(world, provisionPage(1));
    expect(await isIdle(session)).toBe(true);
    expect(session.state().node.chainId).toBe('fake-chain-1');
  });

  it('`session.idle` does not wait for timers', async () => {
    const { session, world } = await showing(pageOf([provision(1)]));
    press(session, 'w');
    expect(last(world.waits)).toMatchObject({ asked: { ms: 10_000 }, signal: { aborted: false } });
    expect(await isIdle(session)).toBe(true);
  });

  it('`session.idle` resolves when the pending request is given up', async () => {
    const { session } = await onFirstPage();
    press(session, 'n');
    const idle = session.idle();
    press(session, 'esc');
    await idle;
  });

  it('`session.idle` waits for a cancelled export to report where its bytes are', async () => {
    const { session, world } = await startExport();
    last(world.segments).answer({ boundaries: { kind: 'rule' }, hint: null });
    await told();
    press(session, 'enter', 'enter', 'enter');
    last(world.checks).answer({ path: '/o.zip', exists: false, problem: null, freeBytes: null });
    await told();
    press(session, 'enter', 'x', 'y');
    await session.idle();
    expect(session.state().job?.status).toBe('ended');
  });
});

describe('Explorer session', () => {
  it('The session shows a wait only when it is long', async () => {
    const { session, world } = await startSession();
    expect(browserOf(session).loading?.isSlow).toBe(false);
    last(world.waits).answer();
    await told();
    expect(browserOf(session).loading?.isSlow).toBe(true);
  });

  it('The session drops the timer of a short wait', async () => {
    const { world } = await onFirstPage();
    const slow = world.waits.filter(({ asked }) => asked.ms === 300);
    expect(slow.length).toBeGreaterThan(0);
    expect(slow.every(({ signal }) => signal.aborted)).toBe(true);
  });

  it('The session counts down after a 429, requests nothing by itself, and says on r how long it lasts', async () => {
    const { session, world } = await startSession();
    last(world.pages).fail(limited(world));
    await told();
    expect(browserOf(session).failure).toMatchObject({ title: 'Too many requests', kind: 'rate-limited' });
    press(session, 'r');
    expect(session.state().notice?.text).toBe('rate limited by the node: 3 s to wait');
    for (const seconds of [1, 2, 3]) {
      expect(last(world.waits).asked.ms).toBe(1000);
      world.clockMs += 1000;
      last(world.waits).answer();
      await told();
      expect(session.state().node.nowMs).toBe(world.clockMs);
      expect(world.pages.length, `after ${seconds} s`).toBe(1);
    }
    const ticks = world.waits.length;
    press(session, 'r');
    expect(world.pages.length).toBe(2);
    expect(world.waits.slice(ticks).every(({ asked }) => asked.ms !== 1000)).toBe(true);
  });

  it('The session stays silent after a 429 to a page that was fetched ahead', async () => {
    const { session, world } = await onFirstPage();
    press(session, 'G');
    last(world.pages).fail(limited(world));
    await told();
    expect(session.state().node.blockedUntilMs).toBe(world.clockMs + 2500);
  });

  it('The session reloads every ten seconds while watching, and stops when the node refuses', async () => {
    const { session, world } = await showing(pageOf([provision(1)]));
    press(session, 'w');
    world.clockMs += 10_000;
    last(world.waits).answer();
    await told();
    expect(last(world.pages).asked.request.position).toEqual({ kind: 'first' });
    expect(browserOf(session).loading?.move).toBe('reload');
    last(world.pages).fail(new UndecodableError('no list', { url: 'http://n/', hint: 'check' }));
    await told();
    expect(browserOf(session)).toMatchObject({ watchS: 0, failure: { lines: ['no list'] } });
  });

  it('The session keeps watching a node that is unreachable or busy for a while', async () => {
    const { session, world } = await showing(pageOf([provision(1)]));
    press(session, 'w');
    const due = async (error: Error, afterMs: number): Promise<void> => {
      last(world.waits).answer();
      await told();
      last(world.pages).fail(error);
      await told();
      expect(browserOf(session).failure).not.toBeNull();
      expect(world.waits.map(({ asked }) => asked.ms)).toContain(afterMs);
    };
    await due(new NetworkError('cannot reach the node', { url: 'http://n/', hint: 'check' }), 10_000);
    const retryAtMs = world.clockMs + 25_000;
    await due(new RateLimitedError('too many', { url: 'http://n/', retryAtMs }), 25_000);
    last(world.waits.filter(({ asked }) => asked.ms === 25_000)).answer();
    await told();
    await answerPage(world, pageOf([provision(1)]));
    expect(browserOf(session)).toMatchObject({ watchS: 10, failure: null });
  });

  it('The session does not watch a tab that is not shown', async () => {
    const { session, world } = await showing(pageOf([provision(1)]));
    press(session, 'w');
    const timer = last(world.waits);
    press(session, '1');
    expect(timer.signal.aborted).toBe(true);
  });

  it('The session learns height, age and rate limit of the node from the headers of a page', async () => {
    const { session, world } = await startSession();
    const blockTimeNs = `${world.clockMs - 6000}000000`;
    await answerPage(world, provisionPage(1), { blockHeight: '24031', blockTimeNs, rate: { limitPerSecond: 20 } });
    expect(session.state().node).toMatchObject({ ratePerSecond: 20, height: { block: '24031', ageMs: 6000 } });
  });

  it('The session requests nothing from a node that could not be started, and tries again on r', async () => {
    const world = new FakeWorld();
    world.connected = Promise.reject(new Error('no port is free'));
    const { session } = await startSession({ world });
    expect(session.state().node).toMatchObject({ status: 'failed', failure: { lines: ['no port is free'] } });
    expect(world.pages).toEqual([]);
    tell(session, { type: 'first-page' });
    expect(session.state().node.status).toBe('failed');
    world.connected = new FakeWorld().connected;
    press(session, 'r');
    await told();
    expect(session.state().node.status).toBe('ready');
  });

  it('The session puts a copy on the clipboard once and says what was done', async () => {
    const { session, world } = await showing(pageOf([provision(1)]));
    press(session, 'y', 'enter');
    await session.idle();
    expect(world.copies.length).toBe(1);
    expect(session.state()).toMatchObject({ copying: null, notice: { text: 'party sent', tone: 'good' } });
  });

  it('The session stops everything when it is closed', async () => {
    const { session, world } = await startSession();
    await session.close();
    expect(last(world.pages).signal.aborted).toBe(true);
    expect(world.waits.every(({ signal }) => signal.aborted)).toBe(true);
  });

  it.each<readonly [string, 'save' | 'copy' | 'saveView' | 'keepPreset', Action | 'preset']>([
    ['a save', 'save', { type: 'save', path: 'x.csv' }],
    ['a copy that goes to a file', 'copy', { type: 'copy', what: 'x', content: { kind: 'text', text: 'x' } }],
    ['how the lists of another node were left', 'saveView', { type: 'choose-node', to: ELSEWHERE }],
    ['a preset', 'keepPreset', 'preset'],
  ])('The session does not end before %s is done, however it was ended', async (_, asked, action) => {
    const world = new FakeWorld();
    const { promise, reject } = Promise.withResolvers<never>();
    world[asked] = () => promise;
    const { session } = await atReview(world);
    session.dispatch({ type: 'go-to-resource', resource: 'provisions' });
    await answerPage(world, pageOf([provision(1)]));
    tell(session, { type: 'sort-by', column: 'fee' });
    session.dispatch(action === 'preset' ? exportEvent(session, { type: 'save-preset', name: 'x' }) : action);
    press(session, 'q');
    const { isEarly, closed } = await ending(session);
    expect(isEarly).toBe(false);
    reject(new Error('given up'));
    await closed;
  });

  it('The session pastes into the focused field, on one line and without control characters', async () => {
    const { session } = await onFirstPage();
    session.paste('nowhere');
    expect(session.state().notice?.text).toBe('paste goes into a field: f, / or : opens one');
    press(session, '/');
    session.paste('two\r\nlines\u001b[2J\u202e');
    expect(browserOf(session).find).toBe('two lines[2J');
  });

  it('The session keeps a menu open when the node connects in the background', async () => {
    const world = new FakeWorld();
    const gate = Promise.withResolvers<Awaited<FakeWorld['connected']>>();
    const { connected } = world;
    world.connected = gate.promise;
    const { session } = await startSession({ world });
    press(session, '?');
    gate.resolve(await connected);
    await told();
    expect(overlayOf(session.state())?.kind).toBe('menu');
  });
});
