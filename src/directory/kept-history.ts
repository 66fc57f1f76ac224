import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { forgetOldest } from '../disk/forget-oldest.ts';
import { makeFolder } from '../disk/make-folder.ts';
import { readOrdinaryFile } from '../disk/ordinary-file.ts';
import { putFile } from '../disk/put-file.ts';

/** What was last known of the history of a node: what a shell completes without asking anybody. */
export interface KeptHistory {
  /** First and last blocks of segments, newest first, as decimal text. */
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** Number of the newest epoch that was heard of. */
  readonly epoch: string | null;
}

export const NOTHING_KEPT: KeptHistory = { from: [], to: [], epoch: null };

/** More than a person looks through. */
const MOST_BOUNDS = 40;
const MOST_BYTES = 64 * 1024;

/** A file a node; of those that were asked longest ago nothing is completed any more. */
const MOST_FILES = 100;

/** What was kept of the node at this address (without a login); nothing, where anything about the file is odd. */
export function keptHistory(folder: string | null, node: string): KeptHistory {
  if (folder === null) return NOTHING_KEPT;
  try {
    const text = readOrdinaryFile(pathOf(folder, node), MOST_BYTES);
    const kept: unknown = text === undefined ? undefined : JSON.parse(text);
    if (typeof kept !== 'object' || kept === null || !('node' in kept) || kept.node !== node) return NOTHING_KEPT;
    const epoch = 'epoch' in kept ? numberText(kept.epoch) : undefined;
    return {
      from: 'from' in kept ? numberTexts(kept.from) : [],
      to: 'to' in kept ? numberTexts(kept.to) : [],
      epoch: epoch ?? null,
    };
  } catch {
    return NOTHING_KEPT;
  }
}

/** Keeps what is new of it beside what was known; resolves too when it cannot be kept. */
export async function keepHistory(folder: string | null, node: string, news: Partial<KeptHistory>): Promise<void> {
  if (folder === null) return;
  const known = { ...keptHistory(folder, node), ...news };
  const kept = { node, from: known.from.slice(0, MOST_BOUNDS), to: known.to.slice(0, MOST_BOUNDS), epoch: known.epoch };
  try {
    makeFolder(historyFolder(folder));
    await putFile(pathOf(folder, node), JSON.stringify(kept));
    await forgetOldest(historyFolder(folder), MOST_FILES);
  } catch {
    // Nothing is completed then.
  }
}

/** Beside the folder of names, which is counted. */
const historyFolder = (folder: string): string => join(dirname(folder), 'history');

const pathOf = (folder: string, node: string): string =>
  join(historyFolder(folder), `${createHash('sha256').update(node).digest('hex').slice(0, 40)}.json`);

const numberText = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{1,19}$/.test(value) ? value : undefined;

const numberTexts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.flatMap(item => numberText(item) ?? []).slice(0, MOST_BOUNDS) : [];

/** Keeps where the newest segments of a node begin and end; they come oldest first. */
export function keepSegments(
  folder: string | null,
  node: string,
  segments: readonly { readonly fromHeight: bigint; readonly toHeight: bigint }[],
): Promise<void> {
  const newest = segments.slice(-MOST_BOUNDS).toReversed();
  return keepHistory(folder, node, {
    from: newest.map(({ fromHeight }) => String(fromHeight)),
    to: newest.map(({ toHeight }) => String(toHeight)),
  });
}
