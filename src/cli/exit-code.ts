import { NetworkError, RateLimitedError, RefusedError, TimeoutError, UndecodableError } from '../chain/api/errors.ts';
import { UnreadableError } from '../history/check/unreadable-error.ts';
import { DestinationError } from '../history/plan/destination-error.ts';
import { OtherHistoryError } from '../history/store/other-history-error.ts';
import { SegmentsGoneError } from '../history/store/segments-gone-error.ts';
import { isAnswerError, isMomentError, isSnapshotError } from './errors-by-name.ts';
import { FetchFailedError } from './fetch-failed-error.ts';
import { UsageError } from './usage-error.ts';

/** Exit codes, stable. */
export const EXIT = {
  done: 0,
  fault: 1,
  /** Of `diff`, as of other programs of this name, and of `segments` of several nodes. */
  different: 1,
  usage: 2,
  refused: 3,
  unreachable: 4,
  untrusted: 5,
  behind: 6,
  interrupted: 130,
} as const;

/** What each exit code means. */
export const EXIT_MEANS = {
  [EXIT.done]: 'Done.',
  [EXIT.fault]: 'An error in blockglass itself.',
  [EXIT.usage]: 'The command line, or a file or folder it names, cannot be used.',
  [EXIT.refused]: 'The node refused, or nothing was found.',
  [EXIT.unreachable]: 'The node cannot be reached, or took too long.',
  [EXIT.untrusted]: 'What arrived cannot be trusted: it is unreadable, cut short, or failed its check.',
  [EXIT.behind]: 'status: the node is behind by more than --max-lag.',
  [EXIT.interrupted]: 'Interrupted: Ctrl-C, SIGTERM or SIGHUP.',
} as const satisfies { readonly [code in (typeof EXIT)[keyof typeof EXIT]]: string };

export const EXIT_NOTE =
  'diff, and segments of several nodes, exit with 1 if something differs. check has codes of its own: see its help. Data goes to stdout, everything else to stderr.';

export function exitCodeFor(error: unknown): number {
  if (isAnswerError(error)) return error.because === 'untrusted' ? EXIT.untrusted : EXIT.usage;
  if (error instanceof FetchFailedError) return error.exitCode;
  if (isSnapshotError(error)) return SNAPSHOT_EXIT_CODES[error.because];
  if (isMomentError(error) || [UsageError, DestinationError, UnreadableError].some(kind => error instanceof kind))
    return EXIT.usage;
  if ([RefusedError, RateLimitedError, SegmentsGoneError].some(kind => error instanceof kind)) return EXIT.refused;
  if (error instanceof NetworkError || error instanceof TimeoutError) return EXIT.unreachable;
  return error instanceof UndecodableError || error instanceof OtherHistoryError ? EXIT.untrusted : EXIT.fault;
}

const SNAPSHOT_EXIT_CODES = {
  usage: EXIT.usage,
  busy: EXIT.usage,
  disk: EXIT.fault,
  damaged: EXIT.untrusted,
  fault: EXIT.fault,
} as const;
