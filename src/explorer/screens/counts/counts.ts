import { countOf } from '../../../chain/insight/count-of.ts';
import type { Counts } from '../../core/counts.ts';
import { listScreen } from '../../core/list.ts';
import type { Effect } from '../../core/runner.ts';
import {
  COPY_KEY,
  type CopyItem,
  copyText,
  type ListScreen,
  SAVE_KEY,
  type ScreenContext,
  type SharedState,
  type Step,
} from '../../core/screen.ts';
import type { CountsOpening } from '../../openings.ts';
import { FORM_NAMES } from '../../services/copying/content.ts';
import { loginHint } from '../../services/copying/equal-commands.ts';
import { ENDINGS, type Saveable } from '../../services/copying/saveable.ts';
import { errorMessage } from '../../services/failure.ts';
import { countsLayout } from './lines.ts';
import { countLines, type ShownCounts } from './state.ts';
import { countingText, countsHead, countsPosition, drawShownCounts } from './view.ts';

type CountsEvent =
  | { readonly type: 'narrow' | 'other-column' | 'count-again' }
  | { readonly type: 'counting'; readonly rows: number }
  | { readonly type: 'counted'; readonly counts: Counts }
  | { readonly type: 'not-counted'; readonly problem: string };

/** What a column of a list, or of a table on the disk, holds how often. */
export const countsScreen: ListScreen<ShownCounts, CountsEvent, CountsOpening> = {
  title: 'the counts',
  needs: null,
  isOverlay: false,
  description: 'How often each value occurs, or the sums of amounts',
  tab: {
    id: ({ tab }) => tab,
    // Data on disk is available with any node.
    afterSwitch: state => (state.opening.tab === undefined ? null : state),
  },
  open: opening => {
    const { counts = null } = opening;
    return { opening, counts, rowsCounted: 0, row: counts === null ? 0 : rowOfValue(opening, counts), top: 0 };
  },
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
    height: (state, context) => countsLayout(state, context).height,
  }),
  handlers: {
    narrow,
    'other-column': state => ({ state, messages: [state.opening.otherColumn] }),
    'count-again': state => ({ state, messages: [state.opening.again] }),
    counting: (state, { rows }) => ({ state: { ...state, rowsCounted: rows } }),
    counted: (state, { counts }) => ({ state: { ...state, counts, row: rowOfValue(state.opening, counts) } }),
    'not-counted': (_, { problem }) => ({ state: null, messages: [{ type: 'noticed', text: problem, tone: 'bad' }] }),
  },
  effects: (state, shared) => (state.counts === null ? [counting(state.opening, shared)] : []),
  around: {
    head: countsHead,
    place: countsPosition,
  },
  body: drawShownCounts,
  waits: state => (state.counts === null ? { key: 'counts', text: countingText(state), hint: 'Esc stops' } : undefined),
  output: {
    copies,
    file: { saves, name: ({ opening }) => opening.file },
  },
};

const rowOfValue = ({ value }: CountsOpening, { values }: Counts): number =>
  Math.max(0, value === undefined ? 0 : values.findIndex(counted => counted.value === value));

function noValue({ opening, counts }: ShownCounts): string | undefined {
  if (counts === null) return 'the rows are being counted';
  if (opening.shows === 'sums') return 'a sum has no rows of its own';
  return counts.values.length > 0 ? undefined : 'no values';
}

/** To the rows of the selected value, where the screen below can show them. */
function narrow(state: ShownCounts): Step<ShownCounts> {
  const counted = state.counts?.values[state.row];
  if (state.counts === null || counted === undefined) return { state };
  const outcome = state.opening.narrow(counted, state.counts);
  return 'problem' in outcome
    ? { state, messages: [{ type: 'noticed', text: outcome.problem, tone: 'info' }] }
    : { state: null, messages: outcome.actions };
}

// The rows are those of when it was opened.
const counting = ({ source }: CountsOpening, shared: SharedState): Effect<CountsEvent> => ({
  key: 'count',
  run: async (_, signal, report) => {
    const onProgress = (rows: number) => report({ type: 'counting', rows });
    return [{ type: 'counted', counts: await source.count(shared, signal, onProgress) }];
  },
  failed: error => [{ type: 'not-counted', problem: errorMessage(error) }],
});

function copies(state: ShownCounts, { shared }: ScreenContext): readonly CopyItem[] {
  const { opening, counts, row } = state;
  const { command, shows } = opening;
  const equal = command === undefined ? [] : [copyText(`equal command${loginHint(shared.node, command)}`, command)];
  if (counts === null) return equal;
  const value = shows === 'values' ? counts.values[row]?.value : undefined;
  const detail = `${countLines(state)} lines`;
  return [
    ...(value === undefined || value === null || value === ''
      ? []
      : [copyText('value', value), copyText('value as shown', counts.textAt(row, shared))]),
    ...(['csv', 'tsv', 'md'] as const).map(form => ({
      label: `table as ${FORM_NAMES[form]}`,
      detail,
      content: counts.content(form, shared),
    })),
    { label: 'table as JSON', detail, content: counts.content('json', shared) },
    ...equal,
  ];
}

function saves(state: ShownCounts, { shared }: ScreenContext): Saveable | string {
  const { counts } = state;
  if (counts === null) return 'the rows are being counted';
  return {
    what: countOf(countLines(state), 'line'),
    endings: ENDINGS,
    content: form => (form === 'txt' ? { kind: 'screen' } : counts.content(form, shared)),
  };
}
