import { seededAddress, seededHex } from './seeded-random.ts';

export interface Asset {
  readonly id: string;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  /** The smallest amount worth noticing, in smallest units. */
  readonly quantum: string;
  readonly contractAddress: string;
}

export interface Market {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly kind: 'future' | 'perpetual' | 'spot';
  readonly settlementAsset: Asset;
  /** What a spot market trades. */
  readonly baseAsset: Asset;
  readonly decimalPlaces: number;
  readonly positionDecimalPlaces: number;
  /** The block the market appeared in. */
  readonly createdHeight: number;
  /** The oracle specs it depends on; none for a spot market. */
  readonly specs: MarketSpecs;
  /** A usual price, in the market's decimal places. */
  readonly typicalPrice: number;
  /** Fees as fractions of the value of a trade. */
  readonly feeFactors: FeeFactors;
}

interface FeeFactors {
  readonly makerFee: string;
  readonly infrastructureFee: string;
  readonly liquidityFee: string;
}

/** Assigned to the markets in turn. */
const LIQUIDITY_FEES = ['0.001', '0.0005', '0.0015', '0.002', '0.003'];

/** Ids of the specs for the settlement price and for the termination or the funding schedule. */
interface MarketSpecs {
  readonly settlement?: string;
  readonly termination?: string;
  readonly schedule?: string;
}

const ASSET_FACTS = [
  ['Tether USD', 'USDT', 6, '1000000'],
  ['USD Coin', 'USDC', 6, '1000000'],
  ['Vega', 'VEGA', 18, '1000000000000000000'],
  ['Wrapped Ether', 'WETH', 18, '500000000000000'],
  ['Wrapped BTC', 'WBTC', 8, '4000'],
] as const;

type MarketFacts = readonly [
  code: string,
  name: string,
  kind: Market['kind'],
  asset: string,
  decimalPlaces: number,
  positionDecimalPlaces: number,
  createdHeight: number,
  typicalPrice: number,
];

const MARKET_FACTS: readonly [MarketFacts, ...MarketFacts[]] = [
  ['BTC/USDT-PERP', 'Bitcoin / Tether USD (Perpetual)', 'perpetual', 'USDT', 1, 4, 12, 672_140],
  ['ETH/USDT-PERP', 'Ether / Tether USD (Perpetual)', 'perpetual', 'USDT', 2, 3, 12, 318_455],
  ['SOL/USDT-PERP', 'Solana / Tether USD (Perpetual)', 'perpetual', 'USDT', 3, 2, 640, 148_220],
  ['LINK/USDC-PERP', 'Chainlink / USD Coin (Perpetual)', 'perpetual', 'USDC', 4, 1, 1280, 143_870],
  // The same code again: only the id identifies a market.
  ['LINK/USDC-PERP', 'Chainlink / USD Coin (Perpetual, relaunched)', 'perpetual', 'USDC', 3, 2, 2210, 14_390],
  ['BTC/USDT-DEC', 'Bitcoin / Tether USD (Futures)', 'future', 'USDT', 1, 4, 2210, 689_000],
  ['ETH/USDC-DEC', 'Ether / USD Coin (Futures)', 'future', 'USDC', 2, 3, 3900, 322_010],
  ['VEGA/USDT', 'Vega / Tether USD (Spot)', 'spot', 'USDT', 6, 1, 5050, 84_300],
  ['WETH/USDC', 'Wrapped Ether / USD Coin (Spot)', 'spot', 'USDC', 2, 4, 5050, 318_300],
  ['LDO/WETH-PERP', 'Lido DAO / Wrapped Ether (Perpetual)', 'perpetual', 'WETH', 9, 1, 8770, 641_200],
  ['VEGA/WBTC-PERP', 'Vega / Wrapped BTC (Perpetual)', 'perpetual', 'WBTC', 8, 0, 12_400, 126],
  ['GDP-US/VEGA-Q4', 'US GDP growth, "advance" estimate, Q4', 'future', 'VEGA', 4, 2, 14_600, 28_000],
];

export function createAssets(seed: string): readonly [Asset, ...Asset[]] {
  const asset = ([name, symbol, decimals, quantum]: (typeof ASSET_FACTS)[number]): Asset => ({
    id: seededHex(`${seed}/asset/${symbol}`),
    name,
    symbol,
    decimals,
    quantum,
    contractAddress: seededAddress(`${seed}/asset/${symbol}`),
  });
  const [first, ...others] = ASSET_FACTS;
  return [asset(first), ...others.map(asset)];
}

export function createMarkets(seed: string, assets: readonly [Asset, ...Asset[]]): readonly [Market, ...Market[]] {
  const market = (facts: MarketFacts, index: number): Market => {
    const [code, name, kind, symbol, decimalPlaces, positionDecimalPlaces, createdHeight, typicalPrice] = facts;
    const assetCalled = (wanted = '') => assets.find(asset => asset.symbol === wanted) ?? assets[0];
    const id = seededHex(`${seed}/market/${code}/${createdHeight}`);
    return {
      id,
      code,
      name,
      kind,
      settlementAsset: assetCalled(symbol),
      baseAsset: assetCalled(code.split('/')[0]),
      decimalPlaces,
      positionDecimalPlaces,
      createdHeight,
      specs: marketSpecIds(kind, id),
      typicalPrice,
      feeFactors: {
        makerFee: '0.0002',
        infrastructureFee: '0.0005',
        liquidityFee: LIQUIDITY_FEES[index % LIQUIDITY_FEES.length] ?? '0.001',
      },
    };
  };
  const [first, ...others] = MARKET_FACTS;
  return [market(first, 0), ...others.map((facts, index) => market(facts, index + 1))];
}

function marketSpecIds(kind: Market['kind'], id: string): MarketSpecs {
  const specFor = (purpose: string) => seededHex(`${id}/${purpose}`);
  switch (kind) {
    case 'future':
      return { settlement: specFor('settlement'), termination: specFor('termination') };
    case 'perpetual':
      return { settlement: specFor('settlement'), schedule: specFor('schedule') };
    case 'spot':
      return {};
  }
}
