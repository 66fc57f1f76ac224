import type { ViewerColumn } from '../../answers/index.ts';
import { oneLine } from '../../text/safe-text.ts';
import type { SessionState } from '../model/state.ts';
import type { OpenTable } from '../model/viewer.ts';
import type { ViewerChoice } from '../model/viewer-action.ts';
import { drawnOrder } from '../model/viewer-order.ts';
import { topScreen } from './layers.ts';
import { askIfMeant } from './misspelt.ts';
import type { CommandOutcome, Verb } from './verb.ts';
import { noViewedRows } from './viewer-off.ts';
import { isViewing, tableHere } from './viewer-state.ts';

/** What a verb does where a table on the disk is looked at. */
interface TableVerb {
  readonly read: (open: OpenTable, words: readonly string[]) => CommandOutcome;
  readonly columns?: (open: OpenTable) => readonly ViewerColumn[];
}

/** A verb for the rows on the screen, be they of a list or of a table on the disk; what cannot be seen it leaves alone. */
export const ofRowsShown = (ofList: Verb, ofTable: TableVerb, behind = behindScreens): Verb => ({
  help: ofList.help,
  read: (state, words) => {
    const hidden = behind(state);
    if (hidden !== undefined) return { problem: `the rows are behind ${hidden}: Esc goes back to them` };
    if (!isViewing(state)) return ofList.read(state, words);
    const open = tableHere(state);
    const problem = noViewedRows(state);
    if (open === undefined || problem !== undefined) return { problem: problem ?? 'no table is open here' };
    return ofTable.read(open, words);
  },
  complete: (state, words) => {
    if (!isViewing(state)) return ofList.complete?.(state, words) ?? [];
    const open = tableHere(state);
    const names = open === undefined ? [] : (ofTable.columns?.(open) ?? []).map(nameOf);
    // The first of several words can go on with a name of several words alone.
    return words.length > 1 ? names.filter(name => name.includes(' ')) : names;
  },
});

/** What is shown in the place of the rows. */
export const behindScreens = (state: SessionState): string | undefined => topScreen(state)?.screen.title;

export const FIND_IN_TABLE: TableVerb = {
  read: (_, words) => {
    const text = words.join(' ').trim();
    return text === '' ? { problem: 'find what? a text, a number, an id' } : chosen({ kind: 'find', text });
  },
};

export const SORT_TABLE: TableVerb = {
  columns: columnsOf,
  read: (open, words) => {
    const typed = words.join(' ');
    const [, text = '', order] = /^(.*?)(?::(asc|desc))?$/.exec(typed) ?? [];
    // A name may end like an order.
    const whole = columnCalled(open, typed);
    const column = whole ?? columnCalled(open, text);
    if (column === undefined) return { problem: noColumn(columnsOf(open), text) };
    const isDescending = whole !== undefined || order === undefined ? {} : { isDescending: order === 'desc' };
    return chosen({ kind: 'sort', column: column.name, ...isDescending });
  },
};

export const COUNT_IN_TABLE: TableVerb = {
  columns: columnsOf,
  read: (open, words) => {
    const column = columnCalled(open, words.join(' '));
    if (column === undefined) return { problem: noColumn(columnsOf(open), words.join(' ')) };
    return chosen({ kind: 'count', column: column.name });
  },
};

export const SUM_IN_TABLE: TableVerb = {
  columns: numbersOf,
  read: (open, words) => {
    const column = columnCalled(open, words.join(' '));
    if (column === undefined) return { problem: noColumn(numbersOf(open), words.join(' ')) };
    if (column.shape === 'number') return chosen({ kind: 'count', column: column.name });
    const names = numbersOf(open).map(nameOf);
    return {
      problem: `${nameOf(column)} cannot be added up${names.length === 0 ? '' : `: there are ${names.join(', ')}`}`,
    };
  },
};

/** Pages are of a node. */
export const NO_PAGES: TableVerb = { read: () => ({ problem: 'a table on the disk has no pages' }) };

const chosen = (choice: ViewerChoice): CommandOutcome => ({ actions: [{ type: 'in-viewer', choice }] });

/** As they are drawn. */
function columnsOf({ table }: OpenTable): readonly ViewerColumn[] {
  return drawnOrder(table.columns).flatMap(index => table.columns[index] ?? []);
}

function numbersOf(open: OpenTable): readonly ViewerColumn[] {
  return columnsOf(open).filter(({ shape }) => shape === 'number');
}

/** As it can be typed: files may call their columns anything. */
const nameOf = ({ name }: ViewerColumn): string => oneLine(name).replace(/\s+/g, ' ').trim();

/** By its name, or by it in whatever case. */
function columnCalled({ table }: OpenTable, typed: string): ViewerColumn | undefined {
  const wanted = typed.trim();
  const { columns } = table;
  return (
    columns.find(column => nameOf(column) === wanted) ??
    columns.find(column => nameOf(column).toLowerCase() === wanted.toLowerCase())
  );
}

function noColumn(columns: readonly ViewerColumn[], typed: string): string {
  const names = columns.map(nameOf);
  return `no column "${typed}": ${askIfMeant(typed, names) ?? `there are ${names.join(', ')}`}`;
}
