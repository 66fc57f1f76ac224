import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { atMost, median, ratioTo, type Section } from '../figure.ts';
import { startServer } from '../node-process.ts';
import { environment, HOME, isInstalled, PROGRAM } from '../programs.ts';
import { Recorder } from '../recorder.ts';
import { amountAt, listedText, READY } from '../records.ts';

const ROWS = 200_000;

const MIB = 2 ** 20;

/** Between two keys; the window is moved, so that each key draws a screen of rows. */
const BETWEEN_KEYS_MS = 40;

interface Measured {
  readonly seconds: number;
  readonly peakMib: number;
  readonly slowestKeyMs: number;
}

export const whole: Section = async ({ isFull, onceAtFullSpeed }) => {
  const file = join(HOME, 'provisions.jsonl');
  writeFileSync(file, Array.from({ length: ROWS }, (_, index) => `${listedText(index)}\n`).join(''));
  const node = await startServer({ rows: ROWS });
  const timed: Measured[] = [];
  const pressed: Measured[] = [];
  const peer: number[] = [];
  const hasPeer = isInstalled('vd');
  try {
    for (let round = 0; round < (isFull ? 5 : 1); round++) {
      timed.push(await onceAtFullSpeed(() => ours(node.url, { hasKeys: false })));
      pressed.push(await onceAtFullSpeed(() => ours(node.url, { hasKeys: true })));
      if (hasPeer) peer.push(await onceAtFullSpeed(() => visidata(file)));
    }
  } finally {
    node.stop();
  }
  const all = [...timed, ...pressed];
  return [
    ratioTo('whole', '200,000 provisions loaded and sorted, from a node', {
      value: median(timed.map(({ seconds }) => seconds)),
      peer: 'visidata, from a file',
      peerValue: hasPeer ? median(peer) : undefined,
      limit: 1,
      unit: 's',
    }),
    atMost(
      'whole',
      'its memory at most, a search over all of them included',
      Math.max(...all.map(({ peakMib }) => peakMib)),
      250,
      'MiB',
    ),
    atMost(
      'whole',
      'slowest key while it loads, sorts and finds',
      median(pressed.map(({ slowestKeyMs }) => slowestKeyMs)),
      20,
      'ms',
    ),
  ];
};

async function ours(url: string, { hasKeys }: { readonly hasKeys: boolean }): Promise<Measured> {
  const recorder = new Recorder({
    command: process.execPath,
    args: [PROGRAM, 'provisions', '--node', url],
    env: environment(),
  });
  let peakMib = 0;
  const memory = setInterval(() => {
    peakMib = Math.max(peakMib, recorder.tree().rssBytes / MIB);
  }, 50);
  const keys: number[] = [];
  // Done when the screen says so; keys are pressed meanwhile, and the one that is answered last counts as well.
  const until = async (text: string): Promise<void> => {
    let isDone = false;
    const done = recorder.reached(text, 1, 60_000).then(() => {
      isDone = true;
    });
    for (let press = 0; hasKeys && !isDone; press++) keys.push(await answered(recorder, press % 2 === 0 ? 'j' : 'k'));
    await done;
  };
  try {
    await recorder.reached('COMMITMENT');
    await recorder.quiet(2000);
    const startedMs = performance.now();
    recorder.send('S');
    await until('of 200 000');
    await command(recorder, 'sort commitment');
    await until('sorted: all 200 000');
    const seconds = (performance.now() - startedMs) / 1000;
    if (hasKeys) {
      await command(recorder, 'find reference 1234');
      await until('found among 200 000');
    }
    return { seconds, peakMib, slowestKeyMs: Math.max(0, ...keys) };
  } finally {
    clearInterval(memory);
    await recorder.close();
  }
}

async function command(recorder: Recorder, line: string): Promise<void> {
  recorder.send(':');
  await recorder.quiet(50);
  recorder.send(line);
  await recorder.quiet(50);
  recorder.send('\r');
}

/** Milliseconds from a key until the mark of the selected row is drawn; what is said of progress is no answer. */
async function answered(recorder: Recorder, key: string): Promise<number> {
  const { bytes } = recorder;
  const startedMs = performance.now();
  recorder.send(key);
  const isAnswered = (): boolean => recorder.bytes > bytes && recorder.text.slice(bytes - recorder.bytes).includes('>');
  while (!isAnswered() && performance.now() - startedMs < 1000) await wait(0.5);
  const tookMs = performance.now() - startedMs;
  await wait(BETWEEN_KEYS_MS);
  return tookMs;
}

/** The same in visidata: the file is read, the column made one of numbers and sorted, the largest first. */
async function visidata(file: string): Promise<number> {
  const recorder = new Recorder({ command: 'vd', args: [file], env: environment() });
  try {
    const loadedMs = await recorder.reached(`${ROWS} rows`, 1, 60_000);
    recorder.send('ccommit\r');
    await wait(SETTLED_MS);
    recorder.send('#');
    await wait(SETTLED_MS);
    const startedMs = performance.now();
    recorder.send(']');
    await recorder.reached(LARGEST.slice(0, 15), 1, 60_000);
    return (loadedMs + performance.now() - startedMs) / 1000;
  } finally {
    await recorder.close();
  }
}

/** It draws all the time, so that nothing but time says that it is done with a key. */
const SETTLED_MS = 1000;

/** What stands on top when the amounts are sorted. */
const LARGEST = Array.from({ length: READY }, (_, index) => amountAt(index)).reduce((most, amount) =>
  BigInt(amount) > BigInt(most) ? amount : most,
);
