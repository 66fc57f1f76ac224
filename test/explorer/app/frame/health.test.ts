import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionState } from '../../../../src/explorer/core/state.ts';
import { NO_KNOWN_NODES } from '../../../../src/explorer/services/node/nodes.ts';
import { answerPage, FakeWorld, press, startSession, told } from '../../support/fake-world.ts';
import { paintedLines, plain } from '../../support/frame.ts';
import { answered, inPicker, offered } from '../../support/node-scenes.ts';
import { pageOf, provision } from '../../support/provision-pages.ts';

const AT_MS = Date.parse('2027-01-15T16:07:51.000Z');
const LEVEL = { version: 'v0.74.9', state: 'connected', height: 7n, timeMs: null, behindBlocks: 0n, behindMs: 0 };

async function frameOf(columns: number, told: Partial<typeof LEVEL> | null, more: Partial<SessionState> = {}) {
  const { session } = await startSession({ columns, rows: 24, tab: 'parameters' });
  const state = session.state();
  const core = { status: told && { ...LEVEL, ...told }, atMs: AT_MS };
  const node = { ...state.node, core, build: { version: 'v0.74.10', isDoubted: false } };
  return paintedLines({ ...state, node, ...more }).map(plain);
}

describe('Node health line', () => {
  it('The health line has the whole address of another node next to it when there is room, else its ends', async () => {
    const node = { ...offered('main'), name: 'http://localhost:3008', choice: { kind: 'demo' } as const };
    const compared = { atMs: AT_MS, nodes: [{ node, answer: { kind: 'failed', problem: 'HTTP 503' } as const }] };
    const lines = await Promise.all(
      [56, 120].map(
        async columns => (await frameOf(columns, null, { knownNodes: { ...NO_KNOWN_NODES, compared } }))[2],
      ),
    );
    expect(lines).toEqual([
      expect.stringMatching(/ http:\/\/\.\.st:3008 no status {2}\(16:07:51\) \u2500$/),
      expect.stringMatching(/ http:\/\/localhost:3008 no status {2}\(16:07:51\) \u2500$/),
    ]);
  });

  it('The health line is on the screen without a key, with its time, at 60, 80 and 120 columns', async () => {
    const lines = await Promise.all(
      [60, 80, 120].map(async columns => (await frameOf(columns, { behindBlocks: 229n }))[2]),
    );
    expect(lines).toEqual([
      '─ Parameters ─────────── 229 blocks behind core (16:07:51) ─',
      '─ Parameters ─────────────────────────────── 229 blocks behind core (16:07:51) ─',
      `─ Parameters ${'─'.repeat(71)} 229 blocks behind core (16:07:51) ─`,
    ]);
  });

  it('The health line says that the core is in sync only where the header does not say it', async () => {
    const { node } = (await startSession({ tab: 'parameters' })).session.state();
    const contact = { answeredAtMs: node.nowMs, silentSinceMs: null, knownAtMs: node.nowMs };
    const height = { block: '7', ageMs: 500, readAtMs: node.nowMs };
    const core = { status: LEVEL, atMs: AT_MS };
    const [header = '', , health] = await frameOf(
      80,
      {},
      { node: { ...node, contact, height, core, hasAnswered: true } },
    );
    expect(header).toContain('in sync');
    expect(health).not.toContain('in sync');
    expect((await frameOf(80, {}))[2]).toMatch(/\u2500 core in sync \(16:07:51\) \u2500$/);
  });

  it('The health line leaves filters their room, and every other line as it is', async () => {
    const { session, world } = await startSession({ columns: 80, rows: 24, tab: 'provisions' });
    await answerPage(world, pageOf([provision(1)]));
    await told();
    const state = session.state();
    const node = { ...state.node, core: { status: { ...LEVEL, behindBlocks: 123_456n }, atMs: AT_MS } };
    expect(paintedLines({ ...state, node }).slice(2)).toEqual(paintedLines(state).slice(2));
    expect((await frameOf(80, {})).toSpliced(2, 1)).toEqual((await frameOf(80, null)).toSpliced(2, 1));
  });

  it('The node version is next to the name in the header, and no text of a node breaks a line', async () => {
    expect((await frameOf(80, {}))[0]).toContain('v0.74.10');
    const texts = fc.string({ unit: 'grapheme', maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 40, max: 200 }), texts, texts, async (columns, state, version) => {
        const lines = await frameOf(columns, { state, version });
        expect(lines).toHaveLength(24);
        expect(lines[2]).toMatch(/^\u2500 Parameters /);
      }),
      { numRuns: 30 },
    );
  });

  it('The health line has the health of other nodes as the picker found it, even once one of them is in use', async () => {
    const { session, world } = await inPicker(new FakeWorld(), 160);
    const asked = new Date(world.clockMs).toISOString().slice(11, 19);
    const lineNow = () => plain(paintedLines(session.state())[2] ?? '').replace(/^.*pending [\u2500 ]+/, '');
    world.probes[0]?.answer(answered('fake-chain-1', '7', 240_000));
    world.probes[1]?.answer({ kind: 'failed', problem: 'no', isUnreached: true });
    await told();
    press(session, 'esc');
    expect(lineNow()).toBe(`main behind 4 min  backup not reached  (${asked}) ─`);
    world.clockMs += 60_000;
    press(session, 'r');
    await answerPage(world, pageOf([provision(1)]));
    // The one in use is asked with them.
    expect(world.probes).toHaveLength(3);
    expect(lineNow()).toContain(`backup not reached  (${asked})`);
    const old = session.state();
    const later = { ...old, node: { ...old.node, nowMs: world.clockMs + 240_000 } };
    expect(paintedLines(later)[2]).not.toContain('backup');
    session.dispatch({ type: 'choose-node', to: offered('main') });
    await told();
    expect(plain(paintedLines(session.state())[2] ?? '')).toMatch(/\u2500 backup not reached {2}\([\d:]+\) \u2500$/);
  });
});
