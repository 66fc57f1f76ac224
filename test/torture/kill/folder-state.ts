import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Files of a folder and below by their path, with what they hold. */
export type FolderState = ReadonlyMap<string, string>;

/**
 * Reads a folder. What a manifest says of time is left out, since no two runs agree on it, and so are the segments that
 * a slice was made of: those of one that was finished but not yet written down are not known any more.
 */
export async function readFolder(folder: string): Promise<FolderState> {
  const state = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    state.set(path.slice(folder.length + 1), entry.name === 'manifest.json' ? timeless(String(bytes)) : digest(bytes));
  }
  return state;
}

/** The first difference of the files with a final name; '' when there is none. */
export function difference(found: FolderState, wanted: FolderState): string {
  for (const [path, content] of wanted) {
    const now = found.get(path);
    if (now === undefined) return `${path} is not there`;
    if (now !== content) return `${path} is not as in an undisturbed run${firstDifference(now, content)}`;
  }
  const extra = [...found.keys()].find(path => !wanted.has(path) && !isLeftOver(path));
  return extra === undefined ? '' : `${extra} is there and is not in an undisturbed run`;
}

// Of what is not a digest: of a manifest.
function firstDifference(now: string, wanted: string): string {
  if (!now.startsWith('{')) return '';
  let at = 0;
  while (now[at] === wanted[at]) at++;
  const around = (text: string): string => text.slice(Math.max(0, at - 60), at + 60);
  return `: ...${around(now)}..., not ...${around(wanted)}...`;
}

/** Files with a final name that hold neither what they held before nor what they will in the end. */
export function halfFiles(found: FolderState, whole: readonly FolderState[]): readonly string[] {
  return [...found].flatMap(([path, content]) =>
    isLeftOver(path) || path.endsWith('manifest.json') || whole.some(state => state.get(path) === content)
      ? []
      : [path],
  );
}

// By these names nobody takes a file for a finished one.
const isLeftOver = (path: string): boolean => /\.(?:part|new|lock)$/.test(path);

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

function timeless(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text, withoutItsRun));
  } catch {
    return `no JSON: ${text.slice(0, 100)}`;
  }
}

function withoutItsRun(key: string, value: unknown): unknown {
  // A slice whose segments are not known has no member for the one before them.
  if (key === 'previousSegmentId') return undefined;
  return isOfItsRun(key, value) ? '' : value;
}

function isOfItsRun(key: string, value: unknown): boolean {
  if (key === 'started' || key === 'finished') return value !== null;
  // Both say that the segments of a slice are not known.
  return key === 'segmentIds' || (key === 'notes' && Array.isArray(value) && value.every(isOfUnknownSegments));
}

const isOfUnknownSegments = (note: unknown): boolean => String(note).includes('were not recorded, because a run ended');
