import * as v from 'valibot';
import { type JsonObject, jsonText, member } from '../../chain/api/json.ts';
import { liquidityProvisions } from '../../chain/resources/liquidity-provisions.ts';
import { markets } from '../../chain/resources/markets.ts';
import { networkParameters } from '../../chain/resources/network-parameters.ts';
import { oracleSpecs } from '../../chain/resources/oracle-specs.ts';
import { paidLiquidityFees } from '../../chain/resources/paid-liquidity-fees.ts';
import { defineResource, type Resource } from '../../chain/resources/resource.ts';
import { signerBundles } from '../../chain/resources/signer-bundles.ts';
import { validators } from '../../chain/resources/validators.ts';

/** Lists that have no tab of their own: only their records are stored. */
const resourceWithoutTab = (id: string, path: string, wrapperKey: string, filters: Resource['filters']): Resource =>
  defineResource({
    ...{ id, title: id, shortTitle: id, singular: id, description: '', path, wrapperKey, filters },
    schema: v.object({}),
    columns: [],
    sections: [],
    kinds: {},
    paging: { byCursor: true, backward: true, oldestFirst: true },
    key: () => '',
  });

const assets = resourceWithoutTab('assets', 'api/v2/assets', 'assets', []);

const providers = resourceWithoutTab('providers', 'api/v2/liquidity/providers', 'liquidityProviders', [
  {
    name: 'marketId',
    title: 'market',
    kind: 'id',
    meaning: 'providers on this market',
    textsIn: row => [jsonText(member(row, 'marketId'))],
  },
]);

/** Read as a whole. */
export const WHOLE_LISTS: readonly Resource[] = [
  networkParameters,
  signerBundles,
  oracleSpecs,
  markets,
  assets,
  validators,
];

/** Read for each market that may have them. */
export const MARKET_LISTS: readonly {
  readonly resource: Resource;
  readonly filters: (marketId: string) => { readonly [name: string]: readonly string[] };
}[] = [
  { resource: liquidityProvisions, filters: marketId => ({ marketId: [marketId], live: ['true'] }) },
  { resource: providers, filters: marketId => ({ marketId: [marketId] }) },
];

/** Read for each of the last epochs. */
export const EPOCH_LIST = paidLiquidityFees;

/** The last ten, and the current one, which has no fees yet. */
export const FEE_EPOCHS_RECORDED = 11;

/** Whether a market may still have provisions. */
export const isOpenMarket = (market: JsonObject): boolean => !ENDED_STATES.has(jsonText(market.state));

const ENDED_STATES: ReadonlySet<string> = new Set([
  'STATE_REJECTED',
  'STATE_CANCELLED',
  'STATE_CLOSED',
  'STATE_SETTLED',
]);
