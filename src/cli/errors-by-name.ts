import type { AnswerError } from '../answers/index.ts';
import type { MomentError } from '../memory/record/open-snapshot.ts';
import type { SnapshotError } from '../memory/snapshots/index.ts';

/** Known by its name: the class is loaded with the answers, which most commands never need. */
export const isAnswerError = (error: unknown): error is AnswerError =>
  error instanceof Error && error.name === 'AnswerError';

/** Known by its name: the class is loaded with the snapshots, which most commands never need. */
export const isSnapshotError = (error: unknown): error is SnapshotError =>
  error instanceof Error && error.name === 'SnapshotError';

/** Recognised by its name: most commands never use a snapshot. */
export const isMomentError = (error: unknown): error is MomentError =>
  error instanceof Error && error.name === 'MomentError';
