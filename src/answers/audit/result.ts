import type { CheckKind } from './check.ts';
import type { MissingTable } from './scope.ts';

/** What an audit found. */
export interface Audit {
  readonly verdict: AuditVerdict;
  /** One sentence, with the range and where ledger and balances end in it. */
  readonly reason: string;
  /** The blocks that ledger and balances both have. */
  readonly blocks: readonly { readonly from: string; readonly to: string }[];
  /** What the checks that decide compared. */
  readonly counts: AuditCounts;
  /** The last row of each table that was given; null if it has none. */
  readonly lastRows: Readonly<Record<string, RowPlace | null>>;
  readonly chainId: string;
  readonly checks: readonly CheckResult[];
  /** Tables missing for checks that decide the verdict. */
  readonly missing: readonly MissingTable[];
  readonly notes: readonly string[];
}

/** Amounts of money apart from everything else. */
export interface AuditCounts {
  readonly amounts: number;
  readonly amountsAgreeing: number;
  readonly blockNumbers: number;
  /** Numbers of ledger rows, versions of deposits, and payments that were counted. */
  readonly others: number;
}

export interface RowPlace {
  /** Null without `blocks`. */
  readonly block: string | null;
  readonly time: string;
}

type AuditVerdict = 'adds-up' | 'differs' | 'cannot-be-judged';

export interface CheckResult {
  readonly name: string;
  readonly title: string;
  readonly kind: CheckKind;
  readonly isMoney: boolean;
  /** The verdict does not wait for it. */
  readonly isOptional: boolean;
  readonly compared: ComparedCounts;
  /** How many of the compared values agree. */
  readonly agreed: number;
  /** The first ones. */
  readonly differences: readonly NamedDifference[];
  /** Of all differences. */
  readonly total: number;
  readonly blindSpots: readonly string[];
  /** Why it was not made; undefined if it was. */
  readonly unjudged: string | undefined;
}

interface ComparedCounts {
  readonly accounts: number;
  readonly blocks: number;
  /** Rows read for it. */
  readonly rows: number;
  readonly values: number;
}

/** A difference with all its known details; null for unknown ones. */
export interface NamedDifference {
  readonly what: string;
  /** Decimal text: in the smallest unit of the asset, or a size. */
  readonly amount: string | null;
  /** Amounts that should be equal, keyed by their meaning; in the same unit. */
  readonly amounts: Readonly<Record<string, string>> | null;
  /** Block height. */
  readonly block: string | null;
  readonly time: string | null;
  readonly account: string | null;
  readonly party: string | null;
  readonly asset: string | null;
  readonly market: string | null;
  /** Of the account, without `ACCOUNT_TYPE_`. */
  readonly type: string | null;
}
