import * as v from 'valibot';
import { statusKind } from '../insight/kind.ts';
import { distinguishingDigits } from './distinguishing-digits.ts';
import { object, text, variant } from './field.ts';
import { defineResource } from './resource.ts';

const settledIn = variant(object({ settlementAsset: text }));

const instrument = object({
  code: text,
  name: text,
  future: settledIn,
  perpetual: settledIn,
  spot: variant(object({ quoteAsset: text })),
});
type Instrument = v.InferOutput<typeof instrument>;

const INSTRUMENT = 'tradableInstrument.instrument';

/** The members with the oracle specs of a market. */
const SPECS = [
  'future.dataSourceSpecForSettlementData',
  'future.dataSourceSpecForTradingTermination',
  'perpetual.dataSourceSpecForSettlementData',
  'perpetual.dataSourceSpecForSettlementSchedule',
];

const states = statusKind('STATE_', {
  ACTIVE: 'good',
  PROPOSED: 'pending',
  PENDING: 'pending',
  SUSPENDED: 'pending',
  SUSPENDED_VIA_GOVERNANCE: 'pending',
  TRADING_TERMINATED: 'bad',
  REJECTED: 'bad',
  CANCELLED: 'quiet',
  CLOSED: 'quiet',
  SETTLED: 'quiet',
  UNSPECIFIED: 'quiet',
});
const modes = statusKind('TRADING_MODE_', { CONTINUOUS: 'good', NO_TRADING: 'quiet' });

export const markets = defineResource({
  id: 'markets',
  title: 'Markets',
  shortTitle: 'Markets',
  description: 'markets with their state and settlement asset',
  singular: 'market',
  path: 'api/v2/markets',
  wrapperKey: 'markets',
  schema: v.object({
    id: text,
    state: text,
    tradingMode: text,
    decimalPlaces: text,
    positionDecimalPlaces: text,
    tradableInstrument: object({ instrument }),
  }),
  filters: [
    {
      name: 'includeSettled',
      title: 'settled',
      kind: 'boolean',
      meaning: 'false: hide settled markets; otherwise list them too',
      unset: () => 'included',
      textsIn: (row, { includeSettled = [] }) => (row.state === 'STATE_SETTLED' ? ['true'] : includeSettled),
    },
  ],
  columns: [
    {
      id: 'code',
      title: 'CODE',
      kind: 'name',
      isAnswer: true,
      addition: distinguishingDigits(
        row => row.id,
        row => row.tradableInstrument.instrument.code,
      ),
      value: row => row.tradableInstrument.instrument.code,
      nameOf: { entity: 'market', id: row => row.id },
    },
    { id: 'name', title: 'NAME', kind: 'text', value: row => row.tradableInstrument.instrument.name },
    { id: 'state', title: 'STATE', kind: states, isAnswer: true, value: row => row.state },
    { id: 'mode', title: 'TRADING MODE', kind: modes, value: row => row.tradingMode },
    { id: 'decimals', title: 'DECIMALS', kind: 'ordinal', value: row => row.decimalPlaces },
    {
      id: 'asset',
      title: 'SETTLES IN',
      kind: 'id',
      entity: 'asset',
      isAnswer: true,
      value: row => assetOf(row.tradableInstrument.instrument),
    },
    { id: 'id', title: 'ID', kind: 'id', entity: 'market', isOwn: true, value: row => row.id },
    { id: 'position', title: 'SIZE DECIMALS', kind: 'ordinal', isExtra: true, value: row => row.positionDecimalPlaces },
  ],
  sections: [
    {
      title: 'Market',
      paths: [
        ...[`${INSTRUMENT}.code`, `${INSTRUMENT}.name`, 'state', 'tradingMode'],
        ...['decimalPlaces', 'positionDecimalPlaces', 'tickSize', 'id'],
      ],
    },
    {
      title: 'Product',
      paths: ['future', 'perpetual', 'spot', 'id', 'metadata'].map(name => `${INSTRUMENT}.${name}`),
      notes: ({ tradableInstrument: { instrument: what } }) =>
        what.spot === null ? [] : ['a spot market does not settle: the list shows its quote asset'],
    },
    { title: 'Times', paths: ['marketTimestamps'] },
    { title: 'Succession', paths: ['parentMarketId', 'successorMarketId', 'insurancePoolFraction'] },
    { title: 'Fees', paths: ['fees'] },
    { title: 'Auctions', paths: ['openingAuction', 'priceMonitoringSettings', 'liquidityMonitoringParameters'] },
    { title: 'Liquidity', paths: ['liquiditySlaParams', 'lpPriceRange'] },
    {
      title: 'Risk',
      paths: [
        ...['tradableInstrument.marginCalculator', 'tradableInstrument.logNormalRiskModel'],
        ...['linearSlippageFactor', 'quadraticSlippageFactor', 'liquidationStrategy'],
      ],
    },
    { title: 'Mark price', paths: ['markPriceConfiguration'] },
  ],
  kinds: {
    id: 'id',
    state: states,
    tradingMode: modes,
    decimalPlaces: 'count',
    positionDecimalPlaces: 'count',
    parentMarketId: 'id',
    successorMarketId: 'id',
    insurancePoolFraction: 'factor',
    [`${INSTRUMENT}.future.settlementAsset`]: 'id',
    [`${INSTRUMENT}.future.dataSourceSpecForSettlementData.id`]: 'id',
    [`${INSTRUMENT}.perpetual.settlementAsset`]: 'id',
    [`${INSTRUMENT}.perpetual.dataSourceSpecForSettlementData.id`]: 'id',
    [`${INSTRUMENT}.spot.baseAsset`]: 'id',
    [`${INSTRUMENT}.spot.quoteAsset`]: 'id',
    'marketTimestamps.proposed': 'time',
    'marketTimestamps.pending': 'time',
    'marketTimestamps.open': 'time',
    'marketTimestamps.close': 'time',
    'fees.factors.makerFee': 'factor',
    'fees.factors.infrastructureFee': 'factor',
    'fees.factors.liquidityFee': 'factor',
    'openingAuction.duration': 'seconds',
    'priceMonitoringSettings.parameters.triggers.*.horizon': 'seconds',
    'priceMonitoringSettings.parameters.triggers.*.auctionExtension': 'seconds',
    'liquidityMonitoringParameters.targetStakeParameters.timeWindow': 'seconds',
    'liquidationStrategy.disposalTimeStep': 'seconds',
    'liquidationStrategy.fullDisposalSize': 'integer',
  },
  entities: {
    parentMarketId: 'market',
    successorMarketId: 'market',
    [`${INSTRUMENT}.spot.baseAsset`]: 'asset',
    [`${INSTRUMENT}.spot.quoteAsset`]: 'asset',
    [`${INSTRUMENT}.future.settlementAsset`]: 'asset',
    [`${INSTRUMENT}.perpetual.settlementAsset`]: 'asset',
    ...Object.fromEntries(SPECS.map(path => [`${INSTRUMENT}.${path}.id`, 'spec'] as const)),
  },
  paging: {
    // node-behaviour.md section 10: markets are sorted by the time of a block alone.
    byCursor: 'nodes skip or repeat markets of one block between pages',
    backward: 'nodes skip or repeat markets of one block between pages',
    oldestFirst: true,
    pageSize: 5000,
  },
  key: row => row.id,
});

const assetOf = ({ future, perpetual, spot }: Instrument): string =>
  (future ?? perpetual)?.settlementAsset ?? spot?.quoteAsset ?? '';
