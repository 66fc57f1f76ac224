import { isJsonArray, type JsonObject, jsonText, member, printJson } from '../../api/json.ts';
import { readPage } from '../../api/page.ts';
import type { NodeRequest } from '../../api/request.ts';
import { computeFeeShares, type FeeShares, type FeeWeight } from '../../insight/fee-share.ts';
import { askParameter } from '../ask-parameter.ts';
import type { Ask } from '../explanation.ts';

/** What decides a provider's fees, as the node sent it (protocol.md section 2.2); '' for missing values. */
export interface Provider extends FeeWeight {
  readonly partyId: string;
  readonly shares: FeeShares;
  /** Smallest units, not always whole ones. */
  readonly virtualStake: string;
  readonly averageEntryValuation: string;
  /** Fractions of the epoch. */
  readonly timeOnBook: { readonly currentEpoch: string; readonly lastEpoch: string };
  /** Of the last epoch: the part of its bond that was taken. */
  readonly bondPenalty: string;
  readonly earlierFeePenalties: readonly string[];
  /** Smallest units, not always whole ones. */
  readonly liquidity: { readonly required: string; readonly buys: string; readonly sells: string };
}

/** The providers of a market in the node's order; undefined if it does not list them. */
export interface MarketProviders {
  readonly providers: readonly Provider[];
  /** The part of the fees that is shared by equity-like share times score, as a fraction; '' if unknown. */
  readonly equityPart: string;
  /** Why these are not, or may not be, all providers. */
  readonly problem?: string;
}

export async function fetchMarketProviders(ask: Ask, marketId: string): Promise<MarketProviders | undefined> {
  const [listed, equityPart] = await Promise.all([list(ask, { marketId }), askEquityPart(ask)]);
  if (listed === undefined) return undefined;
  const rows = rowsOfMarket(listed.rows, marketId);
  const problem = listed.problem ?? repeatProblem(rows);
  const all = rows.map(row => ({ row, weight: readFeeWeight(row) }));
  const shares =
    problem === undefined
      ? computeFeeShares(
          all.map(({ weight }) => weight),
          equityPart,
        )
      : [];
  const unknown = { problem: problem ?? '' };
  return {
    providers: all.map(({ row, weight }, index) =>
      readProvider(row, weight, shares[index] ?? { before: unknown, after: unknown }),
    ),
    equityPart,
    ...(problem !== undefined && { problem }),
  };
}

/** A provider, or why nothing is known about it. */
export type ProviderResult =
  | { readonly kind: 'found'; readonly provider: Provider; readonly equityPart: string }
  | { readonly kind: 'not-served' }
  | { readonly kind: 'not-listed' }
  /** The node lists it more than once, with different values. */
  | { readonly kind: 'listed-twice' };

interface OnMarket {
  readonly marketId: string;
  readonly partyId: string;
}

/** A provider of a market; its shares depend on all providers there. */
export async function fetchProvider(ask: Ask, { marketId, partyId }: OnMarket): Promise<ProviderResult> {
  const all = await fetchMarketProviders(ask, marketId);
  if (all === undefined) return { kind: 'not-served' };
  const { equityPart, problem } = all;
  const [provider, ...others] = all.providers.filter(one => isSameId(one.partyId, partyId));
  if (others.length > 0) return { kind: 'listed-twice' };
  if (provider !== undefined) return { kind: 'found', provider, equityPart };
  if (problem === undefined) return { kind: 'not-listed' };
  const alone = await list(ask, { marketId, partyId });
  const own = rowsOfMarket(alone?.rows ?? [], marketId).filter(row => isSameId(jsonText(row.partyId), partyId));
  const [row, ...more] = own;
  if (row === undefined) return { kind: 'not-listed' };
  if (more.length > 0) return { kind: 'listed-twice' };
  const unknown = { problem };
  return {
    kind: 'found',
    provider: readProvider(row, readFeeWeight(row), { before: unknown, after: unknown }),
    equityPart,
  };
}

interface Listed {
  readonly rows: readonly JsonObject[];
  readonly problem?: string;
}

async function list(ask: Ask, filters: { readonly [name: string]: string }): Promise<Listed | undefined> {
  const request: NodeRequest = {
    path: 'api/v2/liquidity/providers',
    query: [...Object.entries(filters), ['pagination.first', '5000']],
  };
  const answer = await ask(request);
  const page = answer === undefined ? undefined : readPage(answer, 'liquidityProviders');
  if (page === undefined) return undefined;
  const { records: rows, flaws, hasNextPage } = page;
  const [flaw] = flaws;
  if (flaw !== undefined) return { rows, problem: `the list of providers contradicts itself: ${flaw}` };
  return hasNextPage ? { rows, problem: 'the node does not list all providers of this market at once' } : { rows };
}

/** Only rows of this market, in case the node does not know the filter; a row that comes twice counts once. */
function rowsOfMarket(rows: readonly JsonObject[], marketId: string): readonly JsonObject[] {
  const own = rows.filter(row => isSameId(jsonText(row.marketId), marketId));
  return [...new Map(own.map(row => [printJson(row), row])).values()];
}

function repeatProblem(rows: readonly JsonObject[]): string | undefined {
  const parties = new Set(rows.map(row => jsonText(row.partyId).toLowerCase()));
  return parties.size === rows.length ? undefined : 'the node lists a provider more than once, with different values';
}

const isSameId = (sent: string, id: string): boolean => id !== '' && sent.toLowerCase() === id.toLowerCase();

/** Releases before v0.77 do not have it and share all fees by equity-like share. */
const EQUITY_PART = 'market.liquidity.equityLikeShareFeeFraction';

async function askEquityPart(ask: Ask): Promise<string> {
  const [value, info] = await Promise.all([askParameter(EQUITY_PART, ask), ask({ path: 'api/v2/info', query: [] })]);
  if (value !== undefined) return value;
  const [, minor = ''] = /^v?0\.(\d{1,3})(?!\d)/.exec(jsonText(member(info, 'version'))) ?? [];
  return minor !== '' && Number(minor) < 77 ? '1' : '';
}

function readFeeWeight(row: JsonObject): FeeWeight {
  const share = ownPart(row, 'feeShare');
  return {
    equityLikeShare: jsonText(member(share, 'equityLikeShare')),
    averageScore: jsonText(member(share, 'averageScore')),
    feePenalty: jsonText(member(ownPart(row, 'sla'), 'lastEpochFeePenalty')),
  };
}

/** A part of the row, unless it belongs to another party. */
function ownPart(row: JsonObject, name: 'feeShare' | 'sla') {
  const part = row[name];
  const party = jsonText(member(part, 'party'));
  return party === '' || isSameId(jsonText(row.partyId), party) ? part : undefined;
}

function readProvider(row: JsonObject, weight: FeeWeight, shares: FeeShares): Provider {
  const share = ownPart(row, 'feeShare');
  const sla = ownPart(row, 'sla');
  const text = (name: string): string => jsonText(member(sla, name));
  const earlier = member(sla, 'hysteresisPeriodFeePenalties');
  return {
    ...weight,
    partyId: jsonText(row.partyId),
    shares,
    virtualStake: jsonText(member(share, 'virtualStake')),
    averageEntryValuation: jsonText(member(share, 'averageEntryValuation')),
    timeOnBook: {
      currentEpoch: text('currentEpochFractionOfTimeOnBook'),
      lastEpoch: text('lastEpochFractionOfTimeOnBook'),
    },
    bondPenalty: text('lastEpochBondPenalty'),
    earlierFeePenalties: isJsonArray(earlier) ? earlier.map(jsonText) : [],
    liquidity: {
      required: text('requiredLiquidity'),
      buys: text('notionalVolumeBuys'),
      sells: text('notionalVolumeSells'),
    },
  };
}
