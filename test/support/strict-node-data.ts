import { createHash } from 'node:crypto';
import type { ExactJson } from './exact-json.ts';
import type { Row } from './strict-node-pages.ts';

export const marketIds = Array.from({ length: 7 }, (_, index) => idOf(`market-${index}`));
export const partyIds = Array.from({ length: 20 }, (_, index) => idOf(`party-${index}`));
export const assetIds = Array.from({ length: 3 }, (_, index) => idOf(`asset-${index}`));
export const nodeIds = Array.from({ length: 3 }, (_, index) => idOf(`node-${index}`));

/** The last complete epoch: what paid fees are reported for when no epoch is asked for (4.5). */
export const lastEpoch = '4100';

/** A reference that would set the terminal's title and clear its screen, were it printed as it is. */
export const hostileReference = '\u001b]0;owned\u0007\u001b[2Jtwo\r\nlines\u202e';

const statuses = ['UNSPECIFIED', 'ACTIVE', 'STOPPED', 'CANCELLED', 'REJECTED', 'UNDEPLOYED', 'PENDING'];
const pegs = ['UNSPECIFIED', 'MID', 'BEST_BID', 'BEST_ASK'];
const provisionCount = 2_300;
const newestCreatedAt = 1_700_000_000_123_456_789n;
const pastSafeInteger = 9_007_199_254_740_993n;

/** Values of every look: number, duration, boolean, list, object, empty, long, and ones with odd characters. */
const parameters: readonly (readonly [key: string, value: string])[] = [
  ['blockchains.ethereumConfig', '{"network_id":"11155111","chain_id":"11155111","confirmations":64}'],
  ['governance.proposal.market.minClose', '48h0m0s'],
  ['limits.markets.maxPeggedOrders', '1500'],
  ['market.fee.factors.makerFee', '0.0002'],
  ['market.liquidity.providersFeeCalculationTimeStep', '1m'],
  ['market.margin.scalingFactors', '{"search_level":1.1,"initial_margin":1.5,"collateral_release":1.7}'],
  ['network.checkpoint.timeElapsedBetweenCheckpoints', '1h'],
  ['reward.asset', idOf('asset-0')],
  ['spam.protection.max.votes', '3'],
  ['transfer.fee.maxQuantumAmount', '340282366920938463463374607431768211455'],
  ['validators.epoch.length', '24h0m0s'],
  ['limits.proposeMarketEnabledFrom', ''],
  ['market.stake.target.scalingFactor', '0.5'],
  ['rewards.note', 'käse, 漢字 and "quotes"\nand a second line'],
];

export const parameterRows: readonly Row[] = rows(30, index => {
  const [key, value] = parameters[index] ?? [`strict.parameter.${index}`, String(index)];
  return { key, value };
});

/** Oldest first. The newest one holds the numbers that do not survive a double. */
export const provisionRows = rows(provisionCount, index => {
  const age = provisionCount - 1 - index;
  const createdAt = newestCreatedAt - BigInt(age) * 60_000_000_001n;
  return {
    id: idOf(`provision-${index}`),
    marketId: at(marketIds, Math.floor(index / 7)),
    partyId: at(partyIds, index),
    reference: age === 1 ? hostileReference : index % 50 === 0 ? '' : `reference-${index % 40}`,
    commitmentAmount: age === 0 ? '340282366920938463463374607431768211455' : String(1_000_000 + index * 977),
    fee: age === 0 ? '0.000000000000000001' : `0.00${1 + (index % 9)}`,
    createdAt,
    updatedAt: createdAt + BigInt(index % 3) * 1_000_000_007n,
    version: age === 0 ? pastSafeInteger : BigInt(1 + (index % 4)),
    status: `STATUS_${at(statuses, index)}`,
    buys: orders(index, 'buy'),
    sells: orders(index, 'sell'),
  };
});

/** Ten rows of the epoch before the last, then fifteen of the last. */
export const feeRows = rows(25, index => ({
  asset: at(assetIds, index),
  epochSeq: index < 10 ? '4099' : lastEpoch,
  market: at(marketIds, index),
  totalFeesPaid: String(3_000_000 + index * 10_001),
  feesPaidPerParty: Array.from({ length: index % 4 }, (_, share) => ({
    party: at(partyIds, index + share),
    amount: String(1_000_000 + index),
    quantumAmount: `${1 + share}.00000000000000000${index % 10}`,
  })),
}));

export interface BundleRow extends Row {
  /** The validator the bundle removes: something to filter by, though no field of the record shows it. */
  readonly nodeId: string;
  readonly node: { readonly epochSeq: string; readonly submitter: string; readonly [field: string]: string };
}

export const bundleRows: readonly BundleRow[] = rows(5, index => ({
  epochSeq: String(4_000 + Math.floor(index / 2)),
  nonce: String(987_654_321_098_765_432_109n + BigInt(index)),
  oldSigner: `0x${idOf(`signer-${Math.floor(index / 2)}`).slice(0, 40)}`,
  signatures: `0x${[0, 1, 2].map(part => `${idOf(`r${part}`) + idOf(`s${part}`)}1b`).join('')}`,
  submitter: `0x${idOf(`submitter-${index % 2}`).slice(0, 40)}`,
  timestamp: String(1_700_000_000 + index * 600),
})).map(row => ({ ...row, nodeId: at(nodeIds, Math.floor(row.index / 2)) }));

/** The element at `index`, counted round and round. */
export function at<T>(list: readonly T[], index: number): T {
  const element = list[index % list.length];
  if (element === undefined) throw new RangeError('An empty list has no elements');
  return element;
}

/** 64 hexadecimal digits, the same for the same name. */
export function idOf(name: string): string {
  return createHash('sha256').update(name).digest('hex');
}

export function rows<Node extends ExactJson>(count: number, node: (index: number) => Node): readonly Row<Node>[] {
  return Array.from({ length: count }, (_, index) => ({ index, node: node(index) }));
}

function orders(index: number, side: string): ExactJson {
  return Array.from({ length: index % 4 }, (_, level) => ({
    liquidityOrder: {
      offset: String((level + 1) * 100),
      proportion: index === provisionCount - 1 ? pastSafeInteger : BigInt(10 + level),
      reference: `PEGGED_REFERENCE_${at(pegs, index + level)}`,
    },
    orderId: idOf(`${side}-${index}-${level}`),
  }));
}
