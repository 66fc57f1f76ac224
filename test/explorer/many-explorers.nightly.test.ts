import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../src/chain/api/client.ts';
import { baseAddress } from '../../src/chain/api/request.ts';
import { explore } from '../../src/explorer/explorer.tsx';
import { ProcessGuard } from '../../src/explorer/terminal/process-guard.ts';
import { type RunningNode, startNode } from '../../src/node/index.ts';
import { unlimited } from '../node/wire.ts';
import { LoneTerminal } from './lone-terminal.ts';

let node: RunningNode;
beforeAll(async () => {
  node = await startNode({ rateLimit: unlimited });
});
afterAll(() => node.close());

const WAITS = { firstByteMs: 10_000, idleMs: 5000 };

/** A name that no text can be made of as soon as the terminal is taken. */
function undrawable(terminal: LoneTerminal): string {
  const text = () => {
    if (TAKEN.test(terminal.written)) throw new Error('not to be drawn');
    return 'demo';
  };
  return Object.assign(JSON.parse('{}'), { toString: text });
}

function open(host: ProcessGuard, terminal: LoneTerminal, label = 'demo') {
  return explore({
    host,
    stdin: terminal.stdin,
    stdout: terminal.stdout,
    env: { TERM: 'xterm-256color', LANG: 'C.UTF-8' },
    tab: 'parameters',
    label,
    hasColour: true,
    colour: null,
    view: {},
    preferences: {},
    isPlainOutput: false,
    isScreenReader: false,
    namesFolder: null,
    stateFolder: null,
    program: 'blockglass test',
    nodes: {
      connect: async () => ({
        ...{ label, preferences: {}, notice: null, ...WAITS },
        client: createClient({ base: baseAddress(node.url) }),
      }),
      clientOf: async () => undefined,
      profiles: async () => ({ profiles: [], problem: null }),
    },
  });
}

const lost = (): Error => Object.assign(new Error('write EIO'), { code: 'EIO' });

/** Ways in which an explorer ends, and whether its terminal hears of it. */
const ENDINGS = [
  { end: (terminal: LoneTerminal) => terminal.keys.push('q'), isThere: true, isInterrupted: false },
  { end: (terminal: LoneTerminal) => terminal.keys.push('\u0003'), isThere: true, isInterrupted: true },
  { end: (terminal: LoneTerminal) => terminal.keys.push(null), isThere: true, isInterrupted: true },
  { end: (terminal: LoneTerminal) => terminal.screen.destroy(lost()), isThere: false, isInterrupted: true },
  { end: (terminal: LoneTerminal) => terminal.keys.destroy(lost()), isThere: true, isInterrupted: true },
] as const;

const ROWS = /1-\d+ of \d+ /;
const TAKEN = /\u001b\[\?1049h/;
const LEFT = /\u001b\[\?1049l/;

async function openAndEnd(host: ProcessGuard, count: number): Promise<readonly LoneTerminal[]> {
  const terminals = Array.from({ length: count }, () => new LoneTerminal());
  const explorers = terminals.map(terminal => open(host, terminal));
  await Promise.all(terminals.map(terminal => terminal.until(ROWS)));
  for (const [index, terminal] of terminals.entries()) ENDINGS[index % ENDINGS.length]?.end(terminal);
  const partings = await Promise.all(explorers);
  for (const [index, { isInterrupted }] of partings.entries()) {
    const ending = ENDINGS[index % ENDINGS.length];
    expect(isInterrupted).toBe(ending?.isInterrupted);
    expect(LEFT.test(terminals[index]?.written ?? '')).toBe(ending?.isThere);
  }
  return terminals;
}

const listenersOf = (emitter: NodeJS.EventEmitter) =>
  Object.fromEntries(emitter.eventNames().map(name => [String(name), emitter.listenerCount(name)]));
const counted = () => ({
  process: listenersOf(process),
  stdin: listenersOf(process.stdin),
  stdout: listenersOf(process.stdout),
});

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

async function heapBytes(): Promise<number> {
  for (let turn = 0; turn < 3; turn++) {
    await new Promise(setImmediate);
    collect();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** One that throws as soon as it is drawn, beside others. */
async function openAndBreak(host: ProcessGuard): Promise<LoneTerminal> {
  const terminal = new LoneTerminal();
  await expect(open(host, terminal, undrawable(terminal))).rejects.toThrow('not to be drawn');
  expect(terminal.written).toMatch(LEFT);
  return terminal;
}

const ROUNDS = 10;
const AT_ONCE = 12;
/** What the heap may grow by for each: 15 to 37 kB are measured, and 110 when the session of each is kept. */
const BYTES_EACH = 70_000;
/** One measurement is off by up to 2 MB; the least of so many is not. */
const MEASURED = 3;

describe('A hundred and twenty explorers in one process', () => {
  it('Many explorers leave neither listeners nor memory behind, however they end', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on('warning', onWarning);
    const first = new ProcessGuard();
    // Ink restores the cursor when the process exits, for which it listens once and for good.
    await openAndEnd(first, 1);
    first.release();
    const before = counted();
    const guard = new ProcessGuard();
    const guarded = counted();
    const ended: WeakRef<LoneTerminal>[] = [];
    const heap: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const [broken, terminals] = await Promise.all([
        round === 3 ? openAndBreak(guard) : undefined,
        openAndEnd(guard, round === 3 ? AT_ONCE - 1 : AT_ONCE),
      ]);
      for (const terminal of broken === undefined ? terminals : [broken, ...terminals]) {
        expect([terminal.listeners, terminal.isRaw]).toEqual([0, false]);
        ended.push(new WeakRef(terminal));
      }
      expect(counted()).toEqual(guarded);
      heap.push(await heapBytes());
    }
    expect(ended.length).toBe(ROUNDS * AT_ONCE);
    // Those of the last round may still be on the stack, and one in the error that was thrown.
    expect(ended.filter(terminal => terminal.deref() !== undefined).length).toBeLessThan(2 * AT_ONCE);
    const early = Math.min(...heap.slice(1, 1 + MEASURED));
    const late = Math.min(...heap.slice(-MEASURED));
    expect(late - early).toBeLessThan((ROUNDS - 1 - MEASURED) * AT_ONCE * BYTES_EACH);
    guard.release();
    expect(counted()).toEqual(before);
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });

  it('Many explorers are not ended by one of them that throws while it is drawn', async () => {
    const guard = new ProcessGuard();
    const terminal = new LoneTerminal();
    const healthy = open(guard, terminal);
    await openAndBreak(guard);
    await terminal.until(ROWS);
    expect(terminal.written).not.toMatch(LEFT);
    terminal.keys.push('q');
    expect(await healthy).toEqual({ isInterrupted: false, parting: '' });
    guard.release();
  });
});
