import { setTimeout as wait } from 'node:timers/promises';
import {
  answeredChainState,
  EXTRA_REQUESTS_WITHOUT_CORE,
  isUnreachable,
  MAX_OVERVIEW_REQUESTS,
  type OverviewAnswers,
  type PartAnswer,
  runPartRequest,
  skippedAnswer,
  waitingParts,
} from '../../attention/overview/answers.ts';
import { OverviewRequester } from '../../attention/overview/overview-requester.ts';
import { withRequestBudget } from '../../attention/overview/request-budget.ts';
import { type OverviewPart, requestOverview } from '../../attention/overview/request-overview.ts';
import type { OwnProvisions } from '../../attention/rules/narrow-to-mine.ts';
import type { SourceName } from '../../attention/rules/rule-input.ts';
import type { Client } from '../../chain/api/client.ts';
import { readCoreStatus } from '../../chain/api/core-status.ts';
import { TimeoutError } from '../../chain/api/errors.ts';
import { shownAddress } from '../../chain/api/request.ts';
import type { Mine } from '../../chain/directory/mine.ts';
import { fetchPage } from '../../chain/resources/fetch-page.ts';
import { networkParameters } from '../../chain/resources/network-parameters.ts';
import { MAX_PAGE_SIZE } from '../../chain/resources/page-request.ts';
import type { RowPage } from '../../chain/resources/resource.ts';
import { MAX_MINE_REQUESTS, requestOwnProvisions } from './request-own-provisions.ts';

/** What the rules of a check read: the parts of the overview, and the parameters. */
export type CheckPart = OverviewPart | 'parameters';

/** The most requests of a check: those of the overview, one for the parameters, and those for the user's own entities. */
const MAX_CHECK_REQUESTS = MAX_OVERVIEW_REQUESTS + EXTRA_REQUESTS_WITHOUT_CORE + 1 + MAX_MINE_REQUESTS;

export interface CheckAnswers {
  readonly answers: OverviewAnswers;
  readonly parameters: PartAnswer<RowPage>;
  /** With --mine, if a rule looks at provisions. */
  readonly own: OwnProvisions | undefined;
  readonly requests: number;
}

interface AskOptions {
  readonly signal: AbortSignal;
  readonly nowMs: () => number;
  /** For all requests together, in ms. */
  readonly timeoutMs: number;
  /** The user's own entities on a chain, if their provisions are needed. */
  readonly ownOf?: ((chainId: string) => Mine) | undefined;
  readonly threshold?: number | undefined;
  readonly signerCount?: number | undefined;
}

/** Requests only the needed parts; undefined for all parts. Throws only when aborted. */
export async function fetchCheckAnswers(
  client: Client,
  needed: ReadonlySet<CheckPart> | undefined,
  options: AskOptions,
): Promise<CheckAnswers> {
  const { client: limited, sent } = withLimits(client, options);
  const { signal, nowMs } = options;
  const answers =
    needed === undefined
      ? await requestOverview(limited, { ...options, isLive: true })
      : await askParts(limited, needed, options);
  const isWanted = needed === undefined || needed.has('parameters');
  const { statistics, segments } = answers;
  const isDead = isUnreachable(statistics) && (isUnreachable(segments) || !isAnswered(segments));
  const why = statistics.kind === 'failed' ? statistics.why : '';
  const parameters =
    !isWanted || isDead
      ? skippedAnswer<RowPage>(isDead ? why : NOT_NEEDED, nowMs())
      : await runPartRequest(async () => (await fetchPage(limited, networkParameters, FIRST_PAGE, signal)).page, {
          signal,
          nowMs,
        });
  const { chainId } = answeredChainState(answers);
  const mine = chainId === null || isDead ? undefined : options.ownOf?.(chainId);
  const own = mine === undefined ? undefined : await requestOwnProvisions(limited, mine, { signal, nowMs });
  return { answers, parameters, own, requests: sent() };
}

const FIRST_PAGE = { filters: {}, size: MAX_PAGE_SIZE, newestFirst: true, position: { kind: 'first' } } as const;

const NOT_NEEDED = 'not needed for these rules';

const isAnswered = ({ kind }: PartAnswer<unknown>): boolean => kind === 'answered';

/** One after the other; nothing more is sent to a node that cannot be reached. */
async function askParts(client: Client, needed: ReadonlySet<CheckPart>, options: AskOptions): Promise<OverviewAnswers> {
  const requester = new OverviewRequester(client, { ...options, isLive: true });
  await requester.ask('statistics');
  const { statistics } = requester.answers;
  // Without its core, the segments identify the chain, and the newest epoch is requested.
  const hasCore = statistics.kind === 'answered' && readCoreStatus(statistics.value) !== null;
  if (!hasCore) requester.allowMore(EXTRA_REQUESTS_WITHOUT_CORE);
  const wanted = REQUEST_ORDER.filter(part => needed.has(part) || (PARTS_WITHOUT_CORE.has(part) && !hasCore));
  const isDead = (): boolean => isUnreachable(statistics) && isUnreachable(requester.answers.segments);
  for (const part of wanted) {
    if (isDead()) break;
    await requester.ask(part);
    if (part === 'bundles') await requester.ask('checked');
  }
  if (!isDead()) await requester.ask('block');
  const why = isDead() && statistics.kind === 'failed' ? statistics.why : NOT_NEEDED;
  requester.skip(waitingParts(requester.answers), why);
  return requester.answers;
}

/** What others depend on comes first. */
const REQUEST_ORDER = [
  ...(['segments', 'epoch', 'markets', 'fees', 'assets', 'validators'] as const),
  ...(['bundles', 'specs', 'arrivals', 'provisions', 'bonds'] as const),
] satisfies readonly OverviewPart[];

const PARTS_WITHOUT_CORE: ReadonlySet<CheckPart> = new Set(['segments', 'epoch']);

/** The parts that a source of the rules is made of. */
export const PARTS_OF_SOURCE: { readonly [source in SourceName]: readonly OverviewPart[] } = {
  node: ['statistics', 'segments'],
  history: ['segments'],
  markets: ['markets'],
  validators: ['validators'],
  bundles: ['validators', 'bundles'],
  specs: ['specs', 'markets'],
  arrivals: ['arrivals'],
  provisions: ['markets', 'fees', 'assets', 'provisions'],
  bonds: ['markets', 'fees', 'assets', 'provisions', 'bonds'],
};

const CLIENT_GRACE_MS = 50;

/** A client with a limited number of requests, which gives up when the time is over. */
function withLimits(client: Client, { timeoutMs, nowMs }: Pick<AskOptions, 'timeoutMs' | 'nowMs'>) {
  const endMs = performance.now() + timeoutMs;
  const over = (): TimeoutError =>
    new TimeoutError(`not answered within ${timeoutMs / 1000} s`, {
      url: shownAddress(client.base),
      hint: 'give all requests together more time with --timeout',
    });
  const { client: limited, sent } = withRequestBudget(client, {
    most: MAX_CHECK_REQUESTS,
    spent: `not asked: a check sends at most ${MAX_CHECK_REQUESTS} requests`,
    waitsUntilMs: nowMs() + timeoutMs,
  });
  const get: Client['get'] = async (request, signal, options) => {
    const leftMs = endMs - performance.now();
    if (leftMs <= 0) throw over();
    const done = new AbortController();
    const cancel = AbortSignal.any([done.signal, ...(signal === undefined ? [] : [signal])]);
    const answer = limited.get(request, cancel, { ...options, mostMs: leftMs });
    // The client's error is more informative, but it does not count the time before sending.
    const late = wait(leftMs + CLIENT_GRACE_MS, undefined, { signal: cancel }).then(() => {
      throw over();
    });
    // The loser of the race is cancelled, and its result is ignored.
    answer.catch(() => {});
    late.catch(() => {});
    return Promise.race([answer, late]).finally(() => done.abort());
  };
  return { client: { ...client, get }, sent };
}
