import * as v from 'valibot';
import type { NodeFault } from '../api/errors.ts';
import type { Json, JsonObject } from '../api/json.ts';
import type { Page } from '../api/page.ts';
import { readPage } from '../api/page.ts';
import type { Denomination } from '../directory/denomination.ts';
import type { Directory } from '../directory/directory.ts';
import type { Entity } from '../directory/entity.ts';
import type { Kind, Tone } from '../insight/kind.ts';
import type { Filter, FilterValues } from './filter.ts';

/** A record as the node sent it; columns and inspector read it through the resource. */
export type Row = JsonObject;

/** A page of rows in the node's order. */
export interface RowPage extends Omit<Page, 'records'> {
  readonly rows: readonly Row[];
  /** The cursor of each row if rows of the list can move, else empty. */
  readonly cursors: readonly string[];
  /** The flaws of the page, in sentences. */
  readonly flaws: readonly string[];
  /** The path it came from, if the list has two. */
  readonly path?: string;
}

/** The request and page of a record, with context that the record itself does not contain. */
export interface RecordContext {
  /** The filters of the request. */
  readonly filters: FilterValues;
  /** The rows of its page, including itself. */
  readonly rows: readonly Row[];
}

export interface Column {
  readonly id: string;
  readonly title: string;
  /** Its title in whole words, where the head of the column has no room for them. */
  readonly words?: string;
  readonly kind: Kind;
  /** The value as text, exactly as sent; the kind decides how it looks. */
  readonly value: (row: Row) => string;
  readonly entity?: Entity;
  /** The ids behind the value, if the value itself is not an id. */
  readonly ids?: (row: Row) => readonly string[];
  /** The id is the row's own. It is shown as an id, since the row's name has its own column. */
  readonly isOwn?: true;
  /** Hidden by default: always, until this filter is active, while it is, or with such filters. */
  readonly isExtra?:
    | true
    | { readonly until: string }
    | { readonly while: string }
    | ((filters: FilterValues) => boolean);
  /** Hidden while no row has a value, since some releases do not send it. */
  readonly isOptional?: true;
  /** Another title while this filter is active, since the column then holds something else. */
  readonly filtered?: { readonly by: string; readonly title: string };
  /** Answers what the list is opened for (until this filter is active), so it is the last to be hidden for lack of room. */
  readonly isAnswer?: true | { readonly until: string };
  /** The denomination of an amount; undefined if the row does not give it. */
  readonly unit?: (row: Row) => Denomination | undefined;
  /** Decimal places of amounts of 1 or more in a table; two without it. */
  readonly places?: number;
  /** Words before the value in a table, which depend on the other rows of the page; '' for none. */
  readonly qualifier?: (row: Row, rows: readonly Row[]) => string;
  /** Words after the value in a table; '' for none. */
  readonly addition?: (row: Row, rows: readonly Row[]) => string;
  /** The tone of the cell, if the whole row decides it and not the value. */
  readonly tone?: (row: Row) => Tone | undefined;
  /** The value, if it is computed from all rows of the list; CSV leaves such a column out. */
  readonly worked?: (row: Row, among: RowContext) => string;
  /** The row's own id, of this kind, that the value is the name of. */
  readonly nameOf?: { readonly entity: Entity; readonly id: (row: Row) => string };
  /** Shows clock times in UTC instead of ages. */
  readonly isOfClock?: true;
  /** The text of a cell, if it needs names and units of the chain; CSV leaves such a column out. */
  readonly named?: (row: Row, context: CellContext) => string;
}

/** The list that a row is in. */
export interface RowContext extends RecordContext {
  /** The rows are all that the node has for these filters. */
  readonly isWhole: boolean;
  /** The total of all rows of the list, if `rows` is only a part. */
  readonly total?: string;
}

/** A total computed row by row, without keeping the rows. */
export interface RunningTotal<Fields = Row> {
  readonly add: (fields: Fields) => void;
  /** '' if it is unknown. */
  readonly result: () => string;
}

/** The input of a cell, in addition to its row. */
export interface CellContext {
  readonly directory: Directory;
  readonly among: RowContext;
}

/** A section of the inspector: the members it shows, by path from the root of the record. */
interface Section {
  readonly title: string;
  readonly paths: readonly string[];
  /** Sentences about the record, added by this program. */
  readonly notes?: (row: Row, around: RecordContext) => readonly string[];
}

/** What deployed nodes can do with this list: true, or the reason why not (shown for the disabled key). */
interface PagingRules {
  readonly byCursor: true | string;
  readonly backward: true | string;
  readonly oldestFirst: true | string | ((filters: FilterValues) => true | string);
  /** With these filters the node confuses newest first and oldest first. */
  readonly isReversed?: (filters: FilterValues) => boolean;
  /** Sorts the rows as requested, if nodes do not do so reliably. */
  readonly inOrder?: (rows: readonly Row[], request: OrderedRequest) => readonly Row[];
  /** Whether rows may change places during listing with these filters, such as when an amendment makes one the newest. */
  readonly rowsMove?: (filters: FilterValues) => boolean;
  /** Initial page size, 1-5000; 50 by default. */
  readonly pageSize?: number;
}

interface OrderedRequest {
  readonly filters: FilterValues;
  readonly newestFirst: boolean;
}

/** The CSV form of a list whose rows hold lists: one record per element. */
export interface CsvForm {
  readonly columns: readonly Column[];
  /** At least one per row; the columns read these. */
  readonly rowsOf: (row: Row) => readonly Row[];
}

/** A heading above rows of a list, and the name of a row below it. */
interface Group {
  /** '' for rows outside every group. */
  readonly title: string;
  /** Replaces the value of the first column, which repeats the heading. */
  readonly name: string;
}

/** A list of the node, described as data. Table, inspector, filter bar, commands and help are made from it. */
export interface Resource {
  readonly id: string;
  readonly title: string;
  /** For a narrow tab bar; its first three letters are unique. */
  readonly shortTitle: string;
  /** What the list is, in one sentence of the help. */
  readonly description: string;
  /** The name of one row in a sentence: `provision`. */
  readonly singular: string;
  readonly path: string;
  /** A newer path that returns more with some filters; nodes without it get `path`. */
  readonly better?: {
    readonly path: string;
    readonly when: (filters: FilterValues) => boolean;
    /** The data missing on a node without it, as a sentence. */
    readonly without: string;
  };
  readonly wrapperKey: string;
  /** Gives a record the one shape of its list, if the node has two. */
  readonly flat?: (record: Row) => Row;
  readonly filters: readonly Filter[];
  /** The filters the explorer opens the list with; none by default. */
  readonly usualFilters?: FilterValues;
  /** The filter that the key for all versions toggles. */
  readonly versions?: { readonly filter: string; readonly value: string };
  readonly columns: readonly Column[];
  /** Set if the columns are not enough to preserve all data. */
  readonly csv?: CsvForm;
  readonly sections: readonly Section[];
  /** Kinds of the members, by path; `*` is any element of an array. */
  readonly kinds: { readonly [path: string]: Kind };
  /** What the ids among them identify, by path. */
  readonly entities?: { readonly [path: string]: Entity };
  /** What the amounts among them count, by path. */
  readonly units?: { readonly [path: string]: (row: Row) => Denomination | undefined };
  readonly paging: PagingRules;
  /** The group of a row; rows of one group follow each other in the node's order. */
  readonly groupOf?: (row: Row) => Group;
  /** Ids of the markets that refer to the record, if it does not list them itself. */
  readonly marketsOf?: (row: Row, directory: Directory) => readonly string[];
  /** Sentences shown while the row is selected. */
  readonly about?: (row: Row) => string;
  /** The same, if it depends on the other rows of the page. */
  readonly aboutAmong?: (row: Row, rows: readonly Row[]) => string;
  /**
   * A key that related rows share, if columns depend on related rows. Reads the record itself, since it runs for every row
   * of a long list.
   */
  readonly kinOf?: (row: Row) => string;
  /** The total that computed columns need of all rows with these filters; undefined if none. */
  readonly totalOf?: (filters: FilterValues) => RunningTotal | undefined;
  /** The key that `show` finds a row by. */
  readonly keyOf: (row: Row) => string;
  /** The same list without caching of decoded rows, for a single pass. */
  readonly uncached: () => Resource;
  /** Missing or misleading data in a list with these filters, in sentences. */
  readonly caveats?: (filters: FilterValues) => readonly string[];
  /** For a refusal that only means a filter is missing: the sentence to show with the filter bar. */
  readonly demandsFilters?: (fault: NodeFault) => string | undefined;
  /** The checked rows of an answer, asked for with this cursor; undefined if it is not a page of this list. */
  readonly page: (answer: Json, cursor?: string) => RowPage | undefined;
}

interface Definition<Fields>
  extends Omit<
    Resource,
    'columns' | 'keyOf' | 'uncached' | 'page' | 'sections' | 'units' | 'groupOf' | 'about' | 'aboutAmong' | 'totalOf'
  > {
  readonly schema: v.GenericSchema<unknown, Fields>;
  readonly columns: readonly (Omit<
    Column,
    'value' | 'ids' | 'qualifier' | 'addition' | 'tone' | 'worked' | 'unit' | 'named' | 'nameOf'
  > & {
    readonly value: (fields: Fields) => string;
    readonly ids?: (fields: Fields) => readonly string[];
    readonly qualifier?: (fields: Fields, rows: Decoded<Fields>) => string;
    readonly addition?: (fields: Fields, rows: Decoded<Fields>) => string;
    readonly nameOf?: { readonly entity: Entity; readonly id: (fields: Fields) => string };
    readonly tone?: (fields: Fields) => Tone | undefined;
    readonly unit?: (fields: Fields) => Denomination | undefined;
    readonly worked?: (
      fields: Fields,
      among: DecodedContext<Fields> & { readonly isWhole: boolean; readonly total?: string },
    ) => string;
    readonly named?: (
      fields: Fields,
      place: { readonly directory: Directory; readonly rows: Decoded<Fields> },
    ) => string;
  })[];
  readonly sections: readonly (Omit<Section, 'notes'> & {
    readonly notes?: (fields: Fields, around: DecodedContext<Fields>) => readonly string[];
  })[];
  readonly units?: { readonly [path: string]: (fields: Fields) => Denomination | undefined };
  readonly groupOf?: (fields: Fields) => Group;
  readonly about?: (fields: Fields) => string;
  readonly aboutAmong?: (fields: Fields, rows: Decoded<Fields>) => string;
  readonly totalOf?: (filters: FilterValues) => RunningTotal<Fields> | undefined;
  readonly key: (fields: Fields) => string;
}

interface DecodedContext<Fields> {
  readonly filters: FilterValues;
  readonly rows: Decoded<Fields>;
}

/** Makes a resource from its definition: each row is decoded by the schema once, when first read. */
export const defineResource = <Fields>(definition: Definition<Fields>): Resource =>
  described(definition, cachedReading(definition.schema));

function described<Fields>(definition: Definition<Fields>, { fieldsOf, fieldsOfAll }: Reading<Fields>): Resource {
  const { schema: _, key, columns, sections, units = {}, groupOf, about, aboutAmong, totalOf, ...rest } = definition;
  return {
    ...rest,
    columns: columns.map(({ value, ids, qualifier, addition, tone, worked, unit, named, nameOf, ...column }) => ({
      ...column,
      value: row => value(fieldsOf(row)),
      ...(ids !== undefined && { ids: row => ids(fieldsOf(row)) }),
      ...(qualifier !== undefined && { qualifier: (row, rows) => qualifier(fieldsOf(row), fieldsOfAll(rows)) }),
      ...(addition !== undefined && { addition: (row, rows) => addition(fieldsOf(row), fieldsOfAll(rows)) }),
      ...(tone !== undefined && { tone: row => tone(fieldsOf(row)) }),
      ...(unit !== undefined && { unit: row => unit(fieldsOf(row)) }),
      ...(nameOf !== undefined && { nameOf: { ...nameOf, id: row => nameOf.id(fieldsOf(row)) } }),
      ...(named !== undefined && {
        named: (row, { directory, among }) => named(fieldsOf(row), { directory, rows: fieldsOfAll(among.rows) }),
      }),
      ...(worked !== undefined && {
        worked: (row, { rows, ...list }) => worked(fieldsOf(row), { ...list, rows: fieldsOfAll(rows) }),
      }),
    })),
    sections: sections.map(({ notes, ...section }) =>
      notes === undefined
        ? section
        : { ...section, notes: (row, { filters, rows }) => notes(fieldsOf(row), { filters, rows: fieldsOfAll(rows) }) },
    ),
    units: Object.fromEntries(Object.entries(units).map(([path, unit]) => [path, (row: Row) => unit(fieldsOf(row))])),
    ...(groupOf !== undefined && { groupOf: row => groupOf(fieldsOf(row)) }),
    ...(about !== undefined && { about: row => about(fieldsOf(row)) }),
    ...(aboutAmong !== undefined && { aboutAmong: (row, rows) => aboutAmong(fieldsOf(row), fieldsOfAll(rows)) }),
    ...(totalOf !== undefined && {
      totalOf: filters => {
        const total = totalOf(filters);
        return total && { add: row => total.add(fieldsOf(row)), result: total.result };
      },
    }),
    keyOf: row => key(fieldsOf(row)),
    uncached: () => described(definition, uncachedReading(definition.schema)),
    page: (answer, cursor) => {
      const page = readPage(answer, definition.wrapperKey, cursor);
      if (page === undefined) return undefined;
      const { records, ...rest } = page;
      return { ...rest, rows: definition.flat === undefined ? records : records.map(definition.flat) };
    },
  };
}

/** The decoded rows of a page; the same array for the same page, so that results can be cached by it. */
type Decoded<Fields> = readonly Fields[];

/** How rows are decoded. */
interface Reading<Fields> {
  readonly fieldsOf: (row: JsonObject) => Fields;
  readonly fieldsOfAll: (rows: readonly JsonObject[]) => Decoded<Fields>;
}

/** For rows that are read repeatedly: each is decoded once. */
function cachedReading<Fields>(schema: v.GenericSchema<unknown, Fields>): Reading<Fields> {
  const decoded = new WeakMap<JsonObject, Fields>();
  const fieldsOf = (row: JsonObject): Fields => {
    const known = decoded.get(row);
    if (known !== undefined) return known;
    const fields = v.parse(schema, row);
    decoded.set(row, fields);
    return fields;
  };
  const decodedRows = new WeakMap<readonly JsonObject[], Decoded<Fields>>();
  const fieldsOfAll = (rows: readonly JsonObject[]): Decoded<Fields> => {
    const all = decodedRows.get(rows) ?? rows.map(fieldsOf);
    decodedRows.set(rows, all);
    return all;
  };
  return { fieldsOf, fieldsOfAll };
}

/** For rows that are read once: only the last row and the last page are cached, since caching 200,000 rows costs more than it saves. */
function uncachedReading<Fields>(schema: v.GenericSchema<unknown, Fields>): Reading<Fields> {
  let last: { readonly row: JsonObject; readonly fields: Fields } | undefined;
  const fieldsOf = (row: JsonObject): Fields => {
    if (last?.row !== row) last = { row, fields: v.parse(schema, row) };
    return last.fields;
  };
  let page: { readonly rows: readonly JsonObject[]; readonly all: Decoded<Fields> } | undefined;
  const fieldsOfAll = (rows: readonly JsonObject[]): Decoded<Fields> => {
    if (page?.rows !== rows) page = { rows, all: rows.map(row => v.parse(schema, row)) };
    return page.all;
  };
  return { fieldsOf, fieldsOfAll };
}
