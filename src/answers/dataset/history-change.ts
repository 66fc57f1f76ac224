import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SliceRecord } from '../../history/manifest/manifest.ts';
import { AnswerError } from '../engine/answer-error.ts';

/** The part of a history that an answer is read from. */
export interface TakenHistory {
  readonly chainId: string;
  readonly tables: readonly {
    readonly folder: string;
    readonly slices: readonly Pick<SliceRecord, 'file' | 'bytes'>[];
  }[];
}

/** That slices of a history were deleted or replaced since they were taken; undefined if all are there. */
export async function historyChange({ chainId, tables }: TakenHistory): Promise<AnswerError | undefined> {
  for (const { folder, slices } of tables)
    for (const { file, bytes } of slices) {
      const size = await stat(join(folder, file)).then(
        found => found.size,
        () => undefined,
      );
      if (size !== bytes)
        return new AnswerError(
          `the history of ${chainId} on disk was ${size === undefined ? 'deleted' : 'changed'} while it was read, so there is no answer`,
          'ask again; add --fetch to fetch it again',
          'untrusted',
        );
    }
  return undefined;
}

/** Works with a history. If it is deleted or replaced meanwhile, that is the error, and not its result or its own error. */
export async function withHistoryWhole<T>(history: TakenHistory | undefined, work: () => Promise<T>): Promise<T> {
  const outcome = await Promise.allSettled([work()]);
  const change = history && (await historyChange(history));
  if (change !== undefined) throw change;
  const [made] = outcome;
  if (made.status === 'rejected') throw made.reason;
  return made.value;
}

/** That only the Parquet of a history is gone, or other Parquet. */
export const parquetChange = ({ chainId }: Pick<TakenHistory, 'chainId'>): AnswerError =>
  new AnswerError(
    `the Parquet of the history of ${chainId} was deleted or changed while it was read, so there is no answer`,
    'ask again to rebuild it',
    'untrusted',
  );
