import type { TableName } from '../../tables/exported-tables.ts';
import type { DemoSegment } from '../demo/segments.ts';
import { newInternalFailure, newInvalidArgumentFailure } from '../gateway/failure.ts';

export interface ExportRequest {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** The name in the enum; undefined and TABLE_UNSPECIFIED are both refused. */
  readonly table: string | undefined;
}

/** The archive that an accepted request produces. */
export interface ArchivePlan {
  readonly table: TableName;
  readonly fileName: string;
  readonly entries: readonly PlannedEntry[];
}

/** One CSV: a run of segments with the same schema. */
export interface PlannedEntry {
  readonly name: string;
  readonly databaseVersion: number;
  readonly segments: readonly DemoSegment[];
}

/** The tables in the order of the enum; 0 is TABLE_UNSPECIFIED. */
export const HISTORY_TABLES = [
  'balances',
  'checkpoints',
  'delegations',
  'ledger',
  'orders',
  'trades',
  'market_data',
  'margin_levels',
  'positions',
  'liquidity_provisions',
  'markets',
  'deposits',
  'withdrawals',
  'blocks',
  'rewards',
] as const satisfies readonly TableName[];

/** The values of the `table` parameter, each at the index of its number. */
export const TABLE_ENUM: readonly string[] = [
  'TABLE_UNSPECIFIED',
  ...HISTORY_TABLES.map(table => `TABLE_${table.toUpperCase()}`),
];

/** Checks in the order of deployed nodes: table, then range (export-behaviour.md section 1.5). */
export function planExport(segments: readonly DemoSegment[], request: ExportRequest): ArchivePlan {
  const table = HISTORY_TABLES.find(name => `TABLE_${name.toUpperCase()}` === request.table);
  if (!table) throw newInternalFailure(10000, 'no table name for network history supplied', 'empty table name');
  const covered = segmentsOfRange(segments, request.fromBlock, request.toBlock);
  const [first] = covered;
  if (!first) throw newOutsideHistoryFailure(request);
  const range = `${padToSixDigits(request.fromBlock)}-${padToSixDigits(request.toBlock)}`;
  return {
    table,
    fileName: `${first.chainId}-${table}-${range}.zip`,
    entries: splitBySchema(covered).map(run => planEntry(run, table)),
  };
}

/**
 * The segments of a range whose ends are boundaries of one chain without gaps (export-behaviour.md section 2.2), else [].
 * A backwards range is refused too; deployed nodes crash (export-behaviour.md section 1.8).
 */
export function segmentsOfRange(segments: readonly DemoSegment[], from: bigint, to: bigint): readonly DemoSegment[] {
  for (const chain of splitAtGaps(segments)) {
    const start = chain.findIndex(segment => BigInt(segment.fromHeight) === from);
    const end = chain.findIndex(segment => BigInt(segment.toHeight) === to);
    if (start >= 0 && end >= start) return chain.slice(start, end + 1);
  }
  return [];
}

/** The segments in order of their blocks, parted at the gaps. */
export function splitAtGaps(segments: readonly DemoSegment[]): readonly (readonly DemoSegment[])[] {
  const chains: DemoSegment[][] = [];
  for (const segment of segments.toSorted((a, b) => a.fromHeight - b.fromHeight)) {
    const chain = chains.find(candidate => candidate.at(-1)?.toHeight === segment.fromHeight - 1);
    if (chain) chain.push(segment);
    else chains.push([segment]);
  }
  return chains;
}

/** The refusal of a range (export-behaviour.md section 1.5). */
export function newOutsideHistoryFailure({ fromBlock, toBlock }: ExportRequest) {
  const inner = `heights ${fromBlock} to ${toBlock} do not lie within a continuous segment range`;
  // "could not to" is the spelling of deployed nodes.
  return newInvalidArgumentFailure(10000, 'could not to get contiguous history segments', inner);
}

function splitBySchema(segments: readonly DemoSegment[]): readonly (readonly [DemoSegment, ...DemoSegment[]])[] {
  const runs: [DemoSegment, ...DemoSegment[]][] = [];
  for (const segment of segments) {
    const run = runs.at(-1);
    if (run && run[0].databaseVersion === segment.databaseVersion) run.push(segment);
    else runs.push([segment]);
  }
  return runs;
}

function planEntry(segments: readonly [DemoSegment, ...DemoSegment[]], table: TableName): PlannedEntry {
  const [{ chainId, fromHeight, databaseVersion }] = segments;
  const toHeight = segments.at(-1)?.toHeight ?? fromHeight;
  const schema = String(databaseVersion).padStart(3, '0');
  const name = `${chainId}-${table}-${schema}-${padToSixDigits(fromHeight)}-${padToSixDigits(toHeight)}.csv`;
  return { name, databaseVersion, segments };
}

function padToSixDigits(height: number | bigint): string {
  return String(height).padStart(6, '0');
}
