import { isJsonObject, type Json, type JsonObject, jsonText, member } from '../api/json.ts';
import { type Directory, nameOf, type SpecUse, unitOfAsset } from '../directory/directory.ts';
import { scaled } from '../insight/decimal.ts';
import type { Tone } from '../insight/kind.ts';
import type { Row } from '../resources/resource.ts';
import type { ExplainedLine, Explainer } from './explanation.ts';

/** A market in words: what it trades and whether it does, in which units, and the oracle specs that it waits for. */
export const explainMarket: Explainer = async (row, { directory }) => {
  const market = readMarket(row);
  const waits = market.specs.map(({ use, specId }): ExplainedLine => ({ label: use, text: specId }));
  return {
    parts: [
      { title: '', lines: headline(market, directory) },
      ...(waits.length === 0 ? [] : [{ title: 'Oracle specs that it waits for', lines: waits }]),
    ],
    json: asJson(market, directory),
    copies: [],
  };
};

interface Market {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly state: string;
  readonly tradingMode: string;
  /** '' when it is none that is known here. */
  readonly product: string;
  readonly asset: string;
  /** '' where the node does not say. */
  readonly smallestPrice: string;
  readonly smallestSize: string;
  readonly specs: readonly SpecUse[];
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
    smallestPrice: stepOf(row.decimalPlaces),
    smallestSize: stepOf(row.positionDecimalPlaces),
    specs: SPECS.flatMap(([name, use]) => {
      const specId = jsonText(member(member(terms, name), 'id'));
      return specId === '' ? [] : [{ use, specId }];
    }),
  };
}

const PRODUCTS: readonly string[] = ['future', 'perpetual', 'spot'];

const SPECS: readonly (readonly [member: string, use: SpecUse['use']])[] = [
  ['dataSourceSpecForSettlementData', 'settlement'],
  ['dataSourceSpecForTradingTermination', 'termination'],
  ['dataSourceSpecForSettlementSchedule', 'schedule'],
];

const stepOf = (places: Json | undefined): string => {
  const text = jsonText(places);
  return /^-?\d{1,3}$/.test(text) ? (scaled('1', Number(text)) ?? '') : '';
};

function headline(market: Market, directory: Directory): readonly ExplainedLine[] {
  const { code, name, state, tradingMode, product, asset, smallestPrice, smallestSize, id } = market;
  const unit = unitOfAsset(directory, asset);
  const price = smallestPrice !== '' && unit !== undefined ? `${smallestPrice} ${unit.symbol}` : smallestPrice;
  return [
    { label: '', text: [code, name].filter(text => text !== '').join('  ') || 'a market without a name' },
    {
      label: 'state',
      text: [state, tradingMode].filter(text => text !== '').join(', ') || UNSAID,
      tone: toneOf(state),
    },
    { label: 'product', text: product || 'of a kind not known here' },
    {
      label: product === 'spot' ? 'paid in' : 'settles in',
      text: nameOf(directory, 'asset', asset) ?? (asset || UNSAID),
      ...(asset !== '' && { copied: asset, leadsTo: { entity: 'asset', id: asset } }),
    },
    { label: 'smallest price step', text: price || UNSAID },
    { label: 'smallest size', text: smallestSize || UNSAID },
    { label: 'id', text: id, leadsTo: { entity: 'market', id } },
  ];
}

const UNSAID = 'the node does not say';

function toneOf(state: string): Tone {
  if (state === 'ACTIVE') return 'good';
  if (state === 'TRADING_TERMINATED' || state === 'REJECTED') return 'bad';
  return ['PROPOSED', 'PENDING', 'SUSPENDED', 'SUSPENDED_VIA_GOVERNANCE'].includes(state) ? 'pending' : 'quiet';
}

function asJson(market: Market, directory: Directory): JsonObject {
  const { asset, smallestPrice, smallestSize, specs, ...said } = market;
  const unit = unitOfAsset(directory, asset);
  return {
    ...said,
    asset: { id: asset, symbol: unit?.symbol ?? null, decimals: unit?.decimals ?? null },
    smallest: { price: smallestPrice || null, size: smallestSize || null },
    specs: specs.map(({ use, specId }) => ({ use, id: specId })),
  };
}
