import fc from 'fast-check';
import { type Json, type JsonObject, jsonText, member } from '../../../src/chain/api/json.ts';
import type { Ask } from '../../../src/chain/explain/explanation.ts';
import { anyJson, changed } from '../../support/changed-json.ts';
import { FULL_RECORDS, objectOf } from '../resources/full-records.ts';

const pageOf = (wrapper: string, records: readonly JsonObject[]): JsonObject => ({
  [wrapper]: {
    edges: records.map(node => ({ node, cursor: 'eA==' })),
    pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: 'eA==', endCursor: 'eA==' },
  },
});

const parameter = (key: string, value: string): JsonObject => ({ networkParameter: { key, value } });

const oracles = FULL_RECORDS.flatMap(([resource, record]) => (resource === 'oracles' ? [record] : []));

const SPEC_IDS = JSON.stringify(
  oracles.map(record => jsonText(member(member(member(record, 'externalDataSourceSpec'), 'spec'), 'id'))),
);

const ARRIVED = objectOf(`{"externalData":{"data":{"broadcastAt":"1700000000123456000","matchedSpecIds":${SPEC_IDS},
  "signers":[{"ethAddress":{"address":"0x0d"}}],"data":[{"name":"prices.BTC","value":"43000500000000000000000"}],
  "metaData":[{"name":"eth-block-time","value":"1700000000"},{"name":"eth-block-height","value":"18"}],"error":""}}}`);

const FAILED = objectOf(
  `{"externalData":{"data":{"broadcastAt":"1700000001000000000","matchedSpecIds":${SPEC_IDS},"error":"no such method"}}}`,
);

const CHAIN = `{"chain_id":"1","multisig_control_contract":{"address":"0x${'0c'.repeat(20)}"}}`;

const provisions = FULL_RECORDS.flatMap(([resource, record]) => (resource === 'provisions' ? [record] : []));

const PROVIDER = objectOf(`{"partyId":"03","marketId":"02","feeShare":{"party":"03","equityLikeShare":"0.6123",
  "averageEntryValuation":"12345.5","averageScore":"0.75","virtualStake":"3905000.25"},"sla":{"party":"03",
  "currentEpochFractionOfTimeOnBook":"0.97","lastEpochFractionOfTimeOnBook":"0.9","lastEpochFeePenalty":"0.05",
  "lastEpochBondPenalty":"0","hysteresisPeriodFeePenalties":["0.1","0"],"requiredLiquidity":"100","notionalVolumeBuys":"90.5",
  "notionalVolumeSells":"120"}}`);

const ACCOUNT = objectOf(
  '{"owner":"03","balance":"390","asset":"04","marketId":"02","type":"ACCOUNT_TYPE_BOND","parentPartyId":""}',
);

/** What a node answers to all that explainers ask for, by path. */
export const LIKELY: { readonly [path: string]: JsonObject } = {
  'api/v2/erc20/multisigcontrol/signer/removed/bundles': pageOf('bundles', [
    objectOf(`{"oldSigner":"0x${'0a'.repeat(20)}","submitter":"0x07","nonce":"5","epochSeq":"42","signatures":""}`),
  ]),
  'api/v2/accounts': pageOf('accounts', [ACCOUNT]),
  'api/v2/liquidity/all-provisions': pageOf('liquidityProvisions', provisions),
  'api/v2/liquidity/providers': pageOf('liquidityProviders', [PROVIDER]),
  'api/v2/liquidity/provisions': pageOf('liquidityProvisions', provisions),
  'api/v2/network/parameters/blockchains.ethereumConfig': parameter('blockchains.ethereumConfig', CHAIN),
  'api/v2/network/parameters/blockchains.evmBridgeConfigs': parameter(
    'blockchains.evmBridgeConfigs',
    `{"configs":[${CHAIN}]}`,
  ),
  'api/v2/epoch':
    objectOf(`{"epoch":{"seq":"41","timestamps":{"startTime":"1700000000000000000","expiryTime":"1700000600000000000",
    "endTime":"0","firstBlock":"4994","lastBlock":"0"}}}`),
  'api/v2/info': { version: 'v0.74.10' },
  'api/v2/network/parameters/market.liquidity.equityLikeShareFeeFraction': parameter(
    'market.liquidity.equityLikeShareFeeFraction',
    '0.5',
  ),
  'api/v2/network/parameters/reward.asset': parameter('reward.asset', '04'),
  'api/v2/oracle/data': pageOf('oracleData', [FAILED, ARRIVED]),
  'api/v2/oracle/specs': pageOf('oracleSpecs', oracles),
  'api/v2/vega/time': { timestamp: '1700000100000000000' },
  statistics: objectOf(`{"statistics":{"epochSeq":"41","epochExpiryTime":"2027-01-15T08:00:00Z",
    "vegaTime":"2027-01-15T07:59:59.123456789Z"}}`),
};

/** What comes of asking, by path; undefined is not served. */
export type Answers = { readonly [path: string]: Json | undefined };

export const anyAnswers: fc.Arbitrary<Answers> = fc.record(
  Object.fromEntries(
    Object.entries(LIKELY).map(([path, likely]) => [
      path,
      fc.oneof(fc.constant(likely), changed(likely), anyJson, fc.constant(undefined)),
    ]),
  ),
);

/** Throws for what nobody has a likely answer to. */
export const askOf =
  (answers: Answers): Ask =>
  async ({ path }) => {
    if (!Object.hasOwn(LIKELY, path)) throw new Error(`an explainer asks for ${path}: give it a likely answer`);
    return answers[path];
  };
