import type { NodeHead } from '../demo/chain.ts';
import { Failure, newGatewayFailure } from '../gateway/failure.ts';
import type { GatewayRequest, Operation, UnaryOperation } from '../gateway/operation.ts';
import type { Query } from '../gateway/query.ts';
import { readPageParameters, resolvePageRequest } from '../paging/page-request.ts';
import { assetOperations } from '../resources/assets.ts';
import { liquidityProviderOperations } from '../resources/liquidity-providers.ts';
import { liquidityProvisionOperations } from '../resources/liquidity-provisions.ts';
import { marketOperations } from '../resources/markets.ts';
import { networkParameterOperations } from '../resources/network-parameters.ts';
import { nodeOperations } from '../resources/nodes.ts';
import { oracleSpecOperations } from '../resources/oracle-specs.ts';
import { type EpochRange, paidLiquidityFeeOperations } from '../resources/paid-liquidity-fees.ts';
import { signerBundleOperations } from '../resources/signer-bundles.ts';
import { rowText, type Store } from '../store.ts';
import {
  memberTextOrEmpty,
  parseMembers,
  type RecordedChain,
  type RecordedList,
  type RecordedLists,
} from './recorded-chain.ts';

/**
 * The answers of a node whose rows come from a snapshot: the lists page and filter them like those of the demo chain.
 * Lists that were not read or not stored are refused with the reason, never answered with an empty list.
 */
export function recordedOperations(chain: RecordedChain, lists: RecordedLists, store: Store): readonly Operation[] {
  const answers = new GuardedOperations(lists);
  const head = () => readRecordedHead(chain, answers.epoch);
  return [
    ...answers.whole('parameters', networkParameterOperations(store)),
    ...answers.whole('markets', marketOperations(store)),
    ...answers.whole('assets', assetOperations(store)),
    ...answers.whole('validators', nodeOperations(store)),
    ...answers.checked(oracleSpecOperations(store), query => answers.specProblem(query)),
    ...answers.checked(signerBundleOperations(store), query => answers.bundleProblem(query)),
    ...answers
      .checked(liquidityProvisionOperations(store, head, RECORDED_SHAPES), query => answers.provisionProblem(query))
      .filter(({ path }) => !path.endsWith('/all-provisions') || areProvisionPairs(lists)),
    ...answers.checked(liquidityProviderOperations(store, head), query => answers.marketProblem('providers', query)),
    ...answers.checked(
      paidLiquidityFeeOperations(store, head, {
        columns: ['body'],
        body: rowBody,
        range: query => answers.feeRange(query),
      }),
      query => answers.feeProblem(query),
    ),
    ...answers.whole('status', [document('/statistics', () => `{"statistics":${lists.document('status') ?? '{}'}}`)]),
    ...answers.whole('info', [document('/api/v2/info', () => lists.document('info') ?? '{}')]),
    ...answers.whole('segments', [document('/api/v2/networkhistory/segments', () => segmentsDocument(lists))]),
    ...(chain.blockTimeNs === null
      ? []
      : [document('/api/v2/vega/time', () => JSON.stringify({ timestamp: chain.blockTimeNs }))]),
    ...REFUSED_PATHS.map(({ path, what }) =>
      refusedOperation(path, `${chain.name} has no ${what}: they are not recorded`),
    ),
  ];
}

export const readRecordedHead = ({ blockHeight, blockTimeNs }: RecordedChain, epoch = 0): NodeHead => ({
  height: Number(blockHeight ?? 0),
  timeNs: BigInt(blockTimeNs ?? 0),
  epoch,
});

const rowBody = (row: Parameters<typeof rowText>[0]): string => rowText(row, 'body');

/** Older nodes list one version, which is stored as it came. */
const areProvisionPairs = (lists: RecordedLists): boolean =>
  lists.records('provisions').every(({ members }) => members.has('current') || members.has('pending'));

/** A pair is stored as the current version with the pending one in it; earlier releases stored it as their node sent it. */
const CURRENT = "json_remove(body, '$.pending')";

const RECORDED_SHAPES = {
  lastVersion: {
    columns: [`coalesce(json_extract(body, '$.pending'), json_extract(body, '$.current'), ${CURRENT}) AS body`],
    node: rowBody,
  },
  currentAndPending: {
    columns: [
      `CASE WHEN json_type(body, '$.current') IS NOT NULL THEN body
       WHEN json_type(body, '$.pending') = 'object'
       THEN json_object('current', json(${CURRENT}), 'pending', json_extract(body, '$.pending'))
       ELSE json_object('current', json(${CURRENT})) END AS body`,
    ],
    node: rowBody,
  },
};

const REFUSED_PATHS = [
  { path: '/api/v2/accounts', what: 'account balances' },
  { path: '/api/v2/oracle/data', what: 'oracle data' },
  { path: '/api/v2/epoch', what: 'epochs' },
  { path: '/api/v2/networkhistory', what: 'peers' },
  { path: '/api/v2/networkhistory/bootstrap', what: 'peers' },
  { path: '/api/v2/networkhistory/export', what: 'exports' },
] as const;

const refusedOperation = (path: string, message: string): UnaryOperation => ({
  kind: 'unary',
  path,
  accept: () => {
    throw newGatewayFailure(12, message);
  },
});

const document = (path: string, body: () => string): UnaryOperation => ({ kind: 'unary', path, accept: () => body });

const segmentsDocument = (lists: RecordedLists): string =>
  `{"segments":[${lists
    .records('segments')
    .map(({ body }) => body)
    .toReversed()
    .join(',')}]}`;

/** Operations that are refused where the snapshot cannot answer them. */
class GuardedOperations {
  readonly #lists: RecordedLists;
  /** The epoch at that time. */
  readonly epoch: number;

  constructor(lists: RecordedLists) {
    this.#lists = lists;
    const current = Number(memberTextOrEmpty(parseMembers(lists.document('status') ?? ''), 'epochSeq'));
    this.epoch = current > 0 ? current : Math.max(0, ...this.#epochs()) + 1;
  }

  whole(list: string, operations: readonly UnaryOperation[]): readonly UnaryOperation[] {
    return this.checked(operations, () => this.#problem(list));
  }

  /** Operations with the problem, if there is one, instead of an answer. What the list itself refuses comes first. */
  checked(
    operations: readonly UnaryOperation[],
    problem: (query: Query) => string | undefined,
  ): readonly UnaryOperation[] {
    return operations.map(operation => ({
      ...operation,
      accept: (request: GatewayRequest) => {
        const serve = operation.accept(request);
        return async () => {
          const [outcome] = await Promise.allSettled([(async () => serve())()]);
          const isAnswer =
            outcome.status === 'fulfilled' || (outcome.reason instanceof Failure && outcome.reason.code === NOT_FOUND);
          const why = isAnswer ? problem(request.query) : undefined;
          if (why !== undefined) throw new Failure({ code: INTERNAL, message: why, origin: 'service' });
          if (outcome.status === 'rejected') throw outcome.reason;
          return outcome.value;
        };
      },
    }));
  }

  /** Only the newest version of a spec is recorded. */
  specProblem(query: Query): string | undefined {
    const { direction, newestFirst } = resolvePageRequest(readPageParameters(query));
    if ((direction === 'backward') === newestFirst)
      return `${this.#lists.name} has only the newest version of each oracle spec, so they cannot be listed oldest first`;
    return this.#problem('oracles');
  }

  /** Bundles do not contain the removed node: the list of validators does. */
  bundleProblem(query: Query): string | undefined {
    const byNode = (query.text('node_id') ?? '') === '' ? undefined : this.#problem('validators');
    return this.#problem('bundles') ?? byNode;
  }

  provisionProblem(query: Query): string | undefined {
    if (query.bool('live') !== true)
      return `${this.#lists.name} has only live provisions (live=true): earlier versions are not recorded`;
    return this.marketProblem('provisions', query);
  }

  /** Of a list that is recorded for each open market. */
  marketProblem(list: string, query: Query): string | undefined {
    const marketId = (query.text('market_id') ?? '').toLowerCase();
    const parts = this.#lists.parts(list);
    if (marketId === '')
      return this.#partProblem(
        list,
        parts.find(({ problem }) => problem !== null),
      );
    const part = parts.find(({ scope }) => scope === marketId);
    if (part !== undefined) return this.#partProblem(list, part);
    const unread = parts.find(({ scope }) => scope === '');
    if (unread !== undefined) return this.#partProblem(list, unread);
    const isKnown = this.#lists
      .records('markets')
      .some(({ members }) => memberTextOrEmpty(members, 'id').toLowerCase() === marketId);
    if (isKnown)
      return `${this.#lists.name} has no ${list} of this market: it was over, and only those of open markets are recorded`;
    return this.#partProblem(list, this.#lists.part('markets', ''));
  }

  /**
   * The epochs of a request, if the fees of all these epochs are recorded; otherwise it is answered like by an older
   * node.
   */
  feeRange(query: Query): EpochRange | undefined {
    if (query.bool('include_derived_parties') === true)
      throw newGatewayFailure(3, `${this.#lists.name} does not show which parties are derived from another`);
    const [one, other] = [query.uint64('epoch_from'), query.uint64('epoch_to')];
    if (one === undefined || other === undefined) return undefined;
    const [from, to] = one <= other ? [one, other] : [other, one];
    const read = this.#lists
      .parts('fees')
      .filter(
        ({ scope, problem }) =>
          problem === null && /^\d{1,15}$/.test(scope) && BigInt(scope) >= from && BigInt(scope) <= to,
      );
    return BigInt(read.length) === to - from + 1n ? { from, to } : undefined;
  }

  feeProblem(query: Query): string | undefined {
    if (this.feeRange(query) !== undefined) return undefined;
    const epoch = query.uint64('epoch_seq');
    const isDefaultEpoch = query.text('market_id') === undefined || query.text('asset_id') === undefined;
    const stored = this.#lists.parts('fees');
    const part = epoch === undefined ? undefined : stored.find(({ scope }) => scope === String(epoch));
    if (part === undefined && stored.some(({ scope }) => scope === '')) return this.#problem('fees');
    if (epoch !== undefined) {
      return part === undefined ? this.#otherEpochs(query) : this.#partProblem('fees', part);
    }
    if (!isDefaultEpoch) return this.#otherEpochs(query);
    const newest = stored
      .filter(({ scope }) => Number(scope) < this.epoch)
      .toSorted((one, other) => Number(other.scope) - Number(one.scope))
      .find(({ records, problem }) => problem !== null || records.length > 0);
    return newest === undefined ? this.#otherEpochs(query) : this.#partProblem('fees', newest);
  }

  #otherEpochs(query: Query): string {
    const epochs = this.#epochs();
    const asked = query.uint64('epoch_seq');
    const range =
      epochs.length === 0 ? 'of no epoch' : `of the epochs ${Math.min(...epochs)} to ${Math.max(...epochs)} only`;
    return `${this.#lists.name} has fees ${range}${asked === undefined ? '' : `, not of ${asked}`}`;
  }

  #epochs = (): readonly number[] =>
    this.#lists.parts('fees').flatMap(({ scope }) => (scope === '' ? [] : [Number(scope)]));

  #problem(list: string): string | undefined {
    const part = this.#lists.part(list, '');
    if (part === undefined) return `${this.#lists.name} has no ${list}: they were not recorded`;
    return this.#partProblem(list, part);
  }

  #partProblem(list: string, part: RecordedList | undefined): string | undefined {
    if (part === undefined || part.problem === null) return undefined;
    const what =
      part.scope === ''
        ? list
        : list === 'fees'
          ? `${list} of epoch ${part.scope}`
          : `${list} of market ${part.scope.slice(0, 12)}`;
    return `${this.#lists.name} has no ${what}: ${part.problem}`;
  }
}

/** gRPC codes. */
const NOT_FOUND = 5;
const INTERNAL = 13;
