import { NodeError, RateLimitedError } from '../../api/errors.ts';
import type { Json, JsonObject } from '../../api/json.ts';
import { type Directory, nameOf } from '../../directory/directory.ts';
import { countOf } from '../../insight/count-of.ts';
import { type FeeShare, fractionShown } from '../../insight/fee-share.ts';
import type { FeeRow } from '../../insight/paid-fees.ts';
import { readEntries } from '../../insight/statement.ts';
import { sanitize } from '../../text/safe-text.ts';
import { truncateMiddle } from '../../text/width.ts';
import type { Ask } from '../explanation.ts';
import {
  type MarketProviders,
  marketsOfProvider,
  type Provider,
  providersOnMarket,
} from '../provision/market-providers.ts';
import { byShare, figuresJson, marketProvidersJson } from '../provision/provider.ts';
import type { FeeNode, FeeQuery } from './fee-node.ts';

/** How the liquidity fees of the markets of a statement are shared now. */
export interface SharesNow {
  readonly markets: readonly { readonly marketId: string; readonly found: MarketProviders | undefined }[];
  /** Markets the party provides on, which were not requested. */
  readonly more: number;
  /** What is missing was refused, because the node limits requests. */
  readonly isLimited?: boolean;
}

/** Every market takes a request, and its answer lists all its providers. */
const MOST_MARKETS = 5;

interface Fetched {
  readonly query: FeeQuery;
  readonly rows: readonly FeeRow[];
  readonly requests: number;
}

/** Requests it for a statement; undefined if the node does not list providers. */
export async function fetchSharesNow(
  { query, rows, requests }: Fetched,
  node: FeeNode,
  onProgress: (progress: { readonly request: number; readonly of: null }) => void,
): Promise<SharesNow | undefined> {
  let request = requests;
  let isLimited = false;
  const onLimit = (): void => {
    isLimited = true;
  };
  const ask: Ask = async asked => {
    onProgress({ request: ++request, of: null });
    return answerOf(node, asked, onLimit);
  };
  const { party, market } = query;
  const all = market === '' ? await marketsOfProvider(ask, party) : [market];
  if (all === undefined) return isLimited ? { markets: [], more: 0, isLimited } : undefined;
  const entries = readEntries(rows, party).entries;
  const newest = entries.reduce((latest, { epoch }) => (epoch > latest ? epoch : latest), -1n);
  const paid = new Set(entries.flatMap(({ epoch, line }) => (epoch === newest ? [line.market.toLowerCase()] : [])));
  const chosen = all.toSorted((one, other) => Number(paid.has(other)) - Number(paid.has(one))).slice(0, MOST_MARKETS);
  const once = sharedAsk(ask);
  const markets = await Promise.all(
    chosen.map(async marketId => ({ marketId, found: await providersOnMarket(once, marketId) })),
  );
  if (markets.length > 0 && !isLimited && markets.every(({ found }) => found === undefined)) return undefined;
  return { markets, more: all.length - chosen.length, ...(isLimited ? { isLimited } : {}) };
}

async function answerOf(
  node: FeeNode,
  request: Parameters<FeeNode['get']>[0],
  onLimit: () => void,
): Promise<Json | undefined> {
  try {
    return await node.get(request);
  } catch (error) {
    if (error instanceof RateLimitedError) onLimit();
    if (error instanceof NodeError) return undefined;
    throw error;
  }
}

/** Sends a request that several markets need only once. */
function sharedAsk(ask: Ask): Ask {
  const sent = new Map<string, ReturnType<Ask>>();
  return request => {
    const key = JSON.stringify(request);
    const answer = sent.get(key) ?? ask(request);
    sent.set(key, answer);
    return answer;
  };
}

/** One sentence for each market, none if the node does not list providers; texts may hold words of the chain. */
export function sharesNowText(shares: SharesNow | undefined, party: string, directory: Directory): readonly string[] {
  if (shares === undefined) return [];
  const { markets, more, isLimited = false } = shares;
  if (markets.length === 0 && isLimited) return [`shares now: ${LIMITED}`];
  if (markets.length === 0) return ['shares now: none, the party is not among the liquidity providers'];
  return [
    ...markets.map(({ marketId, found }) => `now on ${called(directory, 'market', marketId)}: ${onMarket(found)}`),
    ...(more === 0 ? [] : [`and on ${countOf(more, 'more market')}: ask for each with --market`]),
  ];

  function onMarket(found: MarketProviders | undefined): string {
    if (found === undefined) return isLimited ? LIMITED : 'not known, the node did not list the liquidity providers';
    if (party === '') return largestText(found, directory);
    const own = providersNamed(found, party);
    const [provider] = own;
    if (own.length > 1) return 'not known, the node lists the party more than once, with different values';
    return provider === undefined ? 'the party is not among the liquidity providers' : ownText(provider);
  }
}

const LIMITED = 'not known, the node limits requests: try again later';

const providersNamed = ({ providers }: MarketProviders, party: string): readonly Provider[] =>
  providers.filter(({ partyId }) => partyId.toLowerCase() === party.toLowerCase());

function ownText({ shares: { before, after }, equityLikeShare, averageScore, feePenalty }: Provider): string {
  if ('problem' in before) return `share of the fees not known: ${before.problem}`;
  const figures = [
    ['equity-like share', equityLikeShare],
    ['score', averageScore],
    ['last fee penalty', feePenalty],
  ].flatMap(([name, text = '']) => (fractionShown(text) === undefined ? [] : [`${name} ${fractionShown(text)}`]));
  const kept = 'problem' in after ? 'not known' : `${after.percent} %`;
  return `${before.percent} % of the fees, ${kept} after penalties as in the last epoch (${figures.join(', ')})`;
}

function largestText(found: MarketProviders, directory: Directory): string {
  const providers = byShare(found.providers);
  const [first] = providers;
  if (first === undefined) return 'no liquidity providers';
  const count = countOf(providers.length, 'provider');
  const { before } = first.shares;
  if ('problem' in before) return `shares of ${count} not known: ${before.problem}`;
  const largest = providers
    .slice(0, MOST_NAMED)
    .map(({ partyId, shares }) => `${called(directory, 'party', partyId)} ${percentOf(shares.before)}`);
  const more = providers.length - largest.length;
  return `${count} share the fees: ${largest.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const MOST_NAMED = 3;

const percentOf = (share: FeeShare): string => ('problem' in share ? '-' : `${share.percent} %`);

const called = (directory: Directory, entity: 'market' | 'party', id: string): string =>
  nameOf(directory, entity, id) ?? truncateMiddle(sanitize(id), SHORT_ID);

const SHORT_ID = 10;

/** With the stable member names of docs/statement.md; null if the node does not list providers. */
export function sharesNowJson(
  shares: SharesNow | undefined,
  party: string,
  directory: Directory,
): readonly JsonObject[] | null {
  if (shares === undefined || (shares.isLimited === true && shares.markets.length === 0)) return null;
  return shares.markets.map(({ marketId, found }) => {
    const market = { market: marketId, marketName: nameOf(directory, 'market', marketId) ?? null };
    if (party === '' || found === undefined) return { ...market, fees: marketProvidersJson(found, directory) };
    const [provider, ...others] = providersNamed(found, party);
    const isKnown = provider !== undefined && others.length === 0;
    return { ...market, fees: isKnown ? { equityPart: found.equityPart || null, ...figuresJson(provider) } : null };
  });
}
