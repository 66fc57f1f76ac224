import type { Stats } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readNamesFile } from '../../chain/directory/names-file.ts';
import type { Range } from '../../chain/insight/range.ts';
import { parseEntryName } from '../../history/check/entry-name.ts';
import { firstEntryName, listEntries } from '../../history/check/read-entries.ts';
import { toUnreadableError } from '../../history/check/regular-file.ts';
import { MANIFEST_FILE_NAME, readManifest } from '../../history/manifest/manifest.ts';
import { CHAIN_FILE_NAME } from '../../history/store/chain-file.ts';
import { coversInOrder, firstMissingBlock } from '../../history/verify/verify-folder.ts';
import { TABLE_SCHEMAS } from '../../tables/columns.ts';
import { PARQUET_MANIFEST, readParquetManifest } from '../parquet/parquet-manifest.ts';

/** Blocks of a table, both ends included. */
export interface TableBlocks {
  readonly table: string;
  readonly ranges: readonly Range[];
  /** Equal for archives with equal content; undefined where it would require reading the whole archive. */
  readonly content?: string;
}

type ExportKind = 'archive' | 'slices' | 'parquet';

/** What lies at a path, judged by its content: a file may have any name. */
export type RecognisedPath =
  | {
      readonly kind: ExportKind;
      readonly path: string;
      /** '' if unknown. */
      readonly chainId: string;
      readonly tables: readonly TableBlocks[];
      /** Why it cannot be used without `--even-incomplete`. */
      readonly unfinished?: string;
    }
  /** The history of a chain on disk. */
  | { readonly kind: 'history'; readonly path: string }
  /** The names that were saved with an export. */
  | { readonly kind: 'names'; readonly path: string }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'other'; readonly path: string };

export type FoundExport = Extract<RecognisedPath, { kind: ExportKind }>;

export const isExport = (found: RecognisedPath): found is FoundExport =>
  found.kind === 'archive' || found.kind === 'slices' || found.kind === 'parquet';

/** Throws UnreadableError if there is nothing at the path, or it must not be read. */
export async function recognise(path: string): Promise<RecognisedPath> {
  const facts = await stat(path).catch((error: unknown) => {
    throw toUnreadableError(path, error);
  });
  if (facts.isDirectory())
    return (
      (await recogniseSlices(path)) ??
      (await recogniseParquet(path)) ??
      ((await isThere(join(path, CHAIN_FILE_NAME))) ? { kind: 'history', path } : { kind: 'folder', path })
    );
  if (!facts.isFile()) return { kind: 'other', path };
  return (
    (await recogniseArchive(path)) ?? (isNamesFile(path, facts) ? { kind: 'names', path } : { kind: 'other', path })
  );
}

async function recogniseArchive(path: string): Promise<FoundExport | undefined> {
  const first = await firstEntryName(path);
  if (first === undefined || nameOfExport(first) === undefined) return undefined;
  const entries = (await listEntries(path)) ?? [];
  const names = entries.flatMap(({ name }) => nameOfExport(name) ?? []);
  const [from, to] = [names[0]?.fromBlock, names.at(-1)?.toBlock];
  const { table = '', chainId = '' } = nameOfExport(first) ?? {};
  // Without the end of the archive its blocks are unknown; opening it reports the error.
  const ranges = from === undefined || to === undefined ? [] : [{ from, to }];
  const content = JSON.stringify(entries.map(({ name, bytes, crc }) => [name, bytes, crc]));
  return {
    kind: 'archive',
    path,
    chainId,
    tables: [{ table, ranges, content }],
    ...(UNFINISHED_NAME.test(path) && { unfinished: 'an unfinished download' }),
  };
}

/** A download that did not pass its check keeps such a name. */
const UNFINISHED_NAME = /\.part$|\.incomplete\.zip$|\.changed$/;

function nameOfExport(name: string) {
  const parsed = parseEntryName(name);
  return parsed !== undefined && TABLE_SCHEMAS.has(parsed.table) ? parsed : undefined;
}

/** Also for an unreadable manifest, which is reported when the folder is opened. */
async function recogniseSlices(path: string): Promise<FoundExport | undefined> {
  if (!(await isThere(join(path, MANIFEST_FILE_NAME)))) return undefined;
  const manifest = await readManifest(path).catch(() => undefined);
  if (manifest === undefined)
    return {
      kind: 'slices',
      path,
      chainId: '',
      tables: [],
      unfinished: `its ${MANIFEST_FILE_NAME} is not one of an export`,
    };
  const { table, chainId, slices } = manifest;
  const ranges = slices.map(({ fromBlock, toBlock }) => ({ from: BigInt(fromBlock), to: BigInt(toBlock) }));
  const gap = firstMissingBlock(manifest);
  const unfinished = coversInOrder(manifest)
    ? undefined
    : gap === undefined
      ? 'its slices overlap or are out of order'
      : `block ${gap} is in no slice`;
  return {
    kind: 'slices',
    path,
    chainId,
    tables: [{ table, ranges }],
    ...(unfinished !== undefined && { unfinished }),
  };
}

async function recogniseParquet(path: string): Promise<FoundExport | undefined> {
  if (!(await isThere(join(path, PARQUET_MANIFEST)))) return undefined;
  const manifest = await readParquetManifest(path).catch(() => undefined);
  if (manifest === undefined)
    return { kind: 'parquet', path, chainId: '', tables: [], unfinished: `its ${PARQUET_MANIFEST} cannot be read` };
  const incomplete = manifest.tables.find(({ isComplete }) => !isComplete);
  const unfinished =
    manifest.finished === null
      ? 'its conversion is not finished'
      : incomplete && `${incomplete.name} in it is not complete`;
  return {
    kind: 'parquet',
    path,
    chainId: manifest.chainId,
    tables: manifest.tables.map(({ name, fromBlock, toBlock, sources = [] }) => ({
      table: name,
      ranges: (sources.length > 0 ? sources : [{ fromBlock, toBlock }]).map(source => ({
        from: BigInt(source.fromBlock),
        to: BigInt(source.toBlock),
      })),
    })),
    ...(unfinished !== undefined && { unfinished }),
  };
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

function isNamesFile(path: string, { size }: Stats): boolean {
  if (size > MAX_NAMES_FILE_BYTES) return false;
  try {
    return readNamesFile(path) !== undefined;
  } catch {
    return false;
  }
}

/** More than a names file may have. */
const MAX_NAMES_FILE_BYTES = 16 * 1024 * 1024;
