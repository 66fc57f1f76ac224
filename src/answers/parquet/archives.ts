import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { checkArchive } from '../../history/check/check-archive.ts';
import { parseEntryName } from '../../history/check/entry-name.ts';
import { listEntries } from '../../history/check/read-entries.ts';
import { toUnreadableError } from '../../history/check/regular-file.ts';
import { UnreadableError } from '../../history/check/unreadable-error.ts';
import type { Expectation, Verdict } from '../../history/check/verdict.ts';
import { type Manifest, readManifest, type SliceRecord } from '../../history/manifest/manifest.ts';
import { coversInOrder, expectedSlice, firstMissingBlock } from '../../history/verify/verify-folder.ts';
import { AnswerError } from '../engine/answer-error.ts';
import { findRequestedExport } from './requested-export.ts';

/** A ZIP file with the CSVs of one table, as its directory and headers describe it. */
export interface Archive {
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
  readonly table: string;
  readonly chainId: string;
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** The header of each CSV, in order. */
  readonly csvs: readonly { readonly name: string; readonly columns: readonly string[]; readonly bytes: number }[];
  /** What the check must find. */
  readonly expectation: Expectation;
  /** From the manifest of its folder. */
  readonly sha256?: string | undefined;
  /** The archive's flaw, if it is accepted despite that. */
  readonly flaw?: string | undefined;
}

interface OpenedArchives {
  readonly archives: readonly Archive[];
  /** The missing data, if the archives are accepted despite that: a sentence per table. */
  readonly notes: readonly string[];
  /** Slices of a history that cannot be used. */
  readonly left: readonly LeftSlice[];
}

/** A slice that is left out, and why. */
export interface LeftSlice {
  readonly table: string;
  readonly fromBlock: string;
  readonly toBlock: string;
  readonly why: string;
}

interface ArchiveOpenOptions {
  readonly evenIncomplete: boolean;
  /** They are only compared with each other: nothing is converted, and nothing incomplete is accepted. */
  readonly isToAudit?: boolean;
  /** Folders of a history: blocks between the slices may be missing, and a slice that cannot be used is left out. */
  readonly isHistory?: boolean;
  readonly signal: AbortSignal;
}

/** Opens the archives in the paths. Throws AnswerError if one cannot be converted. */
export async function openArchives(paths: readonly string[], how: ArchiveOpenOptions): Promise<OpenedArchives> {
  const given: OpenedArchives[] = [];
  for (const path of paths) {
    const found = await stat(path).catch((error: unknown) => {
      throw asAnswerError(toUnreadableError(path, error));
    });
    given.push(
      found.isDirectory()
        ? await openFolder(path, how)
        : { archives: [await openArchive(path, how)], notes: [], left: [] },
    );
  }
  const archives = given.flatMap(found => found.archives);
  const left = given.flatMap(found => found.left);
  if (archives.length === 0 && how.isHistory !== true)
    throw new AnswerError(
      `nothing to ${how.isToAudit ? 'audit' : 'convert'} in ${paths.join(', ')}`,
      'pass a ZIP file, or the folder of an export in slices',
      'untrusted',
    );
  return { archives, notes: given.flatMap(({ notes }) => notes), left };
}

/** What replaces damaged slices of a history. */
const FETCH_DAMAGED = 'fetch them again: blockglass fetch --check';

async function openFolder(folder: string, how: ArchiveOpenOptions): Promise<OpenedArchives> {
  const manifest = await readManifest(folder).catch((error: unknown) => {
    throw asAnswerError(error);
  });
  if (manifest === undefined)
    throw new AnswerError(`${folder} has no manifest.json`, 'pass a ZIP file, or the folder of an export in slices');
  const gap = how.isHistory === true ? undefined : sliceGap(manifest);
  if (gap !== undefined && !how.evenIncomplete)
    throw new AnswerError(
      `${folder} is not complete: ${gap}`,
      `run the export again to fetch the rest${convertAnywayHint(how)}`,
      'untrusted',
    );
  const archives: Archive[] = [];
  const left: LeftSlice[] = [];
  for (const slice of manifest.slices) {
    try {
      archives.push(await openSlice(folder, { manifest, slice }, how));
    } catch (error) {
      if (how.isHistory !== true || !(error instanceof AnswerError)) throw error;
      left.push(leftSlice(manifest.table, slice, error));
    }
  }
  return { archives, notes: gap === undefined ? [] : [`${folder}: ${gap}`], left };
}

async function openSlice(
  folder: string,
  { manifest, slice }: { readonly manifest: Manifest; readonly slice: SliceRecord },
  how: ArchiveOpenOptions,
): Promise<Archive> {
  const path = join(folder, slice.file);
  const archive = await openArchive(path, how, expectedSlice(manifest, slice));
  if (how.isHistory === true && archive.bytes !== slice.bytes)
    throw new AnswerError(
      `${path} has ${archive.bytes} bytes, but ${slice.bytes} in its manifest`,
      FETCH_DAMAGED,
      'untrusted',
    );
  return { ...archive, sha256: slice.sha256 };
}

export const leftNote = ({ table, fromBlock, toBlock, why }: LeftSlice): string =>
  `${table}: blocks ${fromBlock} to ${toBlock} are left out: ${why.replace(/\.+$/, '')}. To fetch them again: blockglass fetch --check`;

export const leftSlice = (
  table: string,
  { fromBlock, toBlock }: { readonly fromBlock: string | bigint; readonly toBlock: string | bigint },
  { message }: AnswerError,
): LeftSlice => ({ table, fromBlock: String(fromBlock), toBlock: String(toBlock), why: message });

function sliceGap(manifest: Manifest): string | undefined {
  if (coversInOrder(manifest)) return undefined;
  const gap = firstMissingBlock(manifest);
  return gap === undefined ? 'its slices overlap or are out of order' : `block ${gap} is in no slice`;
}

async function openArchive(path: string, how: ArchiveOpenOptions, expected?: Expectation): Promise<Archive> {
  if (isUnfinished(path) && !how.evenIncomplete)
    throw new AnswerError(`${path} is an unfinished export`, `${EXPORT_AGAIN}${convertAnywayHint(how)}`, 'untrusted');
  const { size } = await stat(path).catch((error: unknown) => {
    throw asAnswerError(toUnreadableError(path, error));
  });
  const expectation = expected ?? (await findRequestedExport(path)) ?? {};
  const listed = await listEntries(path).catch((error: unknown) => {
    throw asAnswerError(error);
  });
  const isWhole = listed?.some(({ columns }) => columns.length > 0) ?? false;
  // Without a directory or a header, or with missing rows, the archive must be read to know its content.
  const verdict = isWhole && !how.evenIncomplete ? undefined : await verifyArchive(path, expectation, how);
  const csvs = verdict === undefined ? (listed ?? []) : verdict.entries;
  const [first, last] = [parseEntryName(csvs[0]?.name ?? ''), parseEntryName(csvs.at(-1)?.name ?? '')];
  if (first === undefined || last === undefined) throw noExportError(path, verdict?.reason);
  const withHeader = csvs.filter(({ columns }) => columns.length > 0);
  if (withHeader.length === 0)
    throw new AnswerError(
      `${path} has no CSV with a complete header, so there is nothing to read`,
      EXPORT_AGAIN,
      'untrusted',
    );
  return {
    path,
    name: basename(path),
    bytes: size,
    table: first.table,
    chainId: first.chainId,
    fromBlock: first.fromBlock,
    toBlock: last.toBlock,
    csvs: withHeader,
    expectation,
    ...(verdict?.kind === 'incomplete' && { flaw: verdict.reason }),
  };
}

const EXPORT_AGAIN = 'export it again';

const convertAnywayHint = ({ isToAudit }: Pick<ArchiveOpenOptions, 'isToAudit'>): string =>
  isToAudit ? '' : ', or convert the available part with --even-incomplete';

const isUnfinished = (path: string): boolean => /\.part$|\.incomplete\.zip$/.test(path);

async function verifyArchive(path: string, expectation: Expectation, how: ArchiveOpenOptions): Promise<Verdict> {
  const { evenIncomplete, signal } = how;
  const verdict = await checkArchive(path, expectation, { signal }).catch((error: unknown) => {
    throw asAnswerError(toUnreadableError(path, error));
  });
  if (verdict.kind === 'complete' || (verdict.kind === 'incomplete' && evenIncomplete)) return verdict;
  throw newRefusedArchiveError(path, verdict, how);
}

const noExportError = (path: string, why: string | undefined): AnswerError =>
  new AnswerError(
    `${path} is not an export${why === undefined ? '' : `: ${why}`}`,
    'pass a ZIP file of CSVs',
    'untrusted',
  );

/** Why an archive is not converted. */
export function newRefusedArchiveError(
  path: string,
  { kind, reason }: Pick<Verdict, 'kind' | 'reason'>,
  how: Pick<ArchiveOpenOptions, 'isToAudit'> = {},
): AnswerError {
  const hint =
    kind === 'incomplete'
      ? `${EXPORT_AGAIN}${convertAnywayHint(how)}`
      : `export it again; blockglass verify ${path} lists all problems`;
  return new AnswerError(`${path} is ${kind}: ${reason}`, hint, 'untrusted');
}

/** An unreadable file is for the user to fix. */
export const asAnswerError = (error: unknown): unknown =>
  error instanceof UnreadableError || (error instanceof Error && error.name === 'DestinationError')
    ? new AnswerError(error.message, 'pass a ZIP file, or the folder of an export in slices')
    : error;
