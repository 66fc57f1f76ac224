import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { systemErrorReason } from '../../base/disk/ordinary-file.ts';
import { groupDigits } from '../../chain/insight/decimal.ts';
import { areSameRanges, joinRanges, type Range, rangeLabel } from '../../chain/insight/range.ts';
import { UnreadableError } from '../check/unreadable-error.ts';
import { MANIFEST_FILE_NAME, type Manifest, readManifest, type SliceRecord } from '../manifest/manifest.ts';
import { hasErrorCode } from '../plan/destination.ts';
import { DestinationError } from '../plan/destination-error.ts';
import { exportFromFileName } from '../plan/export-plan.ts';
import { EXPORT_TABLES } from '../plan/export-tables.ts';
import { type ChainRecord, readChainRecord } from './chain-file.ts';

/** The history of a chain on disk. */
export interface ChainHistory
  extends Pick<ChainRecord, 'chainId' | 'genesisTime' | 'nodes' | 'blockTimes' | 'sliceSegments'> {
  readonly folder: string;
  /** Tables that have at least one slice, in the order of the exported tables. */
  readonly tables: readonly StoredTable[];
  /** Tables that cannot be used, a sentence each. */
  readonly problems: readonly string[];
}

/** The verified slices of a table. */
export interface StoredTable {
  readonly table: string;
  readonly folder: string;
  /** In block order. The file of each exists with its recorded size. */
  readonly slices: readonly SliceRecord[];
  /** The blocks of the slices, joined where they touch. */
  readonly ranges: readonly Range[];
  readonly rows: number;
  /** Of the slices on disk. */
  readonly bytes: number;
  /** When the newest slice was verified, ISO 8601. */
  readonly finished: string;
}

/** The histories in a folder, newest fetch first. Unreadable ones are passed to `onProblem`, a sentence each. */
export async function listHistories(
  root: string,
  onProblem: (problem: string) => void = () => {},
): Promise<readonly ChainHistory[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch((error: unknown) => {
    if (!hasErrorCode(error, 'ENOENT')) onProblem(`${root} cannot be read: ${systemErrorReason(error)}`);
    return [];
  });
  const histories: ChainHistory[] = [];
  for (const { name } of entries) {
    const folder = join(root, name);
    try {
      if (readChainRecord(folder) !== undefined) histories.push(await openHistory(folder));
    } catch (error) {
      if (!(error instanceof DestinationError || error instanceof UnreadableError)) throw error;
      onProblem(error.message);
    }
  }
  return histories.toSorted((one, other) => (lastFetched(one) < lastFetched(other) ? 1 : -1));
}

/** When a history was last fetched, ISO 8601; '' if never. */
export const lastFetched = ({ nodes }: Pick<ChainHistory, 'nodes'>): string =>
  nodes.reduce((newest, node) => (node.lastFetched > newest ? node.lastFetched : newest), '');

/** Reads the folder of a chain. Throws DestinationError when it is not one. */
export async function openHistory(folder: string): Promise<ChainHistory> {
  const chain = readChainRecord(folder);
  if (chain === undefined) throw new DestinationError(`${folder} has no history of a chain: fetch it first`);
  const problems: string[] = [];
  const tables: StoredTable[] = [];
  for (const { id } of EXPORT_TABLES) {
    try {
      const table = await openTable(join(folder, id), id, chain.chainId);
      if (table !== undefined) tables.push(table);
    } catch (error) {
      if (!(error instanceof DestinationError || error instanceof UnreadableError)) throw error;
      problems.push(error.message);
    }
  }
  const { chainId, genesisTime, nodes, blockTimes, sliceSegments } = chain;
  return { folder, chainId, genesisTime, nodes, blockTimes, sliceSegments, tables, problems };
}

/** Undefined when it has no slice. */
async function openTable(folder: string, table: string, chainId: string): Promise<StoredTable | undefined> {
  const manifest = await readTableManifest(folder);
  if (manifest === undefined) return undefined;
  requireManifestOf(manifest, { folder, table, chainId });
  const slices = await presentSlices(folder, manifest);
  if (slices.length === 0) return undefined;
  return {
    ...{ table, folder, slices, ranges: joinRanges(slices.map(sliceRange)) },
    rows: slices.reduce((sum, slice) => sum + slice.rows, 0),
    bytes: slices.reduce((sum, slice) => sum + slice.bytes, 0),
    finished: slices.reduce((newest, slice) => (slice.finished > newest ? slice.finished : newest), ''),
  };
}

/** The manifest of a table. Throws UnreadableError, or DestinationError when it is damaged. */
export async function readTableManifest(folder: string): Promise<Manifest | undefined> {
  const manifest = await readManifest(folder);
  const wrong = manifest?.slices.find(slice => !hasBlocksOfItsName(slice));
  if (wrong === undefined) return manifest;
  throw new DestinationError(
    `${join(folder, MANIFEST_FILE_NAME)} is damaged: it records blocks ${rangeLabel(sliceRange(wrong))} for ${wrong.file}`,
  );
}

function hasBlocksOfItsName(slice: SliceRecord): boolean {
  const named = exportFromFileName(slice.file);
  const { from, to } = sliceRange(slice);
  return from <= to && (named === undefined || (named.fromBlock === from && named.toBlock === to));
}

interface TableFolder {
  readonly folder: string;
  readonly table: string;
  readonly chainId: string;
}

/** Throws DestinationError when a manifest is of another table or chain than its folder. */
export function requireManifestOf(manifest: Manifest, { folder, table, chainId }: TableFolder): void {
  if (manifest.table === table && manifest.chainId === chainId) return;
  throw new DestinationError(
    `${folder} has ${manifest.table} of ${manifest.chainId || 'an unnamed chain'}, not ${table} of ${chainId}: move it away, and fetch again`,
  );
}

/** The recorded slices whose files exist with their recorded size, in block order, without duplicates. */
async function presentSlices(folder: string, { slices }: Manifest): Promise<readonly SliceRecord[]> {
  const present = await Promise.all(
    slices.map(async slice => {
      const found = await stat(join(folder, slice.file)).catch(() => undefined);
      return found?.isFile() && found.size === slice.bytes ? [slice] : [];
    }),
  );
  const ordered = present.flat().toSorted((one, other) => (BigInt(one.fromBlock) < BigInt(other.fromBlock) ? -1 : 1));
  let end = -1n;
  return ordered.filter(slice => {
    const { from, to } = sliceRange(slice);
    if (from <= end || to < from) return false;
    end = to;
    return true;
  });
}

/** The blocks of a recorded slice. */
export const sliceRange = ({ fromBlock, toBlock }: Pick<SliceRecord, 'fromBlock' | 'toBlock'>): Range => ({
  from: BigInt(fromBlock),
  to: BigInt(toBlock),
});

interface HistoryChoice {
  /** Its id; or the folder of its history, where several have one id. */
  readonly chain?: string | undefined;
  /** Its shown address. */
  readonly node?: string | undefined;
}

/**
 * The history that is meant: the named folder; else of the named chain and node the one that was fetched from the node last;
 * else the only one. Undefined when none or several fit.
 */
export function chooseHistory(
  histories: readonly ChainHistory[],
  { chain, node }: HistoryChoice,
): ChainHistory | undefined {
  const named = findNamedFolder(histories, chain);
  if (named !== undefined) return named;
  const ofChain = chain === undefined ? histories : histories.filter(({ chainId }) => chainId === chain);
  const fetchedFrom = ({ nodes }: ChainHistory): string =>
    nodes.find(({ address }) => address === node)?.lastFetched ?? '';
  const [ofNode] = ofChain
    .filter(history => fetchedFrom(history) !== '')
    .toSorted((one, other) => (fetchedFrom(one) < fetchedFrom(other) ? 1 : -1));
  if (ofNode !== undefined) return ofNode;
  const isAnyNode = chain !== undefined || node === undefined;
  return isAnyNode && ofChain.length === 1 ? ofChain[0] : undefined;
}

/** The history whose folder is named instead of the id of its chain. */
export const findNamedFolder = (
  histories: readonly ChainHistory[],
  name: string | undefined,
): ChainHistory | undefined =>
  name === undefined ? undefined : histories.find(({ folder }) => resolve(folder) === resolve(name));

/**
 * The history on disk, in one line: `history of c: ledger, trades; blocks 1-5000, 2023-01-18 to 2023-01-19; rewards:
 * blocks 1-4000`. With `tables`, only these tables. It may contain text from a node.
 */
export function describeHistory(history: ChainHistory, tables?: readonly string[]): string {
  const stored = history.tables.filter(({ table }) => tables?.includes(table) ?? true);
  const groups: { readonly names: string[]; readonly ranges: readonly Range[] }[] = [];
  for (const { table, ranges } of stored) {
    const same = groups.find(group => areSameRanges(group.ranges, ranges));
    if (same === undefined) groups.push({ names: [table], ranges });
    else same.names.push(table);
  }
  const [first, ...others] = groups.toSorted((one, other) => other.names.length - one.names.length);
  const name = history.chainId === '' ? 'an unnamed chain' : history.chainId;
  const missing = (tables ?? []).filter(table => stored.every(found => found.table !== table));
  const absent = missing.length === 0 ? '' : `; not fetched: ${missing.join(', ')}`;
  if (first === undefined) return `history of ${name}: nothing fetched yet${absent}`;
  const blocks = (ranges: readonly Range[]): string => blocksText(ranges, history.blockTimes);
  const rest = others.map(({ names, ranges }) => `; ${names.join(', ')}: ${blocks(ranges)}`).join('');
  return `history of ${name}: ${first.names.join(', ')}; ${blocks(first.ranges)}${rest}${absent}`;
}

const MAX_LISTED_RANGES = 3;

function blocksText(ranges: readonly Range[], times: ChainRecord['blockTimes']): string {
  const listed = ranges.slice(0, MAX_LISTED_RANGES).map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
  const more =
    ranges.length > listed.length ? ` and ${groupDigits(String(ranges.length - listed.length))} more ranges` : '';
  const [first, last] = [ranges[0], ranges.at(-1)];
  const ends = [first && estimateBlockTime(times, first.from), last && estimateBlockTime(times, last.to)];
  const [from, to] = ends.map(timeMs =>
    timeMs === undefined ? undefined : new Date(timeMs).toISOString().slice(0, 10),
  );
  const dates = from === undefined || to === undefined ? '' : from === to ? `, ${from}` : `, ${from} to ${to}`;
  return `blocks ${listed.join(', ')}${more}${dates}`;
}

/** The estimated time of a block (Unix milliseconds), between blocks whose time is known; undefined outside them. */
export function estimateBlockTime(times: ChainRecord['blockTimes'], height: bigint): number | undefined {
  const below = times.findLast(known => BigInt(known.height) <= height);
  const above = times.find(known => BigInt(known.height) >= height);
  if (below === undefined || above === undefined) return undefined;
  const blocks = BigInt(above.height) - BigInt(below.height);
  if (blocks === 0n) return below.timeMs;
  const share = Number(height - BigInt(below.height)) / Number(blocks);
  return Math.round(below.timeMs + share * (above.timeMs - below.timeMs));
}
