import { TABLES } from '../../export/plan/tables.ts';
import type { ExportChoice } from '../../export/plan/typed-export.ts';
import { placeNamed } from '../../export/range/named-range.ts';
import type { SessionState } from '../model/state.ts';
import { NO_NOTES, NONE_ASKED, type Wizard } from '../model/wizard.ts';
import { arriveAtTab, withNotice } from './transitions.ts';

/** Fills the wizard with what was named, and goes on from there as far as is said. The newest segments are asked for anew. */
export function fillExport(state: SessionState, choice: ExportChoice, onward: 'range' | 'review'): SessionState {
  const arrived = arriveAtTab(state, 'export');
  if (arrived.job?.status === 'running') return withNotice(arrived, 'an export is running already');
  const { range, destination, isSliced, keepsIncomplete, left } = choice;
  const [table = arrived.wizard.table, ...tablesAfter] = choice.tables.map(({ id }) => indexOf(id));
  // What was looked at would lie over it.
  const filled = withRangeNamed({ ...arrived, layers: [] }, range, onward);
  return withLeft(
    {
      ...filled,
      wizard: {
        ...filled.wizard,
        step: 'range',
        field: 'from',
        table,
        tablesAfter,
        destination: destination ?? folderOf(filled.wizard.destination),
        isSliced: isSliced ? true : null,
        keepsIncomplete,
        check: null,
        checking: null,
        mayOverwrite: false,
        problem: null,
      },
    },
    left,
  );
}

const indexOf = (id: string): number => TABLES.findIndex(table => table.id === id);

/** A file that was named was meant for one export: the next one gets a name beside it. */
export const folderOf = (destination: string): string =>
  /\.zip$/i.test(destination) ? destination.replace(/[^/]*$/, '') : destination;

function withRangeNamed(state: SessionState, range: string | undefined, onward: Wizard['onward']): SessionState {
  const { wizard, ticket } = state;
  if (range === undefined) return { ...state, wizard: { ...wizard, locating: null, onward: null } };
  // In a field one place alone is one end; what names a range is both.
  const from = placeNamed(range) === undefined ? range : `${range}..${range}`;
  return {
    ...state,
    ticket: ticket + 1,
    wizard: {
      ...wizard,
      from,
      typedIn: ['from'],
      notes: NO_NOTES,
      asked: NONE_ASKED,
      rangeWords: null,
      survey: null,
      surveying: null,
      locating: null,
      boundaries: null,
      failure: null,
      asking: ticket + 1,
      onward,
    },
  };
}

const withLeft = (state: SessionState, left: readonly string[]): SessionState =>
  left.length === 0 ? state : withNotice(state, `the wizard has no field for ${left.join(', ')}`);
