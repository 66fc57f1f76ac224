import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { type SegmentNode, segmentNode, segmentsOfTen } from '../../history/store/segment-node.ts';
import { randomOf } from '../random.ts';
import { difference, type FolderState, readFolder } from './folder-state.ts';
import { momentIn, runUntil } from './process.ts';

const TABLES = ['blocks', 'checkpoints', 'delegations'];
const SEGMENTS = 100;

interface KilledFetches {
  readonly kills: number;
  /** What was wrong, a sentence each. */
  readonly findings: readonly string[];
  /** Slices that were sent to their end more than once. */
  readonly sentTwice: number;
  /** Fetches that a kill came too late for. */
  readonly completed: number;
}

/** Kills fetches of one history at random moments, each going on where the one before was killed, and looks at what every one leaves. */
export async function killFetches(kills: number, seed: number): Promise<KilledFetches> {
  const home = await mkdtemp(join(tmpdir(), 'blockglass-kill-'));
  try {
    const node = await segmentNode(segmentsOfTen(SEGMENTS));
    const root = join(home, 'history');
    const start = { args: ['fetch', '--tables', TABLES.join(), '--node', node.url, '--history', root], home };
    const findings: string[] = [];
    await mkdir(root);
    const course = await runUntil(start, root);
    if (course.code !== 0) throw new Error(`the undisturbed fetch ended with ${course.code}: ${course.stderr}`);
    const undisturbed = archivesOf(await readFolder(root));
    let completed = 0;
    let sentTwice = 0;
    await startAgain(root, node);
    let before: FolderState = new Map();
    for (let kill = 0; kill < kills; kill++) {
      const moment = momentIn(course, randomOf(seed, kill));
      const ended = await runUntil(start, root, moment);
      const left = await readFolder(root);
      const when = `kill ${kill}, ${moment.afterMs.toFixed(1)} ms after ${moment.afterChange === undefined ? 'the start' : `change ${moment.afterChange}`}`;
      for (const fault of [...recordFaults(left), ...lostSlices(before, left), ...mixedFiles(left, undisturbed)])
        findings.push(`${when}: ${fault}`);
      before = left;
      // Killed it has no exit code; any other end is one of its own.
      if (ended.code !== null && ended.code !== 0)
        findings.push(`${when}: it ended with ${ended.code}: ${ended.stderr.slice(-300)}`);
      if (ended.code !== 0) continue;
      completed++;
      sentTwice += repeats(node.asked);
      const differs = difference(archivesOf(left), undisturbed);
      if (differs !== '') findings.push(`${when}: the whole history differs: ${differs}`);
      await startAgain(root, node);
      before = new Map();
    }
    const last = await runUntil(start, root);
    if (last.code !== 0) findings.push(`the last fetch ended with ${last.code}: ${last.stderr.slice(-300)}`);
    sentTwice += repeats(node.asked);
    const differs = difference(archivesOf(await readFolder(root)), undisturbed);
    if (differs !== '') findings.push(`the whole history differs at the end: ${differs}`);
    return { kills, findings, sentTwice, completed };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function startAgain(root: string, node: SegmentNode): Promise<void> {
  await rm(root, { recursive: true, force: true });
  await mkdir(root);
  node.asked.length = 0;
}

const repeats = (asked: readonly string[]): number => asked.length - new Set(asked).size;

const archivesOf = (state: FolderState): FolderState => new Map([...state].filter(([path]) => path.endsWith('.zip')));

const manifestSchema = v.object({ slices: v.array(v.object({ file: v.string(), sha256: v.string() })) });

function recorded(state: FolderState, table: string): readonly { readonly file: string; readonly sha256: string }[] {
  const text = state.get(`c/${table}/manifest.json`);
  return text === undefined ? [] : v.parse(manifestSchema, JSON.parse(text)).slices;
}

/** A manifest can be read at any moment, and every slice that it names is there as it says. */
const recordFaults = (left: FolderState): readonly string[] =>
  TABLES.flatMap(table =>
    recorded(left, table)
      .filter(({ file, sha256 }) => left.get(`c/${table}/${file}`) !== sha256)
      .map(({ file }) => `${table}: the manifest names ${file}, which is not so`),
  );

/** What was recorded stays recorded. */
const lostSlices = (before: FolderState, left: FolderState): readonly string[] =>
  TABLES.flatMap(table => {
    const there = new Set(recorded(left, table).map(({ file }) => file));
    return recorded(before, table).flatMap(({ file }) => (there.has(file) ? [] : [`${table}: ${file} is lost`]));
  });

/** A file with a final name is whole, whether it is recorded or not. */
const mixedFiles = (left: FolderState, undisturbed: FolderState): readonly string[] =>
  [...archivesOf(left)].flatMap(([path, sha256]) =>
    undisturbed.get(path) === sha256 ? [] : [`${path} is half or mixed`],
  );
