import { clusters } from '../../base/text/clusters.ts';
import { type SafeText, sanitize, sliceSafe } from '../../base/text/safe-text.ts';
import { truncateEnd, widthCells } from '../../base/text/width.ts';
import type { NodeState } from '../services/node/node.ts';

/** How a part of a line stands out. Colour is never the only sign: the text carries the same information. */
export type Style =
  | 'plain'
  | 'strong'
  | 'quiet'
  | 'good'
  | 'pending'
  | 'bad'
  | 'accent'
  | 'selected'
  | 'mark'
  | 'match'
  | 'head'
  | 'tab'
  | 'tab-edge'
  | NodeStyle;

/** The colour that a node is known by, for a name in the header. */
type NodeStyle = `node-${'green' | 'yellow' | 'red' | 'blue' | 'magenta' | 'cyan'}`;

/** What a whole line stands on: the selected row, or the bar on top of the screen. */
export type Background = 'selection' | 'title';

export interface Span {
  readonly text: SafeText;
  readonly style: Style;
  readonly background?: Background;
}

/** One row of the screen. */
export type Line = readonly Span[];

export const span = (text: SafeText, style: Style = 'plain'): Span => ({ text, style });

/** A line of one style whose text is the program's own or already safe. */
export const line = (text: SafeText, style: Style = 'plain'): Line => [{ text, style }];

export const BLANK: Line = [];

/** A line of text from outside or from state. */
export const textLine = (text: string, style: Style = 'plain'): Line => line(sanitize(text), style);

export const lineWidth = (spans: Line): number => spans.reduce((cells, { text }) => cells + widthCells(text), 0);

/** The line cut to a width. */
export function cutLine(spans: Line, cells: number): Line {
  const cut: Span[] = [];
  let left = cells;
  for (const part of spans) {
    if (left <= 0) break;
    const text = truncateEnd(part.text, left);
    cut.push({ ...part, text });
    left -= widthCells(text);
  }
  return cut;
}

/** The line padded or cut to exactly this width. */
export function fillLine(spans: Line, cells: number): Line {
  const gap = cells - lineWidth(spans);
  if (gap < 0) return cutLine(spans, cells);
  return gap === 0 ? spans : [...spans, span(sanitize(' '.repeat(gap)))];
}

/** The line as a bar of exactly this width, in the colours of its parts. */
export const barLine = (spans: Line, cells: number, background: Background): Line =>
  fillLine(spans, cells).map(part => ({ ...part, background }));

/** The heads of columns, underlined to exactly this width. */
export const headLine = (spans: Line, cells: number): Line =>
  fillLine(spans, cells).map(part =>
    part.style === 'quiet' || part.style === 'plain' ? { ...part, style: 'head' } : part,
  );

/** The line with every place that holds the searched text standing out, whatever its letters' case. */
export function highlighted(spans: Line, find: string): Line {
  const wanted = find.toLowerCase();
  return wanted.trim() === '' ? spans : spans.flatMap(part => withMatches(part, wanted));
}

function withMatches(part: Span, wanted: string): readonly Span[] {
  const { text } = part;
  const lower = text.toLowerCase();
  if (!lower.includes(wanted)) return [part];
  const parts: Span[] = [];
  let from = 0;
  let within = 0;
  const places = characterStarts(text);
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, within)) {
    within = at + wanted.length;
    const start = places.findLast(place => place.lower <= at)?.own ?? 0;
    const end = places.find(place => place.lower >= within)?.own ?? text.length;
    if (start > from) parts.push({ ...part, text: sliceSafe(text, from, start) });
    if (end > from) parts.push({ ...part, text: sliceSafe(text, Math.max(start, from), end), style: 'match' });
    from = Math.max(from, end);
  }
  if (from === 0) return [part];
  return from < text.length ? [...parts, { ...part, text: sliceSafe(text, from) }] : parts;
}

/** Where its characters begin, as the terminal has them: none may be cut in two. Some are longer in lower case. */
function characterStarts(text: SafeText): readonly { readonly own: number; readonly lower: number }[] {
  let lower = 0;
  return [...clusters(text)].map(({ segment, index }) => {
    const place = { own: index, lower };
    lower += segment.toLowerCase().length;
    return place;
  });
}

/** Left and right part on one line; the right one gives way if the line is too short. */
export function justifyLine(left: Line, right: Line, cells: number): Line {
  const gap = cells - lineWidth(left) - lineWidth(right);
  if (gap < 1) return cutLine(left, cells);
  return [...left, span(sanitize(' '.repeat(gap))), ...right];
}

/** The lines, or blanks, to exactly this many. */
export function fillRows(lines: readonly Line[], rows: number): readonly Line[] {
  return lines.length >= rows
    ? lines.slice(0, rows)
    : [...lines, ...Array.from({ length: rows - lines.length }, () => BLANK)];
}

/** How the name of a node is drawn: in the colour of its profile, if it has one. */
export const nodeStyle = (colour: NodeState['colour']): Style => (colour === null ? 'accent' : `node-${colour}`);

/** What a row of the screen holds: text, the field that has the focus, or a small fixed table. */
export type ScreenRow =
  | { readonly kind: 'line' | 'field'; readonly line: Line }
  | {
      readonly kind: 'table';
      readonly heading: readonly SafeText[];
      readonly rows: readonly (readonly SafeText[])[];
    };

export const toScreenRows = (lines: readonly Line[]): readonly ScreenRow[] =>
  lines.map(line => ({ kind: 'line', line }));

/** Screen rows that a row takes; a table has rules around its heading and its end. */
export const screenRowHeight = (row: ScreenRow): number => (row.kind === 'table' ? row.rows.length * 2 + 3 : 1);
