import { RefusedError } from '../../api/errors.ts';
import { isJsonArray, jsonText, member } from '../../api/json.ts';
import type { Directory } from '../../directory/directory.ts';
import { epochNumber, type FeeRow } from '../../insight/paid-fees.ts';
import { MAX_PAGE_SIZE } from '../../resources/page-request.ts';
import { feeRowOf, paidLiquidityFees } from '../../resources/paid-liquidity-fees.ts';
import { feeId } from './fee-id.ts';
import type { FeeNode, FeePair, FeeQuestion } from './fee-question.ts';

/** The markets and assets that a statement has to look at, and what is known of how whole that is. */
export interface FoundPairs {
  readonly pairs: readonly FeePair[];
  /** The newest epoch of the whole node with fees, where rows of it came. */
  readonly newestPaid: bigint | undefined;
  /** What was looked for where, and what was not, in sentences. */
  readonly notes: readonly string[];
}

/**
 * No request returns every epoch of every market, so the markets and assets come first: those of the newest epoch with
 * fees, the one that a market settles in, and for a party those that it has or had a provision on, since fees are paid
 * to nobody else.
 */
export async function findPairs(question: FeeQuestion, node: FeeNode, directory: Directory): Promise<FoundPairs> {
  const { market, asset } = question;
  if (market !== '' && asset !== '') return { pairs: [{ market, asset }], newestPaid: undefined, notes: [] };
  const newest = await newestRows(question, node);
  const provided = market === '' ? await providedMarkets(question.party, node) : { markets: [market], notes: [] };
  const paid = newest
    .map(row => ({ market: feeId('marketId', row.market), asset: feeId('assetId', row.asset) }))
    .filter(pair => pair.market !== '' && pair.asset !== '');
  const known = [...question.seen, ...paid];
  const settled = await settledPairs(provided.markets, question, { node, directory, known });
  const pairs = distinct([...known, ...settled.pairs]).filter(
    pair => (asset === '' || pair.asset === asset) && (market === '' || pair.market === market),
  );
  const newestPaid = newest.flatMap(row => epochNumber(row.epochSeq) ?? [])[0];
  const scope = market === '' ? partyScope(pairs.length, newestPaid) : marketScope(newestPaid);
  return { pairs, newestPaid, notes: [scope, ...provided.notes, ...settled.notes] };
}

/** The rows of the newest epoch with fees that are the party's, or the market's. */
async function newestRows({ party, market, asset }: FeeQuestion, node: FeeNode): Promise<readonly FeeRow[]> {
  const filters = {
    ...(market !== '' && { marketId: [market] }),
    ...(asset !== '' && { assetId: [asset] }),
    // Of a market every asset counts, whoever was paid in it.
    ...(market === '' && { partyIds: [party] }),
  };
  const { rows } = await node.page(paidLiquidityFees, {
    filters,
    size: MAX_PAGE_SIZE,
    newestFirst: true,
    position: { kind: 'first' },
  });
  return rows.map(feeRowOf);
}

interface ProvidedMarkets {
  readonly markets: readonly string[];
  readonly notes: readonly string[];
}

/** Every version that the node keeps of the party's provisions, also of those that are over. */
async function providedMarkets(party: string, node: FeeNode): Promise<ProvidedMarkets> {
  const query = [
    ['partyId', party],
    ['pagination.first', String(MAX_PAGE_SIZE)],
  ] as const;
  try {
    const list = member(await node.get({ path: 'api/v2/liquidity/provisions', query }), 'liquidityProvisions');
    const edges = member(list, 'edges');
    const ids = isJsonArray(edges) ? edges.map(edge => jsonText(member(member(edge, 'node'), 'marketId'))) : [];
    const isCut = member(member(list, 'pageInfo'), 'hasNextPage') === true;
    return {
      markets: [...new Set(ids.map(id => feeId('marketId', id)).filter(id => id !== ''))],
      notes: isCut
        ? [`the party has more than ${MAX_PAGE_SIZE} versions of provisions: older ones were not looked at`]
        : [],
    };
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return {
      markets: [],
      notes: ['the node does not tell the provisions of the party: only markets of the newest epoch'],
    };
  }
}

interface Knowing {
  readonly node: FeeNode;
  readonly directory: Directory;
  readonly known: readonly FeePair[];
}

/** Asks for the asset of a market only where neither its rows nor the directory name one. */
async function settledPairs(markets: readonly string[], { asset }: FeeQuestion, { node, directory, known }: Knowing) {
  const pairs: FeePair[] = [];
  const unknown: string[] = [];
  const paidOn = new Set(known.map(({ market }) => market));
  for (const market of markets) {
    if (paidOn.has(market) && !directory.markets.has(market)) continue;
    const settlement =
      asset || feeId('assetId', directory.markets.get(market)?.asset ?? '') || (await assetOf(market, node));
    if (settlement === '') unknown.push(market);
    else pairs.push({ market, asset: settlement });
  }
  return { pairs, notes: unknown.length === 0 ? [] : [unknownAssets(unknown)] };
}

const unknownAssets = (markets: readonly string[]): string =>
  `the asset is not known, so that they were looked at in the newest epoch alone, of ${
    markets.length === 1 ? 'the market' : `${markets.length} markets`
  }: ${markets.join(', ')}`;

/** The asset that a market settles in, or is quoted in; '' when the node does not say. */
async function assetOf(market: string, node: FeeNode): Promise<string> {
  try {
    const answer = await node.get({ path: `api/v2/market/${encodeURIComponent(market)}`, query: [] });
    const instrument = member(member(member(answer, 'market'), 'tradableInstrument'), 'instrument');
    const [future, perpetual, spot] = ['future', 'perpetual', 'spot'].map(product => member(instrument, product));
    const found = [member(future, 'settlementAsset'), member(perpetual, 'settlementAsset'), member(spot, 'quoteAsset')];
    return feeId('assetId', found.map(jsonText).find(id => id !== '') ?? '');
  } catch (error) {
    if (error instanceof RefusedError) return '';
    throw error;
  }
}

const distinct = (pairs: readonly FeePair[]): readonly FeePair[] => [
  ...new Map(pairs.map(pair => [`${pair.market}/${pair.asset}`, pair])).values(),
];

function partyScope(count: number, newest: bigint | undefined): string {
  const paid = newest === undefined ? 'in the newest epoch with fees' : `in epoch ${newest}, the newest with fees,`;
  const looked = `looked at ${count} ${count === 1 ? 'market and asset' : 'markets and assets'}`;
  return `${looked}: where the party was paid ${paid} and where the node knows a provision of it; no other was asked for`;
}

const marketScope = (newest: bigint | undefined): string =>
  `assets looked at: the one the market settles in and those paid ${
    newest === undefined ? 'in the newest epoch with fees' : `in epoch ${newest}, the newest with fees`
  }; no other was asked for`;
