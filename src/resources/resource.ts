import type * as v from 'valibot';
import type { NodeFault } from '../api/errors.ts';
import type { Json, JsonObject } from '../api/json.ts';
import { readPage } from '../api/page.ts';
import type { Counted } from '../directory/counted.ts';
import type { Directory } from '../directory/directory.ts';
import type { Entity } from '../directory/entity.ts';
import type { Kind, Tone } from '../insight/kind.ts';
import type { Filter, FilterValues } from './filter.ts';
import { type Decoded, keptReading, passingReading, type Reading } from './reading.ts';

/** A record as the node sent it; columns and inspector read it through the descriptor. */
export type Row = JsonObject;

/** A page of rows in the node's order. */
export interface RowPage {
  readonly rows: readonly Row[];
  /** The cursor of each row, where rows of the list can move; else none. */
  readonly cursors: readonly string[];
  readonly startCursor: string;
  readonly endCursor: string;
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  /** What of the page cannot be read or believed, in sentences. */
  readonly flaws: readonly string[];
  /** Where it was had from, of a list that may be had from two places. */
  readonly path?: string;
}

/** What a record came with: it says what the record alone cannot. */
export interface Around {
  /** The filters it was asked for with. */
  readonly filters: FilterValues;
  /** The rows of the page it is on, itself among them. */
  readonly rows: readonly Row[];
}

export interface Column {
  readonly id: string;
  readonly title: string;
  readonly kind: Kind;
  /** The value as text, exactly as sent; how it looks is the kind's business. */
  readonly value: (row: Row) => string;
  readonly entity?: Entity;
  /** The ids behind the value, where it is not itself the one id of its entity. */
  readonly ids?: (row: Row) => readonly string[];
  /** The id is the row's own: whoever looks for it looks for this record. It stands as it is, beside the name of the row. */
  readonly isOwn?: true;
  /** Not shown until asked for, until this filter is in force, while it is, or under such filters. */
  readonly isExtra?:
    | true
    | { readonly until: string }
    | { readonly while: string }
    | ((filters: FilterValues) => boolean);
  /** Not shown while none of the rows has a value: nodes of some releases do not send it. */
  readonly isOptional?: true;
  /** What the column holds, and so is called, while this filter is in force. */
  readonly filtered?: { readonly by: string; readonly title: string };
  /** Answers what the list is opened for, or does until this filter is in force: it stays on the screen when others have no room. */
  readonly isAnswer?: true | { readonly until: string };
  /** What an amount counts; undefined where the row does not say. */
  readonly unit?: (row: Row) => Counted | undefined;
  /** Words before the value in a table, which the other rows of the page call for; '' when there is nothing to say. */
  readonly qualifier?: (row: Row, rows: readonly Row[]) => string;
  /** Words behind the value in a table; '' when there is nothing to say. */
  readonly addition?: (row: Row, rows: readonly Row[]) => string;
  /** What the row as a whole is, where that is more than its value says. */
  readonly tone?: (row: Row) => Tone | undefined;
  /** The value where it is worked out of all rows of the list; what the node sent has none, so CSV has no such column. */
  readonly worked?: (row: Row, among: Among) => string;
  /** Its times are those of the clock, in UTC, and no ages. */
  readonly isOfClock?: true;
  /** What its cells show, where the names and units of the chain have a part in it; CSV has it of the explanation, if at all. */
  readonly named?: (row: Row, place: CellPlace) => string;
}

/** The rows that one is among. */
export interface Among extends Around {
  /** They are all that the list has with these filters, as far as the node says. */
  readonly isWhole: boolean;
  /** What all rows of the list come to, where these are too few to say it. */
  readonly total?: string;
}

/** What rows come to, one after the other, where none of them can be kept. */
export interface RunningTotal<Fields = Row> {
  readonly add: (fields: Fields) => void;
  /** '' where it cannot be said. */
  readonly result: () => string;
}

/** What a cell is read beside. */
export interface CellPlace {
  readonly directory: Directory;
  readonly among: Among;
}

/** A part of the inspector: the members it shows, by path from the record's root. */
export interface Section {
  readonly title: string;
  readonly paths: readonly string[];
  /** Sentences about the record that the node does not say itself. */
  readonly notes?: (row: Row, around: Around) => readonly string[];
}

/** What a deployed node can do with this list: true, or why not (shown where the key is off). */
export interface PagingRules {
  readonly byCursor: true | string;
  readonly backward: true | string;
  readonly oldestFirst: true | string | ((filters: FilterValues) => true | string);
  /** Under these filters what the node calls newest first is oldest first, and the other way round. */
  readonly isReversed?: (filters: FilterValues) => boolean;
  /** The rows of an answer in the order that was asked for, where a node cannot be relied on for it. */
  readonly inOrder?: (rows: readonly Row[], request: OrderedRequest) => readonly Row[];
  /** Whether rows change their place while they are listed with these filters, as when an amendment makes one the newest. */
  readonly rowsMove?: (filters: FilterValues) => boolean;
  /** Page size to start with, 1-5000; 50 unless said. */
  readonly pageSize?: number;
}

interface OrderedRequest {
  readonly filters: FilterValues;
  readonly newestFirst: boolean;
}

/** What CSV has of a list whose rows hold lists: a record for each of their elements. */
export interface CsvForm {
  readonly columns: readonly Column[];
  /** At least one of each row; the columns are of these. */
  readonly rowsOf: (row: Row) => readonly Row[];
}

/** A heading above rows of a list, and what a row is called below it. */
export interface Group {
  /** '' for rows that belong to none. */
  readonly title: string;
  /** Stands for the first column, whose value says all of it. */
  readonly name: string;
}

/** A list of the node, as data. Table, inspector, filter bar, commands and help all come from this. */
export interface Resource {
  readonly id: string;
  readonly title: string;
  /** For the bar of tabs where there is little room; its first three letters tell it from the others. */
  readonly shortTitle: string;
  /** What one row is, for sentences: `provision`. */
  readonly singular: string;
  readonly path: string;
  /** Where a node that has it says more under some filters; one that has it not is asked for `path`. */
  readonly better?: {
    readonly path: string;
    readonly when: (filters: FilterValues) => boolean;
    /** What is missing on a node without it: a sentence. */
    readonly without: string;
  };
  readonly wrapperKey: string;
  readonly filters: readonly Filter[];
  /** Those that the list is opened with in the explorer; none unless said. */
  readonly usualFilters?: FilterValues;
  /** The filter that the key for other versions of the rows sets and takes away. */
  readonly versions?: { readonly filter: string; readonly value: string };
  readonly columns: readonly Column[];
  /** Where the columns would lose what is in the row. */
  readonly csv?: CsvForm;
  readonly sections: readonly Section[];
  /** Kinds of the members, by path; `*` stands for an element of an array. */
  readonly kinds: { readonly [path: string]: Kind };
  /** What the ids among them name, by path. */
  readonly entities?: { readonly [path: string]: Entity };
  /** What the amounts among them count, by path. */
  readonly units?: { readonly [path: string]: (row: Row) => Counted | undefined };
  readonly paging: PagingRules;
  /** What a row belongs to with those around it that belong to the same, in the node's order. */
  readonly groupOf?: (row: Row) => Group;
  /** Sentences about a row while it is selected. */
  readonly about?: (row: Row) => string;
  /**
   * What rows have in common that say something of each other, where columns have words for it: read off the record
   * itself, because it is asked of every row of a long list.
   */
  readonly kinOf?: (row: Row) => string;
  /** What columns that are worked out need to know of all rows of a list with these filters; undefined where they need nothing. */
  readonly totalOf?: (filters: FilterValues) => RunningTotal | undefined;
  /** What `show` finds a row by. */
  readonly keyOf: (row: Row) => string;
  /** The same list, for rows that are looked at once and then are gone. */
  readonly inPassing: () => Resource;
  /** What a list with these filters does not hold, or holds otherwise than it seems: sentences. */
  readonly caveats?: (filters: FilterValues) => readonly string[];
  /** A refusal that only means that filters are missing: the sentence to show with the filter bar. */
  readonly demandsFilters?: (fault: NodeFault) => string | undefined;
  /** The rows of an answer, checked; undefined when the answer is no page of this list. */
  readonly page: (answer: Json) => RowPage | undefined;
}

interface Definition<Fields>
  extends Omit<
    Resource,
    'columns' | 'keyOf' | 'inPassing' | 'page' | 'sections' | 'units' | 'groupOf' | 'about' | 'totalOf'
  > {
  readonly schema: v.GenericSchema<unknown, Fields>;
  readonly columns: readonly (Omit<
    Column,
    'value' | 'ids' | 'qualifier' | 'addition' | 'tone' | 'worked' | 'unit' | 'named'
  > & {
    readonly value: (fields: Fields) => string;
    readonly ids?: (fields: Fields) => readonly string[];
    readonly qualifier?: (fields: Fields, rows: Decoded<Fields>) => string;
    readonly addition?: (fields: Fields, rows: Decoded<Fields>) => string;
    readonly tone?: (fields: Fields) => Tone | undefined;
    readonly unit?: (fields: Fields) => Counted | undefined;
    readonly worked?: (
      fields: Fields,
      among: DecodedAround<Fields> & { readonly isWhole: boolean; readonly total?: string },
    ) => string;
    readonly named?: (
      fields: Fields,
      place: { readonly directory: Directory; readonly rows: Decoded<Fields> },
    ) => string;
  })[];
  readonly sections: readonly (Omit<Section, 'notes'> & {
    readonly notes?: (fields: Fields, around: DecodedAround<Fields>) => readonly string[];
  })[];
  readonly units?: { readonly [path: string]: (fields: Fields) => Counted | undefined };
  readonly groupOf?: (fields: Fields) => Group;
  readonly about?: (fields: Fields) => string;
  readonly totalOf?: (filters: FilterValues) => RunningTotal<Fields> | undefined;
  readonly key: (fields: Fields) => string;
}

interface DecodedAround<Fields> {
  readonly filters: FilterValues;
  readonly rows: Decoded<Fields>;
}

/** Makes a resource of its definition: rows are decoded by the schema once, when first looked at. */
export const defineResource = <Fields>(definition: Definition<Fields>): Resource =>
  described(definition, keptReading(definition.schema));

function described<Fields>(definition: Definition<Fields>, { fieldsOf, fieldsOfAll }: Reading<Fields>): Resource {
  const { schema: _, key, columns, sections, units = {}, groupOf, about, totalOf, ...rest } = definition;
  return {
    ...rest,
    columns: columns.map(({ value, ids, qualifier, addition, tone, worked, unit, named, ...column }) => ({
      ...column,
      value: row => value(fieldsOf(row)),
      ...(ids !== undefined && { ids: row => ids(fieldsOf(row)) }),
      ...(qualifier !== undefined && { qualifier: (row, rows) => qualifier(fieldsOf(row), fieldsOfAll(rows)) }),
      ...(addition !== undefined && { addition: (row, rows) => addition(fieldsOf(row), fieldsOfAll(rows)) }),
      ...(tone !== undefined && { tone: row => tone(fieldsOf(row)) }),
      ...(unit !== undefined && { unit: row => unit(fieldsOf(row)) }),
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
    ...(totalOf !== undefined && {
      totalOf: filters => {
        const total = totalOf(filters);
        return total && { add: row => total.add(fieldsOf(row)), result: total.result };
      },
    }),
    keyOf: row => key(fieldsOf(row)),
    inPassing: () => described(definition, passingReading(definition.schema)),
    page: answer => {
      const page = readPage(answer, definition.wrapperKey);
      if (page === undefined) return undefined;
      const { records: rows, ...rest } = page;
      return { ...rest, rows };
    },
  };
}
