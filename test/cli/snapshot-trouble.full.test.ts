import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Context } from '../../src/cli/context.ts';
import { runCommandLine } from '../../src/cli/run.ts';
import { createSink } from '../../src/cli/sink.ts';
import { readMomentFromFiles } from '../../src/cli/snapshot-context.ts';
import type { RecordedSnapshot } from '../../src/memory/record/recorded-chain.ts';
import { type NewSnapshot, openRecorder } from '../../src/memory/snapshots/index.ts';
import { type RunningNode, startNode } from '../../src/node/index.ts';
import { startAlteredNode } from '../memory/record/altered-node.ts';
import { madeSnapshot, readList } from '../memory/snapshots/made-snapshot.ts';
import { deedsOf } from '../support/terminal-judge.ts';
import { contextWith, run, TextStream } from './run-command.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 9, 1, 12);

const parameter = (value: string, key = 'validators.epoch.length') => JSON.stringify({ key, value });

/** A home whose snapshots a test makes by hand. */
function home(state = temporary()) {
  const folder = join(state, 'blockglass', 'snapshots');
  const nodes: RunningNode[] = [];
  onTestFinished(async () => {
    for (const node of nodes) await node.close();
  });
  const startSnapshot = async (recorded: RecordedSnapshot): Promise<RunningNode> => {
    const node = await startNode({ recorded });
    nodes.push(node);
    return node;
  };
  const members: Partial<Context> = {
    env: { XDG_STATE_HOME: state },
    nowMs: () => START_MS + 30 * DAY_MS,
    startSnapshot,
  };
  return {
    ...{ state, folder, members },
    commands: (...words: readonly string[]) => run(words, members),
    /** Snapshots of a chain, a day apart. */
    store: (chainId: string, ...all: readonly NewSnapshot['lists'][]) => {
      const recorder = openRecorder({ folder, chainId, nowMs: () => START_MS });
      for (const [day, lists] of all.entries())
        recorder.add(madeSnapshot(lists, { takenMs: START_MS + day * DAY_MS, node: `http://${chainId}:3008` }));
      recorder.close();
      return recorder.path;
    },
    recorder: (chainId: string) => openRecorder({ folder, chainId, nowMs: () => START_MS + 30 * DAY_MS }),
  };
}

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'blockglass-trouble-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const SHOW = ['show', 'parameters', 'validators.epoch.length', '-o', 'json'] as const;

describe('Snapshots of two chains in one folder', () => {
  it('Snapshots of two chains are told apart by node, ID and time, and never mixed', async () => {
    const { commands, store } = home();
    store('alpha', [readList('parameters', [parameter('1h')])], [readList('parameters', [parameter('2h')])]);
    store('beta', [readList('parameters', [parameter('3h')])]);
    const unnamed = await commands(...SHOW, '--at', '1');
    expect([unnamed.code, unnamed.err]).toEqual([
      2,
      'blockglass: found snapshots of 2 chains. Choose one with --node http://alpha:3008 (alpha) or --node http://beta:3008 (beta)\n',
    ]);
    for (const [node, at, value] of [
      ['http://alpha:3008', '1', '1h'],
      ['http://alpha:3008', '2026-10-02', '2h'],
      ['http://beta:3008', '2026-10-02', '3h'],
    ] as const)
      expect((await commands(...SHOW, '--at', at, '--node', node)).out).toContain(`"${value}"`);
    expect((await commands(...SHOW, '--at', '2', '--node', 'http://beta:3008')).err).toContain(
      'snapshot 2 not found; the newest is 1',
    );
    expect((await commands('diff', '1', '2', '--chain', 'alpha')).out).toContain('1 h (1h) -> 2 h (2h)');
    expect((await commands('diff', '1', '2')).err).toContain('Choose one with --chain alpha or --chain beta');
    expect((await commands('serve', '--at', '1')).err).toContain('Choose one with --chain alpha or --chain beta');
    expect((await commands('record', 'export', '--chain', 'gamma')).err).toContain('no snapshots of the chain "gamma"');
  });

  it('A snapshot of one chain is unchanged when one of the other chain is damaged', async () => {
    const { commands, store } = home();
    store('alpha', [readList('parameters', [parameter('1h')])]);
    const path = store('beta', [readList('parameters', [parameter('3h')])]);
    writeFileSync(path, 'x'.repeat(5000));
    expect((await commands(...SHOW, '--at', '1')).out).toContain('"1h"');
    const damaged = await commands('diff', '1', '1', '--chain', 'beta');
    expect([damaged.code, damaged.err]).toEqual([5, expect.stringContaining(`${path} is damaged`)]);
  });
});

describe('Snapshots removed during use', () => {
  it('Removed snapshots stay on the screen as they were, and the next step reports what is left', async () => {
    const { store, members, recorder, commands } = home();
    const days = Array.from({ length: 5 }, (_, day) => [readList('parameters', [parameter(`${day + 1}h`)])]);
    store('alpha', ...days);
    const { context } = contextWith(members);
    const place = {
      folder: join(`${members.env?.XDG_STATE_HOME}`, 'blockglass', 'snapshots'),
      nowMs: START_MS + 30 * DAY_MS,
    };
    const shown = await readMomentFromFiles({ ...place, chain: undefined, namedBy: 'node' }, '2');
    expect([shown.before, shown.after]).toEqual([1, 3]);
    const node = await context.startSnapshot(shown.recorded);
    const writer = recorder('alpha');
    expect(writer.prune(DAY_MS)).toBe(3);
    writer.close();
    expect(await (await fetch(`${node.url}/api/v2/network/parameters`)).text()).toContain('"2h"');
    const next = await commands(...SHOW, '--at', `${shown.after}`);
    expect([next.code, next.err]).toEqual([
      2,
      'blockglass: snapshot 3 not found; the oldest is 4, of 2026-10-04 12:00:00 UTC\n',
    ]);
  });

  it('A diff that reads removed snapshots ends with one sentence, never with fewer records', async () => {
    const { store, commands, recorder } = home();
    store('alpha', [readList('parameters', [parameter('1h')])], [readList('parameters', [parameter('2h')])]);
    const writer = recorder('alpha');
    writer.add(madeSnapshot([readList('parameters', [parameter('3h')])], { takenMs: START_MS + 9 * DAY_MS }));
    writer.prune(60_000);
    writer.close();
    const { code, err } = await commands('diff', '1', '3');
    expect([code, err]).toEqual([2, 'blockglass: snapshot 1 not found; the oldest is 3, of 2026-10-10 12:00:00 UTC\n']);
  });
});

describe('Snapshot file', () => {
  it('A snapshot file damaged in the middle shows its intact lists, and reports the damaged ones', async () => {
    const { store, commands } = home();
    // Text that does not compress, so that each list has pages of its own.
    const noise = (of: string): readonly string[] =>
      Array.from({ length: 400 }, (_, index) =>
        JSON.stringify({ key: `${of}.${index}`, value: spawnNoise(`${of} ${index}`) }),
      );
    const path = store('alpha', [
      readList('parameters', noise('one')),
      readList('bundles', []),
      readList('assets', []),
    ]);
    const bytes = readFileSync(path);
    // Within each compressed pack of records.
    const magic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
    for (let pack = bytes.indexOf(magic); pack >= 0; pack = bytes.indexOf(magic, pack + 40))
      bytes.fill(0, pack + 20, pack + 30);
    writeFileSync(path, bytes);
    const lost = await commands('list', 'parameters', '--all', '--at', '1');
    expect([lost.code, lost.out]).toEqual([3, '']);
    expect(lost.err).toMatch(
      /snapshot 1 has no parameters: only \d+ of 400 records can be read, because the file is damaged/,
    );
    expect((await commands('list', 'bundles', '--all', '--at', '1', '-o', 'json')).out).toBe('[]\n');
    const exported = await commands('record', 'export', '1');
    expect([exported.code, exported.err]).toEqual([
      5,
      `1 list of this snapshot cannot be read as a whole: ${path} is damaged\n`,
    ]);
    const compared = await commands('diff', '1', '1');
    expect([compared.code, compared.err]).toEqual([5, expect.stringContaining('not compared: parameters')]);
    expect((await commands('record', 'check')).code).toBe(5);
  });

  it('A snapshot file is read through a link to its folder', async () => {
    const { store, state } = home();
    store('alpha', [readList('parameters', [parameter('1h')])]);
    const link = join(temporary(), 'state');
    symlinkSync(state, link);
    expect((await home(link).commands(...SHOW, '--at', '1')).out).toContain('"1h"');
  });

  it('A snapshot file in a read-only folder is read, and `record` reports why it cannot continue', async () => {
    const { store, state, folder } = home();
    store('alpha', [readList('parameters', [parameter('1h')])]);
    const readOnly = readOnlyCopy(state, folder);
    if (readOnly === undefined) return;
    const there = home(readOnly);
    expect((await there.commands(...SHOW, '--at', '1')).out).toContain('"1h"');
    expect((await there.commands('record', 'check')).out).toBe('alpha: 1 snapshot, ok\n');
    expect((await there.commands('diff', '1', '1', '--resource', 'parameters')).code).toBe(0);
    const kept = await there.commands('record', 'prune', '--keep', '1d');
    expect([kept.code, kept.err]).toEqual([
      1,
      expect.stringMatching(/ cannot be (written|opened)\n {2}try: check who may /),
    ]);
  });

  it('A snapshot file from before newest-first market order has the same records as one from after it', async () => {
    const { store, commands } = home();
    const markets = ['a', 'b', 'c'].map(letter => JSON.stringify({ id: letter.repeat(64), state: 'STATE_ACTIVE' }));
    store('alpha', [readList('markets', markets)], [readList('markets', markets.toReversed())]);
    const { code, out } = await commands('diff', '1', '2', '--resource', 'markets');
    expect([code, out]).toEqual([0, expect.stringContaining('no differences in 1 list')]);
    expect((await commands('record', 'list')).out).toMatch(/^ 2 .* 3 +0 +1 +0$/m);
    for (const id of ['1', '2']) {
      const listed = await commands('list', 'markets', '--all', '--at', id, '-o', 'json');
      expect(
        JSON.parse(listed.out)
          .map((market: { id: string }) => market.id[0])
          .toSorted(),
      ).toEqual(['a', 'b', 'c']);
    }
  });

  it('A snapshot file with the fees of fewer epochs says why the last epochs are unknown', async () => {
    const { store, commands } = home();
    const fee = (epoch: number): string =>
      JSON.stringify({
        ...{ market: 'ab'.repeat(32), asset: 'cd'.repeat(32), epochSeq: `${epoch}`, totalFeesPaid: '7' },
        feesPaidPerParty: [{ party: 'ef'.repeat(32), amount: '7', quantumAmount: '7' }],
      });
    const fees = Array.from({ length: 10 }, (_, ago) =>
      readList('fees', ago === 0 ? [] : [fee(42 - ago)], `${42 - ago}`),
    );
    store('alpha', [readList('status', [JSON.stringify({ chainId: 'alpha', epochSeq: '42' })]), ...fees]);
    const { out } = await commands('overview', '--at', '1');
    expect(out).toContain('last epochs not known: snapshot 1 has fees of the epochs 33 to 42 only');
    // What a newer node would add is not claimed to be there.
    const asked = await commands('list', 'fees', '--epoch-seq', '41', '--all', '--at', '1', '-o', 'json');
    expect(JSON.parse(asked.out)).toHaveLength(1);
  });

  it('A snapshot file with hostile text harms no terminal, in any command that reads it', async () => {
    const { store, members } = home();
    const hostile = '\u001b]52;c;aGk=\u0007\u001b[2J\u202e\u0000\ud800';
    const records = [parameter(hostile), parameter('x', hostile)];
    const chainId = `evil${hostile.slice(0, 12)}`;
    store(chainId, [readList('parameters', records)], [readList('parameters', [parameter(`${hostile}2`)])]);
    for (const words of [
      ['list', 'parameters', '--at', '1'],
      ['show', 'parameters', '0', '--at', '1'],
      ['overview', '--at', '1'],
      ['check', '--at', '1'],
      ['check', '--at', '1', '-o', 'prometheus'],
      ['diff', '1', '2'],
      ['diff', '1', '--at', '2', '-o', 'markdown'],
      ['record', 'list'],
      ['record', 'export', '1'],
      ['list', 'parameters', '--at', 'soon'],
    ]) {
      const [stdout, stderr] = [new TextStream(true), new TextStream(true)];
      const { context } = contextWith({ ...members, stdout: createSink(stdout), stderr: createSink(stderr) });
      await runCommandLine(words, context);
      expect([words, await deedsOf(stdout.text), await deedsOf(stderr.text)]).toEqual([words, [], []]);
    }
  });
});

describe('Diff with a node', () => {
  it('A diff with a node that is slow with one list reports that list, and compares the others', async () => {
    await using node = await startAlteredNode(2);
    await using slow = await startAlteredNode(2);
    const held = Promise.withResolvers<'gone'>();
    slow.alter = url => (url.pathname.endsWith('/specs') ? held.promise : undefined);
    onTestFinished(() => held.resolve('gone'));
    const { code, out, err } = await home().commands('diff', node.url, slow.url, '--timeout', '2');
    held.resolve('gone');
    // A busy machine may be late with another one, too.
    expect([code, out]).toEqual([5, expect.stringMatching(/no differences in 2\d lists/)]);
    expect(err).toMatch(
      /^note: not compared: oracles: could not be read in b \(no answer: the wait for the first byte took too long\)/m,
    );
  });

  it('A diff with a node that does not answer in time ends with its own error, whichever side it is', async () => {
    await using node = await startAlteredNode(2);
    await using dead = await startAlteredNode(2);
    const held = Promise.withResolvers<'gone'>();
    dead.alter = () => held.promise;
    onTestFinished(() => held.resolve('gone'));
    for (const sides of [
      [node.url, dead.url],
      [dead.url, node.url],
    ]) {
      const { code, out, err } = await home().commands('diff', ...sides, '--timeout', '1');
      expect([code, out]).toEqual([4, '']);
      expect(err).toContain('the wait for the first byte took too long');
    }
    held.resolve('gone');
  });
});

/** Digits that do not compress well, the same each time. */
function spawnNoise(seed: string): string {
  let state = [...seed].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, 7);
  return Array.from({ length: 12 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state.toString(36);
  }).join('');
}

/** The same folder where nothing can be written; undefined where that cannot be had. */
function readOnlyCopy(state: string, folder: string): string | undefined {
  if (process.getuid?.() !== 0) {
    chmodSync(folder, 0o500);
    onTestFinished(() => chmodSync(folder, 0o700));
    return state;
  }
  // Root may write everywhere but on a disk that is read-only.
  const place = join(temporary(), 'read-only');
  mkdirSync(place);
  if (spawnSync('mount', ['--bind', state, place]).status !== 0) return undefined;
  onTestFinished(() => void spawnSync('umount', ['-l', place]));
  return spawnSync('mount', ['-o', 'remount,ro,bind', place]).status === 0 ? place : undefined;
}
