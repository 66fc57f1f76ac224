import { compareDecimals } from './decimal.ts';

/** What tells the versions of one provision apart. */
export interface ProvisionVersion {
  readonly version: string;
  readonly status: string;
  /** Unix nanoseconds. */
  readonly updatedAt: string;
}

/** Statuses with which a version takes the place of those before it; a pending or refused one does not (yet). */
const TAKES_EFFECT: readonly string[] = ['STATUS_ACTIVE', 'STATUS_UNDEPLOYED', 'STATUS_STOPPED', 'STATUS_CANCELLED'];

const PENDING = 'STATUS_PENDING';

/**
 * Whether the one row says that the other, of the same provision, is history (node-behaviour.md section 9). A version
 * in force stays so while a later one is pending. What cannot be told apart is left as it is.
 */
export function supersedes(later: ProvisionVersion, earlier: ProvisionVersion): boolean {
  const versions = compareDecimals(later.version, earlier.version);
  const times = compareDecimals(later.updatedAt, earlier.updatedAt);
  if (versions < 0 || times < 0) return false;
  // A pending amendment that was amended again never took effect.
  if (later.status === PENDING) return earlier.status === PENDING && (versions > 0 || times > 0);
  if (!TAKES_EFFECT.includes(later.status)) return false;
  return versions > 0 || times > 0 || earlier.status === PENDING;
}

/** Of rows of one provision the latest that took effect and the latest that is pending: they decide about the others. */
export function latestVersions<Version extends ProvisionVersion>(versions: readonly Version[]): readonly Version[] {
  const newestFirst = versions.toSorted(
    (one, other) => compareDecimals(other.version, one.version) || compareDecimals(other.updatedAt, one.updatedAt),
  );
  return [
    ...newestFirst.filter(({ status }) => TAKES_EFFECT.includes(status)).slice(0, 1),
    ...newestFirst.filter(({ status }) => status === PENDING).slice(0, 1),
  ];
}
