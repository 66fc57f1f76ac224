import { durationInWords } from '../../../base/text/duration.ts';
import { minuteText } from '../../../base/text/time.ts';
import { EPOCH_REQUEST, STATISTICS_REQUEST } from '../../api/core-status.ts';
import type { JsonObject } from '../../api/json.ts';
import { readPage } from '../../api/page.ts';
import type { NodeRequest } from '../../api/request.ts';
import { type ChainState, readChainState } from '../../directory/chain-state.ts';
import { type Directory, type Unit, unitOfMarket } from '../../directory/directory.ts';
import { compareDecimals } from '../../insight/decimal.ts';
import {
  type Change,
  changedTerms,
  compareAge,
  exceedsBond,
  nextEpochOutlook,
  type Outlook,
  type Succession,
  stageOf,
  successionOf,
} from '../../insight/provision.ts';
import {
  areOfMarket,
  type ProvisionRow,
  readProvision,
  type SentVersion,
} from '../../resources/liquidity-provisions.ts';
import type { Row } from '../../resources/resource.ts';
import type { Ask, ExplainContext } from '../explanation.ts';
import { fetchProvider, type ProviderResult } from './market-providers.ts';
import { fetchBond } from './provider.ts';

/** The state of a provision: what the next epoch changes, or that it is over. */
type ProvisionOutlook =
  | Outlook
  | { readonly kind: 'superseded'; readonly by: string }
  | { readonly kind: 'ended' }
  /** Its status is unknown here. */
  | { readonly kind: 'not-said' };

/** Everything known about one provision. */
export interface KnownProvision {
  /** The current and the pending version, if known. */
  readonly row: ProvisionRow;
  readonly outlook: ProvisionOutlook;
  readonly unit: Unit | undefined;
  /** All live provisions of its market; undefined if they cannot be loaded completely, or the row is superseded. */
  readonly market: readonly ProvisionRow[] | undefined;
  /** Every version, latest first. */
  readonly versions: readonly SentVersion[] | undefined;
  /** What the last version of the row changes or changed; undefined if the one before is unknown. */
  readonly diff: VersionDiff | undefined;
  /** Requested, like the bond, if the provision may be active. */
  readonly provider: ProviderResult | undefined;
  /** The balance of its bond account, in smallest units. */
  readonly bond: string | undefined;
  /** The commitment of the record is still the node's, but larger than the bond (protocol.md section 2.1). */
  readonly isStale: boolean;
  /** Requested if a change is pending. */
  readonly next: NextEpoch | 'never' | undefined;
  readonly directory: Directory;
  readonly nowMs: number;
}

export interface VersionDiff {
  readonly version: string;
  readonly against: string;
  readonly changes: readonly Change[];
}

export async function loadProvision(record: Row, knowledge: ExplainContext): Promise<KnownProvision> {
  const { directory, ask, around, nowMs, hasEnded = false } = knowledge;
  const sent = readProvision(record);
  const fetched = await fetchVersions(ask, sent.current);
  const nearby = around.rows.map(readProvision).flatMap(({ isPair, current }) => (isPair ? [] : [current]));
  const versions = (fetched ?? nearby).filter(({ id }) => id === sent.current.id).toSorted(newestFirst);
  const succession = successionOf(versions);
  const row = completePair(sent, succession);
  const outlook = knownOutlook(row, succession, fetched === undefined ? [] : versions);
  const isPast = outlook.kind === 'superseded' || outlook.kind === 'ended';
  const { marketId } = row.current;
  const isOpen = !isPast && outlook.kind !== 'enters' && marketId !== '' && row.current.partyId !== '';
  const [market, next, provider, bond] = await Promise.all([
    isPast || marketId === '' ? undefined : fetchMarketIncluding(row, ask),
    isPast || outlook.kind === 'stays' ? undefined : hasEnded ? ('never' as const) : nextEpoch(ask, nowMs),
    isOpen ? fetchProvider(ask, row.current) : undefined,
    isOpen ? fetchBond(ask, row.current) : undefined,
  ]);
  const isOfNow = market !== undefined || (fetched !== undefined && isSameTerms(succession.inEffect, row.current));
  return {
    row,
    outlook,
    unit: unitOfMarket(directory, marketId),
    market,
    versions: fetched === undefined ? undefined : versions,
    diff: versionDiff(row, versions),
    provider,
    bond,
    isStale: isOfNow && bond !== undefined && exceedsBond(row.current, bond),
    next,
    directory,
    nowMs,
  };
}

/** Also undefined if the record is not among them: they have changed since it was loaded. */
async function fetchMarketIncluding({ current }: ProvisionRow, ask: Ask): Promise<readonly ProvisionRow[] | undefined> {
  const market = await fetchMarketProvisions(ask, current.marketId);
  const isThere = market?.some(other => other.current.id === current.id && isSameTerms(other.current, current));
  return isThere ? market : undefined;
}

const isSameTerms = (one: SentVersion | undefined, other: SentVersion): boolean =>
  one?.version === other.version && one.commitmentAmount === other.commitmentAmount;

const fetchVersions = async (ask: Ask, version: SentVersion): Promise<readonly SentVersion[] | undefined> =>
  version.marketId === '' || version.partyId === '' ? undefined : fetchProvisionVersions(ask, version);

const newestFirst = (one: SentVersion, other: SentVersion): number => compareAge(other, one);

/** Completes a single version with the current or pending one, as the list of pairs would have sent it. */
function completePair(sent: ProvisionRow, { inEffect, waiting }: Succession<SentVersion>): ProvisionRow {
  if (sent.pending !== null || inEffect === undefined || waiting === undefined) return sent;
  if (stageOf(inEffect) !== 'in-force') return sent;
  if (isOther(sent.current, inEffect) && isOther(sent.current, waiting)) return sent;
  return { ...sent, current: inEffect, pending: waiting };
}

const isOther = (one: SentVersion, other: SentVersion): boolean =>
  one.version !== other.version || one.status !== other.status || one.updatedAt !== other.updatedAt;

function knownOutlook(
  row: ProvisionRow,
  { inEffect, successorOf }: Succession<SentVersion>,
  whole: readonly SentVersion[],
): ProvisionOutlook {
  const later = row.isPair ? undefined : successorOf(row.current);
  if (later !== undefined) return { kind: 'superseded', by: later.version };
  const stage = stageOf(row.current);
  if (stage === undefined) return { kind: 'not-said' };
  if (stage === 'ended') return { kind: 'ended' };
  const outlook = nextEpochOutlook(row);
  // Nodes drop the oldest versions first: if the first one is present, none is missing.
  const hasFirst = whole.some(({ version, status }) => version === '1' && stageOf({ status }) === 'waits');
  return outlook.kind === 'unknown' && hasFirst && inEffect === undefined ? { kind: 'enters' } : outlook;
}

/** Compared with the current version, else with the last row of the version before (a version has a row per status). */
function versionDiff({ current, pending }: ProvisionRow, versions: readonly SentVersion[]): VersionDiff | undefined {
  const last = pending ?? current;
  const before = pending === null ? versions.find(one => compareDecimals(one.version, last.version) < 0) : current;
  if (before === undefined) return undefined;
  // Pending versus active is not a change of terms.
  const changes = changedTerms(before, last).filter(({ what }) => pending === null || what !== 'status');
  return { version: last.version, against: before.version, changes };
}

/** When the next epoch begins. */
interface NextEpoch {
  /** Its number; '' if the node does not report it. */
  readonly epoch: string;
  readonly atMs: number;
  /** Negative if it should have begun already. */
  readonly inMs: number;
  /** How far the chain's clock is behind this machine's. */
  readonly behindMs: number;
}

/** From the core of the node; undefined if it cannot be reached or does not report it. */
async function nextEpoch(ask: Ask, nowMs: number): Promise<NextEpoch | undefined> {
  const { epoch, core } = await fetchChainState(ask);
  const atMs = epoch?.endsMs ?? null;
  if (epoch === null || atMs === null) return undefined;
  // The chain's clock decides; this machine's may be wrong.
  const clockMs = core?.timeMs ?? nowMs;
  return {
    epoch: String(epoch.seq + 1n),
    atMs,
    inMs: atMs - clockMs,
    behindMs: nowMs - clockMs,
  };
}

/** By the core, or without it by the newest epoch. */
async function fetchChainState(ask: Ask): Promise<ChainState> {
  const heard = async (request: NodeRequest) => {
    const json = await ask(request);
    return json === undefined ? undefined : { reply: { json, facts: { rate: {} } }, atMs: 0 };
  };
  const statistics = await heard(STATISTICS_REQUEST);
  const state = readChainState({ statistics });
  return state.epoch === null ? readChainState({ statistics, epoch: await heard(EPOCH_REQUEST) }) : state;
}

/** `in 1 h 12 min, when epoch 44 begins (2026-11-22 13:40 UTC)` */
export function nextEpochText(next: KnownProvision['next']): string {
  if (next === 'never') return 'never: the chain ended before another epoch began';
  if (next === undefined) return 'when the next epoch begins (time not reported)';
  const name = next.epoch === '' ? 'the next epoch' : `epoch ${next.epoch}`;
  const at = minuteText(next.atMs);
  if (next.inMs <= 0) return `when ${name} begins, which is due (${at})`;
  const clock =
    next.behindMs < LATE_MS ? '' : ` by the node's clock, which is ${inWords(next.behindMs)} behind this machine's`;
  return `in ${inWords(next.inMs)}${clock}, when ${name} begins (${at})`;
}

// A smaller difference is not mentioned.
const LATE_MS = 120_000;

/** To the minute; to the second below a minute. */
function inWords(ms: number): string {
  const stepMs = ms < 60_000 ? 1000 : 60_000;
  return durationInWords(BigInt(Math.max(stepMs, Math.floor(ms / stepMs) * stepMs)) * 1_000_000n);
}

export const nextEpochJson = (next: KnownProvision['next']): JsonObject | null =>
  next === undefined || next === 'never'
    ? null
    : {
        epoch: next.epoch === '' ? null : next.epoch,
        at: new Date(next.atMs).toISOString(),
        inSeconds: Math.floor(next.inMs / 1000),
      };

/** All live provisions of a market; undefined if they cannot be loaded completely. */
export async function fetchMarketProvisions(ask: Ask, marketId: string): Promise<readonly ProvisionRow[] | undefined> {
  const query = { marketId, live: 'true' };
  const better = await ask(provisionsRequest('all-provisions', query));
  const isPage = better !== undefined && readPage(better, 'liquidityProvisions') !== undefined;
  const answer = isPage ? better : await ask(provisionsRequest('provisions', query));
  const rows = answer === undefined ? undefined : wholeList(answer);
  return rows !== undefined && areOfMarket(rows, marketId) ? rows : undefined;
}

/** Every version of a provision, latest first; undefined if they cannot be loaded completely. */
export async function fetchProvisionVersions(
  ask: Ask,
  { id, marketId, partyId }: SentVersion,
): Promise<readonly SentVersion[] | undefined> {
  const answer = await ask(provisionsRequest('provisions', { marketId, partyId }));
  const rows = answer === undefined ? undefined : wholeList(answer);
  return rows?.map(({ current }) => current).filter(version => version.id === id);
}

function provisionsRequest(name: string, filters: { readonly [name: string]: string }): NodeRequest {
  return {
    path: `api/v2/liquidity/${name}`,
    query: [...Object.entries(filters), ['pagination.first', '5000']],
  };
}

type Answer = Parameters<typeof readPage>[0];

function wholeList(answer: Answer): readonly ProvisionRow[] | undefined {
  const page = readPage(answer, 'liquidityProvisions');
  if (page === undefined || page.hasNextPage || page.flaws.length > 0) return undefined;
  return page.records.map(readProvision);
}
