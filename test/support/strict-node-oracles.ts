import { type ExactJson, NumberText } from './exact-json.ts';
import { at, idOf, rows } from './strict-node-data.ts';
import type { Row } from './strict-node-pages.ts';

const noConditions: readonly ExactJson[] = [];
const condition = { operator: 'OPERATOR_UNSPECIFIED', value: '1699999200' };
const filter = {
  key: { name: 'prices.BTC.value', numberDecimalPlaces: '18', type: 'TYPE_UNSPECIFIED' },
  conditions: [condition, { operator: 'OPERATOR_UNSPECIFIED', value: '0' }],
};
const ethAddress = { address: `0x${idOf('oracle-signer').slice(0, 40)}` };
const pubKey = { key: idOf('oracle-key') };
const timeTrigger = { every: '3600', initial: '1700000000', until: '1800000000' };
const ethOracle = {
  abi: '[{"inputs":[],"name":"latestAnswer","outputs":[{"type":"int256"}],"stateMutability":"view","type":"function"}]',
  address: `0x${idOf('oracle-contract').slice(0, 40)}`,
  args: [],
  method: 'latestAnswer',
  requiredConfirmations: '64',
  sourceChainId: '11155111',
  filters: [filter],
  normalisers: [{ expression: '$[0]', name: 'btc.price' }],
  trigger: { timeTrigger },
};
const oracle = { filters: [filter], signers: [{ ethAddress }, { pubKey }] };
const internalTime = { time: { conditions: [condition] } };
const internalTrigger = {
  timeTrigger: { conditions: [condition], triggers: [{ every: '28800', initial: '1700000000' }] },
};

/**
 * `data` in every shape 2.6 allows. It calls members alternatives or optional, and rules out neither both nor none.
 * The numbers in `args` are ones a double cannot hold.
 */
const shapes: readonly ExactJson[] = [
  { external: { ethOracle } },
  {
    external: {
      ethOracle: {
        ...ethOracle,
        args: [
          9_007_199_254_740_993n,
          {
            pair: { base: 'BTC', quote: null, scale: 18_446_744_073_709_551_615n },
            live: true,
            path: [1, [2n]],
          },
          'text \u001b[31mred',
          new NumberText('1.10'),
          -1,
          false,
        ],
      },
    },
  },
  { external: { ethOracle: { ...ethOracle, filters: [], normalisers: [], trigger: {} } } },
  { external: { ethOracle: { ...ethOracle, trigger: { timeTrigger: { ...timeTrigger, until: '' } } } } },
  { external: { oracle } },
  { external: { oracle: { filters: [], signers: [] } } },
  { external: { oracle: { filters: [{ ...filter, conditions: noConditions }], signers: [{ pubKey }] } } },
  { external: { oracle: { filters: [filter, filter, filter], signers: [{ ethAddress, pubKey }] } } },
  { external: { oracle: { filters: [{ key: filter.key }], signers: [{ ethAddress }] } } },
  { internal: internalTime },
  { internal: { time: { conditions: noConditions } } },
  { internal: internalTrigger },
  { internal: { timeTrigger: { conditions: noConditions, triggers: [] } } },
  { internal: { ...internalTime, ...internalTrigger } },
  { external: { ethOracle, oracle } },
  { external: { oracle }, internal: internalTime },
  {},
];

const statuses = ['STATUS_UNSPECIFIED', 'STATUS_ACTIVE', 'STATUS_DEACTIVATED'];

export const oracleRows: readonly Row[] = rows(shapes.length, index => ({
  externalDataSourceSpec: {
    spec: {
      id: idOf(`oracle-${index}`),
      createdAt: String(1_690_000_000_000_000_000n + BigInt(index)),
      updatedAt: String(1_690_000_000_000_000_009n + BigInt(index)),
      status: at(statuses, index),
      data: at(shapes, index),
    },
  },
}));
