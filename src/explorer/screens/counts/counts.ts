import type { Directory } from '../../../chain/directory/directory.ts';
import { countOf, countText } from '../../../chain/insight/count-of.ts';
import { amongIn } from '../../../chain/resources/cell-text.ts';
import { inSlices } from '../../../chain/resources/slices.ts';
import { createTally, type Frequency, frequentText } from '../../../chain/resources/tally.ts';
import { listScreen } from '../../core/list.ts';
import type { Effect } from '../../core/runner.ts';
import {
  COPY_KEY,
  type CopyItem,
  copyText,
  SAVE_KEY,
  type Screen,
  type ScreenContext,
  type Shared,
} from '../../core/screen.ts';
import type { CountsOpening } from '../../openings.ts';
import { type FiguresContent, FORM_NAMES } from '../../services/copying/content.ts';
import { loginHint } from '../../services/copying/equal-commands.ts';
import { ENDINGS, type Saveable } from '../../services/copying/saveable.ts';
import { messageOf } from '../../services/failure.ts';
import { countsPlaces } from './lines.ts';
import { countLines, type ShownCounts } from './state.ts';
import { countsHead, countsPlace, drawShownCounts } from './view.ts';

type CountsEvent =
  | { readonly type: 'narrow' | 'other-column' | 'count-again' }
  | { readonly type: 'counting'; readonly rows: number }
  | { readonly type: 'counted'; readonly frequency: Frequency }
  | { readonly type: 'not-counted'; readonly problem: string };

export const countsScreen: Screen<ShownCounts, CountsEvent, CountsOpening> = {
  title: 'what was counted',
  description: 'How often each value occurs, or what amounts come to',
  open: opening => ({ opening, frequency: null, rowsCounted: 0, row: 0, top: 0 }),
  // biome-ignore format: a table, a row a key
  keys: [
    { keys: ['enter'], event: { type: 'narrow' }, title: 'the rows of this value', group: 'Filter', footer: 'its rows', disabledReason: noValue },
    { keys: ['F'], event: { type: 'other-column' }, title: 'another column', group: 'Look', footer: 'column' },
    { keys: ['r'], event: { type: 'count-again' }, title: 'count again', group: 'Pages' },
    COPY_KEY,
    SAVE_KEY,
  ],
  ...listScreen<ShownCounts>({
    count: countLines,
    height: (state, context) => countsPlaces(state, context).height,
    above: (state, context) => countsPlaces(state, context).sums.length + 1,
  }),
  handlers: {
    narrow: state => {
      const value = state.frequency?.values[state.row];
      return value === undefined ? { state } : { state, messages: [state.opening.narrow(value.value)] };
    },
    'other-column': state => ({ state, messages: [state.opening.otherColumn] }),
    'count-again': state => ({ state, messages: [state.opening.again] }),
    counting: (state, { rows }) => ({ state: { ...state, rowsCounted: rows } }),
    counted: (state, { frequency }) => ({ state: { ...state, frequency, row: rowOf(state.opening, frequency) } }),
    'not-counted': (_, { problem }) => ({ state: null, messages: [{ type: 'noticed', text: problem, tone: 'bad' }] }),
  },
  effects: (state, shared) => (state.frequency === null ? [counting(state.opening, shared)] : []),
  head: countsHead,
  body: drawShownCounts,
  place: countsPlace,
  waits: ({ frequency, rowsCounted, opening: { scope } }) =>
    frequency === null
      ? {
          key: 'counts',
          text: `counting: ${countText(rowsCounted)} of ${countOf(scope.rows, 'row')}`,
          hint: 'Esc stops',
        }
      : undefined,
  copies,
  file: {
    saves,
    name: ({ opening: { resource, shows, column, page } }) => ({
      parts: [resource, shows, column.id],
      atMs: page.receivedAtMs,
    }),
  },
};

const rowOf = ({ value }: CountsOpening, { values }: Frequency): number =>
  Math.max(0, value === undefined ? 0 : values.findIndex(counted => counted.value === value));

function noValue({ opening, frequency }: ShownCounts): string | undefined {
  if (frequency === null) return 'the rows are being counted';
  return opening.shows === 'values' && frequency.values.length > 0 ? undefined : 'a sum is not of one value';
}

// The rows are those of when it was opened.
const counting = (opening: CountsOpening, { directory }: Shared): Effect<CountsEvent> => ({
  key: 'count',
  run: async (_, signal, report) => {
    const onProgress = (rows: number) => report({ type: 'counting', rows });
    return [{ type: 'counted', frequency: await inSlices(countRows(opening, directory), { signal, onProgress }) }];
  },
  failed: error => [{ type: 'not-counted', problem: messageOf(error) }],
});

const ROWS_AT_ONCE = 100;

/** How often values occur; can be left after each step, which yields how many rows are counted. */
function* countRows({ column, rows, page }: CountsOpening, directory: Directory): Generator<number, Frequency> {
  const tally = createTally(column, directory);
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    for (const row of rows.slice(from, from + ROWS_AT_ONCE)) tally.add(row, amongIn(page, row));
    yield Math.min(rows.length, from + ROWS_AT_ONCE);
  }
  return tally.result();
}

function copies(state: ShownCounts, { shared }: ScreenContext): readonly CopyItem[] {
  const { command, column, shows } = state.opening;
  const equal = copyText(`equal command${loginHint(shared.node, command)}`, command);
  const figures = figuresOf(state, shared);
  if (figures === undefined) return [equal];
  const value = shows === 'values' ? figures.frequency.values[state.row] : undefined;
  const detail = `${countLines(state)} lines`;
  return [
    ...(value === undefined || value.value === ''
      ? []
      : [copyText('value', value.value), copyText('value as shown', frequentText(column, value, shared.directory))]),
    ...(['csv', 'tsv', 'md'] as const).map(form => ({
      label: `table as ${FORM_NAMES[form]}`,
      detail,
      content: { kind: 'figures', form, figures } as const,
    })),
    { label: 'table as JSON', detail, content: { kind: 'figures', form: 'json', figures } },
    equal,
  ];
}

function saves(state: ShownCounts, { shared }: ScreenContext): Saveable | string {
  const figures = figuresOf(state, shared);
  if (figures === undefined) return 'the rows are being counted';
  return {
    what: countOf(countLines(state), 'line'),
    endings: ENDINGS,
    content: form => (form === 'txt' ? { kind: 'screen' } : { kind: 'figures', form, figures }),
  };
}

/** Undefined while they are counted. */
function figuresOf({ opening, frequency }: ShownCounts, { directory }: Shared): FiguresContent | undefined {
  const { column, shows } = opening;
  return frequency === null ? undefined : { column, shows, frequency, directory };
}
