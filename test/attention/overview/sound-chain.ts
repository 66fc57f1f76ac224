import type { OverviewAnswers } from '../../../src/attention/overview/answers.ts';
import { createOverview, type Overview } from '../../../src/attention/overview/overview.ts';
import type { OverviewOptions } from '../../../src/attention/overview/overview-requester.ts';
import { requestOverview } from '../../../src/attention/overview/request-overview.ts';
import type { Client } from '../../../src/chain/api/client.ts';
import { NodeError, RefusedError } from '../../../src/chain/api/errors.ts';
import { parseJson } from '../../../src/chain/api/json.ts';
import { VECTORS } from '../../chain/insight/signer-bundle/vectors.ts';
import { clientOf } from '../../support/client.ts';

export const NOW_MS = Date.UTC(2026, 10, 23, 12);
const NOW_S = NOW_MS / 1000;

export const ns = (seconds: number): string => `${seconds}000000000`;

const id = (digit: string): string => digit.repeat(64);

export const IDS = {
  ...{ market: id('a'), asset: id('b'), spec: id('c'), party: id('d'), provision: id('e'), oldMarket: id('9') },
} as const;

const [vector] = VECTORS.bundles;
if (vector === undefined) throw new Error('there are vectors');
export const REMOVED = vector.oldSigner.toLowerCase();
const SIGNERS = vector.validators.map(({ address }) => address.toLowerCase());

/** A bundle that every consensus validator of the chain has signed. */
export const BUNDLE = {
  ...{ oldSigner: REMOVED, submitter: vector.submitter.toLowerCase(), nonce: vector.nonce },
  ...{ timestamp: ns(NOW_S), signatures: vector.packedSignatures, epochSeq: '20' },
};

export const validator = (index: number, members: object = {}) => ({
  ...{
    id: `0${index}`.repeat(32),
    name: `Validator ${index}`,
    ethereumAddress: SIGNERS[index] ?? `0x${'0'.repeat(39)}${index}`,
  },
  ...{ pubKey: `1${index}`.repeat(32) },
  rewardScore: { multisigScore: '1', validatorStatus: 'VALIDATOR_NODE_STATUS_TENDERMINT' },
  rankingScore: { status: 'VALIDATOR_NODE_STATUS_TENDERMINT', votingPower: '2500', performanceScore: '1' },
  ...members,
});

export const market = (members: object = {}) => ({
  ...{ id: IDS.market, state: 'STATE_ACTIVE', decimalPlaces: '5', positionDecimalPlaces: '3' },
  tradableInstrument: {
    instrument: {
      code: 'HELDA/HUSD',
      future: {
        settlementAsset: IDS.asset,
        dataSourceSpecForSettlementData: { id: IDS.spec, data: null },
      },
    },
  },
  ...members,
});

/** A call due every hour, last 10 minutes ago. */
export const spec = (members: object = {}) => ({
  externalDataSourceSpec: {
    spec: {
      ...{ id: IDS.spec, createdAt: ns(NOW_S - 86_400), updatedAt: '0', status: 'STATUS_ACTIVE' },
      data: {
        external: {
          ethOracle: {
            ...{
              address: REMOVED,
              abi: '[]',
              method: 'price',
              args: [],
              requiredConfirmations: '3',
              sourceChainId: '5',
            },
            trigger: { timeTrigger: { initial: String(NOW_S - 36_600), every: '3600' } },
            ...{ filters: [], normalisers: [] },
          },
        },
      },
      ...members,
    },
  },
});

export const arrival = (secondsAgo: number, members: object = {}) => ({
  externalData: {
    data: {
      ...{ signers: [], data: [], matchedSpecIds: [IDS.spec], broadcastAt: ns(NOW_S - secondsAgo), metaData: [] },
      ...members,
    },
  },
});

const version = (members: object = {}) => ({
  ...{
    id: IDS.provision,
    partyId: IDS.party,
    marketId: IDS.market,
    createdAt: ns(NOW_S - 900_000),
    updatedAt: ns(NOW_S - 90_000),
  },
  ...{
    commitmentAmount: '5000000',
    fee: '0.01',
    version: '1',
    status: 'STATUS_ACTIVE',
    reference: '',
    buys: [],
    sells: [],
  },
  ...members,
});

export const provision = (current: object = {}, pending?: object) => ({
  current: version(current),
  ...(pending !== undefined && { pending: version({ version: '2', status: 'STATUS_PENDING', ...pending }) }),
});

export const bond = (members: object = {}) => ({
  ...{ owner: IDS.party, balance: '5000000', asset: IDS.asset, marketId: IDS.market, type: 'ACCOUNT_TYPE_BOND' },
  ...members,
});

export const fee = (epoch: number, total = '1000000', members: object = {}) => ({
  ...{ market: IDS.market, asset: IDS.asset, epochSeq: String(epoch), totalFeesPaid: total },
  feesPaidPerParty: [{ party: IDS.party, amount: total, quantumAmount: '' }],
  ...members,
});

export const segment = (fromHeight: number, toHeight: number) => ({
  ...{ fromHeight: String(fromHeight), toHeight: String(toHeight), chainId: 'chain-1', databaseVersion: '93' },
  ...{ historySegmentId: `Q${toHeight}`, previousHistorySegmentId: fromHeight === 1 ? '' : `Q${fromHeight - 1}` },
});

export const statistics = (members: object = {}) => ({
  statistics: {
    ...{
      chainId: 'chain-1',
      appVersion: 'v0.79.0',
      blockHeight: '5010',
      status: 'CHAIN_STATUS_CONNECTED',
      epochSeq: '42',
    },
    ...{ vegaTime: iso(NOW_S - 1), epochStartTime: iso(NOW_S - 300), epochExpiryTime: iso(NOW_S + 300) },
    ...members,
  },
});

export const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();

export const page = (wrapper: string, nodes: readonly unknown[], info: object = {}) => ({
  [wrapper]: {
    edges: nodes.map((node, index) => ({ node, cursor: `c${index}` })),
    pageInfo: {
      ...{ hasNextPage: false, hasPreviousPage: false },
      ...{ startCursor: nodes.length === 0 ? '' : 'c0', endCursor: nodes.length === 0 ? '' : `c${nodes.length - 1}` },
      ...info,
    },
  },
});

/** What the node answers, by the last parts of a path; an error is thrown. */
export interface Chain {
  readonly [path: string]: unknown;
}

/** A chain on which nothing needs anyone. */
export const SOUND: Chain = {
  statistics: statistics(),
  'networkhistory/segments': { segments: [segment(1, 1000), segment(1001, 2000), segment(2001, 5000)] },
  markets: page('markets', [market()]),
  nodes: page(
    'nodes',
    [0, 1, 2, 3, 4].map(index => validator(index)),
  ),
  'removed/bundles': page('bundles', [BUNDLE]),
  'oracle/specs': page('oracleSpecs', [spec()]),
  'oracle/data': page('oracleData', [arrival(500)]),
  assets: page('assets', [
    { id: IDS.asset, status: 'STATUS_ENABLED', details: { symbol: 'HUSD', decimals: '5', quantum: '100000' } },
  ]),
  'liquidity/paidfees': page('paidLiquidityFees', [fee(40, '3000000'), fee(41)]),
  'all-provisions': page('liquidityProvisions', [provision()]),
  accounts: page('accounts', [bond()]),
};

/** How the headers of the answers say where the data node is. */
export interface Head {
  readonly height?: string;
  readonly ageSeconds?: number;
}

export interface Asked {
  readonly overview: Overview;
  readonly answers: OverviewAnswers;
  readonly paths: readonly string[];
}

/** The overview of a chain that is as told, at a fixed time. */
export async function overviewFrom(
  chain: Chain,
  options: Partial<OverviewOptions> & { readonly head?: Head | null } = {},
): Promise<Asked> {
  const { head = {}, ...others } = options;
  const paths: string[] = [];
  const client = clientFor(chain, { head, note: path => void paths.push(path) });
  const answers = await requestOverview(client, {
    signal: new AbortController().signal,
    nowMs: () => NOW_MS,
    ...others,
  });
  const overview = createOverview(answers, {
    nowMs: NOW_MS,
    limit: { ms: 60_000, isLive: false },
    threshold: options.threshold,
  });
  return { overview, answers, paths };
}

interface Heard {
  readonly head?: Head | null;
  readonly note?: (path: string) => void;
}

/** A client of a chain that is as told; null: no header says where the node is. */
export function clientFor(chain: Chain, { head = {}, note = () => {} }: Heard = {}): Client {
  return clientOf(async ({ path, query }) => {
    note(query.length === 0 ? path : `${path}?${query.map(pair => pair.join('=')).join('&')}`);
    const name = Object.keys(chain).find(part => path === part || path.endsWith(`/${part}`));
    const found = name === undefined ? undefined : chain[name];
    if (found instanceof NodeError) throw found;
    if (found === undefined)
      throw new RefusedError(
        404,
        { code: 5, message: 'Not Found', details: [] },
        { url: `http://n/${path}`, hint: '' },
      );
    const { height = '5010', ageSeconds = 1 } = head ?? {};
    const facts = head === null ? {} : { blockHeight: height, blockTimeNs: ns(NOW_S - ageSeconds) };
    return {
      json: parseJson(JSON.stringify(found)),
      facts: { ...facts, rate: {} },
      bytes: 1,
      elapsedMs: 1,
      headerAtMs: NOW_MS,
    };
  });
}

/** What the rules found: `severity rule: sentence [list key]`. */
export const findingsOf = ({ overview }: Asked): readonly string[] =>
  overview.attention.flatMap(({ rule, findings }) =>
    findings.map(
      ({ severity, sentence, resource, key }) =>
        `${severity} ${rule}: ${sentence}${resource === null || key === null ? '' : ` [${resource} ${key.slice(0, 12)}]`}`,
    ),
  );
