import { join } from 'node:path';
import { checkArchive } from '../check/check-archive.ts';
import { UnreadableError } from '../check/unreadable-error.ts';
import { completenessText, type Expectation, type Verdict } from '../check/verdict.ts';
import { type Manifest, readManifest, type SliceRecord } from '../manifest/manifest.ts';
import { limitSliceNotes } from '../manifest/slice-notes.ts';
import { DestinationError } from '../plan/destination-error.ts';

/** The verdict on a folder of slices. */
export interface FolderVerdict {
  readonly kind: 'complete' | 'incomplete' | 'damaged';
  readonly reason: string;
  /** Remarks on the slices as a whole. */
  readonly notes: readonly string[];
  readonly slices: readonly { readonly file: string; readonly verdict: SliceVerdict }[];
}

type SliceVerdict = Pick<Verdict, 'kind' | 'reason' | 'notes'>;

/**
 * Checks a folder of slices: each slice, that together they cover the range, and that the manifest matches `asked`.
 * Throws DestinationError or UnreadableError.
 */
export async function verifyFolder(
  folder: string,
  signal: AbortSignal,
  asked: Expectation = {},
): Promise<FolderVerdict> {
  const manifest = await readManifest(folder);
  if (manifest === undefined)
    throw new DestinationError(`${folder} has no manifest.json: give a ZIP file or the folder of an export in slices`);
  const slices: FolderVerdict['slices'][number][] = [];
  for (const slice of manifest.slices)
    slices.push({ file: slice.file, verdict: await verifySlice(folder, manifest, slice, signal) });
  const notes = [...manifest.notes, ...limitSliceNotes(slices.flatMap(({ verdict }) => verdict.notes))];
  return { ...(otherExportVerdict(asked, manifest) ?? judgeSlices(manifest, slices)), notes, slices };
}

async function verifySlice(
  folder: string,
  manifest: Manifest,
  slice: SliceRecord,
  signal: AbortSignal,
): Promise<SliceVerdict> {
  const path = join(folder, slice.file);
  const verdict = await checkArchive(path, expectedSlice(manifest, slice), { signal }).catch((error: unknown) => {
    if (error instanceof UnreadableError && error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (verdict === undefined) return { kind: 'incomplete', reason: 'The file is missing.', notes: [] };
  if (verdict.kind !== 'complete') return verdict;
  if (verdict.sha256 === slice.sha256) return verdict;
  return {
    kind: 'damaged',
    reason: 'The file is a complete export, but its SHA-256 is not the one in the manifest.',
    notes: verdict.notes,
  };
}

/** The content that a slice should have according to the manifest. */
export function expectedSlice(manifest: Pick<Manifest, 'table' | 'chainId'>, slice: SliceRecord): Expectation {
  return {
    table: manifest.table,
    fromBlock: BigInt(slice.fromBlock),
    toBlock: BigInt(slice.toBlock),
    ...(manifest.chainId !== '' && { chainId: manifest.chainId }),
    ...recordedCsvRuns(slice),
  };
}

/** The CSVs of the slice when it was first verified, if their names were complete. */
function recordedCsvRuns({ csvs }: SliceRecord): Pick<Expectation, 'runs'> {
  const runs = csvs.flatMap(({ schemaVersion, fromBlock, toBlock }) =>
    schemaVersion === null || fromBlock === null || toBlock === null
      ? []
      : [{ schemaVersion, fromBlock: BigInt(fromBlock), toBlock: BigInt(toBlock) }],
  );
  return runs.length === csvs.length ? { runs } : {};
}

/** The verdict on a folder with another export than requested. */
function otherExportVerdict(
  asked: Expectation,
  manifest: Manifest,
): Pick<FolderVerdict, 'kind' | 'reason'> | undefined {
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
  return { kind: 'damaged', reason: `The folder contains ${has}, not ${wanted}.` };
}

function judgeSlices(manifest: Manifest, slices: FolderVerdict['slices']): Pick<FolderVerdict, 'kind' | 'reason'> {
  const bad = slices.find(({ verdict }) => verdict.kind !== 'complete');
  if (bad !== undefined) {
    const kind = bad.verdict.kind === 'damaged' ? 'damaged' : 'incomplete';
    return { kind, reason: `${bad.file}: ${bad.verdict.reason}` };
  }
  const range = `blocks ${manifest.fromBlock} to ${manifest.toBlock}`;
  if (coversInOrder(manifest))
    return {
      kind: 'complete',
      reason: `All ${slices.length} slices are present and cover ${range}; ${completenessText(manifest.table)}.`,
    };
  const gap = firstMissingBlock(manifest);
  if (gap !== undefined)
    return {
      kind: 'incomplete',
      reason: `Block ${gap} is missing: run the export again to download the rest.`,
    };
  return { kind: 'damaged', reason: `The slices cover ${range}, but they overlap, are out of order or go beyond it.` };
}

/** Whether the slices cover the range in order, without gaps or overlaps. */
export function coversInOrder({ fromBlock, toBlock, slices }: Manifest): boolean {
  let next = BigInt(fromBlock);
  for (const slice of slices) {
    if (BigInt(slice.fromBlock) !== next) return false;
    next = BigInt(slice.toBlock) + 1n;
  }
  return slices.length > 0 && next === BigInt(toBlock) + 1n;
}

/** The first block that is in no slice, whatever their order; undefined when none is missing. */
export function firstMissingBlock({ fromBlock, toBlock, slices }: Manifest): bigint | undefined {
  const ranges = slices.map(slice => ({ from: BigInt(slice.fromBlock), to: BigInt(slice.toBlock) }));
  let next = BigInt(fromBlock);
  for (const { from, to } of ranges.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    if (from > next) break;
    if (to >= next) next = to + 1n;
  }
  return next > BigInt(toBlock) ? undefined : next;
}
