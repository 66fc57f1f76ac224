import type { Client } from '../../chain/api/client.ts';
import { isBackendUnavailable, RateLimitedError } from '../../chain/api/errors.ts';
import { isArchive } from '../../chain/directory/chain-state.ts';
import {
  answeredChainState,
  EXTRA_REQUESTS_WITHOUT_CORE,
  isUnreachable,
  type OverviewAnswers,
  type PartAnswer,
  type PartName,
  waitingParts,
} from './answers.ts';
import { answeredFees, findTopMarket } from './fees.ts';
import { type OverviewOptions, OverviewRequester, type RequestedPart } from './overview-requester.ts';

/**
 * Requests everything on the overview, in at most MAX_OVERVIEW_REQUESTS requests. The first ones are sent one at a time,
 * because their headers give the node's limit. Throws only when aborted.
 */
export async function requestOverview(client: Client, options: OverviewOptions): Promise<OverviewAnswers> {
  const requester = new OverviewRequester(client, options);
  await requestChain(requester);
  const { statistics, segments } = requester.answers;
  // Nothing else is sent to a node that cannot be reached.
  if (isUnreachable(statistics) && isUnreachable(segments))
    requester.skip(waitingParts(requester.answers), statistics.kind === 'failed' ? statistics.why : '');
  else {
    const isEnded = (): boolean => options.isLive !== true && isArchive(answeredChainState(requester.answers));
    await requestLists(requester, isEnded);
    await requestTopMarket(requester, isEnded);
    await requester.ask('own');
  }
  return requester.answers;
}

/** Requests the core, and sends a second request if the first answer does not give the node's limit. */
async function requestChain(requester: OverviewRequester): Promise<void> {
  await requester.ask('statistics');
  const { statistics } = requester.answers;
  if (isBusy(statistics)) return requester.skip(['epoch'], NOT_NEEDED);
  const isSilent = statistics.kind === 'failed' && !isUnreachable(statistics);
  if (!requester.knowsRate || isSilent) await requester.ask('segments');
  // If neither answers, the node serves only lists.
  const isEpochNeeded =
    isSilent && (isBackendUnavailable(statistics.error) || requester.answers.segments.kind === 'answered');
  if (!isEpochNeeded) return requester.skip(['epoch'], NOT_NEEDED);
  requester.allowMore(EXTRA_REQUESTS_WITHOUT_CORE);
  await requester.ask('epoch');
}

async function requestLists(requester: OverviewRequester, isEnded: () => boolean): Promise<void> {
  const { statistics, segments } = requester.answers;
  const ask = (part: RequestedPart) => () => requester.ask(part);
  await runAll(requester, [
    ...(segments.kind === 'waiting' ? [ask('segments')] : []),
    ask('markets'),
    ask('fees'),
    ask('assets'),
    async () => {
      await runAll(requester, [ask('validators'), ask('bundles')]);
      await requester.ask('checked');
    },
    ask('specs'),
    () => requestOfLiveChain(requester, 'arrivals', isEnded),
  ]);
  // Without its core, the node can at least report its own build.
  if (statistics.kind === 'answered') requester.skip(['info'], NOT_NEEDED);
  else await requester.ask('info');
  await requester.ask('block');
}

/** What depends on the market with the most fees. */
async function requestTopMarket(requester: OverviewRequester, isEnded: () => boolean): Promise<void> {
  const top = findTopMarket(requester.answers);
  if (top === null) return requester.skip(['provisions', 'bonds', 'marketFees'], 'no market is known');
  await requester.ask('provisions');
  if (answeredFees(requester.answers).isRange || top.assetId === '') requester.skip(['marketFees'], NOT_NEEDED);
  else await requester.ask('marketFees');
  await requestOfLiveChain(requester, 'bonds', isEnded);
}

/** What only rules read that have nothing to judge on a chain that has ended. */
async function requestOfLiveChain(
  requester: OverviewRequester,
  part: 'arrivals' | 'bonds',
  isEnded: () => boolean,
): Promise<void> {
  if (isEnded()) requester.skip([part], 'not needed: the chain has ended');
  else await requester.ask(part);
}

/** At once, unless the node allows too few for that. */
async function runAll({ isTight }: OverviewRequester, asks: readonly (() => Promise<void>)[]): Promise<void> {
  if (!isTight) return void (await Promise.all(asks.map(ask => ask())));
  for (const ask of asks) await ask();
}

const isBusy = (answer: PartAnswer<unknown>): boolean =>
  answer.kind === 'failed' && answer.error instanceof RateLimitedError;

const NOT_NEEDED = 'not needed';

/** A part that can be asked for again. */
export type OverviewPart = Exclude<PartName, 'info' | 'checked'>;

/** The answers with one part asked for again, in one request. Throws only when aborted. */
export async function requestOverviewPart(
  client: Client,
  part: OverviewPart | 'block',
  options: PartRequestOptions,
): Promise<OverviewAnswers> {
  const requester = new OverviewRequester(client, options, options.answers);
  await requester.ask(part);
  if (part === 'bundles') await requester.ask('checked');
  return requester.answers;
}

interface PartRequestOptions extends OverviewOptions {
  readonly answers: OverviewAnswers;
}
