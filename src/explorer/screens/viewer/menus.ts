import type { ViewerColumn } from '../../../answers/index.ts';
import { countOf } from '../../../chain/insight/count-of.ts';
import { linkTargets } from '../../../chain/resources/links.ts';
import type { Choice } from '../../core/choice.ts';
import type { ScreenContext, Step } from '../../core/screen.ts';
import { goalChoice, subjectChoices } from '../../goal-choices.ts';
import { open } from '../../openings.ts';
import type { AnswerRequest } from '../../services/tables.ts';
import { fullCellText } from './cells.ts';
import { columnOrder, drawnColumns } from './column-order.ts';
import type { ViewerEvent } from './events.ts';
import { mixedUnitsOf } from './mixed-units.ts';
import { currentRowFormat, selectedRowLeads, tableNames } from './row-format.ts';
import { type OpenTable, openTableOf, rowAt, type Viewer } from './state.ts';

/** A choice that acts on the viewer, or leads to another screen. */
type ViewerChoice = Omit<Choice, 'action'> & ({ readonly event: ViewerEvent } | Pick<Choice, 'action'>);

interface ViewerMenu {
  readonly title: string;
  readonly areMarksKeys?: true;
  readonly choices: (known: OpenTable, context: ScreenContext) => readonly ViewerChoice[];
}

export interface MenuEvent {
  readonly type: 'menu';
  readonly name: keyof typeof MENUS;
}

/** Opens a list to choose from. */
export function openViewerMenu(viewer: Viewer, { name }: MenuEvent, context: ScreenContext): Step<Viewer> {
  const known = openTableOf(viewer);
  const menu: ViewerMenu = MENUS[name];
  const shown = known === undefined ? [] : menu.choices(known, context);
  const choices = shown.map(
    (one): Choice => ('event' in one ? { ...withoutEvent(one), action: context.to(one.event) } : one),
  );
  const { areMarksKeys = false } = menu;
  return { state: viewer, messages: [open('menu', { title: menu.title, choices: () => choices, areMarksKeys })] };
}

const withoutEvent = ({ mark, label, detail }: ViewerChoice) => ({ mark, label, detail });

const MENUS = {
  go: { title: 'Go to: Enter goes, Backspace comes back', areMarksKeys: true, choices: goItems },
  sort: { title: 'Sort all rows by', choices: sortItems },
  filter: { title: 'Show only rows with this value', choices: filterItems },
  count: {
    title: 'Count the values of',
    choices: known =>
      drawnColumns(known.table.columns).map(column =>
        choice(column.name, hasUsefulSum(known, column) ? 'with its sum' : column.about, {
          type: 'count',
          column: column.name,
        }),
      ),
  },
  tables: {
    title: 'Another table',
    choices: ({ tables, view }) =>
      tables.tables.map(({ name, rows, range }, table) => {
        const detail = `${countOf(rows, 'row')}${range && `, ${range}`}`;
        return choice(name, detail, { type: 'table', table }, mark(table === view.table));
      }),
  },
  answers: {
    title: 'Ask about the export',
    choices: ({ viewer, tables }) =>
      viewer.opening.question === null
        ? tables.questions.map(question => choice(question.name, question.title, { type: 'ask', question }))
        : againItems(viewer.opening.question),
  },
} as const satisfies { readonly [name: string]: ViewerMenu };

/** A number without a unit is a count; amounts of several assets have no sum. */
const hasUsefulSum = (known: OpenTable, { name, unit, isSummable }: ViewerColumn): boolean =>
  isSummable === true && unit !== '' && mixedUnitsOf(known, name) === undefined;

function choice(label: string, detail: string, event: ViewerEvent, marked = ''): ViewerChoice {
  return { mark: marked, label, detail, event };
}

function mark(isChosen: boolean): string {
  return isChosen ? '*' : '';
}

function sortItems({ table, view }: OpenTable): readonly ViewerChoice[] {
  const { sort } = view.shown.look;
  const items = drawnColumns(table.columns).map(({ name }) => {
    const event = { type: 'sort', column: name } as const;
    if (sort?.column !== name) return choice(name, '', event);
    return choice(
      name,
      `again: ${sort.isDescending ? 'smallest' : 'largest'} first`,
      event,
      sort.isDescending ? 'v' : '^',
    );
  });
  return [...items, choice('the order of the file', '', { type: 'sort', column: '' }, mark(sort === null))];
}

function filterItems(known: OpenTable, { shared }: ScreenContext): readonly ViewerChoice[] {
  const { table, view } = known;
  const row = rowAt(view, view.row);
  if (row === undefined) return [];
  const rowFormat = currentRowFormat(known, shared);
  return columnOrder(table.columns).flatMap(index => {
    const column = table.columns[index];
    const value = row[index] ?? null;
    if (column === undefined) return [];
    const text = fullCellText({ table: table.name, columns: table.columns, row, index }, rowFormat);
    return [choice(column.name, text, { type: 'filter', column: column.name, value })];
  });
}

/** Where the ids of the selected row lead, the most useful first. */
function goItems(known: OpenTable, { shared }: ScreenContext): readonly ViewerChoice[] {
  const names = tableNames(known.tables, shared);
  const leads = selectedRowLeads(known, shared);
  return [
    ...leads.flatMap(linkTargets).map(goal => goalChoice(goal, names)),
    ...leads.flatMap(lead => subjectChoices(lead, names)),
  ];
}

/** Queries that show why money moved, or the reason for a reward. */
const WITH_REASONS: ReadonlySet<string> = new Set(['received', 'rewards']);

/** The same question in other ways. */
function againItems({ name, range = '', isSplit = false }: AnswerRequest): readonly ViewerChoice[] {
  const isOther = range !== '' && range !== 'all';
  const split = choice(
    'split by reason',
    isSplit ? 'on: Enter adds up again' : '',
    { type: 'ask-again', isSplit: !isSplit },
    mark(isSplit),
  );
  return [
    ...(WITH_REASONS.has(name) ? [split] : []),
    choice('the range of the export', '', { type: 'ask-again', range: '' }, mark(range === '')),
    choice('everything in the files', '', { type: 'ask-again', range: 'all' }, mark(range === 'all')),
    choice('another range', 'e20..e25, or days', { type: 'type-range' }, mark(isOther)),
  ];
}
