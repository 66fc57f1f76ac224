import { TABLES } from '../../export/plan/tables.ts';
import type { SessionState } from '../model/state.ts';
import { NO_NOTES, NONE_ASKED } from '../model/wizard.ts';

/** Why there is no result to come back to. */
export const noResult = ({ job }: SessionState): string | undefined =>
  job?.status === 'ended' ? undefined : 'no export has ended yet';

/** Back to how the last export ended. The wizard has its table and range again: what the result offers is of these. */
export function withLastResult(state: SessionState): SessionState {
  const { job, wizard } = state;
  if (job?.status !== 'ended') return state;
  const { table, fromBlock, toBlock, destination, slices, keepsIncomplete = false } = job.plan;
  const isSame = wizard.from === String(fromBlock) && wizard.to === String(toBlock);
  return {
    ...state,
    wizard: {
      ...wizard,
      step: 'result',
      table: TABLES.findIndex(({ id }) => id === table.id),
      destination,
      isSliced: slices !== undefined,
      keepsIncomplete,
      problem: null,
      ...(!isSame && {
        from: String(fromBlock),
        to: String(toBlock),
        notes: NO_NOTES,
        asked: NONE_ASKED,
        rangeWords: null,
        survey: null,
        surveying: null,
      }),
    },
  };
}
