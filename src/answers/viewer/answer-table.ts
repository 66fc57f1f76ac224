import type { SelectedExports } from '../dataset/choose-exports.ts';
import type { Dataset, DatasetTable } from '../dataset/open-dataset.ts';
import { placedView } from '../dataset/table-view.ts';
import type { Database } from '../engine/database.ts';
import { sqlName, sqlText } from '../engine/sql-text.ts';
import { smallestId } from '../questions/answer-columns.ts';
import { readExportNames } from '../questions/export-names.ts';
import type { AnswerColumn, QuestionValues, ReadyAnswer } from '../questions/question.ts';
import { answerQuestion } from '../questions/questions.ts';
import { type SavedRanges, unsavedEpochs } from '../questions/row-range.ts';

/** A ready-made question with its values. */
export interface QuestionRequest {
  readonly name: string;
  readonly values: QuestionValues;
}

/** Sources for data not saved with the exports. */
export interface AnswerSources {
  /** The times of epochs, as a node of the chain has them. */
  readonly epochsOf?: (
    chainId: string,
    seqs: readonly string[],
    signal: AbortSignal,
  ) => Promise<Pick<SavedRanges, 'epochs' | 'unknownAtNode'>>;
}

/** Answers a question as a table of the viewer, with the columns that people read. */
export async function createAnswerTable(
  dataset: Dataset,
  {
    name,
    values,
    selected,
    epochsOf,
  }: QuestionRequest & Pick<AnswerSources, 'epochsOf'> & { readonly selected: SelectedExports },
  signal: AbortSignal,
): Promise<{ readonly table: DatasetTable; readonly answer: ReadyAnswer }> {
  // The names saved with the exports, so that no node is needed.
  const { directory: names, saved, notes } = readExportNames(selected, dataset.chainId);
  const unknown = unsavedEpochs(values, saved);
  const more = unknown.length === 0 ? undefined : await epochsOf?.(dataset.chainId, unknown, signal);
  const all = { ...saved, ...more, epochs: [...saved.epochs, ...(more?.epochs ?? [])] };
  const made = await answerQuestion(name, { dataset, names, saved: all, values, signal });
  const answer = { ...made, notes: [...notes, ...made.notes] };
  const columns = toViewerColumns(answer);
  const table = `answer ${name}`;
  await fillTable(dataset.database, { table, columns, rows: answer.rows }, signal);
  return {
    answer,
    table: {
      name: table,
      rows: BigInt(answer.rows.length),
      ...{ firstTime: null, lastTime: null },
      fromBlock: null,
      toBlock: null,
      isComplete: true,
      parts: [],
      columns: columns.map(({ place, ...column }) => column),
    },
  };
}

interface TableContent {
  readonly table: string;
  readonly columns: readonly AnsweredColumn[];
  readonly rows: ReadyAnswer['rows'];
}

async function fillTable(
  database: Database,
  { table, columns, rows: all }: TableContent,
  signal: AbortSignal,
): Promise<void> {
  const typed = columns.map(({ name, type }) => `${sqlName(name)} ${type}`).join(', ');
  await database.run(`CREATE TABLE ${sqlName(table)} (${typed})`, signal);
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const rows = all.slice(from, from + AT_ONCE).map(row => {
      const cells = columns.map(({ place }) => row[place] ?? null);
      return `(${cells.map(cell => (cell === null ? 'NULL' : sqlText(cell))).join(', ')})`;
    });
    await database.run(`INSERT INTO ${sqlName(table)} VALUES ${rows.join(', ')}`, signal);
  }
  const places = '0 AS _part, 0 AS _file, rowid AS _row';
  await database.run(`CREATE VIEW ${sqlName(placedView(table))} AS SELECT ${places}, * FROM ${sqlName(table)}`, signal);
}

const AT_ONCE = 500;

/** A column of an answer in the viewer, and its place in a row of the answer. */
type AnsweredColumn = DatasetTable['columns'][number] & { readonly place: number };

/**
 * The columns that people read, in a form that can be sorted and summed: numbers are exact and without
 * words. Amounts with unknown decimals are in a separate column of smallest units.
 */
export function toViewerColumns({ columns, rows }: ReadyAnswer): readonly AnsweredColumn[] {
  const isIn = (place: number): boolean => rows.some(row => (row[place] ?? null) !== null);
  return columns.flatMap((column, shownAt): readonly AnsweredColumn[] => {
    const place = columns.findIndex(({ id, in: where }) => where === 'data' && id === column.id);
    if (column.in === 'data') return [];
    if (column.align === 'left' || place < 0) return [plainColumn(column, shownAt, rows)];
    const smallestAt = columns.findIndex(({ id }) => id === smallestId(column.id));
    const isUnknown = rows.some(row => (row[place] ?? null) === null && (row[smallestAt] ?? null) !== null);
    const whole = amountColumn(column, column.title, place);
    if (!isUnknown) return [whole];
    const unit = columns[smallestAt]?.unit ?? '';
    const smallest = amountColumn({ ...column, unit }, `${column.title} smallest`, smallestAt);
    return isIn(place) ? [whole, smallest] : [smallest];
  });
}

const amountColumn = ({ unit, kind }: AnswerColumn, name: string, place: number): AnsweredColumn => ({
  ...{ name, unit, place },
  type: 'VARCHAR',
  kind: kind ?? 'decimal',
  about: '',
});

function plainColumn(
  { id, title, align, kind }: AnswerColumn,
  place: number,
  rows: ReadyAnswer['rows'],
): AnsweredColumn {
  const type = TIMES.includes(id) ? timeType(rows.flatMap(row => row[place] ?? [])) : undefined;
  return {
    ...{ name: title, place, unit: '', about: '' },
    type: type ?? 'VARCHAR',
    kind: type === undefined ? (kind ?? (align === 'right' ? 'decimal' : 'text')) : 'time',
  };
}

const TIMES = ['time', 'day', 'since'];

/** The type of times in the engine's format. */
function timeType(texts: readonly string[]): 'DATE' | 'TIMESTAMP' | undefined {
  if (texts.length === 0) return undefined;
  if (texts.every(text => /^\d{4}-\d\d-\d\d$/.test(text))) return 'DATE';
  const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?$/.test(text);
  return texts.every(isTime) ? 'TIMESTAMP' : undefined;
}
