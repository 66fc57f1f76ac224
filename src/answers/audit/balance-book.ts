import type { BlockPlace, RunningCheck } from './check-interface.ts';
import { utcMonth } from './row-values.ts';
import type { AuditRow, LedgerRow } from './rows.ts';

/** What a block did to one account. */
export interface BalanceStep {
  readonly account: number;
  /** The balance before the block; undefined if unknown. */
  readonly before: bigint | undefined;
  /** What the ledger moved: received less sent. */
  readonly net: bigint;
  /** The balance after the block, if `balances` has a row; the last one if it has several. */
  readonly after: bigint | undefined;
  /** Rows in `balances`: one or none in a sound export. */
  readonly rows: number;
  /** A file or a month ended since the row that gives `before`. */
  readonly isOverBoundary: boolean;
}

interface BookListener {
  readonly onBlock?: (block: BlockPlace, steps: readonly BalanceStep[]) => void;
  readonly onLedger?: (row: LedgerRow) => void;
  /** Every opening balance is 0 in a range that begins at block 1, and unknown in others. */
  readonly onRangeBegin?: (isFromFirstBlock: boolean) => void;
  readonly onRangeEnd?: () => void;
}

/** The balance of every account, from the ledger and from `balances`, block by block. */
export class BalanceBook implements RunningCheck {
  readonly #listeners: BookListener[] = [];
  readonly #balances: (bigint | undefined)[] = [];
  /** When the balance was known last, as the number of a section between two boundaries. */
  readonly #sections: (number | undefined)[] = [];
  readonly #outside = new Set<number>();
  #nets = new Map<number, bigint>();
  #rows = new Map<number, { readonly balance: bigint; readonly count: number }>();
  #isFromFirstBlock = false;
  #hasRange = false;
  #section = 0;
  #sectionKey = '';

  listen(listener: BookListener): void {
    this.#listeners.push(listener);
  }

  beginRange(isFromFirstBlock: boolean): void {
    this.end();
    this.#hasRange = true;
    this.#isFromFirstBlock = isFromFirstBlock;
    this.#balances.length = 0;
    this.#sections.length = 0;
    for (const { onRangeBegin } of this.#listeners) onRangeBegin?.(isFromFirstBlock);
  }

  row(row: AuditRow): void {
    if (row.table === 'ledger') {
      this.#takeLedger(row);
      for (const { onLedger } of this.#listeners) onLedger?.(row);
    } else if (row.table === 'balances') {
      const count = (this.#rows.get(row.account)?.count ?? 0) + 1;
      this.#rows.set(row.account, { balance: row.balance, count });
    }
  }

  endBlock(block: BlockPlace): void {
    const key = `${block.files} ${utcMonth(block.timeUs)}`;
    if (key !== this.#sectionKey) {
      this.#sectionKey = key;
      this.#section++;
    }
    const steps: BalanceStep[] = [];
    for (const [account, net] of this.#nets) this.#step(account, net, steps);
    for (const account of this.#rows.keys()) if (!this.#nets.has(account)) this.#step(account, 0n, steps);
    this.#nets = new Map();
    this.#rows = new Map();
    for (const { onBlock } of this.#listeners) onBlock?.(block, steps);
  }

  end(): void {
    if (this.#hasRange) for (const { onRangeEnd } of this.#listeners) onRangeEnd?.();
    this.#hasRange = false;
  }

  /** The balance after the last block; undefined if unknown. */
  balanceOf(account: number): bigint | undefined {
    return this.#balances[account] ?? (this.#isFromFirstBlock ? 0n : undefined);
  }

  /** An account that stands for the world outside the chain: its balance is not tracked. */
  isOutside(account: number): boolean {
    return this.#outside.has(account);
  }

  #takeLedger({ from, to, quantity, type }: LedgerRow): void {
    if (COMES_FROM_OUTSIDE.includes(type)) this.#outside.add(from);
    if (type === 'WITHDRAW') this.#outside.add(to);
    this.#nets.set(from, (this.#nets.get(from) ?? 0n) - quantity);
    this.#nets.set(to, (this.#nets.get(to) ?? 0n) + quantity);
  }

  #step(account: number, net: bigint, steps: BalanceStep[]): void {
    if (this.#outside.has(account)) return;
    const { balance: after, count: rows } = this.#rows.get(account) ?? { balance: undefined, count: 0 };
    // Nothing moved: rows that take and give the same, or nothing, need no new balance.
    if (net === 0n && rows === 0) return;
    const before = this.#balances[account] ?? (this.#isFromFirstBlock ? 0n : undefined);
    const section = this.#sections[account];
    const isOverBoundary = section !== undefined && section !== this.#section;
    steps.push({ account, before, net, after, rows, isOverBoundary });
    // An array without holes is a dense one.
    while (this.#balances.length <= account) {
      this.#balances.push(undefined);
      this.#sections.push(undefined);
    }
    this.#balances[account] = after ?? (before === undefined ? undefined : before + net);
    this.#sections[account] = this.#section;
  }
}

/** Ledger types whose sender is the world outside of the chain. */
const COMES_FROM_OUTSIDE: readonly string[] = ['DEPOSIT', 'CHECKPOINT_BALANCE_RESTORE'];
