import type { Directory } from '../../directory/directory.ts';
import { bar } from '../../insight/bar.ts';
import { EMPTY, joinSafe, type SafeText, safeLine } from '../../text/safe-text.ts';
import { wholeTable } from '../../text/text-table.ts';
import type { FeeStatement } from './fee-statement.ts';
import { statementTable } from './statement-table.ts';

const BAR_CELLS = 10;

/** A statement as text: heading, lines and totals, uncut. */
export function statementText(statement: FeeStatement, directory: Directory): SafeText {
  const { title, columns, rows, totals } = statementTable(statement, directory);
  const lines = rows.map(({ cells, bar: of }) => [...cells, of === null ? '' : bar(of.part, of.of, BAR_CELLS)]);
  const titles = columns.map(column => column.title);
  const aligns = columns.map(({ align }) => align);
  return joinSafe([
    safeLine(title),
    safeLine(statement.basis),
    rows.length === 0 ? EMPTY : wholeTable([...titles, ''], lines, aligns),
    ...totals.map(safeLine),
  ]);
}
