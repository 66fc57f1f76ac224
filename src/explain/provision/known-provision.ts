import { type Directory, nameOf, type Unit, unitOfMarket } from '../../directory/directory.ts';
import type { Entity } from '../../directory/entity.ts';
import { compareDecimals } from '../../insight/decimal.ts';
import { wholeAmount } from '../../insight/paid-fees.ts';
import { type Change, changesOf, type Outlook, outlookOf, stageOf } from '../../insight/provision.ts';
import { compareAge, type Succession, successionOf } from '../../insight/provision-versions.ts';
import { type ProvisionRow, readProvision, type Version } from '../../resources/provision-row.ts';
import type { Row } from '../../resources/resource.ts';
import { sanitize } from '../../text/safe-text.ts';
import { truncateMiddle } from '../../text/width.ts';
import type { Ask, Knowledge } from '../explanation.ts';
import { type NextEpoch, nextEpoch } from './next-epoch.ts';
import { bondOf, type ProviderFound, providerOf } from './provider-asks.ts';
import { marketProvisions, versionsOf } from './provision-asks.ts';

/** How a provision stands: what the next epoch makes of it, or that it is history. */
export type ProvisionStanding =
  | Outlook
  | { readonly kind: 'superseded'; readonly by: string }
  | { readonly kind: 'ended' }
  /** Its status is none that is known here. */
  | { readonly kind: 'not-said' };

/** Everything that is known of one provision. */
export interface KnownProvision {
  /** With what waits beside what is in force, as far as either is known. */
  readonly row: ProvisionRow;
  readonly standing: ProvisionStanding;
  readonly unit: Unit | undefined;
  /** All that stands on its market; undefined where that cannot be had whole, or where the row is history. */
  readonly market: readonly ProvisionRow[] | undefined;
  /** Every version of it, the latest first. */
  readonly versions: readonly Version[] | undefined;
  /** What the last version of the row changes or changed; undefined where the one before is not known. */
  readonly diff: VersionDiff | undefined;
  /** Asked for where something of it may be in force, as the bond is. */
  readonly provider: ProviderFound | undefined;
  /** What its bond account holds, in smallest units. */
  readonly bond: string | undefined;
  /** The commitment of the record is still that of the node, and larger than the bond (protocol.md section 2.1). */
  readonly isStale: boolean;
  /** Asked for where something waits for it. */
  readonly next: NextEpoch | undefined;
  readonly directory: Directory;
  readonly nowMs: number;
}

export interface VersionDiff {
  readonly version: string;
  readonly against: string;
  readonly changes: readonly Change[];
}

export async function knowProvision(record: Row, knowledge: Knowledge): Promise<KnownProvision> {
  const { directory, ask, around, nowMs } = knowledge;
  const sent = readProvision(record);
  const asked = await versionsAsked(ask, sent.current);
  const nearby = around.rows.map(readProvision).flatMap(({ isPair, current }) => (isPair ? [] : [current]));
  const versions = (asked ?? nearby).filter(({ id }) => id === sent.current.id).toSorted(newestFirst);
  const succession = successionOf(versions);
  const row = asStanding(sent, succession);
  const standing = standingOf(row, succession, asked === undefined ? [] : versions);
  const isPast = standing.kind === 'superseded' || standing.kind === 'ended';
  const { marketId } = row.current;
  const isOpen = !isPast && standing.kind !== 'enters' && marketId !== '' && row.current.partyId !== '';
  const [market, next, provider, bond] = await Promise.all([
    isPast || marketId === '' ? undefined : marketWith(row, ask),
    isPast || standing.kind === 'stays' ? undefined : nextEpoch(ask, nowMs),
    isOpen ? providerOf(ask, row.current) : undefined,
    isOpen ? bondOf(ask, row.current) : undefined,
  ]);
  const isOfNow = market !== undefined || (asked !== undefined && isSameTerms(succession.inEffect, row.current));
  return {
    row,
    standing,
    unit: unitOfMarket(directory, marketId),
    market,
    versions: asked === undefined ? undefined : versions,
    diff: diffOf(row, versions),
    provider,
    bond,
    isStale: isOfNow && bond !== undefined && isAbove(row.current, bond),
    next,
    directory,
    nowMs,
  };
}

/** Undefined too where the record is not among them: they have changed since it came, and its share with them. */
async function marketWith({ current }: ProvisionRow, ask: Ask): Promise<readonly ProvisionRow[] | undefined> {
  const market = await marketProvisions(ask, current.marketId);
  const isThere = market?.some(other => other.current.id === current.id && isSameTerms(other.current, current));
  return isThere ? market : undefined;
}

const isSameTerms = (one: Version | undefined, other: Version): boolean =>
  one?.version === other.version && one.commitmentAmount === other.commitmentAmount;

function isAbove(version: Version, bond: string): boolean {
  const commitment = stageOf(version) === 'in-force' ? wholeAmount(version.commitmentAmount) : undefined;
  const held = wholeAmount(bond);
  return commitment !== undefined && held !== undefined && commitment > held;
}

const versionsAsked = async (ask: Ask, version: Version): Promise<readonly Version[] | undefined> =>
  version.marketId === '' || version.partyId === '' ? undefined : versionsOf(ask, version);

const newestFirst = (one: Version, other: Version): number => compareAge(other, one);

/** A version by itself beside the one that waits, or that is in force: as the list of what stands would have sent it. */
function asStanding(sent: ProvisionRow, { inEffect, waiting }: Succession<Version>): ProvisionRow {
  if (sent.pending !== null || inEffect === undefined || waiting === undefined) return sent;
  if (stageOf(inEffect) !== 'in-force') return sent;
  if (isOther(sent.current, inEffect) && isOther(sent.current, waiting)) return sent;
  return { ...sent, current: inEffect, pending: waiting };
}

const isOther = (one: Version, other: Version): boolean =>
  one.version !== other.version || one.status !== other.status || one.updatedAt !== other.updatedAt;

function standingOf(
  row: ProvisionRow,
  { inEffect, successorOf }: Succession<Version>,
  whole: readonly Version[],
): ProvisionStanding {
  const later = row.isPair ? undefined : successorOf(row.current);
  if (later !== undefined) return { kind: 'superseded', by: later.version };
  const stage = stageOf(row.current);
  if (stage === undefined) return { kind: 'not-said' };
  if (stage === 'ended') return { kind: 'ended' };
  const outlook = outlookOf(row);
  // Nodes drop old versions from the oldest on: where the first one is there, none is missing.
  const hasFirst = whole.some(({ version, status }) => version === '1' && stageOf({ status }) === 'waits');
  return outlook.kind === 'unknown' && hasFirst && inEffect === undefined ? { kind: 'enters' } : outlook;
}

/** Against the version in force, else against the last row of the version before: it has one for each of its statuses. */
function diffOf({ current, pending }: ProvisionRow, versions: readonly Version[]): VersionDiff | undefined {
  const last = pending ?? current;
  const before = pending === null ? versions.find(one => compareDecimals(one.version, last.version) < 0) : current;
  if (before === undefined) return undefined;
  // That the one waits and the other is in force is no change of terms.
  const changes = changesOf(before, last).filter(({ what }) => pending === null || what !== 'status');
  return { version: last.version, against: before.version, changes };
}

/** What an id is called, else both ends of it. */
export const calledOr = (directory: Directory, entity: Entity, id: string): string =>
  nameOf(directory, entity, id) ??
  (id === '' ? 'one that the node does not name' : truncateMiddle(sanitize(id), SHORT_ID));

const SHORT_ID = 10;
