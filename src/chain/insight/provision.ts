import { compareDecimals, quotient } from './decimal.ts';
import { shareText, wholeAmount } from './paid-fees.ts';

/** One version of a provision, as the node sent it. */
export interface ProvisionTerms {
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
export interface ProvisionState<Version extends ProvisionTerms = ProvisionTerms> {
  readonly current: Version;
  readonly pending: Version | null;
  /** It came from the list of current and pending versions. */
  readonly isPair: boolean;
}

/** What the next epoch changes for a provision. */
export type Outlook =
  | { readonly kind: 'stays' }
  /** The commitment becomes 0: a cancellation (node-behaviour.md section 9). */
  | { readonly kind: 'leaves' }
  | { readonly kind: 'changes'; readonly percent: string | undefined }
  | { readonly kind: 'enters' }
  /** A later version is pending, and the node does not show the current one. */
  | { readonly kind: 'unknown' };

const PENDING = 'STATUS_PENDING';

export function nextEpochOutlook({ current, pending, isPair }: ProvisionState): Outlook {
  if (pending !== null) {
    if (wholeAmount(pending.commitmentAmount) === 0n) return { kind: 'leaves' };
    if (current.status === PENDING) return { kind: 'enters' };
    return { kind: 'changes', percent: changePercent(current.commitmentAmount, pending.commitmentAmount) };
  }
  if (current.status !== PENDING) return { kind: 'stays' };
  if (wholeAmount(current.commitmentAmount) === 0n) return { kind: 'leaves' };
  return { kind: current.version === '1' || (isPair && isYoung(current)) ? 'enters' : 'unknown' };
}

/** The version whose commitment counts: nothing of a new provision is in effect, so its last amendment does. */
export const committedVersion = <Version extends ProvisionTerms>({
  current,
  pending,
}: ProvisionState<Version>): Version => (current.status === PENDING ? (pending ?? current) : current);

/**
 * Whether the provision is less than a day old. If it had a current version, the list of pairs would show it: nodes keep
 * versions for at least a day, and some not longer (node-behaviour.md section 9).
 */
function isYoung({ createdAt, updatedAt }: ProvisionTerms): boolean {
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
export function stageOf({ status }: Pick<ProvisionTerms, 'status'>): 'in-force' | 'waits' | 'ended' | undefined {
  if (COMMITTED.includes(status)) return 'in-force';
  if (status === PENDING) return 'waits';
  return ENDED.includes(status) ? 'ended' : undefined;
}

/**
 * Whether slashing lowers the commitment with its bond (protocol.md section 2.1). Undeployed records are left over from
 * releases before v0.73, and a pending version is not in effect yet: their bond may be 0 without a shortfall.
 */
export const isBonded = ({ status }: Pick<ProvisionTerms, 'status'>): boolean => status === 'STATUS_ACTIVE';

/** Whether an active commitment is larger than its bond: slashing makes no new version. */
export function exceedsBond(version: Pick<ProvisionTerms, 'status' | 'commitmentAmount'>, bond: string): boolean {
  const commitment = isBonded(version) ? wholeAmount(version.commitmentAmount) : undefined;
  const held = wholeAmount(bond);
  return commitment !== undefined && held !== undefined && commitment > held;
}

/** A pending version without a current one shows the version in force only if none is in force. */
const showsCurrent = (provision: ProvisionState): boolean =>
  stageOf(provision.current) !== undefined &&
  (provision.pending !== null || provision.current.status !== PENDING || nextEpochOutlook(provision).kind === 'enters');

/**
 * The total commitment of a market's provisions, in smallest units; undefined if any provision does not show its current
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
export function shareOfTotal({ current }: ProvisionState, total: string): string | undefined {
  if (!COMMITTED.includes(current.status)) return undefined;
  return shareText(current.commitmentAmount, total);
}

/** Its rank in its market by commitment, from 1. */
export const commitmentRank = ({ current }: ProvisionState, provisions: readonly ProvisionState[]): number =>
  1 +
  provisions.filter(
    other =>
      COMMITTED.includes(other.current.status) &&
      compareDecimals(other.current.commitmentAmount, current.commitmentAmount) > 0,
  ).length;

export const committedCount = (provisions: readonly ProvisionState[]): number =>
  provisions.filter(({ current }) => COMMITTED.includes(current.status)).length;

/** The number of provisions with the status UNDEPLOYED, left over by releases before v0.73. */
export const undeployedCount = (provisions: readonly ProvisionState[]): number =>
  provisions.filter(({ current }) => current.status === 'STATUS_UNDEPLOYED').length;

/** A member that differs between two versions. */
export interface Change {
  readonly what: 'status' | 'commitmentAmount' | 'fee' | 'reference';
  readonly from: string;
  readonly to: string;
}

const COMPARED = ['status', 'commitmentAmount', 'fee', 'reference'] as const;

/** What changed from one version to a later one. */
export const changedTerms = (earlier: ProvisionTerms, later: ProvisionTerms): readonly Change[] =>
  COMPARED.flatMap(what => (earlier[what] === later[what] ? [] : [{ what, from: earlier[what], to: later[what] }]));

/** The members that differ between versions of a provision. */
export interface ProvisionVersion {
  readonly version: string;
  readonly status: string;
  readonly commitmentAmount: string;
  /** Unix nanoseconds. */
  readonly updatedAt: string;
}

/** Statuses that end a provision, including any pending change. */
const ENDS: readonly string[] = ['STATUS_STOPPED', 'STATUS_CANCELLED'];

/** Statuses of versions that replace earlier ones; a pending or rejected version does not. */
const TAKES_EFFECT: readonly string[] = ['STATUS_ACTIVE', 'STATUS_UNDEPLOYED', ...ENDS];

/**
 * Whether a later row of a provision supersedes an earlier one (node-behaviour.md section 9). The current version stays
 * current while a later one is pending. A fee-only amendment applies at once, under the
 * same or a later version number, and a pending change of commitment stays pending (protocol.md section 2.3).
 */
export function supersedes(later: ProvisionVersion, earlier: ProvisionVersion): boolean {
  if (compareAge(later, earlier) <= 0) return false;
  if (later.status === PENDING) return earlier.status === PENDING;
  if (!TAKES_EFFECT.includes(later.status)) return false;
  if (earlier.status !== PENDING || ENDS.includes(later.status)) return true;
  return compareDecimals(later.commitmentAmount, earlier.commitmentAmount) === 0;
}

/**
 * Oldest first. Time decides, since a pending change keeps its number, which may be below that of a fee-only amendment
 * made in the meantime. At equal times, the pending row comes before the one that takes effect.
 */
export const compareAge = (one: ProvisionVersion, other: ProvisionVersion): number =>
  compareDecimals(one.updatedAt, other.updatedAt) ||
  compareDecimals(one.version, other.version) ||
  Number(TAKES_EFFECT.includes(one.status)) - Number(TAKES_EFFECT.includes(other.status));

/** How the versions of one provision succeed each other. */
export interface Succession<Version extends ProvisionVersion> {
  /** The latest version that took effect; its status may end the provision. */
  readonly inEffect: Version | undefined;
  /** The version that takes effect at the next epoch. */
  readonly waiting: Version | undefined;
  /** One of the versions that supersede this one. */
  readonly successorOf: (version: Version) => Version | undefined;
}

export function successionOf<Version extends ProvisionVersion>(versions: readonly Version[]): Succession<Version> {
  const newestFirst = versions.toSorted((one, other) => compareAge(other, one));
  const effective = newestFirst.filter(({ status }) => TAKES_EFFECT.includes(status));
  const latest = {
    effective: effective[0],
    pending: newestFirst.find(({ status }) => status === PENDING),
    end: effective.find(({ status }) => ENDS.includes(status)),
  };
  const byCommitment = new Map<string, Version>();
  for (const version of effective) {
    const key = plainAmount(version.commitmentAmount);
    if (!byCommitment.has(key)) byCommitment.set(key, version);
  }
  const successorOf = (version: Version): Version | undefined =>
    [latest.effective, latest.pending, latest.end, byCommitment.get(plainAmount(version.commitmentAmount))].find(
      later => later !== undefined && supersedes(later, version),
    );
  const { effective: inEffect, pending } = latest;
  return {
    inEffect,
    waiting: pending === undefined || successorOf(pending) !== undefined ? undefined : pending,
    successorOf,
  };
}

/** Equal for amounts that compare as equal. */
const plainAmount = (amount: string): string => (/^\d+$/.test(amount) ? amount.replace(/^0+(?=\d)/, '') : amount);
