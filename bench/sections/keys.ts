import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { atMost, type Figure, median, percentile, ratioTo, type Section } from '../figure.ts';
import { startServer } from '../node-process.ts';
import { environment, HOME, isInstalled, PROGRAM } from '../programs.ts';
import { Recorder } from '../recorder.ts';
import { provisionsCsv } from '../records.ts';

const DOWN = 'j';
const INSPECT = '\r';
const PAGE_DOWN = '\u001b[6~';

export interface KeyCosts {
  readonly inPage: number;
  readonly scrolling: number;
  readonly pageDown: number;
  readonly medianMs: number;
  readonly p95Ms: number;
}

/** How often each key is pressed. */
export interface Presses {
  readonly inPage: number;
  readonly scrolling: number;
  readonly pageDown: number;
}

interface Peer {
  readonly name: string;
  readonly command: string;
  readonly args: (csv: string) => readonly string[];
  readonly down: string;
  readonly pageDown: string;
}

const PEERS: readonly Peer[] = [
  { name: 'visidata', command: 'vd', args: csv => [csv], down: 'j', pageDown: '\u001b[6~' },
  { name: 'less', command: 'less', args: csv => ['-S', csv], down: 'j', pageDown: ' ' },
  { name: 'tig', command: 'sh', args: csv => ['-c', `tig < '${csv}'`], down: 'j', pageDown: ' ' },
  { name: 'mc', command: 'mcview', args: csv => [csv], down: '\u001b[B', pageDown: '\u001b[6~' },
  { name: 'lnav', command: 'lnav', args: csv => ['-q', csv], down: 'j', pageDown: ' ' },
];

/** No row of a table is drawn with fewer bytes. */
const MIN_ROW = 100;

const MANY: Presses = { inPage: 25, scrolling: 60, pageDown: 20 };
const FULL = { own: MANY, peers: MANY };
/** A peer's median needs fewer than our p95 does. */
const QUICK = {
  own: { inPage: 25, scrolling: 25, pageDown: 20 },
  peers: { inPage: 15, scrolling: 15, pageDown: 10 },
};

/** The peers have a table alone. */
const ALONE = ['--preview', 'off'];

export const keys: Section = async ({ rounds, isFull, once, onceAtFullSpeed }) => {
  const presses = isFull ? FULL : QUICK;
  const csv = join(HOME, 'provisions.csv');
  writeFileSync(csv, provisionsCsv(5000));
  const node = await startServer({ rows: 5000 });
  try {
    const own: KeyCosts[] = [];
    // Several short rounds: a long one is seldom undisturbed from one end to the other.
    for (let round = 0; round < (isFull ? 3 : 1); round++)
      own.push(await onceAtFullSpeed(() => ownCosts(node.url, presses.own, ALONE)));
    const ours = mediansOf(own);
    const edges = await once(() => ownCosts(node.url, presses.own, [...ALONE, '--selection', 'edges']));
    const peers = new Map<string, KeyCosts>();
    for (const peer of PEERS)
      if (isInstalled(peer.command === 'sh' ? 'tig' : peer.command))
        // Our time is held against visidata's; of the others only the bytes count.
        peers.set(
          peer.name,
          await (peer.name === 'visidata' ? onceAtFullSpeed : once)(() => peerCosts(peer, csv, presses.peers)),
        );
    for (const [name, costs] of peers) process.stderr.write(`  ${name}: ${JSON.stringify(costs)}\n`);
    // The others have no row that is drawn in a background of its own. A key that draws next to nothing moves none.
    const tables = [...peers].filter(([name]) => name === 'tig' || name === 'visidata');
    const least = (pick: (costs: KeyCosts) => number) =>
      Math.min(...tables.map(([, costs]) => pick(costs)).filter(bytes => bytes > MIN_ROW));
    return [
      atMost('keys', 'row down in the page', ours.inPage, 330, 'bytes'),
      atMost('keys', 'row down scrolling', ours.scrolling, 400, 'bytes'),
      atMost('keys', 'page down', ours.pageDown, 5400, 'bytes'),
      atMost('keys', 'row down in the page, edges marked', edges.inPage, 60, 'bytes'),
      atMost('keys', 'row down scrolling, edges marked', edges.scrolling, 240, 'bytes'),
      ratioTo('keys', 'row down in the page, fewest with a bar', {
        value: ours.inPage,
        peer: 'best',
        peerValue: least(({ inPage }) => inPage),
        limit: 1,
        unit: 'bytes',
      }),
      ratioTo('keys', 'row down scrolling, fewest', {
        value: ours.scrolling,
        peer: 'best',
        peerValue: least(({ scrolling }) => scrolling),
        limit: 1,
        unit: 'bytes',
      }),
      ratioTo('keys', 'page down, fewest', {
        value: ours.pageDown,
        peer: 'best',
        peerValue: least(({ pageDown }) => pageDown),
        limit: 1,
        unit: 'bytes',
      }),
      ratioTo('keys', 'key to last byte, median', {
        value: ours.medianMs,
        peer: 'visidata',
        peerValue: peers.get('visidata')?.medianMs,
        limit: 0.4,
        unit: 'ms',
      }),
      ratioTo('keys', 'key to last byte, p95', {
        value: ours.p95Ms,
        peer: 'its median',
        peerValue: ours.medianMs,
        limit: 2.5,
        unit: 'ms',
      }),
      await once(rowInGroups),
      ...(await once(rowsWithPreview)),
      ...(await once(() => heldKey(node.url, isFull ? rounds : 1))),
      ...(await once(slowLink)),
    ];
  } finally {
    node.stop();
  }
};

function explorer(url: string, flags: readonly string[] = []): Recorder {
  const args = [PROGRAM, 'provisions', '--node', url, ...flags];
  return new Recorder({ command: process.execPath, args, env: environment() });
}

/** An explorer with all 5,000 rows in one page. */
export async function explorerWithRows(url: string, flags: readonly string[] = []): Promise<Recorder> {
  const recorder = explorer(url, flags);
  await recorder.reached('COMMITMENT');
  recorder.send('z');
  await recorder.quiet();
  recorder.send('\u0015');
  await recorder.quiet();
  for (const digit of '5000') {
    recorder.send(digit);
    await recorder.quiet(30);
  }
  recorder.send('\r');
  await recorder.reached('of 5 000');
  await recorder.quiet(300);
  return recorder;
}

export async function ownCosts(url: string, presses: Presses, flags: readonly string[] = []): Promise<KeyCosts> {
  const recorder = await explorerWithRows(url, flags);
  try {
    return await costs(recorder, DOWN, PAGE_DOWN, presses);
  } finally {
    await recorder.close();
  }
}

async function peerCosts(peer: Peer, csv: string, presses: Presses): Promise<KeyCosts> {
  const recorder = new Recorder({ command: peer.command, args: peer.args(csv), env: environment() });
  try {
    // Each draws its own way; ready is whoever has stopped writing.
    await recorder.quiet(1000);
    return await costs(recorder, peer.down, peer.pageDown, presses);
  } finally {
    await recorder.close();
    spawnSync('stty', ['sane']);
  }
}

async function costs(recorder: Recorder, down: string, pageDown: string, presses: Presses): Promise<KeyCosts> {
  const inPage: number[] = [];
  const scrolling: number[] = [];
  const pages: number[] = [];
  const times: number[] = [];
  const note = (figures: { readonly bytes: number; readonly lastByteMs: number }, into: number[]): void => {
    into.push(figures.bytes);
    if (!Number.isNaN(figures.lastByteMs)) times.push(figures.lastByteMs);
  };
  await recorder.press(down);
  for (let press = 0; press < presses.inPage; press++) note(await recorder.press(down), inPage);
  for (let press = 0; press < 40; press++) await recorder.press(down, 25);
  for (let press = 0; press < presses.scrolling; press++) note(await recorder.press(down), scrolling);
  for (let press = 0; press < presses.pageDown; press++) note(await recorder.press(pageDown), pages);
  return {
    inPage: median(inPage),
    scrolling: median(scrolling),
    pageDown: median(pages),
    medianMs: median(times),
    p95Ms: percentile(times, 0.95),
  };
}

function mediansOf(rounds: readonly KeyCosts[]): KeyCosts {
  const of = (what: keyof KeyCosts) => median(rounds.map(round => round[what]));
  return {
    inPage: of('inPage'),
    scrolling: of('scrolling'),
    pageDown: of('pageDown'),
    medianMs: of('medianMs'),
    p95Ms: of('p95Ms'),
  };
}

/** A row down with edges marked in a list in groups, whose sentence about the selected row follows when it rests. */
async function rowInGroups(): Promise<Figure> {
  const recorder = new Recorder({
    command: process.execPath,
    args: [PROGRAM, 'parameters', '--demo', ...ALONE, '--selection', 'edges'],
    env: environment(),
  });
  try {
    await recorder.reached('governance');
    await recorder.quiet(400);
    const bytes: number[] = [];
    for (let press = 0; press < 25; press++) bytes.push((await recorder.press(DOWN, 60)).bytes);
    return atMost('keys', 'row down in groups, edges marked', median(bytes), 60, 'bytes');
  } finally {
    await recorder.close();
  }
}

/** A row down in each list of the demo chain with its record next to it, which follows when the selection rests. */
async function rowsWithPreview(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const [list, opened] of PREVIEWED_LISTS) {
    const bytes = await bytesWithPreview(list, opened, { columns: 120, rows: 40 });
    process.stderr.write(`  ${list} with its record: ${bytes.join(' ')}\n`);
    figures.push(
      atMost('keys', `row down with its record next to it: ${list}`, median(bytes), 400, 'bytes'),
      atMost('keys', `the same, the most: ${list}`, Math.max(...bytes), 600, 'bytes'),
    );
  }
  for (const [list, opened] of PREVIEWED_LISTS) {
    const bytes = await bytesWithPreview(list, opened, { columns: 200, rows: 60 });
    process.stderr.write(`  ${list} with its record at 200x60: ${bytes.join(' ')}\n`);
    const isGoal = !ABOVE_ON_WIDE_SCREENS.includes(list);
    if (isGoal) figures.push(atMost('keys', `row down with its record, 200x60: ${list}`, median(bytes), 400, 'bytes'));
  }
  return figures;
}

/** They take up to 480 bytes there, which is reported only. */
const ABOVE_ON_WIDE_SCREENS: readonly string[] = ['oracles', 'markets'];

/** Lists, and text that is on the screen with their first rows. */
const PREVIEWED_LISTS: readonly (readonly [list: string, opened: string])[] = [
  ['parameters', 'VALUE'],
  ['provisions', 'MARKET'],
  ['fees', 'TOTAL'],
  ['bundles', 'SUBMITTER'],
  ['oracles', 'DELIVERS'],
  ['markets', 'SETTLES'],
  ['validators', 'MULTISIG'],
];

async function bytesWithPreview(
  list: string,
  opened: string,
  size: { readonly columns: number; readonly rows: number },
): Promise<readonly number[]> {
  const recorder = new Recorder({
    command: process.execPath,
    args: [PROGRAM, list, '--demo', '--preview', 'on'],
    env: environment(),
    ...size,
  });
  try {
    await recorder.reached(opened);
    await recorder.quiet(1000);
    // The demo node lists provisions by market: the first one that is offered.
    if (list === 'provisions') recorder.send(INSPECT);
    await recorder.reached('enter', 2);
    await recorder.quiet(1000);
    const bytes: number[] = [];
    for (let press = 0; press < PREVIEWED_ROWS; press++) bytes.push((await recorder.press(DOWN, 500)).bytes);
    const moves = bytes.slice(1).filter(moved => moved > MIN_ROW);
    if (moves.length === 0) throw new Error(`the list ${list} has no rows to move through`);
    return moves;
  } finally {
    await recorder.close();
  }
}

/** The first one also draws what came late. */
const PREVIEWED_ROWS = 12;

/** A key held at 30 a second for 5 s: how long after the last one the last frame comes. */
async function heldKey(url: string, rounds: number): Promise<readonly Figure[]> {
  const what = 'a key held at 30/s for 5 s: lag of the last frame';
  return [
    atMost('keys', what, await heldKeyLag(url, rounds, ALONE), 15, 'ms'),
    // The record follows once the key rests, so that a key held draws only rows.
    atMost('keys', 'the same, of the record next to the list', await heldKeyLag(url, rounds, []), 150, 'ms'),
  ];
}

async function heldKeyLag(url: string, rounds: number, flags: readonly string[]): Promise<number> {
  const lags: number[] = [];
  for (let round = 0; round < Math.min(rounds, 5); round++) {
    const recorder = await explorerWithRows(url, flags);
    for (let press = 0; press < 150; press++) {
      recorder.send(DOWN);
      await wait(33);
    }
    recorder.send(DOWN);
    const lastKeyMs = performance.now();
    await recorder.quiet(200);
    lags.push(Math.max(0, recorder.lastByteAtMs - lastKeyMs));
    await recorder.close();
  }
  return median(lags);
}

/** On a link of 100 ms: the next page is there already, and keys that need no data answer as without it. */
async function slowLink(): Promise<readonly Figure[]> {
  const node = await startServer({ rows: 5000, delayMs: 100 });
  // The record next to a list needs data, and has lines of its own above.
  const recorder = explorer(node.url, ALONE);
  try {
    await recorder.reached('COMMITMENT');
    await recorder.quiet(400);
    const times: number[] = [];
    for (const key of [DOWN, DOWN, '?', '\u001b', 's', '\u001b', INSPECT, '\u001b', DOWN]) {
      // A record opens at once; what it means is asked of the node, and follows later than that.
      const { lastByteMs } = await recorder.press(key, key === INSPECT ? 50 : 150);
      if (key !== '\u001b') times.push(lastByteMs);
      await recorder.quiet(400);
    }
    recorder.send('G');
    await recorder.quiet(500);
    const { lastByteMs } = await recorder.press('n', 60);
    return [
      atMost('keys', '100 ms link: key that needs no data, slowest', Math.max(...times), 20, 'ms'),
      atMost('keys', '100 ms link: next page, fetched ahead', lastByteMs, 20, 'ms'),
    ];
  } finally {
    await recorder.close();
    node.stop();
  }
}
