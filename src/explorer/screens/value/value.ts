import { type SafeText, safeText, sanitize, sliceSafe } from '../../../base/text/safe-text.ts';
import { type Line, type Style, span, toScreenRows } from '../../core/line.ts';
import { type Area, COPY_KEY, copyText, type TextScreen } from '../../core/screen.ts';
import { scrollTop } from '../../core/window.ts';
import type { ValueOpening } from '../../openings.ts';
import { TABS } from '../../tabs.ts';
import { maxValueTop, valueLines, valueRows } from './lines.ts';

interface ShownValue {
  readonly value: ValueOpening;
  /** The first line drawn. */
  readonly top: number;
}

/** One value in full, wrapped, with nothing left out. */
export const valueScreen: TextScreen<ShownValue, never, ValueOpening> = {
  kind: 'text',
  title: 'the value',
  needs: null,
  isOverlay: true,
  open: value => ({ value, top: 0 }),
  // It is only read: keys that lead elsewhere still do.
  // biome-ignore format: a table, a row a key
  keys: [
    COPY_KEY,
    { keys: TABS.map(({ key }) => key), program: { type: 'go-to-tab', index: 0 }, title: 'go to that tab', group: 'Program', position: 'last' },
    { keys: ['tab'], program: { type: 'next-tab' }, title: 'next tab', group: 'Program', position: 'last' },
    { keys: ['shift-tab'], program: { type: 'previous-tab' }, title: 'previous tab', group: 'Program', position: 'last' },
    { keys: ['backspace'], program: { type: 'back' }, title: 'back to the screen below', group: 'Program', position: 'last' },
    { keys: ['?'], program: { type: 'open-menu', id: 'keys' }, title: 'keys', group: 'Program', footer: 'help', position: 'last' },
  ],
  move: (state, move, { area }) => ({
    ...state,
    top: scrollTop(state.top, move, { height: valueRows(area), last: maxValueTop(state.value, area) }),
  }),
  handlers: {},
  settle: (state, { area }) => {
    const last = maxValueTop(state.value, area);
    return state.top <= last ? state : { ...state, top: last };
  },
  body: (state, { area }) => toScreenRows(drawValue(state, area)),
  output: {
    copies: ({ value }) => value.copies ?? [copyText('text', value.text)],
  },
};

function drawValue({ value, top: wanted }: ShownValue, area: Area): readonly Line[] {
  const lines = valueLines(value, area.columns);
  const rows = valueRows(area);
  const top = Math.min(wanted, maxValueTop(value, area));
  const place =
    lines.length > rows ? `   lines ${top + 1}-${Math.min(lines.length, top + rows)} of ${lines.length}` : '';
  return [
    [span(safeText` `), span(sanitize(value.title), 'strong'), span(sanitize(place), 'quiet')],
    ...lines.slice(top, top + rows).map((text): Line => [span(safeText`  `), ...toned(text, value.isProse)]),
  ];
}

/** A verdict at the beginning of a line in its tone, the rest as it is. */
function toned(text: SafeText, isProse = false): Line {
  const found = isProse ? VERDICTS.find(([start]) => text.startsWith(start)) : undefined;
  if (found === undefined) return [span(text)];
  const [start, tone] = found;
  return [span(sliceSafe(text, 0, start.length), tone), span(sliceSafe(text, start.length))];
}

/** Of an audit, of its checks, and of a file that is verified again. */
const VERDICTS: readonly (readonly [start: string, tone: Style])[] = [
  ...['adds-up: ', 'ok ', 'complete: '].map(start => [start, 'good'] as const),
  ...['cannot-be-judged: ', 'look ', 'not made '].map(start => [start, 'pending'] as const),
  ...['differs', 'damaged: ', 'incomplete: ', 'refused: '].map(start => [start, 'bad'] as const),
];
