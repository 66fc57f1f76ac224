import { joinRanges, type Range } from '../../chain/insight/range.ts';
import { parseEntryName } from '../../history/check/entry-name.ts';
import type { Expectation } from '../../history/check/verdict.ts';
import { AuditError } from './audit-error.ts';
import { AUDITED_TABLES, type AuditedTable, isAudited, NEEDED_COLUMNS } from './rows.ts';

/** An archive of one table, as its directory and headers describe it. */
export interface AuditArchive {
  readonly path: string;
  readonly bytes: number;
  readonly table: string;
  /** '' if unknown. */
  readonly chainId: string;
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  readonly csvs: readonly { readonly name: string; readonly columns: readonly string[] }[];
  readonly expectation: Expectation;
  /** From the manifest of its folder. */
  readonly sha256?: string | undefined;
}

/** The archives of a table, sorted by blocks. */
export interface TableInput {
  readonly table: AuditedTable;
  readonly archives: readonly AuditArchive[];
  /** The blocks of each CSV of the archives, in order. */
  readonly csvs: readonly Range[];
  /** Rows are in the order of ids, not of time. */
  readonly isUnordered: boolean;
  /** Why its rows cannot be compared, if the headers show it. */
  readonly problem: string | undefined;
}

export type InputsByTable = ReadonlyMap<AuditedTable, TableInput>;

/** Sorts archives by table. Throws AuditError if they are of several chains, or if rows would be counted twice. */
export function groupByTable(archives: readonly AuditArchive[]): InputsByTable {
  refuseSeveralChains(archives);
  const inputs = new Map<AuditedTable, TableInput>();
  for (const table of AUDITED_TABLES) {
    const ofTable = archives.filter(archive => archive.table === table).toSorted(byBlocks);
    if (ofTable.length === 0) continue;
    refuseOverlap(ofTable);
    inputs.set(table, {
      table,
      archives: ofTable,
      csvs: ofTable.flatMap(({ csvs, fromBlock, toBlock }) =>
        csvs.map(({ name }) => {
          const parsed = parseEntryName(name);
          return { from: parsed?.fromBlock ?? fromBlock, to: parsed?.toBlock ?? toBlock };
        }),
      ),
      isUnordered: table === 'deposits' || table === 'withdrawals',
      problem: missingColumn(table, ofTable),
    });
  }
  return inputs;
}

/** Tables of these archives that no check reads. */
export const unreadTables = (archives: readonly AuditArchive[]): readonly string[] =>
  [...new Set(archives.map(({ table }) => table))].filter(table => !isAudited(table)).toSorted();

function missingColumn(table: AuditedTable, archives: readonly AuditArchive[]): string | undefined {
  for (const { path, csvs } of archives)
    for (const { columns } of csvs) {
      const missing = NEEDED_COLUMNS[table].find(name => !columns.includes(name));
      if (missing !== undefined) return `${path} has no column ${missing}`;
    }
  return undefined;
}

function refuseSeveralChains(archives: readonly AuditArchive[]): void {
  const [first, ...others] = archives.filter(({ chainId }) => chainId !== '');
  const other = others.find(({ chainId }) => chainId !== first?.chainId);
  if (first === undefined || other === undefined) return;
  throw new AuditError(
    `${first.path} is from chain ${first.chainId}, ${other.path} from chain ${other.chainId}`,
    'audit one chain at a time',
    'usage',
  );
}

function refuseOverlap(ordered: readonly AuditArchive[]): void {
  for (const [index, other] of ordered.entries()) {
    const one = ordered[index - 1];
    if (one === undefined || other.fromBlock > one.toBlock) continue;
    const least = one.toBlock < other.toBlock ? one.toBlock : other.toBlock;
    throw new AuditError(
      `${one.path} and ${other.path} both have ${one.table} of blocks ${other.fromBlock} to ${least}, which would be counted twice`,
      'leave one out',
      'usage',
    );
  }
}

const byBlocks = (one: AuditArchive, other: AuditArchive): number =>
  one.fromBlock < other.fromBlock ? -1 : one.fromBlock > other.fromBlock ? 1 : 0;

/** The blocks that a table has, without gaps where files meet. */
export const tableRanges = ({ csvs }: Pick<TableInput, 'csvs'>): readonly Range[] => joinRanges(csvs);

/** `blocks 1 to 1000, and 2001 to 3000` */
export function rangesText(ranges: readonly Range[]): string {
  const shown = ranges.slice(0, 3).map(({ from, to }) => `${from} to ${to}`);
  const more = ranges.length > 3 ? [`${ranges.length - 3} more ranges`] : [];
  return `blocks ${[...shown, ...more].join(', and ')}`;
}
