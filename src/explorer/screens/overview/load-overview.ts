import {
  answeredChainState,
  isUnreachable,
  type OverviewAnswers,
  type PartAnswer,
} from '../../../attention/overview/answers.ts';
import { nextPart } from '../../../attention/overview/next-part.ts';
import { createOverview } from '../../../attention/overview/overview.ts';
import { requestOverview, requestOverviewPart } from '../../../attention/overview/request-overview.ts';
import type { Client } from '../../../chain/api/client.ts';
import { RateLimitedError } from '../../../chain/api/errors.ts';
import { aliasesById } from '../../../chain/directory/aliases.ts';
import { type Mine, NOTHING_MINE } from '../../../chain/directory/mine.ts';
import { lagLimit, type Preferences } from '../../services/preferences.ts';
import { answerParts, type KnownOverview } from './state.ts';

// Loaded with the first request of the overview: the rules and what reads the answers are much code.

interface OverviewRequest {
  readonly client: Client;
  readonly part: 'all' | 'next';
  /** The previous answers: parts without a new answer keep them. */
  readonly answers: OverviewAnswers;
  readonly preferences: Preferences;
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
  /** The chain that the node has named before; null or '' if it never did. */
  readonly chainId: string | null;
  /** The user's own records, as last read. */
  readonly mine: Mine | undefined;
  readonly readMine: (chainId: string) => Promise<Mine>;
  readonly onAnswer: (known: KnownOverview & { readonly heard: readonly PartAnswer<unknown>[] }) => void;
}

/**
 * Asks, and reports the answers as they arrive; those that arrive together in one report. Resolves with how many answers
 * are those of before because the node limits requests.
 */
export async function loadOverview(request: OverviewRequest): Promise<number> {
  const { client, part, answers: before, chainId: named, preferences, nowMs, signal, readMine, onAnswer } = request;
  // It may have been given up while this was loaded.
  signal.throwIfAborted();
  let latest = before;
  let raw = before;
  const told = new Set(answerParts(before));
  let { mine } = request;
  let timer: NodeJS.Immediate | undefined;
  let reading: Promise<void> | undefined;
  let read: Promise<Mine> | undefined;
  const mineOn = (chainId: string): Promise<Mine> => {
    read ??= readMine(chainId);
    return read;
  };
  const tell = (): void => {
    clearImmediate(timer);
    timer = undefined;
    const chainId = answeredChainState(latest).chainId ?? named;
    if (reading === undefined && chainId)
      reading = mineOn(chainId).then(
        own => {
          mine = own;
          timer ??= setImmediate(tell);
        },
        () => undefined,
      );
    if (signal.aborted) return;
    const heard = answerParts(raw).filter(answer => !told.has(answer));
    for (const answer of heard) told.add(answer);
    onAnswer({ ...assessAnswers({ answers: latest, chainId: named, preferences, nowMs: nowMs(), mine }), heard });
  };
  const options = {
    signal,
    nowMs,
    isLive: lagLimit(preferences).isLive,
    // An unreadable folder is reported elsewhere.
    mineOn: (chainId: string) => mineOn(chainId).catch(() => NOTHING_MINE),
    ...(preferences.nodeCheck !== 'off' && { whyLeftOut: 'it is requested in a few minutes' }),
    onAnswer: (answers: OverviewAnswers): void => {
      raw = answers;
      latest = { ...before, ...keepUnanswered(answers, before) };
      timer ??= setImmediate(tell);
    },
  };
  await (part === 'all'
    ? requestOverview(client, options)
    : requestOverviewPart(client, nextPart(before), { ...options, answers: before }));
  if (timer !== undefined) tell();
  await reading;
  tell();
  return answerParts(raw).filter(isBusy).length - answerParts(latest).filter(isBusy).length;
}

const isBusy = (answer: PartAnswer<unknown>): boolean =>
  answer.kind === 'failed' && answer.error instanceof RateLimitedError;

interface Judging extends Pick<OverviewRequest, 'answers' | 'chainId' | 'preferences' | 'mine'> {
  readonly nowMs: number;
}

export function assessAnswers({ answers, chainId, preferences, nowMs, mine }: Judging): KnownOverview {
  const limit = lagLimit(preferences);
  const settings = { nowMs, chainId, limit, aliases: aliasesById(preferences.aliases) };
  const overview = createOverview(answers, { ...settings, ...(mine !== undefined && { mineOn: () => mine }) });
  return { answers, overview, mine };
}

/**
 * Parts that were not requested from an unreachable node, or that it refused because of its rate limit, keep their
 * previous values.
 */
function keepUnanswered(answers: OverviewAnswers, before: OverviewAnswers): Partial<OverviewAnswers> {
  const isGone = isUnreachable(answers.statistics) && isUnreachable(answers.segments);
  const isShort = isGone || answerParts(answers).some(isBusy);
  // Signatures were checked of these bundles, by these validators.
  const areOld =
    [answers.bundles, answers.validators].some(isBusy) && CHECKED_TOGETHER.every(name => isAnswered(before[name]));
  const known = new Map<string, unknown>(Object.entries(before));
  const isKept = (name: string, part: OverviewAnswers[keyof OverviewAnswers]): boolean => {
    if (typeof part !== 'object') return false;
    // No answer contained a block.
    if (!('kind' in part)) return 'atMs' in part && part.atMs === null;
    if (part.kind === 'waiting' || (areOld && CHECKED_TOGETHER.some(other => other === name))) return true;
    const isMissing = isBusy(part) || (isShort && part.kind === 'failed' && part.error === null);
    return isMissing && isAnswered(known.get(name));
  };
  return Object.fromEntries(Object.entries(answers).filter(([name, part]) => !isKept(name, part)));
}

const CHECKED_TOGETHER = ['bundles', 'validators', 'checked'] as const;

const isAnswered = (part: unknown): boolean =>
  typeof part === 'object' && part !== null && 'kind' in part && part.kind === 'answered';
