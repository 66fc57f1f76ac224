import { type SafeText, sanitize } from '../../../base/text/safe-text.ts';
import { truncateEnd, widthCells, wrapWords } from '../../../base/text/width.ts';
import type { ScreenContext } from '../../core/screen.ts';
import { prepareStatement, type ShownStatement } from './state.ts';

/** The places of the parts of a statement: its totals stay, its rows scroll, the notes follow the last row. */
interface StatementLayout {
  readonly totals: readonly SafeText[];
  /** The number of the last of these lines that describe the scope of the totals. */
  readonly quiet: number;
  readonly problems: readonly SafeText[];
  readonly rows: number;
  readonly notes: readonly SafeText[];
  /** Lines below the heading. */
  readonly height: number;
}

const MAX_PROBLEMS = 2;

export function statementLayout(asked: ShownStatement, { shared, area }: ScreenContext): StatementLayout | undefined {
  const shown = prepareStatement(asked, shared.directory);
  if (shown === undefined) return undefined;
  const { statement, table } = shown;
  const odd = statement.problems;
  const shownProblems = odd.slice(0, odd.length > MAX_PROBLEMS ? MAX_PROBLEMS - 1 : MAX_PROBLEMS);
  const more = odd.length - shownProblems.length;
  const problems = [...shownProblems, ...(more > 0 ? [`${more} more problems: Enter shows them`] : [])].map(sanitize);
  const room = { columns: area.columns, most: mostTotals(area.rows) };
  const { totals, quiet } = totalLines([statement.span, statement.basis], table.totals, room);
  const requests = `${statement.requests} ${statement.requests === 1 ? 'request' : 'requests'}`;
  const notes = [...table.units, ...statement.notes, requests].flatMap(text => wrapped(text, area.columns));
  const height = Math.max(1, area.rows - totals.length - problems.length - 1);
  return { totals, quiet, problems, rows: table.rows.length, notes, height };
}

const wrapped = (text: string, columns: number): readonly SafeText[] =>
  wrapWords(sanitize(text), Math.max(10, columns - 3));

interface Room {
  readonly columns: number;
  readonly most: number;
}

/** Whole where there is room; else a line each, and how the epochs were chosen goes first. */
function totalLines(
  about: readonly string[],
  totals: readonly string[],
  { columns, most }: Room,
): Pick<StatementLayout, 'totals' | 'quiet'> {
  const whole = about.flatMap(text => wrapped(text, columns));
  const all = [...totals.flatMap(text => wrapped(text, columns)), ...whole];
  if (all.length <= most) return { totals: all, quiet: whole.length };
  const fitting = about.slice(Math.min(about.length - 1, Math.max(0, about.length + totals.length - most)));
  const room = most - fitting.length;
  const left = totals.length - room;
  const shown = left > 0 ? [...totals.slice(0, room - 1), `${left + 1} more totals: y copies them`] : totals;
  // Each total has its line; remaining lines go to the first ones that are longer.
  let spare = most - fitting.length - shown.length;
  const linesOf = (text: string): readonly SafeText[] => {
    const parts = wrapped(text, columns);
    const isWhole = parts.length - 1 <= spare;
    if (isWhole) spare -= parts.length - 1;
    return isWhole ? parts : [fitSentence(text, columns - 2)];
  };
  const first = shown.flatMap(linesOf);
  const scope = fitting.flatMap(linesOf);
  return { totals: [...first, ...scope], quiet: scope.length };
}

/** A sentence in one line. A cut number would be a different one, so the last part is dropped as a whole. */
export function fitSentence(text: string, cells: number): SafeText {
  const [first = ''] = text.split('; ');
  const said = sanitize(widthCells(sanitize(text)) > cells ? first : text);
  return truncateEnd(said, cells);
}

/** Rows have at least half of the screen. */
const mostTotals = (bodyRows: number): number => Math.max(3, Math.floor(bodyRows / 2) - MAX_PROBLEMS);

/** The last line that can be the first one drawn. */
export function maxStatementTop(statement: ShownStatement, context: ScreenContext): number {
  const places = statementLayout(statement, context);
  return places === undefined ? 0 : Math.max(0, places.rows + 1 + places.notes.length - places.height);
}

/** The first line drawn where the newest row is the last one. */
export function topForNewestRow(statement: ShownStatement, context: ScreenContext): number {
  const places = statementLayout(statement, context);
  return places === undefined ? 0 : Math.max(0, places.rows - places.height);
}

export const statementHeight = (statement: ShownStatement, context: ScreenContext): number =>
  statementLayout(statement, context)?.height ?? 1;
