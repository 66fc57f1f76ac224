import type { Directory } from '../../directory/directory.ts';
import { bar } from '../../insight/bar.ts';
import { EMPTY, joinSafe, type SafeText, safeLine, safeText, sanitize, trimEndSafe } from '../../text/safe-text.ts';
import { fitCells, widthCells } from '../../text/width.ts';
import type { FeeStatement } from './fee-statement.ts';
import { statementTable } from './statement-table.ts';

const BAR_CELLS = 10;

/** A statement as text: a heading, a line each, and what it comes to; nothing is cut. */
export function statementText(statement: FeeStatement, directory: Directory): SafeText {
  const { title, columns, rows, totals } = statementTable(statement, directory);
  const cells = rows.map(row => row.cells.map(sanitize));
  const titles = columns.map(column => sanitize(column.title));
  const widths = titles.map((heading, index) =>
    Math.max(widthCells(heading), ...cells.map(row => widthCells(row[index] ?? EMPTY))),
  );
  const lineOf = (texts: readonly SafeText[], end: SafeText): SafeText => {
    const fitted = texts.map((text, index) => fitCells(text, widths[index] ?? 0, columns[index]?.align));
    return safeText`${trimEndSafe(joinSafe([...fitted, end], safeText`  `))}\n`;
  };
  return joinSafe([
    safeLine(title),
    safeLine(statement.basis),
    ...(rows.length === 0 ? [] : [lineOf(titles, EMPTY)]),
    ...rows.map(({ bar: of }, index) =>
      lineOf(cells[index] ?? [], of === null ? EMPTY : sanitize(bar(of.part, of.of, BAR_CELLS))),
    ),
    ...totals.map(safeLine),
  ]);
}
