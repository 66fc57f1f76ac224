import type { ViewerRow } from '../../../answers/index.ts';
import {
  createSerialiser,
  type RecordFormat,
  type RecordsToSerialise,
  serialiseAll,
  type TableFormat,
} from '../../../base/text/serialise.ts';
import { indentedJson, printJson } from '../../../chain/api/json.ts';
import { explanationText } from '../../../chain/explain/explanation.ts';
import { EXPLAINED_COLUMNS, type ExplainedValues, type ListedRow, listForms } from '../../../chain/explain/list-csv.ts';
import { statementForms } from '../../../chain/explain/statement/statement-forms.ts';
import { statementText } from '../../../chain/explain/statement/statement-table.ts';
import { kindFormat } from '../../../chain/insight/kind.ts';
import { columnForm, formatCell } from '../../../chain/resources/cell.ts';
import { csvFormOf, qualifyText } from '../../../chain/resources/columns.ts';
import { frequencyForms, sumsForms } from '../../../chain/resources/figure-records.ts';
import { recordText } from '../../../chain/resources/record-text.ts';
import { resourceById } from '../../../chain/resources/registry.ts';
import type { Column, Resource } from '../../../chain/resources/resource.ts';
import { createYielder } from '../../../chain/resources/time-slices.ts';
import type { NodeConnection } from '../node/connection.ts';
import type { CopyContent, FiguresContent, ListContent, RecordContent } from './content.ts';

/** What a text needs of the world. */
export interface ContentWorld {
  readonly explain: NodeConnection['explain'];
  /** The screen as drawn now, one line per row. */
  readonly screen: () => string;
  readonly signal: AbortSignal;
}

/**
 * The text in pieces, so that keys are answered between them: exactly as the node sent it, except for text meant for
 * readers.
 */
export async function* contentText(content: CopyContent, world: ContentWorld): AsyncGenerator<string> {
  switch (content.kind) {
    case 'text':
      return yield content.text;
    case 'json':
      if (content.isIndented) return yield* indentedJson(content.value);
      return yield printJson(content.value);
    case 'rows':
      return yield* rowsText(content.form, content.list, world);
    case 'record':
      return yield recordWords(content.record);
    case 'statement':
      if (content.form === 'txt') return yield statementText(content.statement, content.directory);
      return yield* tableText(content.form, statementForms(content.statement, content.directory));
    case 'figures':
      return yield* figuresText(content.form, content.figures);
    case 'requests':
      return yield* tableText(content.form, {
        records: content.requests,
        head: () => [],
        cells: () => [],
        json: request => JSON.stringify(request),
      });
    case 'table-rows':
      return yield* partsText(content.form, content.head, content.tables.stream(content.request, world.signal));
    case 'records':
      return yield* partsText(content.form, content.head, [content.records]);
    case 'screen':
      return yield world.screen();
  }
}

/** Whether amounts of the text lack their units because no asset of the chain is known. */
export function lacksUnits(content: CopyContent): boolean {
  if (content.kind === 'statement') return content.directory.assets.size === 0;
  if (content.kind !== 'rows' || (content.form !== 'csv' && content.form !== 'tsv')) return false;
  const { list } = content;
  return list.directory.assets.size === 0 && csvFormOf(described(list)).columns.some(({ unit }) => unit !== undefined);
}

/** The whole text of records that are all loaded. */
async function* tableText<T>(form: TableFormat, all: RecordsToSerialise<T>): AsyncGenerator<string> {
  for await (const { exact } of serialiseAll(form, all)) yield exact;
}

/** Rows of a list as a command prints them; in Markdown for readers, with the displayed columns. */
async function* rowsText(form: TableFormat, list: ListContent, world: ContentWorld): AsyncGenerator<string> {
  const sent = csvFormOf(described(list).uncached());
  const forms = listForms(sent, { names: async () => list.directory, explained: explainedValuesFor(list, world) });
  const text = createSerialiser<ListedRow>(form, form === 'md' ? { ...forms, ...shownForms(list) } : forms);
  const takeTurn = createYielder(world.signal);
  let piece = '';
  for (let place = 0; place < list.rows.length; place++) {
    const row = list.rows.uncachedAt === undefined ? list.rows.at(place) : list.rows.uncachedAt(place);
    if (row === undefined) continue;
    const { exact } = await text.next([{ row, among: list.amongOf(row) }]);
    piece += exact;
    if (piece.length >= PIECE_CHARACTERS) {
      yield piece;
      piece = '';
    }
    await takeTurn();
  }
  yield piece;
  for (const { exact } of text.end()) yield exact;
}

function explainedValuesFor(
  { resource, amongOf }: ListContent,
  { explain, signal }: ContentWorld,
): ExplainedValues | undefined {
  const columns = Object.hasOwn(EXPLAINED_COLUMNS, resource) ? EXPLAINED_COLUMNS[resource] : undefined;
  if (columns === undefined) return undefined;
  return {
    ids: columns.map(({ id }) => id),
    valuesOf: async row => {
      const explanation = await explain(resource, row, amongOf(row), signal);
      return columns.map(({ value }) => (explanation === undefined ? '' : value(explanation.json)));
    },
  };
}

/** The table for readers: the displayed columns, with names and units, each value in full and without rounding. */
function shownForms(list: ListContent): Pick<RecordFormat<ListedRow>, 'head' | 'aligns' | 'cells'> {
  const { amongOf, directory, nowMs } = list;
  const columns = uncachedColumns(list);
  const first = list.rows.slice(0, FIRST_ROWS);
  const forms = columns.map(column => ({ column, form: columnForm(column, first, { directory, isExact: true }) }));
  return {
    head: () => forms.map(({ form }) => form.titles[0]),
    aligns: () => columns.map(({ kind }) => kindFormat(kind).align),
    cells: ({ row }) => {
      const among = amongOf(row);
      const cellOf = ({ column, form }: (typeof forms)[number]) => {
        const text = formatCell(column, row, { directory, among, form, isWhole: true, nowMs });
        return qualifyText(column, { row, rows: among.rows }, text);
      };
      return [forms.map(cellOf)];
    },
  };
}

/** The same columns, for rows that are gone once they are written. */
function uncachedColumns({ columns, ...list }: ListContent): readonly Column[] {
  const all = described(list).uncached().columns;
  return columns.map(({ id, title, ...column }) => ({ ...column, ...all.find(one => one.id === id), id, title }));
}

/** The number of rows that determine how a column is written. */
const FIRST_ROWS = 200;

/** Characters that are written at once. */
const PIECE_CHARACTERS = 65_536;

function recordWords({ resource, row, around, directory, explanation }: RecordContent): string {
  const fields = recordText(described({ resource }), row, { around, directory });
  return explanation === null ? fields : `${explanationText(explanation)}\n${fields}`;
}

const figuresText = (
  form: TableFormat,
  { column, shows, frequency, directory }: FiguresContent,
): AsyncGenerator<string> =>
  shows === 'sums'
    ? tableText(form, sumsForms(column, frequency))
    : tableText(form, frequencyForms(column, frequency, directory));

/** Rows of a table on the disk, each value to the digit. */
async function* partsText(
  form: TableFormat,
  head: readonly string[],
  parts: AsyncIterable<readonly ViewerRow[]> | Iterable<readonly ViewerRow[]>,
): AsyncGenerator<string> {
  const text = createSerialiser(form, tableForms(head));
  for await (const rows of parts) yield (await text.next(rows)).exact;
  for (const { exact } of text.end()) yield exact;
}

/** In JSON, all values are text, numbers too: so no reader loses digits. */
const tableForms = (head: readonly string[]): RecordFormat<ViewerRow> => ({
  head: () => head,
  cells: row => [row],
  hasNulls: true,
  json: row => JSON.stringify(Object.fromEntries(head.map((name, index) => [name, row[index] ?? null]))),
});

function described({ resource }: Pick<ListContent, 'resource'>): Resource {
  const known = resourceById(resource);
  if (known === undefined) throw new Error(`no resource ${resource}`);
  return known;
}
