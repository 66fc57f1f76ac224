import type { AccountNames } from './account-names.ts';
import type { AccountNumbering } from './account-numbering.ts';
import type { BalanceBook } from './balance-book.ts';
import type { BlockPlace, RunningCheck } from './check-interface.ts';
import type { AuditedTable } from './rows.ts';

/** The scope of one check, and its blind spots. */
export interface Check {
  /** As in JSON: `balance-steps`. */
  readonly name: string;
  /** A few words. */
  readonly title: string;
  /** `differs` decides the verdict; `look` is worth a look, because sound rows of a node may differ there. */
  readonly kind: CheckKind;
  /** All are required, for the same blocks. */
  readonly tables: readonly AuditedTable[];
  /** It makes use of these if they have all of its blocks. */
  readonly helpers?: readonly AuditedTable[];
  /** The verdict does not wait for it if a table is missing. */
  readonly isOptional?: true;
  /** It compares amounts of money, not numbers of blocks or rows. */
  readonly isMoney?: true;
  /** It makes no statement about a party. */
  readonly isOfWholeChain?: true;
  /** Errors that it cannot detect, a sentence each. */
  readonly blindSpots: readonly string[];
  readonly start: (ground: CheckInput) => RunningCheck;
}

export type CheckKind = 'differs' | 'look';

/** What a check has to compare with. */
export interface CheckInput {
  readonly accounts: AccountNumbering;
  readonly names: AccountNames;
  /** Of the ledger and the balances in the blocks that both have. */
  readonly book: BalanceBook;
  /** The accounts of the only party; undefined to compare all. */
  readonly isWanted: ((account: number) => boolean) | undefined;
  /** Undefined for all parties. */
  readonly party: string | undefined;
  readonly findings: CheckFindings;
  /** Whether a helper table is available. */
  readonly has: (table: AuditedTable) => boolean;
}

/** One thing that does not agree. */
export interface Disagreement {
  /** What happened, as one sentence. */
  readonly what: string;
  readonly account?: number | undefined;
  readonly party?: string | undefined;
  readonly asset?: string | undefined;
  readonly market?: string | undefined;
  readonly block?: BlockPlace | undefined;
  /** In the smallest unit of the asset, or the size of a position or order. */
  readonly amount?: bigint | undefined;
  /** Amounts that should be equal, keyed by their meaning; in the same unit. */
  readonly amounts?: Readonly<Record<string, bigint>> | undefined;
}

/** More are only counted. */
const MAX_DIFFERENCES = 100;

/** Results of a check: counts, and the first differences. */
export class CheckFindings {
  readonly #accounts = new Set<number>();
  readonly #differences: Disagreement[] = [];
  #total = 0;
  #compared = 0;
  #rows = 0;
  #blocks = 0;
  #lastUs = Number.NaN;

  /** Something was compared. */
  compared(block?: BlockPlace, account?: number): void {
    this.#compared++;
    if (account !== undefined) this.#accounts.add(account);
    if (block === undefined || block.timeUs === this.#lastUs) return;
    this.#lastUs = block.timeUs;
    this.#blocks++;
  }

  read(): void {
    this.#rows++;
  }

  differs(difference: Disagreement): void {
    this.#total++;
    if (this.#differences.length < MAX_DIFFERENCES) this.#differences.push(difference);
  }

  get counts() {
    const agreed = Math.max(0, this.#compared - this.#total);
    return { accounts: this.#accounts.size, blocks: this.#blocks, rows: this.#rows, values: this.#compared, agreed };
  }

  get differences(): readonly Disagreement[] {
    return this.#differences;
  }

  get total(): number {
    return this.#total;
  }
}
