import { compareDecimals, quotient } from './decimal.ts';
import { shareShown, wholeAmount } from './paid-fees.ts';

/** One version of a provision, as the node sent it. */
export interface Terms {
  readonly version: string;
  readonly status: string;
  /** In smallest units. */
  readonly commitmentAmount: string;
  /** A factor. */
  readonly fee: string;
  readonly reference: string;
  /** Unix nanoseconds. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The state of a provision: the current version of its row, and the pending one. */
export interface ProvisionState<Version extends Terms = Terms> {
  readonly current: Version;
  readonly pending: Version | null;
  /** It came from the list of current and pending versions. */
  readonly isPair: boolean;
}

/** What the next epoch changes for a provision. */
export type Outlook =
  | { readonly kind: 'stays' }
  /** The commitment becomes 0: a cancellation (node-lists.md section 9). */
  | { readonly kind: 'leaves' }
  | { readonly kind: 'changes'; readonly percent: string | undefined }
  | { readonly kind: 'enters' }
  /** A later version is pending, and the node does not show the current one. */
  | { readonly kind: 'unknown' };

const PENDING = 'STATUS_PENDING';

export function outlookOf({ current, pending, isPair }: ProvisionState): Outlook {
  if (pending !== null) {
    if (wholeAmount(pending.commitmentAmount) === 0n) return { kind: 'leaves' };
    return { kind: 'changes', percent: changePercent(current.commitmentAmount, pending.commitmentAmount) };
  }
  if (current.status !== PENDING) return { kind: 'stays' };
  return { kind: current.version === '1' || (isPair && isYoung(current)) ? 'enters' : 'unknown' };
}

/**
 * Whether the provision is less than a day old. If it had a current version, the list of pairs would show it, since nodes
 * keep versions for at least a day, and some no longer (node-lists.md section 9).
 */
function isYoung({ createdAt, updatedAt }: Terms): boolean {
  const [created, updated] = [wholeAmount(createdAt), wholeAmount(updatedAt)];
  if (created === undefined || updated === undefined || created === 0n) return false;
  return updated >= created && updated - created < DAY_NS;
}

const DAY_NS = 86_400_000_000_000n;

/** The change between two amounts, such as `+10 %`, to a tenth; undefined if unknown. */
function changePercent(from: string, to: string): string | undefined {
  const [before, after] = [wholeAmount(from), wholeAmount(to)];
  if (before === undefined || after === undefined || before === 0n) return undefined;
  const percent = quotient(String((after - before) * 100n), String(before), 1)?.replace(/\.0$/, '');
  if (percent === undefined || /^-?0$/.test(percent)) return undefined;
  return `${percent.startsWith('-') ? '' : '+'}${percent} %`;
}

/** Statuses with a commitment bound to the market. */
const COMMITTED: readonly string[] = ['STATUS_ACTIVE', 'STATUS_UNDEPLOYED'];

/** Statuses of provisions that have ended or never started. */
const ENDED: readonly string[] = ['STATUS_STOPPED', 'STATUS_CANCELLED', 'STATUS_REJECTED'];

/** Whether a version is active, pending or over; undefined for an unknown status. */
export function stageOf({ status }: Pick<Terms, 'status'>): 'in-force' | 'waits' | 'ended' | undefined {
  if (COMMITTED.includes(status)) return 'in-force';
  if (status === PENDING) return 'waits';
  return ENDED.includes(status) ? 'ended' : undefined;
}

const showsCurrent = (provision: ProvisionState): boolean =>
  stageOf(provision.current) !== undefined && outlookOf(provision).kind !== 'unknown';

/**
 * The total commitment of a market's provisions, in smallest units; undefined if one of them does not show its current
 * version, or its amount is not a whole number.
 */
export function marketTotal(provisions: readonly ProvisionState[]): string | undefined {
  const { add, result } = createMarketTotal();
  for (const provision of provisions) add(provision);
  return result();
}

/** The same, provision by provision. */
export function createMarketTotal() {
  let total: bigint | undefined = 0n;
  return {
    add: (provision: ProvisionState): void => {
      if (total === undefined) return;
      const { status, commitmentAmount } = provision.current;
      const amount = COMMITTED.includes(status) ? wholeAmount(commitmentAmount) : 0n;
      total = amount === undefined || !showsCurrent(provision) ? undefined : total + amount;
    },
    result: (): string | undefined => (total === undefined ? undefined : String(total)),
  };
}

/** A provision's part of the total, in percent to a tenth, or `<0.1`; undefined if it is not active. */
export function sharePart({ current }: ProvisionState, total: string): string | undefined {
  if (!COMMITTED.includes(current.status)) return undefined;
  return shareShown(current.commitmentAmount, total);
}

/** Its rank in its market by commitment, from 1. */
export const rankOf = ({ current }: ProvisionState, provisions: readonly ProvisionState[]): number =>
  1 +
  provisions.filter(
    other =>
      COMMITTED.includes(other.current.status) &&
      compareDecimals(other.current.commitmentAmount, current.commitmentAmount) > 0,
  ).length;

export const committedOf = (provisions: readonly ProvisionState[]): number =>
  provisions.filter(({ current }) => COMMITTED.includes(current.status)).length;

/** A member that differs between two versions. */
export interface Change {
  readonly what: 'status' | 'commitmentAmount' | 'fee' | 'reference';
  readonly from: string;
  readonly to: string;
}

const COMPARED = ['status', 'commitmentAmount', 'fee', 'reference'] as const;

/** What changed from one version to a later one. */
export const changesOf = (earlier: Terms, later: Terms): readonly Change[] =>
  COMPARED.flatMap(what => (earlier[what] === later[what] ? [] : [{ what, from: earlier[what], to: later[what] }]));
