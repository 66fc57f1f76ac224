import { NotInSnapshotError, RefusedError } from '../../api/errors.ts';
import type { Directory } from '../../directory/directory.ts';
import { derivedParty } from '../../insight/derived-party.ts';
import { epochNumber, type FeeRow } from '../../insight/paid-fees.ts';
import type { Range } from '../../insight/range.ts';
import type { EpochSpan } from '../../insight/statement.ts';
import type { FilterValues } from '../../resources/filter.ts';
import {
  availableEpochs,
  type CurrentFeeEpoch,
  chosenEpochs,
  fetchCurrentFeeEpoch,
  laterSpans,
  newestCompleteEpoch,
  supportsEpochRanges,
} from './current-fee-epoch.ts';
import type { FeeNode, FeeQuery } from './fee-node.ts';
import { type FeePage, feeId, fetchLargestPage } from './fee-page.ts';

/** Everything fetched for a statement; statements of fewer epochs need no further request. */
export interface FetchedFees {
  readonly query: FeeQuery;
  readonly head: CurrentFeeEpoch;
  /** Rows of the requested market and asset; of other parties too if the node does not leave them out. */
  readonly rows: readonly FeeRow[];
  /** The state of each epoch, oldest first; may cover more epochs than requested. */
  readonly spans: readonly EpochSpan[];
  /** Whether the rows include fees of the party's automated market makers. */
  readonly ammIncome: AmmIncome;
  readonly requests: number;
  /** Where the node did not answer as requested, in sentences. */
  readonly problems: readonly string[];
  /** The markets that were requested one by one; missing where all were at once. */
  readonly ofMarkets?: number;
}

/** `all`: the statement is of a market, which includes everyone. */
export type AmmIncome = 'all' | 'included' | 'not-offered' | 'refused' | 'unknown';

export interface FetchFeesOptions {
  readonly directory: Directory;
  /** Called before each request with its number, and the total if known. */
  readonly onProgress: (progress: FeeProgress) => void;
}

export interface FeeProgress {
  readonly request: number;
  readonly of: number | null;
  /** Why it is waiting at the moment. */
  readonly waits?: string;
}

/** The most epochs to request one by one; older ones stay unknown. */
const MAX_EPOCH_REQUESTS = 10_000n;

/**
 * Requests each epoch: `epochSeq` alone selects it on all markets and assets (protocol.md section 1.3). Tries one
 * request for many epochs if the node may support it, and trusts it only if its rows show that it does. Throws a NodeError.
 */
export async function fetchFees(query: FeeQuery, node: FeeNode, options: FetchFeesOptions): Promise<FetchedFees> {
  const requester = createRequester(query, node, options);
  const head = await fetchCurrentFeeEpoch(requester.node);
  requester.setVersion(head.version);
  const chosen = chosenEpochs(query.epochs, head);
  const reach = chosen && availableEpochs(chosen, head);
  const wide = reach && (await fetchWide(requester, reach, { head, directory: options.directory }));
  const each = reach && (await fetchEach(requester, reach, { wide, directory: options.directory }));
  const over = newestCompleteEpoch(head) ?? -1n;
  const spans = [...(wide?.spans ?? []), ...(each?.spans ?? [])].map(span => ({ ...span, to: least(span.to, over) }));
  const rows = [...(wide?.rows ?? []), ...(each?.rows ?? [])];
  const none: readonly EpochSpan[] = chosen !== null && hasNone(head) ? [{ kind: 'known', ...chosen }] : [];
  const later = chosen === null || hasNone(head) ? [] : laterSpans(chosen, head);
  return {
    query,
    head,
    rows,
    spans: joined([...spans, ...none, ...later]),
    ammIncome: requester.ammIncome(),
    requests: requester.count(),
    problems: [...(each?.problems ?? []), ...otherParties(rows, query)],
    ...(wide?.ofMarkets !== undefined && { ofMarkets: wide.ofMarkets }),
  };
}

/** Asked for the newest epoch with fees, the node had none: it has no row of any epoch. */
const hasNone = ({ open, newest }: CurrentFeeEpoch): boolean => open === undefined && newest === undefined;

interface Requester {
  readonly query: FeeQuery;
  readonly node: FeeNode;
  /** Sets what the node offers, by its version. */
  readonly setVersion: (version: string) => void;
  /** Announces how many more requests will follow. */
  readonly expects: (requests: number) => void;
  /** The rows selected by the query and these filters. */
  readonly rows: (filters: FilterValues) => Promise<FeePage>;
  readonly ammIncome: () => AmmIncome;
  readonly count: () => number;
}

function createRequester(query: FeeQuery, given: FeeNode, { onProgress }: FetchFeesOptions): Requester {
  const { party, market, asset } = query;
  const own: FilterValues = {
    ...(market !== '' && { marketId: [market] }),
    ...(asset !== '' && { assetId: [asset] }),
    ...(party !== '' && { partyIds: [party] }),
  };
  let count = 0;
  let of: number | null = null;
  let ammIncome: AmmIncome = 'unknown';
  const counts = (): void => onProgress({ request: ++count, of });
  const node: FeeNode = {
    page: (resource, request) => {
      counts();
      return given.page(resource, request);
    },
    get: request => {
      counts();
      return given.get(request);
    },
  };
  return {
    query,
    node,
    setVersion: version => {
      ammIncome =
        party === '' ? 'all' : version === '' ? 'unknown' : supportsEpochRanges(version) ? 'included' : 'not-offered';
    },
    expects: requests => {
      of = count + requests;
    },
    rows: async filters => {
      const selected = { ...own, ...filters };
      if (ammIncome !== 'included') return fetchLargestPage(node, selected);
      try {
        return await fetchLargestPage(node, { ...selected, includeDerivedParties: ['true'] });
      } catch (error) {
        if (!(error instanceof RefusedError) || error.status !== 400) throw error;
        const page = await fetchLargestPage(node, selected);
        ammIncome = 'refused';
        return page;
      }
    },
    ammIncome: () => ammIncome,
    count: () => count,
  };
}

interface Found {
  readonly rows: readonly FeeRow[];
  readonly spans: readonly EpochSpan[];
  readonly ofMarkets?: number;
}

/** Many epochs at once, if it takes fewer requests than one request per epoch. */
async function fetchWide(
  requester: Requester,
  reach: Range,
  { head, directory }: { readonly head: CurrentFeeEpoch; readonly directory: Directory },
): Promise<Found | null> {
  const { market, asset } = requester.query;
  if (reach.from === reach.to) return null;
  if (supportsEpochRanges(head.version) && (market === '' || asset === '')) {
    const ranged = await fetchRange(requester, reach);
    if (ranged !== null) return ranged;
  }
  return fetchPairs(requester, reach, { head, directory });
}

/** A range of epochs, in halves if it has more rows than a page; null if the node does not show that it knows ranges. */
async function fetchRange(requester: Requester, reach: Range): Promise<Found | null> {
  const rows: FeeRow[] = [];
  for (const left = [reach]; left.length > 0; ) {
    const range = left.pop() ?? reach;
    const page = await requester.rows(rangeFilters(range));
    const isOther = page.rows.some(row => !isIn(range, epochNumber(row.epochSeq)) || !isRequested(requester, row));
    if (isOther || (page.isCut && range.from === range.to)) return null;
    if (page.isCut) left.push(...splitInHalves(range));
    else rows.push(...page.rows);
  }
  const isKnown = hasEpochs(rows) || (await showsEpochs(requester, rangeFilters({ from: 0n, to: reach.to })));
  return isKnown ? { rows, spans: [{ kind: 'known', ...reach }] } : null;
}

const rangeFilters = ({ from, to }: Range): FilterValues => ({ epochFrom: [String(from)], epochTo: [String(to)] });

function splitInHalves({ from, to }: Range): readonly Range[] {
  const middle = from + (to - from) / 2n;
  return [
    { from: middle + 1n, to },
    { from, to: middle },
  ];
}

/** Requests in addition to those of the pairs: the newest epoch, and whether the node answers with all epochs. */
const FEW = 4;

/**
 * All epochs of each market and asset that can have rows, which one request answers (protocol.md section 1.3). Null if
 * the pairs are not known, are more than the epochs, or the node does not show that it answers so.
 */
async function fetchPairs(
  requester: Requester,
  reach: Range,
  { head, directory }: { readonly head: CurrentFeeEpoch; readonly directory: Directory },
): Promise<Found | null> {
  const whole = availableEpochs({ from: 0n, to: 2n ** 64n }, head);
  const { market, asset } = requester.query;
  const isOne = market !== '' && asset !== '';
  const listed = listedPairs(requester.query, directory);
  const isNarrow = listed.length > 0 || market !== '';
  const isFewer = isNarrow && BigInt(listed.length + FEW) <= reach.to - reach.from;
  const pairs = isOne ? [{ market, asset }] : isFewer ? await allPairs(requester, listed) : undefined;
  if (whole === null || pairs === undefined) return null;
  requester.expects(pairs.length);
  const rows: FeeRow[] = [];
  let span: Range = whole;
  let isShown = false;
  for (const pair of pairs) {
    const page = await requester.rows({ marketId: [pair.market], assetId: [pair.asset] });
    const known = page.rows.map(row => epochNumber(row.epochSeq));
    const isOfPair = page.rows.every(row => row.market === pair.market && row.asset === pair.asset);
    const ends = page.isCut ? firstAndLastEpoch(known) : whole;
    if (!isOfPair || !known.every(epoch => isIn(whole, epoch)) || ends === null) return null;
    span = { from: most(span.from, ends.from), to: least(span.to, ends.to) };
    isShown ||= hasEpochs(page.rows);
    rows.push(...page.rows);
  }
  if (!isShown && !(await showsEpochsOfPairs(requester))) return null;
  if (span.from > span.to) return null;
  return {
    rows: rows.filter(row => isIn(span, epochNumber(row.epochSeq))),
    spans: [{ kind: 'known', ...span }],
    ...(market === '' && { ofMarkets: pairs.length }),
  };
}

interface Pair {
  readonly market: string;
  readonly asset: string;
}

/** The markets that the node lists, each with the asset that its fees are paid in. */
const listedPairs = ({ market, asset }: FeeQuery, { markets }: Directory): readonly Pair[] =>
  [...markets]
    .map(([id, entry]) => ({ market: id.toLowerCase(), asset: entry.asset.toLowerCase() }))
    .filter(pair => (market === '' || pair.market === market) && (asset === '' || pair.asset === asset));

/** The pairs that the rows can be of. Undefined if these are not all: the newest epoch has another, or an asset is not known. */
async function allPairs(requester: Requester, listed: readonly Pair[]): Promise<readonly Pair[] | undefined> {
  const { rows, isCut } = await requester.rows({});
  if (isCut || !rows.every(row => isRequested(requester, row))) return undefined;
  // A market has its fees in one asset, which any row gives.
  const pairs = listed.length === 0 && requester.query.market !== '' ? rows.slice(0, 1) : listed;
  const isListed = rows.every(row => pairs.some(pair => pair.market === row.market && pair.asset === row.asset));
  return pairs.length > 0 && isListed && pairs.every(pair => pair.asset !== '') ? pairs : undefined;
}

/** More than one epoch: the node did not answer with only the newest one. */
const hasEpochs = (rows: readonly FeeRow[]): boolean => new Set(rows.map(row => epochNumber(row.epochSeq))).size > 1;

/** Whether the node answers these filters, without a party, with more than one epoch. */
const showsEpochs = async ({ node }: Requester, filters: FilterValues): Promise<boolean> =>
  hasEpochs((await fetchLargestPage(node, filters, MAX_PROBE_ROWS)).rows);

const MAX_PROBE_ROWS = 10;

/** The same of a market and asset, some of those in its newest epoch with fees; a node without any has none in every epoch. */
async function showsEpochsOfPairs(requester: Requester): Promise<boolean> {
  const { rows } = await fetchLargestPage(requester.node, {}, MAX_PROBE_ROWS);
  for (const { market, asset } of rows.slice(0, FEW - 2))
    if (await showsEpochs(requester, { marketId: [market], assetId: [asset] })) return true;
  return rows.length === 0;
}

/** The first and last of sorted epochs; null if they are not sorted, since others may be missing in between. */
function firstAndLastEpoch(epochs: readonly (bigint | undefined)[]): Range | null {
  const known = epochs.flatMap(epoch => epoch ?? []);
  const sorted = known.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  const isInOrder = [sorted, sorted.toReversed()].some(order => order.every((epoch, at) => epoch === known[at]));
  const [from, to] = [sorted[0], sorted.at(-1)];
  return isInOrder && from !== undefined && to !== undefined ? { from, to } : null;
}

const isIn = ({ from, to }: Range, epoch: bigint | undefined): boolean =>
  epoch !== undefined && epoch >= from && epoch <= to;

const isRequested = ({ query: { market, asset } }: Requester, row: FeeRow): boolean =>
  (market === '' || row.market === market) && (asset === '' || row.asset === asset);

interface EachOptions {
  readonly wide: Found | null;
  readonly directory: Directory;
}

interface FoundEach extends Found {
  readonly problems: readonly string[];
}

/** The epochs still unknown, one by one, newest first. */
async function fetchEach(requester: Requester, reach: Range, { wide, directory }: EachOptions): Promise<FoundEach> {
  const oldest = most(reach.from, reach.to - MAX_EPOCH_REQUESTS + 1n);
  const isKnown = (epoch: bigint): boolean => wide?.spans.some(span => isIn(span, epoch)) === true;
  const epochs = Array.from({ length: Number(reach.to - oldest + 1n) }, (_, step) => reach.to - BigInt(step)).filter(
    epoch => !isKnown(epoch),
  );
  requester.expects(epochs.length);
  const answers: EpochAnswer[] = [];
  let notRecorded = '';
  try {
    for (const epoch of epochs) {
      const answer = await fetchEpoch(requester, epoch, directory);
      answers.push(answer);
      // It would do the same for the others.
      if (answer.instead !== undefined) break;
    }
  } catch (error) {
    // A snapshot has only the last epochs: older ones stay unknown.
    if (!(error instanceof NotInSnapshotError) || answers.length === 0) throw error;
    notRecorded = error.message;
  }
  const instead = answers.find(answer => answer.instead !== undefined) ?? (await insteadOfNone(requester, answers));
  const answerOf = new Map(answers.map(answer => [answer.epoch, answer]));
  const kindOf = (epoch: bigint): EpochSpan['kind'] => {
    const answer = answerOf.get(epoch);
    const isUnsure = answer === undefined || (instead !== undefined && answer.rows.length === 0);
    return isUnsure || !answer.isWhole ? 'not-known' : 'known';
  };
  const isCapped = reach.from < oldest && !(isKnown(reach.from) && isKnown(oldest - 1n));
  return {
    rows: answers.flatMap(({ rows }) => rows),
    spans: [
      ...(isCapped ? [{ kind: 'not-known', from: reach.from, to: oldest - 1n } as const] : []),
      ...epochs.map(epoch => ({ kind: kindOf(epoch), from: epoch, to: epoch })),
    ],
    problems: [
      ...(notRecorded === '' ? [] : [notRecorded]),
      ...(instead === undefined
        ? []
        : [`the node ignores the epoch filter: it answered ${instead.instead} for epoch ${instead.epoch}`]),
      ...(isCapped
        ? [`only the newest ${MAX_EPOCH_REQUESTS} epochs were requested: use --epochs A..B for older ones`]
        : []),
      ...answers.flatMap(({ problems }) => problems),
    ],
  };
}

interface EpochAnswer {
  readonly epoch: bigint;
  readonly rows: readonly FeeRow[];
  /** All rows of the epoch are present. */
  readonly isWhole: boolean;
  /** The epoch the node answered with, if it is another one. */
  readonly instead?: string;
  readonly problems: readonly string[];
}

async function fetchEpoch(requester: Requester, epoch: bigint, directory: Directory): Promise<EpochAnswer> {
  const { rows, isCut } = await requester.rows({ epochSeq: [String(epoch)] });
  const ofEpoch = rows.filter(row => epochNumber(row.epochSeq) === epoch);
  const own = ofEpoch.filter(row => isRequested(requester, row));
  const [other] = rows.filter(row => epochNumber(row.epochSeq) !== epoch);
  if (ofEpoch.length === 0 && other !== undefined)
    return { epoch, rows: [], isWhole: false, instead: `epoch ${other.epochSeq}`, problems: [] };
  if (isCut) return fetchParts(requester, epoch, { own, directory });
  const left = rows.length - own.length;
  const problems = left === 0 ? [] : [`epoch ${epoch}: rows of other epochs, markets or assets came too: left out`];
  return { epoch, rows: own, isWhole: true, problems };
}

/** An epoch with more rows than fit a page: market by market, or asset by asset, since cursors do not work. */
async function fetchParts(
  requester: Requester,
  epoch: bigint,
  { own, directory }: { readonly own: readonly FeeRow[]; readonly directory: Directory },
): Promise<EpochAnswer> {
  const { query } = requester;
  const cut = (what: string): EpochAnswer['problems'] => [
    `epoch ${epoch}: the node has more rows than it gives at once; ${what}`,
  ];
  if (query.market !== '' && query.asset !== '')
    return { epoch, rows: own, isWhole: false, problems: cut('the others are not known') };
  const isByMarket = query.market === '';
  const [name, listed] = isByMarket
    ? (['marketId', directory.markets] as const)
    : (['assetId', directory.assets] as const);
  const idIn = (row: FeeRow): string => (isByMarket ? row.market : row.asset);
  const ids = [...new Set([...own.map(idIn), ...listed.keys()])].filter(id => feeId(name, id) !== '');
  const parts: FeePage[] = [];
  for (const id of ids) {
    const { rows, isCut } = await requester.rows({ epochSeq: [String(epoch)], [name]: [id] });
    const ofPart = rows.filter(
      row => epochNumber(row.epochSeq) === epoch && isRequested(requester, row) && idIn(row) === id,
    );
    parts.push({ rows: ofPart, isCut });
  }
  const whose = `${ids.length} ${isByMarket ? 'markets' : 'assets'} known here`;
  return {
    epoch,
    rows: parts.flatMap(({ rows }) => rows),
    isWhole: false,
    problems: cut(`requested for each of the ${whose}: fees on others may be missing`),
  };
}

/**
 * If fewer than two epochs had rows, empty answers may come from a node that ignores the epoch filter. Requests without the
 * party show it, since such a node answers both with the same epoch.
 */
async function insteadOfNone(
  requester: Requester,
  answers: readonly EpochAnswer[],
): Promise<Pick<EpochAnswer, 'epoch' | 'instead'> | undefined> {
  const empty = answers.filter(({ rows }) => rows.length === 0);
  for (const { epoch } of empty.slice(0, Math.max(0, 2 - (answers.length - empty.length)))) {
    const [row] = (await fetchLargestPage(requester.node, { epochSeq: [String(epoch)] }, 1)).rows;
    if (row !== undefined && epochNumber(row.epochSeq) !== epoch) return { epoch, instead: `epoch ${row.epochSeq}` };
  }
  return undefined;
}

/** A node that ignores the party filter is still trusted, since other parties can be filtered out here. */
function otherParties(rows: readonly FeeRow[], { party }: FeeQuery): readonly string[] {
  const isOther = (row: FeeRow): boolean => {
    const amm = derivedParty(party, row.market);
    return row.feesPaidPerParty.some(({ party: id }) => id.toLowerCase() !== party && id.toLowerCase() !== amm);
  };
  return party !== '' && rows.some(isOther) ? ['the node answered with other parties too: they are left out'] : [];
}

/** Sorted, with adjacent spans of one kind joined. */
function joined(spans: readonly EpochSpan[]): readonly EpochSpan[] {
  const found: EpochSpan[] = [];
  const sorted = spans.filter(({ from, to }) => from <= to).toSorted((one, other) => (one.from < other.from ? -1 : 1));
  for (const span of sorted) {
    const last = found.at(-1);
    if (last?.kind === span.kind && last.to + 1n === span.from) found[found.length - 1] = { ...last, to: span.to };
    else found.push(span);
  }
  return found;
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);
const most = (one: bigint, other: bigint): bigint => (one > other ? one : other);
