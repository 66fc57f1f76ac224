import { isJsonObject, type Json, type JsonObject, jsonText, member } from '../api/json.ts';
import { readPage } from '../api/page.ts';
import { type Directory, nameOf, unitOfAsset } from '../directory/directory.ts';
import { definitionKey, type MarketSpec, specsOfMarket } from '../directory/market-specs.ts';
import { toWholeUnits } from '../insight/decimal.ts';
import type { Tone } from '../insight/kind.ts';
import { watchesSentence } from '../insight/oracle/source-sentence.ts';
import { readSource } from '../resources/oracle-source.ts';
import type { Row } from '../resources/resource.ts';
import type { Ask, ExplainedLine, Explainer } from './explanation.ts';
import { fetchMarketProviders } from './provision/market-providers.ts';
import { marketProviderParts, marketProvidersJson } from './provision/provider.ts';

/** A market in words: product, state, units, the oracle specs it uses and how its providers share its fees. */
export const explainMarket: Explainer = async (row, { directory, ask }) => {
  const market = readMarket(row);
  const [specs, providers] = await Promise.all([
    withIds(specsOfMarket(row), ask),
    isMarketOver(market) || market.id === '' ? undefined : fetchMarketProviders(ask, market.id),
  ]);
  return {
    parts: [
      { title: '', lines: headline(market, directory) },
      ...(specs.length === 0 ? [] : [{ title: 'Oracle specs it uses', lines: specs.map(specLine) }]),
      ...(isMarketOver(market) || market.id === '' ? [] : marketProviderParts(providers, directory)),
    ],
    json: { ...asJson(market, specs, directory), fees: marketProvidersJson(providers, directory) },
    copies: [],
  };
};

/** A market that is over has no liquidity providers. */
const isMarketOver = ({ state }: Market): boolean => OVER.includes(state);

const OVER: readonly string[] = ['REJECTED', 'CANCELLED', 'CLOSED', 'SETTLED'];

/** Definitions have no ids: finds them in the list of specs by definition (protocol.md section 5.3). */
async function withIds(named: readonly MarketSpec[], ask: Ask): Promise<readonly MarketSpec[]> {
  if (named.every(({ specId }) => specId !== '')) return named;
  const answer = await ask({ path: 'api/v2/oracle/specs', query: [['pagination.first', String(MAX_REQUESTED_SPECS)]] });
  const records = (answer === undefined ? undefined : readPage(answer, 'oracleSpecs'))?.records ?? [];
  const ids = new Map(
    records.map(record => {
      const spec = member(member(record, 'externalDataSourceSpec'), 'spec');
      return [definitionKey(member(spec, 'data')), jsonText(member(spec, 'id'))];
    }),
  );
  return named.map(spec => (spec.specId === '' ? { ...spec, specId: ids.get(definitionKey(spec.data)) ?? '' } : spec));
}

/** As many as one answer can hold. */
const MAX_REQUESTED_SPECS = 1000;

const specLine = ({ use, specId, data }: MarketSpec): ExplainedLine => ({
  label: USE_WORDS[use],
  text: specId || (describeData(data) ?? 'an unknown kind of definition'),
  ...(specId !== '' && { leadsTo: { entity: 'spec', id: specId } }),
});

function describeData(data: Json): string | undefined {
  const source = readSource(data);
  return source === undefined ? undefined : watchesSentence(source);
}

const USE_WORDS: { readonly [use in MarketSpec['use']]: string } = {
  settlement: 'settlement',
  termination: 'termination',
  schedule: 'schedule',
  'mark-price': 'mark price',
  'internal-composite-price': 'funding price',
};

interface Market {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly state: string;
  readonly tradingMode: string;
  /** '' if it is of an unknown kind. */
  readonly product: string;
  readonly asset: string;
  /** '' if the node does not report it. */
  readonly smallestPrice: string;
  readonly smallestSize: string;
}

function readMarket(row: Row): Market {
  const instrument = member(member(row, 'tradableInstrument'), 'instrument');
  const product = PRODUCTS.find(name => isJsonObject(member(instrument, name))) ?? '';
  const terms = member(instrument, product);
  return {
    id: jsonText(row.id),
    code: jsonText(member(instrument, 'code')),
    name: jsonText(member(instrument, 'name')),
    state: jsonText(row.state).replace(/^STATE_/, ''),
    tradingMode: jsonText(row.tradingMode).replace(/^TRADING_MODE_/, ''),
    product,
    asset: jsonText(member(terms, 'settlementAsset') ?? member(terms, 'quoteAsset')),
    smallestPrice: priceStep(row.decimalPlaces, jsonText(row.tickSize)),
    smallestSize: priceStep(row.positionDecimalPlaces, ''),
  };
}

const PRODUCTS: readonly string[] = ['future', 'perpetual', 'spot'];

/** The step in whole units; before v0.75.8 nodes send no tick size, and it is 1 (protocol.md section 6). */
function priceStep(places: Json | undefined, tickSize: string): string {
  const text = jsonText(places);
  const step = tickSize === '' ? '1' : tickSize;
  return /^-?\d{1,3}$/.test(text) && /^\d*[1-9]\d*$/.test(step) ? (toWholeUnits(step, Number(text)) ?? '') : '';
}

function headline(market: Market, directory: Directory): readonly ExplainedLine[] {
  const { code, name, state, tradingMode, product, asset, smallestPrice, smallestSize, id } = market;
  const unit = unitOfAsset(directory, asset);
  const price = smallestPrice !== '' && unit !== undefined ? `${smallestPrice} ${unit.symbol}` : smallestPrice;
  return [
    {
      label: '',
      text: [code, name].filter(text => text !== '').join('  ') || 'an unnamed market',
      ...(name !== '' && { short: name }),
    },
    {
      label: 'state',
      text: [state, tradingMode].filter(text => text !== '').join(', ') || NOT_GIVEN,
      tone: stateTone(state),
    },
    { label: 'product', text: product || 'unknown' },
    {
      label: product === 'spot' ? 'paid in' : 'settles in',
      text: nameOf(directory, 'asset', asset) ?? (asset || NOT_GIVEN),
      ...(asset !== '' && { copied: asset, leadsTo: { entity: 'asset', id: asset } }),
    },
    { label: 'smallest price step', text: price || NOT_GIVEN },
    { label: 'smallest size', text: smallestSize || NOT_GIVEN },
    { label: 'id', text: id, leadsTo: { entity: 'market', id } },
  ];
}

const NOT_GIVEN = 'not reported';

function stateTone(state: string): Tone {
  if (state === 'ACTIVE') return 'good';
  if (state === 'TRADING_TERMINATED' || state === 'REJECTED') return 'bad';
  return ['PROPOSED', 'PENDING', 'SUSPENDED', 'SUSPENDED_VIA_GOVERNANCE'].includes(state) ? 'pending' : 'quiet';
}

function asJson(market: Market, specs: readonly MarketSpec[], directory: Directory): JsonObject {
  const { asset, smallestPrice, smallestSize, ...fields } = market;
  const unit = unitOfAsset(directory, asset);
  return {
    ...fields,
    asset: { id: asset, symbol: unit?.symbol ?? null, decimals: unit?.decimals ?? null },
    smallest: { price: smallestPrice || null, size: smallestSize || null },
    specs: specs.map(({ use, specId, data }) => ({ use, id: specId || null, words: describeData(data) ?? null })),
  };
}
