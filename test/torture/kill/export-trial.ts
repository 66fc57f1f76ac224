import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Random } from '../random.ts';
import { difference, type FolderState, halfFiles, readFolder } from './folder-state.ts';
import { type Course, momentIn, runUntil } from './process.ts';

export type ExportKind = 'export' | 'overwrite' | 'slices';

/** An export that nothing disturbed: its course and what it left. */
export interface Undisturbed {
  readonly course: Course;
  readonly files: FolderState;
}

/** The node asked, and the home of the program that asks. */
export interface Place {
  readonly node: string;
  readonly home: string;
}

const NAME = 'demo-chain-1-ledger-013001-017500';
const RANGE = ['--table', 'ledger', '--from', '13001', '--to', '17500'];
const FLAGS = {
  export: [],
  overwrite: ['--overwrite'],
  slices: ['--slice', '1', '--parallel', '2'],
} satisfies { readonly [kind in ExportKind]: readonly string[] };

export async function undisturbedExport(kind: ExportKind, place: Place): Promise<Undisturbed> {
  await using folder = await exportFolder(kind);
  const course = await runUntil(startOf(kind, folder.path, place), folder.path);
  if (course.code !== 0) throw new Error(`the undisturbed export ended with ${course.code}: ${course.stderr}`);
  return { course, files: await readFolder(folder.path) };
}

/** Kills an export, looks at what it left, runs it again and looks at what it made; tells what was wrong. */
export async function killExport(
  kind: ExportKind,
  undisturbed: Undisturbed,
  place: Place,
  random: Random,
): Promise<readonly string[]> {
  await using folder = await exportFolder(kind);
  const before = await readFolder(folder.path);
  const start = startOf(kind, folder.path, place);
  const moment = momentIn(undisturbed.course, random);
  await runUntil(start, folder.path, moment);
  const left = await readFolder(folder.path);
  const found = [
    ...halfFiles(left, [before, undisturbed.files]).map(path => `${path} is half under a final name`),
    ...manifestFaults(left),
  ];
  const again = await runUntil(start, folder.path);
  // Killed behind its last word: the file has its name, and is not replaced unasked.
  const wasDone = kind === 'export' && left.has(`${NAME}.zip`) && again.code === 2;
  if (again.code !== 0 && !wasDone) found.push(`run again it ends with ${again.code}: ${again.stderr.slice(-300)}`);
  const differs = difference(await readFolder(folder.path), undisturbed.files);
  if (differs !== '') found.push(`run again: ${differs}`);
  const when = moment.afterChange === undefined ? 'its start' : `change ${moment.afterChange}`;
  return found.map(what => `${kind}, killed ${moment.afterMs.toFixed(1)} ms after ${when}: ${what}`);
}

const startOf = (kind: ExportKind, folder: string, { node, home }: Place) => ({
  args: ['export', ...RANGE, '--out', folder, '--node', node, ...FLAGS[kind]],
  home,
});

async function exportFolder(kind: ExportKind) {
  const path = await mkdtemp(join(tmpdir(), 'blockglass-kill-'));
  if (kind === 'overwrite') await writeFile(join(path, `${NAME}.zip`), 'what was there before');
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

const manifestSchema = v.object({ slices: v.array(v.object({ file: v.string(), sha256: v.string() })) });

/** A manifest can be read at any moment, and every slice that it names is there as it says. */
function manifestFaults(left: FolderState): readonly string[] {
  const text = left.get(`${NAME}/manifest.json`);
  if (text === undefined) return [];
  if (!text.startsWith('{')) return [`the manifest is ${text}`];
  const { slices } = v.parse(manifestSchema, JSON.parse(text));
  return slices
    .filter(({ file, sha256 }) => left.get(`${NAME}/${file}`) !== sha256)
    .map(({ file }) => `the manifest names ${file}, which is not so`);
}
