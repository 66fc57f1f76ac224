import type { Market } from './markets.ts';
import type { SpecSchedule } from './oracle-schedules.ts';
import { Dice, seededAddress, seededHex } from './seeded-random.ts';

/** The definition of a spec, and the values that arrive for it, if any. */
export interface SpecDefinition {
  readonly data: unknown;
  readonly feed?: Feed;
}

/** Values that arrive for a spec from outside the chain, by its schedule. */
export interface Feed {
  /** The signers that the data names; none for a contract call. */
  readonly signers: readonly unknown[];
  readonly values: (dice: Dice, readSeconds: number) => readonly { readonly name: string; readonly value: string }[];
}

/** One of the variants of node-behaviour.md section 5. */
export type Definition = (source: SpecIngredients) => SpecDefinition;

export interface SpecIngredients {
  readonly market: Market;
  /** Seeds every id, key and address of the spec. */
  readonly label: string;
  readonly schedule: SpecSchedule;
}

export const ethereumPriceCall: Definition = ({ market, label, schedule }) => ({
  data: {
    external: {
      ethOracle: {
        address: mixedCaseAddress(seededAddress(`${label}/contract`)),
        abi: JSON.stringify([
          {
            inputs: [],
            name: 'latestAnswer',
            outputs: [{ internalType: 'int256', name: '', type: 'int256' }],
            stateMutability: 'view',
            type: 'function',
          },
        ]),
        method: 'latestAnswer',
        args: [],
        trigger: { timeTrigger: timeTrigger(schedule) },
        requiredConfirmations: '3',
        filters: [priceFilter(market, 'price', sourceDecimals(market))],
        normalisers: [{ name: 'price', expression: '$[0]' }],
        sourceChainId: new Dice(label).pick(['1', '100', '42161']),
      },
    },
  },
  feed: { signers: [], values: dice => [{ name: 'price', value: randomPrice(market, sourceDecimals(market), dice) }] },
});

const STRUCT_ABI = `[\n  {"inputs":[{"name":"feed","type":"bytes32"},{"name":"options","type":"tuple","components":[{"name":"maxAge","type":"uint256"},{"name":"strict","type":"bool"}]}],\n   "name":"getPriceNoOlderThan","outputs":[{"name":"","type":"tuple","components":[{"name":"price","type":"int64"},{"name":"conf","type":"uint64"},{"name":"expo","type":"int32"},{"name":"publishTime","type":"uint256"}]}],"stateMutability":"view","type":"function"}\n]`;

const structCall =
  (moreArguments: readonly unknown[]): Definition =>
  ({ market, label, schedule }) => ({
    data: {
      external: {
        ethOracle: {
          address: seededAddress(`${label}/contract`),
          abi: STRUCT_ABI,
          method: 'getPriceNoOlderThan',
          // Nodes send a 32-byte argument as base64 (node-behaviour.md section 5).
          args: [
            Buffer.from(seededHex(`${label}/feed`), 'hex').toString('base64'),
            { maxAge: 60, strict: true },
            ...moreArguments,
          ],
          trigger: { timeTrigger: timeTrigger(schedule) },
          requiredConfirmations: '64',
          filters: [
            priceFilter(market, 'feed.price', 18),
            {
              key: { name: 'feed.publishTime', type: 'TYPE_TIMESTAMP' },
              conditions: [{ operator: 'OPERATOR_GREATER_THAN', value: String(schedule.initial) }],
            },
          ],
          normalisers: [
            { name: 'feed.price', expression: '$[0].price' },
            { name: 'feed.publishTime', expression: '$[0].publishTime' },
            { name: 'settled', expression: 'true' },
          ],
          sourceChainId: '42161',
        },
      },
    },
    feed: {
      signers: [],
      values: (dice, readSeconds) => [
        { name: 'feed.price', value: randomPrice(market, 18, dice) },
        { name: 'feed.publishTime', value: String(readSeconds - dice.between(1, 20)) },
        { name: 'settled', value: 'true' },
      ],
    },
  });

export const ethereumStructCall: Definition = structCall([]);

/** More arguments than the method has, of unexpected types. */
export const ethereumOddCall: Definition = structCall(['uint <&> text', 1.5, null]);

/** Stored before source chains existed, so its chain id is 0. */
export const ethereumSettlementCall: Definition = ({ label, schedule }) => ({
  data: {
    external: {
      ethOracle: {
        address: seededAddress(`${label}/contract`),
        abi: '[{"type":"function","name":"isResolved","inputs":[{"name":"id","type":"uint256"}],"outputs":[{"type":"bool"},{"type":"int256"}]}]',
        method: 'isResolved',
        args: ['115792089237316195423570985008687907853269984665640564039457584007913129639935'],
        trigger: { timeTrigger: timeTrigger(schedule) },
        requiredConfirmations: '256',
        filters: [
          {
            key: { name: 'resolved', type: 'TYPE_BOOLEAN' },
            conditions: [{ operator: 'OPERATOR_EQUALS', value: 'true' }],
          },
        ],
        normalisers: [
          { name: 'resolved', expression: '$[0]' },
          { name: 'value', expression: '$[1]' },
        ],
        sourceChainId: '0',
      },
    },
  },
  feed: {
    signers: [],
    values: dice => [
      { name: 'resolved', value: 'true' },
      { name: 'value', value: `-${dice.digits(9)}` },
    ],
  },
});

export const signedByKey: Definition = ({ market, label }) => ({
  data: {
    external: {
      oracle: {
        signers: [{ pubKey: { key: seededHex(`${label}/signer`) } }],
        filters: [
          priceFilter(market, pricePropertyName(market), sourceDecimals(market)),
          {
            key: { name: 'Ticker', type: 'TYPE_STRING' },
            conditions: [{ operator: 'OPERATOR_EQUALS', value: market.code }],
          },
          { key: { name: 'note', type: 'TYPE_EMPTY' }, conditions: [] },
        ],
      },
    },
  },
  feed: {
    signers: [{ pubKey: { key: seededHex(`${label}/signer`) } }],
    values: dice => [
      { name: pricePropertyName(market), value: randomPrice(market, sourceDecimals(market), dice) },
      { name: 'Ticker', value: market.code },
    ],
  },
});

export const signedByEthereum: Definition = ({ label }) => ({
  data: {
    external: {
      oracle: {
        signers: [
          { ethAddress: { address: seededAddress(`${label}/open-oracle`) } },
          { pubKey: { key: seededHex(`${label}/second-signer`) } },
        ],
        filters: [
          {
            key: { name: 'oracle.test.termination', type: 'TYPE_BOOLEAN' },
            conditions: [{ operator: 'OPERATOR_EQUALS', value: 'True' }],
          },
          {
            key: { name: 'settlement', type: 'TYPE_DECIMAL' },
            conditions: [
              { operator: 'OPERATOR_GREATER_THAN_OR_EQUAL', value: '0' },
              { operator: 'OPERATOR_LESS_THAN', value: '340282366920938463463374607431768211455' },
            ],
          },
          {
            key: { name: 'untyped', type: 'TYPE_UNSPECIFIED' },
            conditions: [{ operator: 'OPERATOR_UNSPECIFIED', value: '' }],
          },
        ],
      },
    },
  },
  feed: {
    signers: [{ ethAddress: { address: seededAddress(`${label}/open-oracle`) } }],
    values: dice => [
      { name: 'oracle.test.termination', value: dice.chance(10) ? 'true' : 'false' },
      { name: 'settlement', value: dice.digits(20) },
    ],
  },
});

/** A condition that becomes true at a time. */
export const internalTime: Definition = ({ schedule: { initial } }) => ({
  data: {
    internal: { time: { conditions: [{ operator: 'OPERATOR_GREATER_THAN_OR_EQUAL', value: String(initial) }] } },
  },
});

/** Two triggers; the second began with the spec. */
export const internalTimeTrigger: Definition = ({ schedule }) => ({
  data: {
    internal: {
      timeTrigger: {
        conditions: [{ operator: 'OPERATOR_GREATER_THAN', value: '0' }],
        triggers: [timeTrigger(schedule), { every: '86400' }],
      },
    },
  },
});

export const emptyDefinition: Definition = () => ({ data: {} });

/** Leaves out a time that is not set. */
function timeTrigger({ initial, every, until }: SpecSchedule) {
  return {
    ...(initial > 0 && { initial: String(initial) }),
    ...(every > 0 && { every: String(every) }),
    ...(until > 0 && { until: String(until) }),
  };
}

const pricePropertyName = ({ code }: Market): string => `prices.${code.split('/')[0] ?? 'X'}.value`;

/** The decimal places that a source has beyond those of the market are zeros. */
const sourceDecimals = ({ decimalPlaces }: Market): number => (decimalPlaces > 5 ? 18 : 8);

function priceFilter({ typicalPrice, decimalPlaces }: Market, name: string, places: number) {
  const most = `${typicalPrice * 10}${'0'.repeat(places - decimalPlaces)}`;
  return {
    key: { name, type: 'TYPE_INTEGER', numberDecimalPlaces: String(places) },
    conditions: [
      { operator: 'OPERATOR_GREATER_THAN', value: '0' },
      { operator: 'OPERATOR_LESS_THAN_OR_EQUAL', value: most },
    ],
  };
}

/** A price near that of the market, with the decimal places of the source. */
function randomPrice({ typicalPrice, decimalPlaces }: Market, places: number, dice: Dice): string {
  const step = Math.max(1, Math.floor(typicalPrice / 1000));
  return `${typicalPrice + dice.between(-5, 5) * step}${'0'.repeat(places - decimalPlaces)}`;
}

/** Inside a spec an address keeps its submitted casing (node-behaviour.md section 1.5). */
function mixedCaseAddress(address: string): string {
  return address.replace(/[a-f]/g, (letter, at: number) => (at % 3 === 0 ? letter.toUpperCase() : letter));
}
