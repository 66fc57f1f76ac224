import { clusters } from '../../base/text/clusters.ts';
import type { EditedText } from '../../base/text/edit-text.ts';
import { EMPTY, repeatSafe, type SafeText, safeText, sanitize, sliceSafe } from '../../base/text/safe-text.ts';
import { truncateEnd, widthCells } from '../../base/text/width.ts';
import { cutLine, type Line, lineWidth, type ScreenRow, type Span, span } from './line.ts';

export interface DrawnField extends EditedText {
  /** It has the cursor: nothing lies over it. */
  readonly isFocused: boolean;
  /** The program has put the text there: typing replaces it. */
  readonly isProposed?: boolean;
}

interface FieldParts {
  readonly before: Line;
  readonly after?: Line;
  /** Stands there while nothing is typed. */
  readonly placeholder?: SafeText;
  /** A possible completion, shown behind the cursor. */
  readonly ghost?: SafeText;
}

/** The field that has the focus, between two texts, in one row. */
export function fieldRow(drawn: DrawnField, columns: number, parts: FieldParts): ScreenRow {
  const { before, after = [] } = parts;
  const room = Math.max(1, columns - lineWidth(before));
  const field = drawField(drawn, parts, room);
  // The text behind the field gives way to the field, up to half of the room.
  const cells = Math.min(lineWidth(field.spans), Math.max(room - lineWidth(after), Math.ceil(room / 2)));
  return { kind: 'field', line: cutLine([...before, ...visiblePart(field, cells), ...after], columns) };
}

interface FieldSpans {
  /** One span per character as the reader sees it, then the text behind it: at least the space for the cursor. */
  readonly spans: Line;
  /** The one that the cursor is on; the last one while a question lies over the field, which has no cursor then. */
  readonly cursor: number;
}

function drawField(field: DrawnField, { placeholder = EMPTY, ghost = EMPTY }: FieldParts, room: number): FieldSpans {
  const { text, at, isFocused } = field;
  const isSelected = isFocused && field.isProposed === true;
  const characters = [...clusters(text)];
  const found = isFocused ? characters.findIndex(({ index }) => index === at) : -1;
  const cursor = found < 0 ? characters.length : found;
  const spans = characters.map(({ segment }, index) =>
    span(sanitize(segment), isFocused && (isSelected || index === cursor) ? 'mark' : 'plain'),
  );
  const behind =
    text === '' ? placeholder : found < 0 ? truncateEnd(ghost, Math.max(0, room - lineWidth(spans))) : EMPTY;
  const [first = safeText` `] = [...clusters(behind)].map(({ segment }) => sliceSafe(behind, 0, segment.length));
  const rest = sliceSafe(behind, first.length);
  const isAtEnd = isFocused && cursor === characters.length;
  return {
    spans: [...spans, span(first, isAtEnd ? 'mark' : behind === EMPTY ? 'plain' : 'quiet'), span(rest, 'quiet')],
    cursor,
  };
}

/** As much of the field as there is room for: where it has to be cut at both ends, the cursor stands in the middle. */
function visiblePart({ spans, cursor }: FieldSpans, cells: number): Line {
  const total = lineWidth(spans);
  if (total <= cells) return mergeSpans(spans);
  const cursorCell = lineWidth(spans.slice(0, cursor));
  const start = Math.max(0, Math.min(cursorCell - Math.floor(cells / 2), total - cells));
  const end = start + cells;
  const first = start === 0 ? 0 : start + 1;
  const last = end === total ? end : end - 1;
  const shown: Span[] = start === 0 ? [] : [CUT];
  let cell = 0;
  let shownTo = first;
  for (const part of spans) {
    const next = cell + widthCells(part.text);
    if (cell >= first && next <= last) {
      // Half of a wide character cannot be drawn.
      shown.push(span(repeatSafe(safeText` `, cell - shownTo)), part);
      shownTo = next;
    }
    cell = next;
  }
  const gap = span(repeatSafe(safeText` `, last - shownTo));
  return mergeSpans(end === total ? [...shown, gap] : [...shown, gap, CUT]);
}

const CUT = span(safeText`\u2026`);

/** Neighbours of one style as one. */
function mergeSpans(spans: Line): Line {
  const line: Span[] = [];
  for (const part of spans) {
    const before = line.at(-1);
    if (part.text === EMPTY) continue;
    if (before?.style === part.style) line[line.length - 1] = span(safeText`${before.text}${part.text}`, part.style);
    else line.push(part);
  }
  return line;
}
