import type { EditedText } from '../../base/text/edit-text.ts';
import { safeText, sanitize } from '../../base/text/safe-text.ts';
import { fitCells, truncateEnd, widthCells, wrapWords } from '../../base/text/width.ts';
import type { Choice } from './choice.ts';
import { fieldRow } from './field-row.ts';
import { BLANK, type Line, line, type ScreenRow, span, textLine, toScreenRows } from './line.ts';
import { listLines, listWithin } from './list.ts';
import type { Area, Handlers, ScreenAnnouncement, ScreenContext, ScreenKey, Step, TextField } from './screen.ts';
import type { Window } from './window.ts';

// A list to choose from, with a filter: what all screens that are such a list have in common.

/** A window of the choices that match the filter. */
export interface ChoiceList extends Window {
  /** Null while nothing is filtered. */
  readonly filter: EditedText | null;
}

export interface WithChoices {
  readonly list: ChoiceList;
}

export type ChoiceEvent =
  | { readonly type: 'choose' | 'filter' | 'leave-filter' }
  | { readonly type: 'filter-edited'; readonly value: EditedText }
  | { readonly type: 'select'; readonly index: number; readonly isChosen?: boolean };

export const INITIAL_CHOICE_LIST: ChoiceList = { row: 0, top: 0, filter: null };

/** The choices that match the filter, in marks, labels and details. */
export function matchingChoices<Shown extends Choice>(
  choices: readonly Shown[],
  { filter }: ChoiceList,
): readonly Shown[] {
  const wanted = filter?.text.toLowerCase() ?? '';
  return wanted === ''
    ? choices
    : choices.filter(({ mark, label, detail }) => `${mark} ${label} ${detail}`.toLowerCase().includes(wanted));
}

type ChoicesOf<State> = (state: State, context: ScreenContext) => readonly Choice[];

/** The keys of a list to choose from; `shown` are the choices that match its filter. */
export const choiceKeys = <State extends WithChoices>(
  shown: ChoicesOf<State>,
): readonly ScreenKey<State, ChoiceEvent>[] => [
  {
    keys: ['enter'],
    event: { type: 'choose' },
    title: 'choose',
    group: 'Field',
    footer: 'choose',
    disabledReason: (state, context) => {
      const choice = shown(state, context)[state.list.row];
      return choice === undefined ? 'nothing here matches' : choice.disabledReason;
    },
  },
  {
    keys: ['/'],
    event: { type: 'filter' },
    title: 'filter this list',
    group: 'Field',
    footer: 'filter',
    when: ({ list }) => list.filter === null,
  },
  // In the field, letters are typed, so only the arrow keys move.
  ...([1, -1] as const).map(
    (direction): ScreenKey<State, ChoiceEvent> => ({
      keys: [direction === 1 ? 'down' : 'up'],
      program: { type: 'move', by: 'line', direction },
      title: direction === 1 ? 'down' : 'up',
      group: 'Move',
      when: ({ list }) => list.filter !== null,
    }),
  ),
  {
    keys: ['esc'],
    event: { type: 'leave-filter' },
    title: 'back',
    group: 'Program',
    footer: 'back',
    isInProgramsPlace: true,
    when: ({ list }) => list.filter !== null,
  },
];

/** Handles each event; choosing closes the screen. */
export const choiceHandlers = <State extends WithChoices>(shown: ChoicesOf<State>): Handlers<State, ChoiceEvent> => ({
  choose: (state, _, context) => applyChoice(state, shown(state, context)[state.list.row]),
  select: (state, { index, isChosen }, context) =>
    isChosen === true
      ? applyChoice(state, shown(state, context)[index])
      : { state: { ...state, list: { ...state.list, row: index } } },
  filter: state => ({ state: { ...state, list: { ...state.list, filter: { text: '', at: 0 } } } }),
  'filter-edited': (state, { value }) => {
    const { list } = state;
    const { row } = value.text === list.filter?.text ? list : INITIAL_CHOICE_LIST;
    return { state: { ...state, list: { ...list, row, filter: value } } };
  },
  'leave-filter': state => ({ state: { ...state, list: INITIAL_CHOICE_LIST } }),
});

function applyChoice<State>(state: State, choice: Choice | undefined): Step<State> {
  if (choice === undefined) return { state };
  if (choice.disabledReason === undefined) return { state: null, messages: [choice.action] };
  return { state, messages: [{ type: 'noticed', text: choice.disabledReason }] };
}

/** The field of the filter, while it is typed. */
const choiceField = ({ list: { filter } }: WithChoices): TextField<ChoiceEvent> | undefined =>
  filter === null
    ? undefined
    : { value: filter, label: 'filter this list', edited: value => ({ type: 'filter-edited', value }) };

const choiceStatus = ({ list: { filter } }: WithChoices, { area, isOnTop }: ScreenContext): ScreenRow | undefined =>
  filter === null
    ? undefined
    : fieldRow({ ...filter, isFocused: isOnTop }, area.columns, { before: textLine(' filter: ', 'accent') });

/** Title and a blank above the choices. */
const ABOVE = 2;

/** Two lines below the list show the selected choice in full if it is cut. */
const WHOLE_ROWS = 2;

/** The choices that are drawn at once. */
const choiceRows = ({ rows }: Area): number => Math.max(1, rows - ABOVE - WHOLE_ROWS);

/** A key that one line shows selects that line, and chooses it where no other line shows the key. */
export function selectByMark(shown: readonly Choice[], { row }: ChoiceList, key: string): ChoiceEvent | undefined {
  const isShown = shown.map(({ mark }) => mark.split(' ').includes(key));
  const below = isShown.indexOf(true, row + 1);
  const index = below < 0 ? isShown.indexOf(true) : below;
  if (index < 0) return undefined;
  return { type: 'select', index, isChosen: isShown.filter(Boolean).length === 1 };
}

/** How many there are, and the selected one. */
function announcedChoices(title: string, shown: readonly Choice[], { row }: ChoiceList): ScreenAnnouncement {
  const choice = shown[row];
  const words = choice === undefined ? [] : [markText(choice.mark), choice.label, choice.detail];
  return {
    lines: [`${title}: ${shown.length} to choose from`],
    selected: words.filter(text => text !== '').join(', '),
  };
}

const markText = (mark: string): string => (mark === '[x]' ? 'shown' : mark === '[ ]' ? 'hidden' : mark.trim());

const LABEL_CELLS = 34;

/** A narrower screen has room for no label but the longest. */
const USUAL_COLUMNS = 80;

interface DrawnChoices {
  readonly title: string;
  /** A sentence over the title. */
  readonly above?: string;
  /** Those that match the filter. */
  readonly shown: readonly Choice[];
  readonly list: ChoiceList;
  readonly markCells?: number;
}

export function drawChoices(drawn: DrawnChoices, { area, shared }: ScreenContext): readonly ScreenRow[] {
  const { title, above = '', shown, list, markCells: widest = 4 } = drawn;
  const { columns } = area;
  const rows = choiceRows(area);
  const markCells = shown.some(({ mark }) => mark !== '') ? widest : 0;
  const longest = Math.max(0, ...shown.map(({ label }) => label.length));
  const labelCells = columns < USUAL_COLUMNS ? Math.min(LABEL_CELLS, longest) : LABEL_CELLS;
  const lines = listLines(shown.slice(list.top, list.top + rows), list, { area, shared }, (choice, isSelected) =>
    drawChoice(choice, { isSelected, markCells, labelCells, columns }),
  );
  const whole = wholeChoice(shown[list.row], { columns, markCells, labelCells });
  const more = shown.length > rows ? `  ${list.row + 1} of ${shown.length}` : '';
  const titled = ` ${title}${more}`;
  const heading =
    above === '' ? [textLine(titled, 'strong'), BLANK] : [textLine(` ${above}`, 'strong'), textLine(titled, 'quiet')];
  if (shown.length === 0) return toScreenRows([...heading, noChoicesLine(list)]);
  const gap = whole.length === 0 ? 0 : rows - lines.length;
  return toScreenRows([...heading, ...lines, ...Array.from({ length: gap }, () => BLANK), ...whole]);
}

function drawChoice(choice: Choice, cells: RowCells & { readonly isSelected: boolean }): Line {
  const { mark, label, detail, disabledReason } = choice;
  const { isSelected, markCells } = cells;
  const isEnabled = disabledReason === undefined;
  const text = sanitize(label);
  const drawnMark = sanitize(mark);
  return [
    span(safeText` `),
    span(
      fitCells(drawnMark, mark === '' ? markCells : Math.max(markCells, widthCells(drawnMark) + 1)),
      isEnabled ? 'accent' : 'quiet',
    ),
    // Without anything behind it a label has the whole row.
    span(
      detail === '' ? text : fitCells(text, labelCellsOf(choice, cells)),
      isSelected ? 'selected' : isEnabled ? 'plain' : 'quiet',
    ),
    span(safeText` `),
    span(sanitize(detail.slice(0, MAX_DETAIL_LENGTH)), 'quiet'),
  ];
}

interface RowCells {
  readonly columns: number;
  readonly markCells: number;
  readonly labelCells: number;
}

/** Details stand below each other. Why a key is disabled moves to the left where it fits only there. */
function labelCellsOf({ label, detail, disabledReason }: Choice, cells: RowCells): number {
  const fewest = widthCells(sanitize(label)) + 1;
  const most = roomForText(cells) - 1 - widthCells(sanitize(detail));
  return disabledReason === undefined || fewest > most
    ? cells.labelCells
    : Math.min(Math.max(cells.labelCells, fewest), most);
}

/** Cells of a row behind its mark. */
const roomForText = ({ columns, markCells }: RowCells): number => columns - 2 - markCells;

const MAX_DETAIL_LENGTH = 500;

export const noChoicesLine = ({ filter }: ChoiceList): Line =>
  textLine(
    filter === null || filter.text === '' ? '  nothing to choose' : `  nothing matches "${filter.text}"`,
    'quiet',
  );

/** What the row of the selected choice has cut, below the choices. */
function wholeChoice(choice: Choice | undefined, cells: RowCells): readonly Line[] {
  if (choice === undefined) return [];
  const { columns } = cells;
  const detail = sanitize(choice.detail.slice(0, MAX_DETAIL_LENGTH));
  const label = sanitize(choice.label);
  const room = roomForText(cells);
  const labelCells = labelCellsOf(choice, cells);
  const isCut =
    choice.detail === ''
      ? widthCells(label) > room
      : labelCells + 1 + widthCells(detail) > room || widthCells(label) > labelCells;
  if (!isCut) return [];
  const words = wrapWords(choice.detail === '' ? label : safeText`${label}: ${detail}`, columns - 2);
  const last = words.slice(WHOLE_ROWS - 1).length > 1 ? safeText`${words[WHOLE_ROWS - 1] ?? label}\u2026` : undefined;
  return [
    ...words.slice(0, last === undefined ? WHOLE_ROWS : WHOLE_ROWS - 1),
    ...(last === undefined ? [] : [last]),
  ].map(text => line(safeText` ${truncateEnd(text, columns - 1)}`, 'quiet'));
}

/** What all screens have in common that have such a list, drawn in their own way in so many lines. */
export const choiceList = <State extends WithChoices>(
  shown: ChoicesOf<State>,
  /** Those that are drawn at once. */
  heightOf: (state: State, area: Area) => number,
) => ({
  ...listWithin<State, ChoiceList>({
    windowOf: ({ list }) => list,
    withWindow: (state, list) => ({ ...state, list }),
    count: (state, context) => shown(state, context).length,
    height: (state, { area }) => heightOf(state, area),
  }),
  isOverlay: true as const,
  input: { field: choiceField, status: choiceStatus },
});

/** What all screens have in common that are nothing but such a list. */
export const choiceScreen = <State extends WithChoices>(
  titleOf: (state: State) => string,
  shown: ChoicesOf<State>,
  markCells?: number,
) => ({
  ...choiceList(shown, (_, area) => choiceRows(area)),
  body: (state: State, context: ScreenContext): readonly ScreenRow[] => {
    const drawn = { title: titleOf(state), shown: shown(state, context), list: state.list };
    return drawChoices(markCells === undefined ? drawn : { ...drawn, markCells }, context);
  },
  announced: (state: State, context: ScreenContext): ScreenAnnouncement =>
    announcedChoices(titleOf(state), shown(state, context), state.list),
});
