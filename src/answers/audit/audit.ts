import { intersectRanges, type Range } from '../../chain/insight/range.ts';
import { AccountNames, type SavedIds } from './account-names.ts';
import { AccountNumbering } from './account-numbering.ts';
import { BalanceBook } from './balance-book.ts';
import { type Check, CheckFindings, type Disagreement } from './check.ts';
import type { BlockPlace, RunningCheck } from './check-interface.ts';
import { balanceSteps } from './checks/balance-steps.ts';
import { collectNames, isNamingTable } from './naming-tables.ts';
import { PartyAccounts } from './party-accounts.ts';
import { CHECKS } from './registry.ts';
import type { Audit, CheckResult, NamedDifference, RowPlace } from './result.ts';
import { rowTimeText } from './row-values.ts';
import { AUDITED_TABLES, type AuditedTable, type AuditRow } from './rows.ts';
import { type CheckScope, checkScope, type MissingData, type MissingTable, spanningRange } from './scope.ts';
import {
  type AuditArchive,
  groupByTable,
  type InputsByTable,
  rangesText,
  tableRanges,
  unreadTables,
} from './table-inputs.ts';
import { type RowSource, SortedRows, TableRows } from './table-rows.ts';
import { type SavedSegments, twoHistoriesProblem } from './two-histories.ts';
import { countCompared, verdictOfChecks } from './verdict.ts';

interface AuditOptions {
  /** Sound by their headers; they are checked while they are read. */
  readonly archives: readonly AuditArchive[];
  /** Assets and markets that names saved with the exports name. */
  readonly known: SavedIds;
  /** The first and last segments of the exports, as saved with them. */
  readonly segments?: readonly SavedSegments[];
  /** Only what concerns this party; its id in lower case. */
  readonly party?: string | undefined;
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: { readonly bytes: number; readonly totalBytes: number }) => void) | undefined;
}

/**
 * Compares the tables of verified exports with each other, in a single pass. Rows are exact and never held: only a
 * balance for each account and the open orders and positions stay in memory. So it needs no SQL engine. Throws AuditError
 * (AnswerError by its name) for exports that cannot be trusted or do not fit together.
 */
export async function auditExports(options: AuditOptions): Promise<Audit> {
  const { archives, known, party, signal, onProgress, segments = [] } = options;
  const inputs = groupByTable(archives);
  const mixed = twoHistoriesProblem(archives, segments);
  const accounts = new AccountNumbering();
  const names = new AccountNames(known);
  const wanted = party === undefined ? undefined : new PartyAccounts(party, names, accounts);
  const book = new BalanceBook();
  const planned = CHECKS.filter(({ isOfWholeChain }) => party === undefined || isOfWholeChain !== true).map(check => {
    const scope = checkScope(check, inputs);
    const findings = new CheckFindings();
    const isWanted = wanted === undefined ? undefined : (account: number) => wanted.has(account);
    if ('why' in scope) return { check, scope, findings, running: undefined };
    const has = (table: AuditedTable): boolean => scope.helpers.has(table);
    return { check, scope, findings, running: check.start({ accounts, names, book, isWanted, party, findings, has }) };
  });
  const stop = new AbortController();
  const ended = AbortSignal.any([signal, stop.signal]);
  const totalBytes = archives.reduce((sum, { bytes }) => sum + bytes, 0);
  let bytes = 0;
  const onBytes = (more: number): void => {
    bytes += more;
    onProgress?.({ bytes, totalBytes });
  };
  const unnamed = await collectNames(archives, names, { signal, onBytes });
  const bookScope = checkScope(balanceSteps, inputs);
  const walkers = [
    ...('why' in bookScope ? [] : [new ScopedCheck(book, bookScope)]),
    ...planned.flatMap(({ running, scope }) =>
      running === undefined || 'why' in scope ? [] : [new ScopedCheck(running, scope)],
    ),
  ];
  const sources = new Map<AuditedTable, RowSource>();
  const company = new ForeignTableFinder(inputs);
  const lastRows = new Map<AuditedTable, BlockPlace>();
  try {
    for (const [table, input] of inputs) {
      const rows = new TableRows(input, { accounts, signal: ended, onBytes, onRow: row => names.see(row) });
      sources.set(table, input.isUnordered ? new SortedRows(rows, table) : rows);
    }
    await walk(sources, walkers, (block, tables) => {
      company.meet(tables.present, tables.moving);
      for (const table of tables.present) lastRows.set(table, block);
    });
  } finally {
    stop.abort();
  }
  const strangers = company.strangers();
  const problems = new Map(
    [...sources].map(([table, source]) => [
      table,
      strangers.includes(table) ? FOREIGN_TABLE_PROBLEM : source.problem(),
    ]),
  );
  const nameAll = createDifferenceNamer(
    planned.flatMap(({ findings }) => findings.differences),
    { accounts, names },
  );
  const checks = planned.map(({ check, scope, findings }) => {
    const unjudged = mixed ?? uncheckedReason(check, scope, problems);
    const notes = 'why' in scope ? [] : scope.notes;
    // A table that exists but differs from the node's format does not count as missing.
    const isOptional = check.isOptional === true && 'why' in scope;
    return createCheckResult(check, { findings, unjudged, isOptional, notes, nameAll });
  });
  const ranges = 'why' in bookScope ? [] : bookScope.ranges;
  const places = Object.fromEntries([...inputs.keys()].map(table => [table, toRowPlace(lastRows.get(table))]));
  return {
    ...verdictOfChecks(checks, { blocks: rangesText(ranges), party, lastRows: places }),
    counts: countCompared(checks),
    blocks: ranges.map(({ from, to }) => ({ from: String(from), to: String(to) })),
    lastRows: places,
    chainId: archives.find(({ chainId }) => chainId !== '')?.chainId ?? '',
    checks,
    missing: listMissingTables(
      planned.flatMap(({ check, scope }) => (check.kind === 'differs' && check.isOptional !== true ? [scope] : [])),
    ).map(({ table, blocks = spanningRange(archives.map(({ fromBlock: from, toBlock: to }) => ({ from, to }))) }) => ({
      table,
      blocks,
    })),
    notes: [...auditNotes(archives, ranges), ...unnamed, ...(wanted === undefined ? [] : [wanted.note()])],
  };
}

const FOREIGN_TABLE_PROBLEM =
  'its rows have other times than the other tables, so the files are from two chains, or from two starts of one chain. Export all tables from one node (each run with --demo starts a new chain: use blockglass serve)';

interface TablesOfBlock {
  readonly present: ReadonlySet<AuditedTable>;
  /** Those whose row moves money. */
  readonly moving: ReadonlySet<AuditedTable>;
}

/** Gives the rows of every table, block by block in the order of time, to every check that compares them. */
async function walk(
  sources: ReadonlyMap<AuditedTable, RowSource>,
  walkers: readonly ScopedCheck[],
  onBlock: (block: BlockPlace, tables: TablesOfBlock) => void,
): Promise<void> {
  const ofTable = new Map(AUDITED_TABLES.map(table => [table, walkers.filter(walker => walker.reads(table))] as const));
  const csvs = new Map<AuditedTable, number>();
  const inOrder = AUDITED_TABLES.flatMap(table => {
    const source = sources.get(table);
    return source === undefined ? [] : [{ table, source, readers: ofTable.get(table) ?? [] }];
  });
  for (;;) {
    let timeUs = Number.POSITIVE_INFINITY;
    for (const { source } of inOrder) {
      const ready = source.ready();
      if (ready === true || (ready !== false && (await ready)))
        timeUs = Math.min(timeUs, source.head()?.timeUs ?? timeUs);
    }
    if (timeUs === Number.POSITIVE_INFINITY) break;
    let height: bigint | undefined;
    const present = new Set<AuditedTable>();
    const moving = new Set<AuditedTable>();
    for (const { table, source, readers } of inOrder) {
      for (let head = source.head(); head?.timeUs === timeUs; head = source.head()) {
        const { row, csv } = head;
        source.skip();
        if (row?.table === 'blocks') height = row.height;
        csvs.set(table, csv);
        present.add(table);
        if (row !== undefined && !('isMoving' in row && !row.isMoving)) moving.add(table);
        if (row !== undefined) for (const reader of readers) reader.row(table, csv, row);
        const ready = source.ready();
        if (ready !== true && ready !== false) await ready;
      }
    }
    const block = { timeUs, height, files: `${csvs.get('ledger')}/${csvs.get('balances')}` };
    for (const walker of walkers) walker.endBlock(block);
    onBlock(block, { present, moving });
  }
  for (const walker of walkers) walker.end();
}

/**
 * Finds tables of another chain, or of another start of the same chain: none of their rows has the time of a block in
 * `blocks`. Without that table, deposits, withdrawals and rewards are compared with the ledger and the balances that they
 * change.
 */
class ForeignTableFinder {
  readonly #inputs: InputsByTable;
  readonly #alone: { readonly [host in ReferenceTable]: Map<AuditedTable, boolean> } = {
    blocks: new Map(),
    ledger: new Map(),
    money: new Map(),
  };

  constructor(inputs: InputsByTable) {
    this.#inputs = inputs;
  }

  /** The tables with a row at a time, and those whose row moves money. */
  meet(present: ReadonlySet<AuditedTable>, moving: ReadonlySet<AuditedTable>): void {
    this.#note('blocks', present, present.has('blocks'));
    this.#note('ledger', moving, present.has('ledger'));
    this.#note('money', moving, present.has('ledger') || present.has('balances'));
  }

  strangers(): readonly AuditedTable[] {
    if (this.#inputs.has('blocks')) return this.#aloneOf('blocks', AUDITED_TABLES);
    const balances = this.#aloneOf('ledger', ['balances']);
    // A ledger row may be missing while its balance exists. Balances of another chain are not used as a reference.
    return [...balances, ...this.#aloneOf(balances.length > 0 ? 'ledger' : 'money', LEDGER_LINKED_TABLES)];
  }

  #note(host: ReferenceTable, tables: ReadonlySet<AuditedTable>, isHostThere: boolean): void {
    const alone = this.#alone[host];
    for (const table of tables) alone.set(table, !isHostThere && alone.get(table) !== false);
  }

  #aloneOf(host: ReferenceTable, tables: readonly AuditedTable[]): readonly AuditedTable[] {
    const of = host === 'money' ? 'ledger' : host;
    return tables.filter(table => this.#alone[host].get(table) === true && this.#hasSameBlocks(table, of));
  }

  #hasSameBlocks(table: AuditedTable, of: AuditedTable): boolean {
    const [one, host] = [this.#inputs.get(table), this.#inputs.get(of)];
    return one !== undefined && host !== undefined && intersectRanges(tableRanges(one), tableRanges(host)).length > 0;
  }
}

/** The table that others are compared with, or both that have money. */
type ReferenceTable = 'blocks' | 'ledger' | 'money';

/** Their rows have one of the ledger in the same block. */
const LEDGER_LINKED_TABLES: readonly AuditedTable[] = ['deposits', 'withdrawals', 'rewards'];

/** A check of the blocks that all its tables have: it gets no rows of other blocks. */
class ScopedCheck {
  readonly #check: RunningCheck;
  readonly #scope: CheckScope;
  #range = -1;
  #hasRows = false;

  constructor(check: RunningCheck, scope: CheckScope) {
    this.#check = check;
    this.#scope = scope;
  }

  reads(table: AuditedTable): boolean {
    return this.#scope.csvs.has(table) || this.#scope.helpers.has(table);
  }

  row(table: AuditedTable, csv: number, row: AuditRow): void {
    const ranges = this.#scope.csvs.get(table);
    if (ranges !== undefined) {
      const range = ranges[csv] ?? -1;
      if (range < 0) return;
      if (range !== this.#range) this.#begin(range);
    }
    this.#hasRows = true;
    this.#check.row(row);
  }

  endBlock(block: BlockPlace): void {
    if (this.#hasRows) this.#check.endBlock(block);
    this.#hasRows = false;
  }

  end(): void {
    this.#check.end?.();
  }

  #begin(range: number): void {
    this.#range = range;
    const blocks = this.#scope.ranges[range];
    if (blocks !== undefined) this.#check.beginRange?.(blocks.from <= 1n, blocks);
  }
}

function uncheckedReason(
  { tables }: Check,
  scope: CheckScope | MissingData,
  problems: ReadonlyMap<AuditedTable, string | undefined>,
): string | undefined {
  if ('why' in scope) return scope.why;
  const table = tables.find(name => problems.get(name) !== undefined);
  return table === undefined ? undefined : `${table} cannot be compared: ${problems.get(table)}`;
}

interface CheckRun {
  readonly findings: CheckFindings;
  readonly unjudged: string | undefined;
  readonly isOptional: boolean;
  readonly notes: readonly string[];
  readonly nameAll: (differences: readonly Disagreement[]) => readonly NamedDifference[];
}

function createCheckResult(check: Check, { findings, unjudged, isOptional, notes, nameAll }: CheckRun): CheckResult {
  const { name, title, kind, isMoney = false } = check;
  const of = { name, title, kind, isMoney, isOptional, unjudged } as const;
  if (unjudged !== undefined) {
    const nothing = { accounts: 0, blocks: 0, rows: 0, values: 0 };
    return { ...of, compared: nothing, agreed: 0, differences: [], total: 0, blindSpots: [`everything: ${unjudged}`] };
  }
  const { agreed, ...compared } = findings.counts;
  const blindSpots = [...check.blindSpots, ...notes];
  return { ...of, compared, agreed, differences: nameAll(findings.differences), total: findings.total, blindSpots };
}

/** Adds to differences what the ids of their accounts are made of. */
function createDifferenceNamer(
  all: readonly Disagreement[],
  { accounts, names }: { readonly accounts: AccountNumbering; readonly names: AccountNames },
) {
  const ids = all.flatMap(({ account }) => (account === undefined ? [] : [accounts.idOf(account)]));
  const parts = names.partsOf(new Set(ids));
  const named = ({ what, account, block, amount, amounts, ...known }: Disagreement): NamedDifference => {
    const id = account === undefined ? undefined : accounts.idOf(account);
    const of = id === undefined ? undefined : parts.get(id);
    return {
      what,
      amount: amount === undefined ? null : String(amount),
      amounts:
        amounts === undefined
          ? null
          : Object.fromEntries(Object.entries(amounts).map(([of, each]) => [of, String(each)])),
      block: block?.height === undefined ? null : String(block.height),
      time: block === undefined ? null : rowTimeText(block.timeUs),
      account: id ?? null,
      party: known.party ?? of?.party ?? null,
      asset: known.asset ?? of?.asset ?? null,
      market: known.market ?? (of?.market || null),
      type: of?.type ?? null,
    };
  };
  return (differences: readonly Disagreement[]) => differences.map(named);
}

const toRowPlace = (block: BlockPlace | undefined): RowPlace | null =>
  block === undefined
    ? null
    : { block: block.height === undefined ? null : String(block.height), time: rowTimeText(block.timeUs) };

/** Each missing table once. */
function listMissingTables(scopes: readonly (CheckScope | MissingData)[]): readonly MissingTable[] {
  const all = scopes.flatMap(scope => ('why' in scope ? scope.tables : []));
  return AUDITED_TABLES.flatMap(table => all.find(missing => missing.table === table) ?? []);
}

function auditNotes(archives: readonly AuditArchive[], ranges: readonly Range[]): readonly string[] {
  const unread = unreadTables(archives).filter(table => !isNamingTable(table));
  return [
    ...(ranges.length > 1 ? [`the files have gaps: what happened between ${rangesText(ranges)} is not known`] : []),
    ...(unread.length === 0 ? [] : [`not read, because nothing is compared with them: ${unread.join(', ')}`]),
  ];
}
