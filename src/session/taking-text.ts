import { printJson } from '../api/json.ts';
import { EXPLAINED_COLUMNS } from '../explain/csv-columns.ts';
import { explanationText } from '../explain/explanation-text.ts';
import { csvHead, csvRecords, type ExplainedValues } from '../explain/list-csv.ts';
import { statementCsv } from '../explain/statement/statement-csv.ts';
import { lineJson, statementJson, totalJson } from '../explain/statement/statement-json.ts';
import { statementText } from '../explain/statement/statement-text.ts';
import type { OpenTables } from '../explorer/services/table-source.ts';
import type { NodeConnection } from '../explorer/services/world.ts';
import { lookOf } from '../insight/kind.ts';
import { columnForm, textInCell } from '../resources/cell.ts';
import { csvFormOf, qualified } from '../resources/columns.ts';
import { withUnits } from '../resources/csv-units.ts';
import { frequencyCsv, frequencyJson, sumRecord, sumsCsv, sumsJson, valueRecord } from '../resources/figure-records.ts';
import { recordText } from '../resources/record-text.ts';
import { resourceById } from '../resources/registry.ts';
import type { Column, Resource, Row } from '../resources/resource.ts';
import { takeTurns } from '../resources/slices.ts';
import { csvRecord } from '../text/csv-field.ts';
import { markdownRow, markdownRule, tsvRecord } from '../text/delimited.ts';
import type { TableForm, TakenFigures, TakenList, TakenRecord, Taking } from './model/taking.ts';
import { viewedPieces } from './viewed-text.ts';

/** What of the world a text may take. */
export interface TakingWorld {
  readonly explain: NodeConnection['explain'];
  /** The screen as it is drawn now, a line a row. */
  readonly screen: () => string;
  readonly tables: Pick<OpenTables, 'of'>;
  readonly signal: AbortSignal;
}

/** The text in pieces, between which keys are answered: exactly what the node sent, but for what is made for people to read. */
export async function* takingText(taking: Taking, world: TakingWorld): AsyncGenerator<string> {
  switch (taking.kind) {
    case 'text':
      return yield taking.text;
    case 'json':
      return yield taking.isIndented ? `${printJson(taking.value, 2)}\n` : printJson(taking.value);
    case 'rows':
      return yield* rowsText(taking.form, taking.list, world);
    case 'record':
      return yield recordWords(taking.record);
    case 'statement':
      return yield statementWords(taking);
    case 'figures':
      return yield figuresText(taking.form, taking.figures);
    case 'requests': {
      const texts = taking.requests.map(request => JSON.stringify(request));
      return yield taking.form === 'json' ? inArray(texts) : texts.map(text => `${text}\n`).join('');
    }
    case 'viewed':
      return yield* viewedPieces(
        taking.form,
        taking.head,
        world.tables.of(taking.viewer).stream(taking.looked, world.signal),
      );
    case 'records':
      return yield* viewedPieces(taking.form, taking.head, [taking.records]);
    case 'screen':
      return yield world.screen();
  }
}

const inArray = (texts: readonly string[]): string => (texts.length === 0 ? '[]\n' : `[\n${texts.join(',\n')}\n]\n`);

async function* rowsText(form: TableForm, list: TakenList, world: TakingWorld): AsyncGenerator<string> {
  switch (form) {
    case 'csv':
      return yield* delimited(list, world, csvRecord);
    case 'tsv':
      return yield* delimited(list, world, tsvRecord);
    case 'md':
      return yield* markdown(list, world);
    case 'ndjson':
      return yield* inPieces(list, world, row => `${printJson(row)}\n`);
    case 'json': {
      yield* inPieces(list, world, (row, place) => `${place === 0 ? '[\n' : ',\n'}${printJson(row)}`);
      return yield list.rows.length === 0 ? '[]\n' : '\n]\n';
    }
  }
}

/** What a command prints as CSV of these rows. */
async function* delimited(
  list: TakenList,
  world: TakingWorld,
  record: (values: readonly string[]) => string,
): AsyncGenerator<string> {
  const form = withUnits(csvFormOf(described(list).inPassing()), list.directory);
  const explained = explainedOf(list, world);
  yield record(csvHead(form, explained));
  yield* inPieces(list, world, async row =>
    (await csvRecords({ form, explained }, row, list.amongOf(row).rows)).map(record).join(''),
  );
}

function explainedOf({ resource, amongOf }: TakenList, { explain, signal }: TakingWorld): ExplainedValues | undefined {
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

/** The table as it is read: the columns shown, with names and units, each value whole and none rounded. */
async function* markdown(list: TakenList, world: TakingWorld): AsyncGenerator<string> {
  const { amongOf, directory, nowMs } = list;
  const columns = inPassing(list);
  const first = list.rows.slice(0, FIRST_ROWS);
  const forms = columns.map(column => ({ column, form: columnForm(column, first, { directory, isExact: true }) }));
  yield markdownRow(forms.map(({ form }) => form.titles[0]));
  yield markdownRule(columns.map(({ kind }) => lookOf(kind).align));
  yield* inPieces(list, world, row => {
    const among = amongOf(row);
    return markdownRow(
      forms.map(({ column, form }) =>
        qualified(
          column,
          { row, rows: among.rows },
          textInCell(column, row, { directory, among, form, isWhole: true, nowMs }),
        ),
      ),
    );
  });
}

/** The same columns, for rows that are gone once they are written. */
function inPassing({ columns, ...list }: TakenList): readonly Column[] {
  const all = described(list).inPassing().columns;
  return columns.map(({ id, title, ...column }) => ({ ...column, ...all.find(one => one.id === id), id, title }));
}

/** So many say how a column is written. */
const FIRST_ROWS = 200;

/** Characters that are written at once. */
const PIECE_CHARACTERS = 65_536;

/** The texts of all rows, one row after the other, with everything else in between. */
async function* inPieces(
  { rows }: TakenList,
  { signal }: TakingWorld,
  textOf: (row: Row, place: number) => string | Promise<string>,
): AsyncGenerator<string> {
  const takeTurn = takeTurns(signal);
  let piece = '';
  for (let place = 0; place < rows.length; place++) {
    const row = rows.inPassing === undefined ? rows.at(place) : rows.inPassing(place);
    if (row === undefined) continue;
    piece += await textOf(row, place);
    if (piece.length >= PIECE_CHARACTERS) {
      yield piece;
      piece = '';
    }
    await takeTurn();
  }
  if (piece !== '') yield piece;
}

function recordWords({ resource, row, around, directory, explanation }: TakenRecord): string {
  const fields = recordText(described({ resource }), row, { around, directory });
  return explanation === null ? fields : `${explanationText(explanation)}\n${fields}`;
}

function statementWords({ form, statement, directory }: Extract<Taking, { readonly kind: 'statement' }>): string {
  switch (form) {
    case 'csv':
    case 'tsv':
    case 'md':
      return recordsText(form, statementCsv(statement, directory));
    case 'json':
      return `${printJson(statementJson(statement, directory), 2)}\n`;
    case 'ndjson': {
      const lines = statement.lines.map(line => lineJson(line, directory));
      const totals = statement.totals.map(total => totalJson(total, directory));
      return [...lines, ...totals].map(line => `${printJson(line)}\n`).join('');
    }
    case 'txt':
      return statementText(statement, directory);
  }
}

function figuresText(form: TableForm, { column, shows, frequency, directory }: TakenFigures): string {
  switch (form) {
    case 'csv':
    case 'tsv':
    case 'md':
      return recordsText(form, shows === 'sums' ? sumsCsv(frequency) : frequencyCsv(column, frequency, directory));
    case 'json': {
      const json = shows === 'sums' ? sumsJson(frequency) : frequencyJson(column, frequency, directory);
      return `${printJson(json, 2)}\n`;
    }
    case 'ndjson': {
      const records =
        shows === 'sums'
          ? frequency.sums.map(sumRecord)
          : frequency.values.map(value => valueRecord(column, value, frequency, directory));
      return records.map(record => `${printJson(record)}\n`).join('');
    }
  }
}

/** Records below their heading, exactly. */
function recordsText(form: 'csv' | 'tsv' | 'md', records: readonly (readonly string[])[]): string {
  switch (form) {
    case 'csv':
      return records.map(csvRecord).join('');
    case 'tsv':
      return records.map(tsvRecord).join('');
    case 'md': {
      const [head = [], ...lines] = records;
      return [markdownRow(head), markdownRule(head.map(() => 'left')), ...lines.map(markdownRow)].join('');
    }
  }
}

function described({ resource }: Pick<TakenList, 'resource'>): Resource {
  const known = resourceById(resource);
  if (known === undefined) throw new Error(`no resource ${resource}`);
  return known;
}
