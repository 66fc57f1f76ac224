import { type Chain, epochOf } from './chain.ts';
import type { Market } from './markets.ts';
import { addressOf, Dice, hexOf } from './seeded.ts';

/** What a spec says, and what arrives for it, if anything does. */
export interface SpecDefinition {
  readonly data: unknown;
  readonly feed?: Feed;
}

/** Values that arrive for a spec from outside of the chain. */
export interface Feed {
  /** As the data names them; a call of a contract has none. */
  readonly signers: readonly unknown[];
  readonly everySeconds: number;
  readonly values: (dice: Dice) => readonly { readonly name: string; readonly value: string }[];
}

type Definition = (source: Source) => SpecDefinition;

interface Source {
  readonly chain: Chain;
  readonly market: Market;
  readonly dice: Dice;
  readonly label: string;
  readonly genesisSeconds: number;
}

/**
 * A spec; the variants of node-behaviour.md section 5 follow each other so that every page shows
 * several.
 */
export function specDefinition(chain: Chain, index: number): SpecDefinition {
  const label = `${chain.seed}/oracle-spec/${index}`;
  const dice = new Dice(`${label}/definition`);
  const market = chain.markets[index % chain.markets.length] ?? chain.markets[0];
  const define = VARIANTS[index % VARIANTS.length] ?? internalTime;
  return define({ chain, market, dice, label, genesisSeconds: chain.genesisUs / 1e6 });
}

const ethereumPriceCall: Definition = ({ market, dice, label, genesisSeconds }) => ({
  data: {
    external: {
      ethOracle: {
        address: checksummedLook(addressOf(`${label}/contract`)),
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
        trigger: {
          timeTrigger: { initial: String(genesisSeconds), every: String(dice.pick([30, 60, 300, 3600])) },
        },
        requiredConfirmations: '3',
        filters: [priceFilter(market, 'price', '8')],
        normalisers: [{ name: 'price', expression: '$[0]' }],
        sourceChainId: dice.pick(['1', '100', '42161']),
      },
    },
  },
  feed: { signers: [], everySeconds: 60, values: chance => [{ name: 'price', value: price(market, 8, chance) }] },
});

const ethereumStructCall: Definition = ({ market, label, genesisSeconds }) => ({
  data: {
    external: {
      ethOracle: {
        address: addressOf(`${label}/contract`),
        abi: `[\n  {"inputs":[{"name":"feed","type":"bytes32"},{"name":"options","type":"tuple","components":[{"name":"maxAge","type":"uint256"},{"name":"strict","type":"bool"}]}],\n   "name":"getPriceNoOlderThan","outputs":[{"name":"","type":"tuple","components":[{"name":"price","type":"int64"},{"name":"conf","type":"uint64"},{"name":"expo","type":"int32"},{"name":"publishTime","type":"uint256"}]}],"stateMutability":"view","type":"function"}\n]`,
        method: 'getPriceNoOlderThan',
        // A 32-byte argument goes over the wire as base64 of its bytes (node-behaviour.md section 5).
        args: [
          Buffer.from(hexOf(`${label}/feed`), 'hex').toString('base64'),
          { maxAge: 60, strict: true },
          'uint <&> text',
          1.5,
          null,
        ],
        trigger: {
          timeTrigger: {
            initial: String(genesisSeconds + 600),
            every: '15',
            until: String(genesisSeconds + 31_536_000),
          },
        },
        requiredConfirmations: '64',
        filters: [
          priceFilter(market, 'btc.price', '18'),
          {
            key: { name: 'btc.publishTime', type: 'TYPE_TIMESTAMP' },
            conditions: [{ operator: 'OPERATOR_GREATER_THAN', value: String(genesisSeconds) }],
          },
        ],
        normalisers: [
          { name: 'btc.price', expression: '$[0].price' },
          { name: 'btc.publishTime', expression: '$[0].publishTime' },
          { name: 'settled', expression: 'true' },
        ],
        sourceChainId: '42161',
      },
    },
  },
  feed: {
    signers: [],
    everySeconds: 15,
    values: chance => [
      { name: 'btc.price', value: price(market, 18, chance) },
      { name: 'btc.publishTime', value: String(genesisSeconds + 60) },
      { name: 'settled', value: 'true' },
    ],
  },
});

/** Called once: no `every`; stored before source chains existed, so its id reads 0. */
const ethereumSettlementCall: Definition = ({ label, genesisSeconds }) => ({
  data: {
    external: {
      ethOracle: {
        address: addressOf(`${label}/contract`),
        abi: '[{"type":"function","name":"isResolved","inputs":[{"name":"id","type":"uint256"}],"outputs":[{"type":"bool"},{"type":"int256"}]}]',
        method: 'isResolved',
        args: ['115792089237316195423570985008687907853269984665640564039457584007913129639935'],
        trigger: { timeTrigger: { initial: String(genesisSeconds + 2_592_000) } },
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
});

const signedByKey: Definition = ({ market, dice, label }) => ({
  data: {
    external: {
      oracle: {
        signers: [{ pubKey: { key: hexOf(`${label}/signer`) } }],
        filters: [
          priceFilter(market, `prices.${market.code.split('/')[0] ?? 'X'}.value`, String(dice.pick([0, 5, 18]))),
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
    signers: [{ pubKey: { key: hexOf(`${label}/signer`) } }],
    everySeconds: 300,
    values: chance => [
      { name: `prices.${market.code.split('/')[0] ?? 'X'}.value`, value: price(market, 5, chance) },
      { name: 'Ticker', value: market.code },
    ],
  },
});

const signedByEthereum: Definition = ({ label }) => ({
  data: {
    external: {
      oracle: {
        signers: [
          { ethAddress: { address: addressOf(`${label}/open-oracle`) } },
          { pubKey: { key: hexOf(`${label}/second-signer`) } },
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
    signers: [{ ethAddress: { address: addressOf(`${label}/open-oracle`) } }],
    everySeconds: 3600,
    values: chance => [
      { name: 'oracle.test.termination', value: chance.chance(10) ? 'true' : 'false' },
      { name: 'settlement', value: chance.digits(20) },
    ],
  },
});

const internalTime: Definition = ({ chain, dice, genesisSeconds }) => ({
  data: {
    internal: {
      time: {
        conditions: [
          {
            operator: 'OPERATOR_GREATER_THAN_OR_EQUAL',
            value: String(genesisSeconds + dice.below(600 * epochOf(chain.segments.at(-1)?.toHeight ?? 0))),
          },
        ],
      },
    },
  },
});

const internalTimeTrigger: Definition = ({ dice, genesisSeconds }) => ({
  data: {
    internal: {
      timeTrigger: {
        conditions: [{ operator: 'OPERATOR_GREATER_THAN', value: '0' }],
        triggers: [
          { initial: String(genesisSeconds + dice.below(3600)), every: String(dice.pick([300, 3600, 28_800])) },
          { every: '86400' },
        ],
      },
    },
  },
});

const emptyDefinition: Definition = () => ({ data: {} });

const VARIANTS: readonly Definition[] = [
  ethereumPriceCall,
  signedByKey,
  internalTime,
  ethereumStructCall,
  internalTimeTrigger,
  signedByEthereum,
  ethereumPriceCall,
  ethereumSettlementCall,
  signedByKey,
  internalTimeTrigger,
  ethereumPriceCall,
  internalTime,
  emptyDefinition,
];

function priceFilter(market: Market, name: string, decimalPlaces: string) {
  return {
    key: { name, type: 'TYPE_INTEGER', numberDecimalPlaces: decimalPlaces },
    conditions: [
      { operator: 'OPERATOR_GREATER_THAN', value: '0' },
      { operator: 'OPERATOR_LESS_THAN_OR_EQUAL', value: `${market.typicalPrice}${'0'.repeat(20)}` },
    ],
  };
}

/** About the market's price, with so many decimal places of the source. */
function price({ typicalPrice, decimalPlaces }: Market, places: number, dice: Dice): string {
  const step = Math.max(1, Math.floor(typicalPrice / 1000));
  return `${typicalPrice + dice.between(-5, 5) * step}${'0'.repeat(Math.max(0, places - decimalPlaces))}`;
}

/** Inside a spec an address keeps the casing it was submitted with (node-behaviour.md section 1.5). */
function checksummedLook(address: string): string {
  return address.replace(/[a-f]/g, (letter, at: number) => (at % 3 === 0 ? letter.toUpperCase() : letter));
}
