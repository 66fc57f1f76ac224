import type { Dataset, DatasetTable } from '../dataset/open-dataset.ts';
import { placedView } from '../dataset/table-view.ts';
import type { Database } from '../engine/database.ts';
import { sqlName, sqlText } from '../engine/sql-text.ts';
import { namesBeside } from '../questions/export-names.ts';
import type { QuestionValues, ReadyAnswer } from '../questions/question.ts';
import { answerQuestion } from '../questions/questions.ts';

/** A ready question to be asked of exports. */
export interface AskedQuestion {
  readonly name: string;
  readonly values: QuestionValues;
}

/** The answer as a table that can be looked at like those of the exports, what a person reads of it. */
export async function answeredTable(
  dataset: Dataset,
  { name, values, paths }: AskedQuestion & { readonly paths: readonly string[] },
  signal: AbortSignal,
): Promise<{ readonly table: DatasetTable; readonly answer: ReadyAnswer }> {
  // Those that were kept with the exports: it needs no node.
  const kept = namesBeside(paths, dataset.chainId);
  const made = await answerQuestion(name, { dataset, names: kept.directory, values, signal });
  const answer = { ...made, notes: [...kept.notes, ...made.notes] };
  const shown = answer.columns.flatMap((column, place) => (column.in === 'data' ? [] : [{ ...column, place }]));
  const table = `answer ${name}`;
  const columns = shown.map(({ title }) => `${sqlName(title)} VARCHAR`).join(', ');
  await dataset.database.run(`CREATE TABLE ${sqlName(table)} (${columns})`, signal);
  for (let from = 0; from < answer.rows.length; from += AT_ONCE) {
    const rows = answer.rows.slice(from, from + AT_ONCE).map(row => {
      const cells = shown.map(({ place }) => row[place] ?? null);
      return `(${cells.map(cell => (cell === null ? 'NULL' : sqlText(cell))).join(', ')})`;
    });
    await dataset.database.run(`INSERT INTO ${sqlName(table)} VALUES ${rows.join(', ')}`, signal);
  }
  await placed(dataset.database, table, signal);
  return {
    answer,
    table: {
      name: table,
      rows: BigInt(answer.rows.length),
      firstTime: null,
      lastTime: null,
      fromBlock: null,
      toBlock: null,
      isComplete: true,
      columns: shown.map(({ title, align }) => ({
        name: title,
        type: 'VARCHAR',
        kind: align === 'right' ? 'decimal' : 'text',
        unit: '',
        about: '',
      })),
    },
  };
}

const AT_ONCE = 500;

async function placed(database: Database, table: string, signal: AbortSignal): Promise<void> {
  const places = '0 AS _part, 0 AS _file, rowid AS _row';
  await database.run(`CREATE VIEW ${sqlName(placedView(table))} AS SELECT ${places}, * FROM ${sqlName(table)}`, signal);
}
