import { compareDecimals, quotient } from './decimal.ts';
import { shareShown, wholeAmount } from './paid-fees.ts';

/** One version of a provision, in the words of the node. */
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

/** A provision as it stands: the version that its row tells, and the one that is to take its place. */
export interface ProvisionState<Version extends Terms = Terms> {
  readonly current: Version;
  readonly pending: Version | null;
  /** It came from the list that shows what is in force beside what waits. */
  readonly isPair: boolean;
}

/** What the next epoch does to a provision. */
export type Outlook =
  | { readonly kind: 'stays' }
  /** The commitment becomes 0: a cancellation (node-lists.md section 9). */
  | { readonly kind: 'leaves' }
  | { readonly kind: 'changes'; readonly percent: string | undefined }
  | { readonly kind: 'enters' }
  /** A later version waits, and of the one in force the node says nothing. */
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
 * Whether a later version waits of a provision that is less than a day old. The list of pairs would show the version in
 * force beside it, if there were one: nodes keep versions for a day at least, and some no longer (node-lists.md
 * section 9).
 */
function isYoung({ createdAt, updatedAt }: Terms): boolean {
  const [created, updated] = [wholeAmount(createdAt), wholeAmount(updatedAt)];
  if (created === undefined || updated === undefined || created === 0n) return false;
  return updated >= created && updated - created < DAY_NS;
}

const DAY_NS = 86_400_000_000_000n;

/** The change from one amount to another, such as `+10 %`, to a tenth; undefined where it cannot be told. */
function changePercent(from: string, to: string): string | undefined {
  const [before, after] = [wholeAmount(from), wholeAmount(to)];
  if (before === undefined || after === undefined || before === 0n) return undefined;
  const percent = quotient(String((after - before) * 100n), String(before), 1)?.replace(/\.0$/, '');
  if (percent === undefined || /^-?0$/.test(percent)) return undefined;
  return `${percent.startsWith('-') ? '' : '+'}${percent} %`;
}

/** Statuses of which the commitment is bound to the market. */
const COMMITTED: readonly string[] = ['STATUS_ACTIVE', 'STATUS_UNDEPLOYED'];

/** Statuses of which nothing is in force any more, or ever was. */
const ENDED: readonly string[] = ['STATUS_STOPPED', 'STATUS_CANCELLED', 'STATUS_REJECTED'];

/** Whether a version is bound to its market, waits, or is over; undefined for a status that is not known here. */
export function stageOf({ status }: Pick<Terms, 'status'>): 'in-force' | 'waits' | 'ended' | undefined {
  if (COMMITTED.includes(status)) return 'in-force';
  if (status === PENDING) return 'waits';
  return ENDED.includes(status) ? 'ended' : undefined;
}

const tellsWhatIsInForce = (provision: ProvisionState): boolean =>
  stageOf(provision.current) !== undefined && outlookOf(provision).kind !== 'unknown';

/**
 * What is committed to a market by all of its provisions, in smallest units; undefined when one of them does not tell
 * what it has in force, or no whole number.
 */
export function marketTotal(provisions: readonly ProvisionState[]): string | undefined {
  const { add, result } = createMarketTotal();
  for (const provision of provisions) add(provision);
  return result();
}

/** The same of provisions as they come. */
export function createMarketTotal() {
  let total: bigint | undefined = 0n;
  return {
    add: (provision: ProvisionState): void => {
      if (total === undefined) return;
      const { status, commitmentAmount } = provision.current;
      const amount = COMMITTED.includes(status) ? wholeAmount(commitmentAmount) : 0n;
      total = amount === undefined || !tellsWhatIsInForce(provision) ? undefined : total + amount;
    },
    result: (): string | undefined => (total === undefined ? undefined : String(total)),
  };
}

/** What part of the total a provision has, in per cent to a tenth, or `<0.1`; undefined when it has none in force. */
export function sharePart({ current }: ProvisionState, total: string): string | undefined {
  if (!COMMITTED.includes(current.status)) return undefined;
  return shareShown(current.commitmentAmount, total);
}

/** Its place among those of its market by what is committed, from 1. */
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

/** What the later of two versions changed. */
export const changesOf = (earlier: Terms, later: Terms): readonly Change[] =>
  COMPARED.flatMap(what => (earlier[what] === later[what] ? [] : [{ what, from: earlier[what], to: later[what] }]));
