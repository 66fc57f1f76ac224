import { compareDecimals } from './decimal.ts';

/** What tells the versions of one provision apart. */
export interface ProvisionVersion {
  readonly version: string;
  readonly status: string;
  readonly commitmentAmount: string;
  /** Unix nanoseconds. */
  readonly updatedAt: string;
}

/** Statuses that end a provision, whatever was waiting. */
const ENDS: readonly string[] = ['STATUS_STOPPED', 'STATUS_CANCELLED'];

/** Statuses with which a version takes the place of those before it; a pending or refused one does not (yet). */
const TAKES_EFFECT: readonly string[] = ['STATUS_ACTIVE', 'STATUS_UNDEPLOYED', ...ENDS];

const PENDING = 'STATUS_PENDING';

/**
 * Whether the one row says that the other, of the same provision, is history (node-lists.md section 9). A version
 * in force stays so while a later one is pending. A pending change of commitment still waits after a fee-only amendment,
 * which is in force at once under the same or a later version number (protocol.md section 2.3).
 */
export function supersedes(later: ProvisionVersion, earlier: ProvisionVersion): boolean {
  if (compareAge(later, earlier) <= 0) return false;
  if (later.status === PENDING) return earlier.status === PENDING;
  if (!TAKES_EFFECT.includes(later.status)) return false;
  if (earlier.status !== PENDING || ENDS.includes(later.status)) return true;
  return compareDecimals(later.commitmentAmount, earlier.commitmentAmount) === 0;
}

/**
 * The older first. Time decides: a change that waited takes effect under the number it was given, which may be below that
 * of a fee-only amendment made meanwhile. At the same time a version takes effect after it was pending.
 */
export const compareAge = (one: ProvisionVersion, other: ProvisionVersion): number =>
  compareDecimals(one.updatedAt, other.updatedAt) ||
  compareDecimals(one.version, other.version) ||
  Number(TAKES_EFFECT.includes(one.status)) - Number(TAKES_EFFECT.includes(other.status));

/** How the versions of one provision follow each other. */
export interface Succession<Version extends ProvisionVersion> {
  /** The latest that took effect; its status may be the end of the provision. */
  readonly inEffect: Version | undefined;
  /** The one that takes effect with the next epoch. */
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

/** Alike for amounts that compare as equal. */
const plainAmount = (amount: string): string => (/^\d+$/.test(amount) ? amount.replace(/^0+(?=\d)/, '') : amount);
