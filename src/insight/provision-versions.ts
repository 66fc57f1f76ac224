import { compareDecimals } from './decimal.ts';

/** The members in which versions of a provision differ. */
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

const PENDING = 'STATUS_PENDING';

/**
 * Whether a later row of a provision supersedes an earlier one (node-lists.md section 9). The current version stays
 * current while a later one is pending. A pending change of commitment stays pending after a fee-only amendment, which
 * applies at once under the same or a later version number (protocol.md section 2.3).
 */
export function supersedes(later: ProvisionVersion, earlier: ProvisionVersion): boolean {
  if (compareAge(later, earlier) <= 0) return false;
  if (later.status === PENDING) return earlier.status === PENDING;
  if (!TAKES_EFFECT.includes(later.status)) return false;
  if (earlier.status !== PENDING || ENDS.includes(later.status)) return true;
  return compareDecimals(later.commitmentAmount, earlier.commitmentAmount) === 0;
}

/**
 * Oldest first. Time decides, since a pending change keeps its number, which may be below that of a fee-only amendment made
 * meanwhile. At equal times, the pending row comes before the one that takes effect.
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
