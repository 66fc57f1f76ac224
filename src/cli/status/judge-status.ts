import { secondsInWords } from '../../base/text/duration.ts';
import type { CoreStatus } from '../../chain/api/core-status.ts';
import { errorSentence, isBackendUnavailable, type NodeError, shortErrorSentence } from '../../chain/api/errors.ts';
import { twoChainsProblem } from '../../chain/directory/chain-watch.ts';
import type { Lag } from '../../chain/insight/node-lag.ts';
import { breaksText } from '../../chain/range/segment-links.ts';
import { EXIT, exitCodeFor } from '../exit-code.ts';
import { findAnswerFlaws, isPartNotServed, type NodeStatus } from './node-status.ts';
import { isBusy, type StatusAnswer, type StatusAnswers } from './request-answers.ts';

interface KnownNode {
  readonly answers: StatusAnswers;
  readonly status: NodeStatus;
  readonly lag: Lag;
}

/** A problem of a node, and its exit code. */
export interface StatusProblem {
  readonly code: number;
  readonly text: string;
  /** It is rate-limiting, which proves nothing about its health. */
  readonly isBusy?: boolean;
  /** Its core is at the same block: the chain stands still, and the node is behind nothing. */
  readonly isStalled?: boolean;
}

/** Exit codes, worst first: unreachable is worse than untrusted, and so on. */
const WORST_FIRST = [EXIT.unreachable, EXIT.untrusted, EXIT.refused, EXIT.behind] as const;

export const worstExitCode = (codes: readonly number[]): number =>
  WORST_FIRST.find(code => codes.includes(code)) ?? EXIT.done;

/** The problems of a node; empty when it answered everything and is healthy. */
export function findStatusProblems({ answers, status, lag }: KnownNode): readonly StatusProblem[] {
  // No one runs a core for a chain that has ended.
  const isExpected = (answer: StatusAnswer): boolean => lag.kind === 'archive' && answer === answers.statistics;
  const failed = failures(answers).filter(answer => !isPartNotServed(answer) && !isBusy(answer) && !isExpected(answer));
  const busy = busyFindings(answers);
  // A connection fails for all requests equally: print it once.
  const said = [...new Map(failed.map(({ error }) => [error.message, error])).values()];
  const core = answers.statistics.kind === 'failed' ? answers.statistics.error : null;
  // Without its core a node is behind before long: that is what matters then.
  const ofCore = lag.kind === 'behind' ? EXIT.behind : EXIT.refused;
  const failing = [
    ...said.map(error =>
      error === core && isCoreUnreachable(answers)
        ? { code: ofCore, text: CORE_UNREACHABLE }
        : { code: exitCodeFor(error), text: withHint(error) },
    ),
    ...busy,
  ];
  if (!isAnswered(answers)) return failing.length > 0 ? failing : [NO_DATA_NODE];
  if (answers.list !== null && failing.length === 0 && status.block.timeMs === null)
    return findAnswerFlaws(answers).length === 0 ? [ONLY_LISTS] : [NO_DATA_NODE];
  return [
    ...failing,
    ...findAnswerFlaws(answers).map(text => ({ code: EXIT.untrusted, text })),
    ...chainFindings(status),
    ...linkFindings(status),
    // A busy node is not blamed for missing answers.
    ...(busy.length > 0 && status.block.timeMs === null ? [] : lagFindings(lag, status.core)),
  ];
}

/** The node answers for itself, and has no connection to its core. */
export const isCoreUnreachable = ({ statistics, info, segments }: StatusAnswers): boolean =>
  statistics.kind === 'failed' &&
  isBackendUnavailable(statistics.error) &&
  [info, segments].some(({ kind }) => kind === 'answered');

const CORE_UNREACHABLE = 'its core cannot be reached';

function busyFindings(answers: StatusAnswers): readonly StatusProblem[] {
  const [busy] = failures(answers).filter(isBusy);
  return busy === undefined
    ? []
    : [{ code: EXIT.refused, isBusy: true, text: `busy: ${busy.error.message}. Ask again later.` }];
}

/** Why a part is not known; undefined when it was answered. */
export const reasonUnknown = (answer: StatusAnswer): string | undefined =>
  answer.kind === 'answered'
    ? undefined
    : isPartNotServed(answer)
      ? 'the node does not serve it'
      : isBusy(answer)
        ? 'the node is busy'
        : shortErrorSentence(answer.error);

/** Whether the node answered at all, even with a refusal. */
export const isReached = (answers: StatusAnswers): boolean =>
  isAnswered(answers) || failures(answers).some(({ error }) => exitCodeFor(error) !== EXIT.unreachable);

const NO_DATA_NODE: StatusProblem = {
  code: EXIT.refused,
  text: 'it does not answer like a data node. Check that this is its REST address.',
};

const ONLY_LISTS: StatusProblem = {
  code: EXIT.untrusted,
  text: 'it serves lists, but not its state: whether it is behind is not known',
};

const allAnswers = ({ statistics, info, segments, list }: StatusAnswers): readonly StatusAnswer[] => [
  ...[statistics, info, segments],
  ...(list === null ? [] : [list]),
];

const isAnswered = (answers: StatusAnswers): boolean => allAnswers(answers).some(({ kind }) => kind === 'answered');

const failures = (answers: StatusAnswers) =>
  allAnswers(answers).flatMap(answer => (answer.kind === 'failed' ? [answer] : []));

// A refusal has the node's own words; without an answer only the hint can help.
const withHint = (error: NodeError): string =>
  exitCodeFor(error) === EXIT.unreachable ? `${errorSentence(error)}; ${error.hint}` : errorSentence(error);

function chainFindings(status: NodeStatus): readonly StatusProblem[] {
  const mixed = twoChainsProblem(status);
  return mixed === undefined ? [] : [{ code: EXIT.untrusted, text: mixed }];
}

function linkFindings({ history }: NodeStatus): readonly StatusProblem[] {
  const broken = breaksText(history?.breaks ?? []);
  return broken === undefined ? [] : [{ code: EXIT.untrusted, text: broken }];
}

function lagFindings(lag: Lag, core: CoreStatus | null): readonly StatusProblem[] {
  switch (lag.kind) {
    case 'current':
    case 'archive':
      return [];
    case 'unknown':
      return [{ code: EXIT.untrusted, text: 'the time of its newest block is unknown, so it may be behind' }];
    case 'ahead': {
      const ahead = `its newest block is ${twoUnitDuration(lag.ms)} ahead of this clock. Check both clocks.`;
      return [{ code: EXIT.untrusted, text: ahead }];
    }
    case 'behind': {
      if (lag.by === 'clock' && core?.behindBlocks === 0n) {
        const stalled = `no new block for ${twoUnitDuration(lag.ms)} by this clock: its core has none either`;
        return [{ code: EXIT.behind, isStalled: true, text: stalled }];
      }
      const than = lag.by === 'clock' ? 'by this clock' : 'by the time of its core';
      return [{ code: EXIT.behind, text: `behind by ${twoUnitDuration(lag.ms)} ${than}` }];
    }
  }
}

/** The two largest units: `1 h 12 min`. */
export const twoUnitDuration = (ms: number): string =>
  secondsInWords(String(Math.floor(ms / 1000)))
    .split(' ')
    .slice(0, 4)
    .join(' ');
