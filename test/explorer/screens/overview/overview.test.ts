import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { NO_ANSWERS } from '../../../../src/attention/overview/answers.ts';
import { createOverview } from '../../../../src/attention/overview/overview.ts';
import { listedFinding, type RuleResult } from '../../../../src/attention/rules/rule.ts';
import { NetworkError, RateLimitedError, RefusedError } from '../../../../src/chain/api/errors.ts';
import type { Reply } from '../../../../src/chain/api/reply.ts';
import type { NodeRequest } from '../../../../src/chain/api/request.ts';
import { mineFromLists } from '../../../../src/chain/directory/mine.ts';
import type { Session } from '../../../../src/explorer/app/session.ts';
import { topLayer } from '../../../../src/explorer/core/layer.ts';
import type { SessionState } from '../../../../src/explorer/core/state.ts';
import type { ChangesState } from '../../../../src/explorer/screens/changes/state.ts';
import type { OverviewEvent, OverviewState } from '../../../../src/explorer/screens/overview/state.ts';
import { HISTORY_KEY } from '../../../../src/explorer/tabs.ts';
import { announcementOf } from '../../../../src/explorer/terminal/screen-reader/announcement.ts';
import type { RecentChanges } from '../../../../src/memory/diff/recent-changes.ts';
import {
  BUNDLE,
  bond,
  type Chain,
  clientFor,
  fee,
  IDS,
  NOW_MS,
  page,
  SOUND,
  statistics,
} from '../../../attention/overview/sound-chain.ts';
import { runs } from '../../../support/runs.ts';
import { ClockWorld } from '../../support/clock-world.ts';
import { answerPage, FakeWorld, last, press, startSession, told } from '../../support/fake-world.ts';
import { renderFrame } from '../../support/frame.ts';
import { openState, rootLayer } from '../../support/layers.ts';
import { onOverview, TROUBLED } from '../../support/overview-scenes.ts';
import { pageOf } from '../../support/provision-pages.ts';

const sessions: Session[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

async function shown(scene: Parameters<typeof onOverview>[0] = {}) {
  const scene_ = await onOverview(scene);
  sessions.push(scene_.session);
  return scene_;
}

const stateOf = (session: Session) => rootLayer(session.state(), 'overview').state as OverviewState;

const linesOf = (state: SessionState): readonly string[] => renderFrame(state).split('\n').slice(3);

const selectedIn = (session: Session): string | undefined =>
  linesOf(session.state()).find(line => line.startsWith('>'));

/** The line with this label, or that begins with this mark. */
const lineOf = (session: Session, label: string): string =>
  linesOf(session.state()).find(line => line.slice(1).trimStart().startsWith(label)) ?? '';

describe('Overview', () => {
  it('The overview is drawn, and accepts keys, before anything is answered', async () => {
    const { session, world } = await startSession({ tab: 'overview' });
    sessions.push(session);
    expect(lineOf(session, 'Network')).toBe(' Network  not answered yet');
    // What asks is loaded with the first request.
    while (world.gets.length === 0) await told();
    press(session, 'up');
    expect(selectedIn(session)).toContain('Trend');
    press(session, '1');
    expect(session.state().tab).toBe('parameters');
    expect(world.pages).toHaveLength(1);
  });

  it('The overview shows how many of its requests were answered, and no number while it refreshes', async () => {
    const { session } = await shown();
    const said = (asking: OverviewState['asking'], answers = stateOf(session).answers) => {
      const state = { ...stateOf(session), asking, answers };
      const layers = session.state().layers.map(layer => (layer.screen === 'overview' ? { ...layer, state } : layer));
      return /asking the node.*/.exec(renderFrame({ ...session.state(), layers }))?.[0];
    };
    const first = { kind: 'first', isEarly: false } as const;
    expect(said(first, NO_ANSWERS)).toBe('asking the node: 0 answers so far');
    expect(said(first)).toBe('asking the node: 11 answers so far');
    expect(said({ kind: 'all' })).toBe('asking the node again');
    expect(said({ kind: 'part' })).toBeUndefined();
  });

  it('The overview sends no requests until it is shown', async () => {
    const { session, world } = await startSession({ tab: 'parameters' });
    sessions.push(session);
    await answerPage(world, pageOf([{ key: 'a', value: '1' }]));
    expect(world.gets).toEqual([]);
    press(session, '0');
    while (world.gets.length === 0) await told();
    expect(world.gets).toHaveLength(1);
  });

  it('The full text of an overview line is closed by the keys that lead elsewhere', async () => {
    const { session } = await shown();
    const whole = async (): Promise<void> => {
      press(session, 'end', 'enter');
      await told();
      expect(topLayer(session.state())?.screen).toBe('value');
    };
    await whole();
    press(session, '0');
    expect([session.state().tab, topLayer(session.state())?.screen]).toEqual(['overview', 'overview']);
    await whole();
    press(session, '?');
    expect(renderFrame(session.state())).toContain('go to that tab');
    press(session, 'esc');
    for (const [key, tab] of [
      ['2', 'provisions'],
      ['tab', 'parameters'],
    ] as const) {
      press(session, '0');
      await whole();
      press(session, key);
      expect(session.state().tab).toBe(tab);
    }
  });

  it.each([
    ['History', 'history', 'ON DISK'],
    ['Epoch', 'parameters', ''],
    ['Network', 'markets', ''],
    ['Fees', 'fees', 'epoch 41'],
    ['Trend', 'fees', 'epoch 41'],
    ['CRITICAL', 'bundles', ''],
    ['WARNING   Remove signer', 'bundles', ''],
    ['WARNING   Validator Validator 4', 'validators', ''],
  ])('The overview leads from the line "%s" to the tab %s, and back to that line', async (label, tab, head) => {
    const { session } = await shown();
    press(session, 'home');
    for (let steps = 0; steps < 20 && !selectedIn(session)?.slice(1).trimStart().startsWith(label); steps++)
      press(session, 'down');
    const before = selectedIn(session);
    expect(before).toContain(label);
    press(session, 'enter');
    expect(session.state().tab).toBe(tab);
    expect(renderFrame(session.state())).toContain(head);
    press(session, tab === 'overview' ? 'esc' : 'backspace');
    expect(session.state().tab).toBe('overview');
    expect(selectedIn(session)).toBe(before);
  });

  it('The overview leads to a provision in the list of its market, since nodes list no others', async () => {
    const chain: Chain = { ...SOUND, accounts: page('accounts', [bond({ balance: '1000000' })]) };
    const { session, world } = await shown({ chain });
    expect(selectedIn(session)).toMatch(/commitment|bond/);
    press(session, 'enter');
    expect(session.state().tab).toBe('provisions');
    expect(last(world.pages).asked.request.filters).toMatchObject({ marketId: ['a'.repeat(64)] });
  });

  it('The overview leads to the current record, when the list is older than the finding in it', async () => {
    const { session, world } = await shown();
    expect(selectedIn(session)).toContain('CRITICAL');
    world.clockMs -= 60_000;
    press(session, '4');
    await answerPage(world, pageOf([{ ...BUNDLE, signatures: '0x' }]));
    world.clockMs += 60_000;
    press(session, '0', 'enter');
    expect(world.pages).toHaveLength(2);
    await answerPage(world, pageOf([BUNDLE]));
    expect(renderFrame(session.state())).toContain('5 of 65 bytes each');
    press(session, 'backspace', 'enter');
    expect(world.pages).toHaveLength(2);
  });

  it('The overview shows in full a line that leads nowhere', async () => {
    const { session } = await shown();
    press(session, 'end', 'enter');
    expect(renderFrame(session.state())).toContain('The node lists no history segments. Checked 0 history segments.');
  });

  it('The overview moves no line because an answer arrives, whatever arrives first', async () => {
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat()), async order => {
        const { session, asked } = await unanswered(TROUBLED);
        const before = new Map<string, number>();
        for (let late = false; ; ) {
          for (const [row, line] of linesOf(session.state()).entries()) {
            const name = nameOf(line);
            if (name === undefined) continue;
            expect([line, before.get(name) ?? row]).toEqual([line, row]);
            before.set(name, row);
          }
          if (asked.length === 0) break;
          const [index = 0] = [...order.take(1)];
          if (!late && index % 7 === 0) {
            late = true;
            session.dispatch({
              type: 'layer-event',
              layer: rootLayer(session.state(), 'overview').id,
              event: { type: 'patience-ended' },
            });
          }
          asked.splice(index % asked.length, 1)[0]?.();
          await turns();
        }
        expect(before.size).toBeGreaterThan(9);
        await session.close();
      }),
      { numRuns: runs(10, 100) },
    );
  });

  it('The overview shows critical findings at once, and the worst of all first', async () => {
    const { session } = await shown({ rows: 26 });
    const marks = linesOf(session.state()).flatMap(
      line => /^[> ](CRITICAL|WARNING|note|not known) /.exec(line)?.[1] ?? [],
    );
    expect(marks).toEqual(['CRITICAL', 'WARNING', 'WARNING', 'note', 'note']);
  });

  it('The overview moves a late critical finding to the top on Esc or on return, not before', async () => {
    for (const keys of [
      ['up', 'esc'],
      ['1', '0'],
    ]) {
      const { session } = await startSession({ tab: 'overview' });
      sessions.push(session);
      const layer = rootLayer(session.state(), 'overview').id;
      const tell = (event: OverviewEvent) => session.dispatch({ type: 'layer-event', layer, event });
      const finding = (rule: string, severity: 'warning' | 'critical') => ({
        ...{ rule, about: rule, isWaiting: false, looked: [] },
        findings: [listedFinding(severity, rule, { subject: rule, fact: rule })],
      });
      const knows = (...attention: readonly RuleResult[]) => {
        const overview = {
          ...createOverview(NO_ANSWERS, { nowMs: NOW_MS, limit: { ms: 60_000, isLive: false } }),
          attention,
        };
        tell({ type: 'answered', answers: NO_ANSWERS, overview, mine: undefined, heard: [] });
      };
      const marks = () => linesOf(session.state()).flatMap(line => /^[> ](CRITICAL|WARNING) /.exec(line)?.[1] ?? []);
      tell({ type: 'patience-ended' });
      knows(finding('old', 'warning'));
      knows(finding('old', 'warning'), finding('late', 'critical'));
      tell({ type: 'complete', busy: 0 });
      expect(marks()).toEqual(['WARNING', 'CRITICAL']);
      press(session, ...keys);
      expect(marks()).toEqual(['CRITICAL', 'WARNING']);
    }
  });

  it('The overview marks the subject of a line as yours, and says where that can be done for other lines', async () => {
    const world = new FakeWorld();
    world.mine = mineFromLists({ parties: [], submitters: [], validators: [], markets: [IDS.market] });
    const { session } = await shown({ world });
    press(session, 'home', 'M');
    expect(session.state().notice?.text).toBe('no single ID: M works in its list');
    press(session, 'end');
    expect(selectedIn(session)).toContain('market HELDA/HUSD');
    press(session, 'M');
    await session.idle();
    expect(session.state().notice?.text).toMatch(/^market \S+ is no longer yours$/);
    expect(lineOf(session, 'Mine')).toContain('nothing yet');
  });

  it('The overview shows the age of each line that was not refreshed', async () => {
    const world = new ClockWorld();
    const { session } = await shown({ world });
    await world.pass(60_000);
    await turns();
    expect(lineOf(session, 'Epoch')).not.toMatch(/min$/);
    await world.pass(60_000);
    await turns();
    expect(lineOf(session, 'Network')).toMatch(/ 2 min$/);
    expect(lineOf(session, 'Epoch')).toMatch(/ends in 3 min .* 1 min$/);
    session.dispatch({ type: 'command-entered', line: '' });
    expect(stateOf(session).asking).toBe(null);
  });

  it('The overview refreshes nothing when the node check is off', async () => {
    const world = new ClockWorld();
    world.connected = Promise.resolve({
      ...{ label: 'demo', address: 'http://n', preferences: { nodeCheck: 'off' }, notice: null },
    });
    const { session } = await shown({ world });
    const { requests } = stateOf(session).answers;
    await world.pass(600_000);
    expect(stateOf(session).answers.requests).toBe(requests);
    expect(lineOf(session, 'Network')).toMatch(/ 10 min$/);
  });

  it('The overview reports within a minute that the node is gone, and requests everything once it is back', async () => {
    const world = new ClockWorld();
    const { session } = await shown({ world });
    const gone = new NetworkError('connect ECONNREFUSED', { url: 'http://n', hint: '' });
    world.client = () => clientFor({ statistics: gone });
    await world.pass(60_000);
    await turns();
    await told();
    expect(renderFrame(session.state())).toContain('offline since');
    expect(lineOf(session, 'Epoch')).toContain('not known: ');
    expect(lineOf(session, 'Network')).toContain('5 validators');
    const paths: string[] = [];
    world.client = () => clientFor(TROUBLED, { note: path => void paths.push(path) });
    await world.pass(60_000);
    await turns();
    await session.idle();
    expect(paths.length).toBeGreaterThan(8);
    expect(paths.filter(path => path === 'statistics')).toHaveLength(2);
    expect(renderFrame(session.state())).not.toMatch(/offline|cannot be reached/);
  });

  it('The overview calls a node stale when it does not answer, and not when it takes half a minute', async () => {
    const world = new ClockWorld();
    const { session } = await shown({ world });
    const slowBy = (ms: number) => {
      const client = clientFor(SOUND);
      const get: typeof client.get = async (request, signal, options) => {
        await world.wait(ms, signal ?? new AbortController().signal);
        return client.get(request, signal, options);
      };
      world.client = () => ({ ...client, get });
    };
    slowBy(25_000);
    const { requests } = stateOf(session).answers;
    for (let second = 0; second < 290; second++) {
      await world.pass(1000);
      await turns();
      expect(renderFrame(session.state())).not.toContain('stale');
    }
    expect(stateOf(session).answers.requests).toBe(requests + 4);
    slowBy(3_600_000);
    await world.pass(120_000);
    await turns();
    expect(renderFrame(session.state())).toContain('stale 2 min');
  });

  it('The overview shows one error when nothing is answered, and a reload tries again', async () => {
    const gone = new NetworkError('connect ECONNREFUSED', { url: 'http://n/statistics', hint: 'look at the port' });
    const { session, world } = await shown({ chain: { statistics: gone, 'networkhistory/segments': gone } });
    expect(renderFrame(session.state())).toContain('What to try: look at the port');
    expect(
      linesOf(session.state())
        .join('\n')
        .match(/ECONNREFUSED/g),
    ).toHaveLength(1);
    world.client = () => clientFor(SOUND);
    press(session, 'r');
    await session.idle();
    expect(lineOf(session, 'Network')).toContain('1 market (1 active)');
  });

  it('The overview keeps what was known, with its age, on a reload from a node that is gone', async () => {
    const gone = new NetworkError('connect ECONNREFUSED', { url: 'http://n/statistics', hint: 'look at the port' });
    const { session, world } = await shown({ chain: SOUND });
    world.client = () => clientFor({ statistics: gone, 'networkhistory/segments': gone });
    press(session, 'r');
    await session.idle();
    expect(lineOf(session, 'CRITICAL')).toMatch(/Node +cannot be reached$/);
    expect(renderFrame(session.state())).toContain('The node cannot be reached: connect ECONNREFUSED');
    expect(renderFrame(session.state())).not.toContain('whether the node is behind');
    expect(lineOf(session, 'Epoch')).toContain('not known: ');
    expect(lineOf(session, 'Network')).toContain('1 market (1 active)');
    expect(lineOf(session, 'Trend')).toContain('epochs 32 to 41');
  });

  it('The overview keeps what is yours, with its age, while the node is gone', async () => {
    const world = new ClockWorld();
    world.mine = mineFromLists({ parties: [], submitters: [], validators: ['00'.repeat(32)], markets: [] });
    const { session } = await shown({ world, chain: SOUND });
    const gone = new NetworkError('connect ECONNREFUSED', { url: 'http://n', hint: '' });
    world.client = () => clientFor({ statistics: gone, 'networkhistory/segments': gone });
    await world.pass(60_000);
    await turns();
    press(session, 'r');
    await session.idle();
    await told();
    expect(lineOf(session, 'validator')).toMatch(/validator Validator 0 {2}in consensus.* 1 min$/);
    expect(stateOf(session).overview?.directory.validators.get('00'.repeat(32))?.name).toBe('Validator 0');
  });

  it('The overview refreshes on arrival once another screen has heard from a node that was gone', async () => {
    const gone = new NetworkError('connect ECONNREFUSED', { url: 'http://n/statistics', hint: '' });
    const { session, world } = await shown({ chain: SOUND });
    world.client = () => clientFor({ statistics: gone, 'networkhistory/segments': gone });
    press(session, 'r');
    await session.idle();
    world.client = () => clientFor(SOUND);
    press(session, '1', '0');
    expect(stateOf(session).asking).toBeNull();
    press(session, '1');
    world.clockMs += 2000;
    await answerPage(world, pageOf([{ key: 'a', value: '1' }]));
    press(session, '0');
    await session.idle();
    expect(lineOf(session, 'Epoch')).toContain('42');
    expect(renderFrame(session.state())).not.toContain('cannot be reached');
  });

  it('The overview refreshes while it is shown when something else has heard from a node that was gone', async () => {
    const gone = new NetworkError('connect ECONNREFUSED', { url: 'http://n/statistics', hint: '' });
    const { session, world } = await shown({ chain: SOUND });
    world.client = () => clientFor({ statistics: gone, 'networkhistory/segments': gone });
    press(session, 'r');
    await session.idle();
    world.client = () => clientFor(SOUND);
    const heard = { atMs: NOW_MS + 2000, height: null, core: null, chainId: null };
    session.dispatch({ type: 'node-answered', heard });
    await session.idle();
    expect(lineOf(session, 'Epoch')).toContain('42');
    expect(renderFrame(session.state())).not.toContain('cannot be reached');
  });

  it('The overview reloads what is yours with everything else, for the lists too', async () => {
    const { session, world } = await shown({ chain: SOUND });
    world.mine = mineFromLists({ parties: [], submitters: [], validators: [], markets: [IDS.market] });
    press(session, 'r');
    await session.idle();
    await told();
    expect(lineOf(session, 'market')).toContain('market HELDA/HUSD');
    expect([...(session.state().directory.mine?.market ?? [])]).toEqual([IDS.market]);
  });

  it('The overview cuts no word of the fees when a shorter sentence fits', async () => {
    const totals = ['8', '9', 'b'].map(digit => fee(41, '15900090123', { asset: digit.repeat(64) }));
    const chain: Chain = { ...SOUND, assets: undefined, 'liquidity/paidfees': page('paidLiquidityFees', totals) };
    const lines = [80, 60].map(async columns => {
      const { session } = await shown({ chain, columns, rows: 24 });
      return lineOf(session, 'Fees').trim();
    });
    expect(await Promise.all(lines)).toEqual([
      expect.stringMatching(/epoch 41: 15 900 090 123 smallest units of \S+ \+2 more$/),
      'Fees     epoch 41: 3 assets on 1 market',
    ]);
  });

  it('The overview does not trust false values from a node', async () => {
    const lies = { epochSeq: 'soon', appVersion: '\u001b[31mred\u0007', blockHeight: '-7', status: 'fine' };
    const chain: Chain = {
      ...SOUND,
      statistics: { statistics: { ...statistics().statistics, ...lies, vegaTime: 'never' } },
      'liquidity/paidfees': page('paidLiquidityFees', [fee(41, 'lots'), fee(41, '-5')]),
      markets: page('markets', [{ id: 7, state: ['STATE_ACTIVE'] }]),
      nodes: page('nodes', [], { hasNextPage: true }),
    };
    const { session } = await shown({ chain, columns: 120 });
    expect(renderFrame(session.state())).not.toMatch(/[\u0007\u001b]/);
    expect(lineOf(session, 'WARNING')).toContain('reports "fine"');
    expect(lineOf(session, 'Epoch')).toBe(' Epoch    not known: the node does not report the current epoch');
    expect(lineOf(session, 'Network')).toContain('0 validators or more: ');
    expect(lineOf(session, 'Fees')).toBe(' Fees     not known: 2 of 2 rows cannot be read');
    expect(lineOf(session, 'Needs attention')).not.toContain('nothing found');
  });

  it('The overview reports empty lists on an empty chain, and not that all is well', async () => {
    const lists = { markets: 'markets', nodes: 'nodes', 'removed/bundles': 'bundles', 'oracle/specs': 'oracleSpecs' };
    const more = { 'oracle/data': 'oracleData', assets: 'assets', 'liquidity/paidfees': 'paidLiquidityFees' };
    const empty = Object.entries({ ...lists, ...more }).map(([path, wrapper]) => [path, page(wrapper, [])] as const);
    const chain: Chain = { ...SOUND, ...Object.fromEntries(empty), 'networkhistory/segments': { segments: [] } };
    const { session } = await shown({ chain });
    expect(lineOf(session, 'History')).toContain('no segments');
    expect(lineOf(session, 'Network')).toContain('0 markets \u00b7 0 validators');
    expect(lineOf(session, 'Fees')).toBe(' Fees     none: this node has no record of paid fees');
    expect(lineOf(session, 'Needs attention')).toMatch(/\d not known/);
  });

  it('The overview waits when the node reports too many requests', async () => {
    const busy = new RateLimitedError('too many', { url: 'http://n/statistics', retryAtMs: NOW_MS + 30_000 });
    const { session } = await shown({ chain: { ...SOUND, 'oracle/specs': busy } });
    press(session, 'r');
    expect(session.state().notice?.text).toBe('rate limited by the node: 30 s to wait');
  });

  it('The overview shows earlier answers while the node limits requests, with their age, and says so', async () => {
    const { session, world } = await shown({ chain: TROUBLED });
    const before = linesOf(session.state()).slice(0, -5);
    const busy = new RateLimitedError('too many', { url: 'http://n/', retryAtMs: NOW_MS });
    const again = async (chain: Chain): Promise<readonly string[]> => {
      world.client = () => clientFor(chain);
      press(session, 'r');
      await session.idle();
      return linesOf(session.state()).slice(0, -5);
    };
    const all = Object.fromEntries(Object.keys(SOUND).map(path => [path, busy]));
    expect(await again(all)).toEqual(before);
    expect(session.state().notice?.text).toMatch(
      /^the node limits requests: \d+ answers of before are shown, r asks again$/,
    );
    expect(await again({ ...TROUBLED, nodes: busy, 'oracle/specs': busy })).toEqual(before);
    expect(session.state().notice?.text).toContain(': 2 answers of before are shown');
    session.dispatch({ type: 'ticked', nowMs: NOW_MS + 130_000 });
    expect(lineOf(session, 'Network')).toMatch(/2 min$/);
  });

  it('An overview whose requests were all refused asks again when it is shown after the node has answered', async () => {
    const busy = new RateLimitedError('too many', { url: 'http://n/', retryAtMs: NOW_MS + 1000 });
    const all = Object.fromEntries(Object.keys(SOUND).map(path => [path, busy]));
    const { session, world } = await shown({ chain: all });
    expect(renderFrame(session.state())).toContain('Too many requests');
    world.client = () => clientFor(SOUND);
    press(session, '1');
    await answerPage(world, pageOf([{ key: 'a', value: '1' }]));
    press(session, '0');
    await session.idle();
    expect(lineOf(session, 'Epoch')).toContain('42');
  });

  it('The header of every other tab counts the findings once they are known, and none of the node before', async () => {
    const { session, world } = await onOverview({ columns: 120 });
    sessions.push(session);
    const header = (): string => renderFrame(session.state()).split('\n')[1] ?? '';
    expect(header()).toMatch(/ in sync {2}block 5010/);
    const { length } = world.pages;
    press(session, '4');
    await answerPage(world, pageOf([BUNDLE]));
    expect(header()).toMatch(/ in sync {2}1 critical · 2 warnings {2}block 5010/);
    expect(world.pages).toHaveLength(length + 1);
    session.dispatch({ type: 'resized', screen: { columns: 64, rows: 20 } });
    expect(header()).toMatch(/ in sync {2}1 critical {2}block 5010/);
    session.dispatch({ type: 'resized', screen: { columns: 40, rows: 20 } });
    expect(header()).not.toContain('critical');
    session.dispatch({ type: 'resized', screen: { columns: 120, rows: 20 } });
    session.dispatch({
      type: 'choose-node',
      to: { choice: { kind: 'address', address: 'http://m' }, name: 'm', address: 'http://m' },
    });
    expect(header()).not.toContain('critical');
  });

  it('The overview is reset by a switch to another node, and asks that one', async () => {
    const { session, world } = await shown();
    session.dispatch({
      type: 'choose-node',
      to: { choice: { kind: 'address', address: 'http://m' }, name: 'm', address: 'http://m' },
    });
    await told();
    expect(lineOf(session, 'Network')).toBe(' Network  not answered yet');
    world.client = () => clientFor({ ...SOUND, statistics: statistics({ epochSeq: '77' }) });
    last(world.connections).answer({ label: '', address: 'http://m', preferences: {}, notice: null });
    await told();
    await session.idle();
    expect(lineOf(session, 'Epoch')).toContain('77');
  });

  it('The overview has a line for each thing that is yours, which leads to its list or record', async () => {
    const world = new FakeWorld();
    world.mine = mineFromLists({
      parties: [IDS.party],
      submitters: [],
      validators: ['00'.repeat(32)],
      markets: [IDS.market],
    });
    const { session } = await shown({ world });
    expect(lineOf(session, 'Mine')).toMatch(/^─ Mine ─+$/);
    expect(lineOf(session, 'party')).toMatch(/^ party dddd..dddd {2}ACTIVE, 50 HUSD committed on HELDA\/HUSD \(you\)/);
    expect(lineOf(session, 'validator Validator 0')).toContain('in consensus');
    expect(lineOf(session, 'market HELDA/HUSD')).toContain('10 HUSD of fees in epoch 41');
    press(session, 'end');
    expect(selectedIn(session)).toContain('market HELDA/HUSD');
    press(session, 'up', 'up', 'enter');
    expect(session.state().tab).toBe('provisions');
    expect(last(world.pages).asked.request.filters).toMatchObject({ partyId: [IDS.party] });
    press(session, 'backspace');
    expect(selectedIn(session)).toContain('party dddd..dddd');
  });

  it('The overview shows nothing of yours before the chain is known, or when the node does not name it', async () => {
    const { session } = await startSession({ tab: 'overview' });
    sessions.push(session);
    expect(lineOf(session, 'Mine')).toMatch(/^─ Mine ─ not answered yet ─+$/);
    const unnamed = { 'networkhistory/segments': { segments: [] } };
    const chain: Chain = { ...SOUND, ...unnamed, statistics: statistics({ chainId: '' }) };
    const { session: nameless } = await shown({ chain });
    expect(lineOf(nameless, 'Mine')).toMatch(/^─ Mine ─ not known: the node does not report a chain id ─+$/);
    expect(nameless.state().node.chainId).toBe('');
    const unserved = new RefusedError(501, { code: 12, message: '', details: [] }, { url: '', hint: '' });
    const { session: without } = await shown({ chain: { ...SOUND, ...unnamed, statistics: unserved } });
    expect(without.state().node.chainId).toBe('');
    expect(without.state().node.core).toEqual({ status: null, atMs: expect.any(Number) });
    without.dispatch({ type: 'command-entered', line: `mine add ${IDS.party}` });
    expect(renderFrame(without.state())).toContain('the node does not report a chain id');
  });

  it('The overview gets a line once something is marked as yours in a list', async () => {
    const { session, world } = await shown();
    expect(lineOf(session, 'Mine')).toContain('nothing yet: M on any party');
    world.mine = mineFromLists({ parties: [], submitters: [], validators: [], markets: [IDS.market] });
    session.dispatch({ type: 'mine-read', chainId: 'chain-1', mine: world.mine, problem: null });
    await session.idle();
    expect(lineOf(session, 'market')).toContain('market HELDA/HUSD');
  });

  it('The overview is announced to a screen reader by its findings, each in a line', async () => {
    const { session } = await shown();
    const { place, lines, selected } = announcementOf(session.state());
    expect(place).toContain(`Home, tab 0 of ${HISTORY_KEY}`);
    expect(lines).toEqual([
      'Needs attention: 1 critical, 2 warnings, 2 notes',
      'critical: Consensus validators: no rewards: every multisig score is 0',
      'warning: Remove signer 0xe20..074ee: 5 signatures for 0x1fa..1208a only; threshold not known',
      'warning: Validator Validator 4: performance 50 %, below 90 %',
      'note: Validator Validator 4: outside the consensus set',
      'note: History: no segments: nothing to export',
    ]);
    expect(selected).toBe(lines[1]);
  });
});

/** Lets what was answered arrive, and what was asked for be loaded. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await told();
}

/** A session whose requests are answered one by one. */
async function unanswered(chain: Chain) {
  const world = new FakeWorld();
  world.clockMs = NOW_MS;
  const asked: (() => void)[] = [];
  const client = clientFor(chain);
  world.client = () => ({
    ...client,
    get: (request: NodeRequest) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      asked.push(resolve);
      return promise.then((): Promise<Reply> => client.get(request));
    },
  });
  const { session } = await startSession({ tab: 'overview', world });
  await turns();
  return { session, asked };
}

/** What a line is known by, however much of it is known; undefined for one that waits. */
function nameOf(line: string): string | undefined {
  const text = line.slice(1).trim();
  const label = /^(History|Epoch|Network|Fees|Trend|Needs attention|Mine) /.exec(text)?.[1];
  return label ?? (/^(?:CRITICAL|WARNING|note|not known) /.test(text) ? text.slice(0, 30) : undefined);
}

describe('Changes between stored snapshots in the overview', () => {
  const HOUR_MS = 3_600_000;
  const midnight = NOW_MS - (NOW_MS % (24 * HOUR_MS));
  const recent: RecentChanges = {
    sinceYesterday: {
      takenMs: midnight - HOUR_MS,
      compared: 6,
      counts: [
        ['parameters', 3],
        ['oracles', 1],
      ],
    },
    sinceLooked: { takenMs: midnight - 49 * HOUR_MS, compared: 6, counts: [] },
    untilMs: midnight + 60_000,
  };

  it('The changes between snapshots have an overview line, and Enter compares with the node now', async () => {
    const world = new FakeWorld();
    world.recent = recent;
    const { session } = await shown({ world, columns: 120, rows: 40 });
    const lineOf = (frame: string) => frame.split('\n').find(line => line.includes('Changed'));
    expect(lineOf(renderFrame(session.state()))).toContain(
      'Changed  3 parameters, 1 oracle spec (snapshots yesterday 23:00 to 00:01 UTC)',
    );
    press(session, 'home');
    for (let step = 0; step < 20 && !lineOf(renderFrame(session.state()))?.startsWith('>'); step++) press(session, 'j');
    press(session, 'enter');
    expect(openState<ChangesState>(session, 'changes').answer.kind).toBe('asking');
  });

  it('The changes between snapshots are shown with what was compared at 80 columns', async () => {
    const world = new FakeWorld();
    const changedIn = async (changes: RecentChanges) => {
      world.recent = changes;
      const { session } = await shown({ world });
      return lineOf(session, 'Changed').trimEnd();
    };
    const [untilMs, takenMs] = [midnight + 60_000, midnight + 1000];
    const looked = { ...recent, sinceYesterday: null, sinceLooked: { takenMs, compared: 6, counts: [] }, untilMs };
    expect(await changedIn(looked)).toBe(' Changed  nothing in 6 lists (snapshots 00:00 to 00:01 UTC)');
    const counts = ['parameters', 'bundles', 'oracles', 'markets'].map(list => [list, 12] as const);
    const many = { takenMs: midnight - HOUR_MS, compared: 6, counts };
    expect(await changedIn({ ...recent, sinceYesterday: many })).toBe(
      ' Changed  48 records (snapshots yesterday 23:00 to 00:01 UTC)',
    );
  });

  it('The changes between snapshots are dropped when the chain changes', async () => {
    const world = new FakeWorld();
    world.recent = recent;
    const { session } = await shown({ world });
    expect(lineOf(session, 'Changed')).not.toBe('');
    world.recent = null;
    world.client = () => clientFor({ ...TROUBLED, statistics: statistics({ chainId: 'other-chain' }) });
    press(session, 'r');
    await session.idle();
    await turns();
    expect(session.state().node.chainId).toBe('other-chain');
    expect(lineOf(session, 'Changed')).toBe('');
  });

  it('The changes between snapshots have no overview line when nothing is stored', async () => {
    const { session } = await shown();
    expect(renderFrame(session.state())).not.toContain('Changed');
  });
});
