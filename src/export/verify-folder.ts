import { join } from 'node:path';
import { checkArchive } from './check/check-archive.ts';
import { UnreadableError } from './check/unreadable-error.ts';
import type { Expectation, Verdict } from './check/verdict.ts';
import { whatWasChecked } from './check/what-was-checked.ts';
import { DestinationError } from './destination-error.ts';
import { type Manifest, notesOfSlices, readManifest, type SliceRecord } from './manifest.ts';

export interface FolderVerdict {
  readonly kind: 'complete' | 'incomplete' | 'damaged';
  readonly reason: string;
  /** What a reader of all slices together has to know. */
  readonly notes: readonly string[];
  readonly slices: readonly { readonly file: string; readonly verdict: SliceVerdict }[];
}

type SliceVerdict = Pick<Verdict, 'kind' | 'reason' | 'notes'>;

/**
 * Checks a folder of slices against its manifest: every slice again, that together they cover the range, and that the
 * manifest tells of what was asked for.
 */
export async function verifyFolder(
  folder: string,
  signal: AbortSignal,
  asked: Expectation = {},
): Promise<FolderVerdict> {
  const manifest = await readManifest(folder);
  if (manifest === undefined)
    throw new DestinationError(`${folder} has no manifest.json: name a ZIP file, or the folder of an export in slices`);
  const slices: FolderVerdict['slices'][number][] = [];
  for (const slice of manifest.slices)
    slices.push({ file: slice.file, verdict: await sliceVerdict(folder, manifest, slice, signal) });
  const notes = [...manifest.notes, ...notesOfSlices(slices.flatMap(({ verdict }) => verdict.notes))];
  return { ...(strangerThan(asked, manifest) ?? judged(manifest, slices)), notes, slices };
}

async function sliceVerdict(
  folder: string,
  manifest: Manifest,
  slice: SliceRecord,
  signal: AbortSignal,
): Promise<SliceVerdict> {
  const path = join(folder, slice.file);
  const verdict = await checkArchive(path, expectationFor(manifest, slice), { signal }).catch((error: unknown) => {
    if (error instanceof UnreadableError && error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (verdict === undefined) return { kind: 'incomplete', reason: 'The file is missing.', notes: [] };
  if (verdict.kind !== 'complete') return verdict;
  if (verdict.sha256 === slice.sha256) return verdict;
  return {
    kind: 'damaged',
    reason: 'The file is a whole export, but not the one the manifest tells of: its SHA-256 differs.',
    notes: verdict.notes,
  };
}

/** What a slice has to be by its manifest. */
export function expectationFor(manifest: Manifest, slice: SliceRecord): Expectation {
  return {
    table: manifest.table,
    fromBlock: BigInt(slice.fromBlock),
    toBlock: BigInt(slice.toBlock),
    ...(manifest.chainId !== '' && { chainId: manifest.chainId }),
    ...runsOf(slice),
  };
}

/** The CSVs that the slice had when it was verified first, where their names told all. */
function runsOf({ csvs }: SliceRecord): Pick<Expectation, 'runs'> {
  const runs = csvs.flatMap(({ schemaVersion, fromBlock, toBlock }) =>
    schemaVersion === null || fromBlock === null || toBlock === null
      ? []
      : [{ schemaVersion, fromBlock: BigInt(fromBlock), toBlock: BigInt(toBlock) }],
  );
  return runs.length === csvs.length ? { runs } : {};
}

/** The verdict on a folder whose manifest tells of something else than what was asked for. */
function strangerThan(asked: Expectation, manifest: Manifest): Pick<FolderVerdict, 'kind' | 'reason'> | undefined {
  const { table = manifest.table, chainId = manifest.chainId } = asked;
  const { fromBlock = BigInt(manifest.fromBlock), toBlock = BigInt(manifest.toBlock) } = asked;
  const isTheSame =
    table === manifest.table &&
    fromBlock === BigInt(manifest.fromBlock) &&
    toBlock === BigInt(manifest.toBlock) &&
    (chainId === manifest.chainId || manifest.chainId === '');
  if (isTheSame) return undefined;
  const has = `${manifest.table} of blocks ${manifest.fromBlock} to ${manifest.toBlock} of chain ${manifest.chainId || '?'}`;
  const wanted = `${table} of ${fromBlock} to ${toBlock}${chainId === '' ? '' : ` of chain ${chainId}`}`;
  return { kind: 'damaged', reason: `The folder holds ${has}; ${wanted} was asked for.` };
}

function judged(manifest: Manifest, slices: FolderVerdict['slices']): Pick<FolderVerdict, 'kind' | 'reason'> {
  const bad = slices.find(({ verdict }) => verdict.kind !== 'complete');
  if (bad !== undefined) {
    const kind = bad.verdict.kind === 'damaged' ? 'damaged' : 'incomplete';
    return { kind, reason: `${bad.file}: ${bad.verdict.reason}` };
  }
  const range = `blocks ${manifest.fromBlock} to ${manifest.toBlock}`;
  if (isInOrder(manifest))
    return {
      kind: 'complete',
      reason: `All ${slices.length} slices are there and make up ${range}; ${whatWasChecked(manifest.table)}.`,
    };
  const gap = firstGap(manifest);
  if (gap !== undefined)
    return {
      kind: 'incomplete',
      reason: `Block ${gap} is in no slice: run the export again to fetch what is missing.`,
    };
  return { kind: 'damaged', reason: `The slices hold ${range}, but overlap, are out of order or go beyond that.` };
}

/** Whether each slice begins where the one before it ends, from the first block of the range to the last. */
export function isInOrder({ fromBlock, toBlock, slices }: Manifest): boolean {
  let next = BigInt(fromBlock);
  for (const slice of slices) {
    if (BigInt(slice.fromBlock) !== next) return false;
    next = BigInt(slice.toBlock) + 1n;
  }
  return slices.length > 0 && next === BigInt(toBlock) + 1n;
}

/** The first block of the range that no slice holds, in whatever order they are. */
export function firstGap({ fromBlock, toBlock, slices }: Manifest): bigint | undefined {
  const ranges = slices.map(slice => ({ from: BigInt(slice.fromBlock), to: BigInt(slice.toBlock) }));
  let next = BigInt(fromBlock);
  for (const { from, to } of ranges.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    if (from > next) break;
    if (to >= next) next = to + 1n;
  }
  return next > BigInt(toBlock) ? undefined : next;
}
