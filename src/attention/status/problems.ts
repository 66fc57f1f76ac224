import { secondsInWords } from '../../base/text/duration.ts';
import type { CoreStatus } from '../../chain/api/core-status.ts';
import {
  errorSentence,
  isBackendUnavailable,
  NetworkError,
  type NodeError,
  TimeoutError,
  UndecodableError,
} from '../../chain/api/errors.ts';
import { twoChainsProblem } from '../../chain/directory/chain-watch.ts';
import type { Lag } from '../../chain/insight/node-lag.ts';
import { breaksText } from '../../chain/range/segment-links.ts';
import { findAnswerFlaws, isPartNotServed, type NodeStatus } from './node-status.ts';
import { isBusy, type StatusAnswer, type StatusAnswers } from './request-answers.ts';

interface KnownNode {
  readonly answers: StatusAnswers;
  readonly status: NodeStatus;
  readonly lag: Lag;
}

/**
 * The problems a node can have, the worst first. A busy node is rate-limiting, which proves nothing about its health. The
 * core of a stalled one is at the same block: the chain stands still, and the node is behind nothing.
 */
const PROBLEM_KINDS = ['unreachable', 'untrusted', 'refused', 'busy', 'behind', 'stalled'] as const;

export type ProblemKind = (typeof PROBLEM_KINDS)[number];

export interface StatusProblem {
  readonly kind: ProblemKind;
  readonly text: string;
}

/** Null if there is no problem. */
export const worstProblem = (problems: readonly Pick<StatusProblem, 'kind'>[]): ProblemKind | null =>
  PROBLEM_KINDS.find(wanted => problems.some(({ kind }) => kind === wanted)) ?? null;

/** The problems of a node; empty when it answered everything and is healthy. */
export function findStatusProblems({ answers, status, lag }: KnownNode): readonly StatusProblem[] {
  // No one runs a core for a chain that has ended.
  const isExpected = (answer: StatusAnswer): boolean => lag.kind === 'archive' && answer === answers.statistics;
  const failed = failures(answers).filter(answer => !isPartNotServed(answer) && !isBusy(answer) && !isExpected(answer));
  const busy = busyProblems(answers);
  // A connection fails for all requests equally: print it once.
  const once = [...new Map(failed.map(({ error }) => [error.message, error])).values()];
  const core = answers.statistics.kind === 'failed' ? answers.statistics.error : null;
  const failing = [
    ...once.map(error =>
      error === core && isCoreUnreachable(answers)
        ? // Without its core a node is behind before long: that is what matters then.
          createProblem(lag.kind === 'behind' ? 'behind' : 'refused', 'its core cannot be reached')
        : failureProblem(error),
    ),
    ...busy,
  ];
  if (!isAnswered(answers)) return failing.length > 0 ? failing : [NO_DATA_NODE];
  const flaws = findAnswerFlaws(answers);
  if (answers.list !== null && failing.length === 0 && status.block.timeMs === null)
    return flaws.length === 0 ? [ONLY_LISTS] : [NO_DATA_NODE];
  const untrusted = [twoChainsProblem(status), breaksText(status.history?.breaks ?? [])];
  return [
    ...failing,
    ...[...flaws, ...untrusted.filter(text => text !== undefined)].map(text => createProblem('untrusted', text)),
    // A busy node is not blamed for missing answers.
    ...(busy.length > 0 && status.block.timeMs === null ? [] : lagProblems(lag, status.core)),
  ];
}

const createProblem = (kind: ProblemKind, text: string): StatusProblem => ({ kind, text });

const NO_DATA_NODE = createProblem(
  'refused',
  'it does not answer like a data node. Check that this is its REST address.',
);

const ONLY_LISTS = createProblem('untrusted', 'it serves lists, but no status: whether it is behind is not known');

/** The node answers for itself, and has no connection to its core. */
export const isCoreUnreachable = ({ statistics, info, segments }: StatusAnswers): boolean =>
  statistics.kind === 'failed' &&
  isBackendUnavailable(statistics.error) &&
  [info, segments].some(({ kind }) => kind === 'answered');

function busyProblems(answers: StatusAnswers): readonly StatusProblem[] {
  const [busy] = failures(answers).filter(isBusy);
  return busy === undefined ? [] : [createProblem('busy', `busy: ${busy.error.message}. Ask again later.`)];
}

/** Whether the node answered at all, even with a refusal. */
export const isReached = (answers: StatusAnswers): boolean =>
  isAnswered(answers) || failures(answers).some(({ error }) => failureKind(error) !== 'unreachable');

const allAnswers = ({ statistics, info, segments, list }: StatusAnswers): readonly StatusAnswer[] => [
  ...[statistics, info, segments],
  ...(list === null ? [] : [list]),
];

const isAnswered = (answers: StatusAnswers): boolean => allAnswers(answers).some(({ kind }) => kind === 'answered');

const failures = (answers: StatusAnswers) =>
  allAnswers(answers).flatMap(answer => (answer.kind === 'failed' ? [answer] : []));

/** A refusal has the node's own words; without an answer only the hint can help. */
function failureProblem(error: NodeError): StatusProblem {
  const kind = failureKind(error);
  const sentence = errorSentence(error);
  return createProblem(kind, kind === 'unreachable' ? `${sentence}; ${error.hint}` : sentence);
}

function failureKind(error: NodeError): 'unreachable' | 'untrusted' | 'refused' {
  if (error instanceof NetworkError || error instanceof TimeoutError) return 'unreachable';
  return error instanceof UndecodableError ? 'untrusted' : 'refused';
}

function lagProblems(lag: Lag, core: CoreStatus | null): readonly StatusProblem[] {
  switch (lag.kind) {
    case 'current':
    case 'archive':
      return [];
    case 'unknown':
      return [createProblem('untrusted', 'the time of its newest block is unknown, so it may be behind')];
    case 'ahead': {
      const ahead = `its newest block is ${twoUnitDuration(lag.ms)} ahead of this clock. Check both clocks.`;
      return [createProblem('untrusted', ahead)];
    }
    case 'behind': {
      if (lag.by === 'clock' && core?.behindBlocks === 0n) {
        const stalled = `no new block for ${twoUnitDuration(lag.ms)} by this clock: its core has none either`;
        return [createProblem('stalled', stalled)];
      }
      const than = lag.by === 'clock' ? 'by this clock' : 'by the time of its core';
      return [createProblem('behind', `behind by ${twoUnitDuration(lag.ms)} ${than}`)];
    }
  }
}

/** The two largest units: `1 h 12 min`. */
const twoUnitDuration = (ms: number): string =>
  secondsInWords(String(Math.floor(ms / 1000)))
    .split(' ')
    .slice(0, 4)
    .join(' ');
