import type { DatasetColumn, DatasetTable } from '../../answers/index.ts';
import { groupDigits } from '../../insight/decimal.ts';
import { EMPTY, joinSafe, type SafeText, safeLine, safeText, sanitize, trimEndSafe } from '../../text/safe-text.ts';
import { fitCells, widthCells, wrapWords } from '../../text/width.ts';

/** Tables that can be asked, for a person: what they hold, and their columns; in lines of so many cells, if it is said. */
export const tablesText = (tables: readonly DatasetTable[], room: number | undefined): SafeText =>
  joinSafe(
    tables.flatMap((table, index) => [
      ...(index === 0 ? [] : [safeLine('')]),
      safeLine(headOf(table)),
      columnsText(table.columns, room),
    ]),
  );

function headOf({ name, rows, firstTime, lastTime, fromBlock, toBlock, isComplete }: DatasetTable): string {
  const facts = [
    `${groupDigits(String(rows))} ${rows === 1n ? 'row' : 'rows'}`,
    ...(fromBlock === null || toBlock === null ? [] : [`blocks ${fromBlock} to ${toBlock}`]),
    ...(firstTime === null || lastTime === null ? [] : [`${firstTime} to ${lastTime}`]),
    ...(isComplete ? [] : ['not complete']),
  ];
  return `${name}: ${facts.join(', ')}`;
}

function columnsText(columns: readonly DatasetColumn[], room = Number.POSITIVE_INFINITY): SafeText {
  const rows = columns.map(({ name, type, about, unit }) => ({
    name: sanitize(name),
    type: sanitize(type),
    meaning: sanitize(unit === '' ? about : `${about} [${unit}]`),
  }));
  const nameCells = rows.reduce((widest, { name }) => Math.max(widest, widthCells(name)), 0);
  const typeCells = rows.reduce((widest, { type }) => Math.max(widest, widthCells(type)), 0);
  const meaningCells = Math.max(20, room - nameCells - typeCells - 6);
  const line = (name: SafeText, type: SafeText, meaning: SafeText): SafeText =>
    safeText`${trimEndSafe(safeText`  ${fitCells(name, nameCells)}  ${fitCells(type, typeCells)}  ${meaning}`)}\n`;
  return joinSafe(
    rows.flatMap(({ name, type, meaning }) =>
      wrapWords(meaning, meaningCells).map((words, index) =>
        index === 0 ? line(name, type, words) : line(EMPTY, EMPTY, words),
      ),
    ),
  );
}

/** The same for programs; counts are text, as all that may be beyond 32 bits. */
export const tableJson = ({ rows, ...rest }: DatasetTable) => ({ ...rest, rows: String(rows) });
