import * as v from 'valibot';
import type { NodeFault } from '../api/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../api/json.ts';
import { readPage } from '../api/page.ts';
import type { Kind } from '../insight/kind.ts';
import type { Filter } from './filter.ts';

/** A record as the node sent it; columns and inspector read it through the descriptor. */
export type Row = JsonObject;

/** A page of rows in the node's order. */
export interface RowPage {
  readonly rows: readonly Row[];
  readonly startCursor: string;
  readonly endCursor: string;
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

/** The thing an id names; lets an id seen in one list be offered as a filter of another. */
export type Entity = 'market' | 'party' | 'asset' | 'submitter' | 'epoch';

export interface Column {
  readonly id: string;
  readonly title: string;
  readonly kind: Kind;
  /** The value as text, exactly as sent; how it looks is the kind's business. */
  readonly value: (row: Row) => string;
  readonly entity?: Entity;
  /** Not shown until asked for. */
  readonly isExtra?: true;
}

/** A part of the inspector: the members it shows, by path from the record's root. */
export interface Section {
  readonly title: string;
  readonly paths: readonly string[];
  /** Sentences about the record that the node does not say itself. */
  readonly notes?: (row: Row) => readonly string[];
}

/** What a deployed node can do with this list: true, or why not (shown where the key is off). */
export interface PagingRules {
  readonly byCursor: true | string;
  readonly backward: true | string;
  readonly oldestFirst: true | string;
  /** Page size to start with, 1-5000; 50 unless said. */
  readonly pageSize?: number;
}

/** A list of the node, as data. Table, inspector, filter bar, commands and help all come from this. */
export interface Resource {
  readonly id: string;
  readonly title: string;
  /** What one row is, for sentences: `provision`. */
  readonly singular: string;
  readonly path: string;
  readonly wrapperKey: string;
  readonly filters: readonly Filter[];
  readonly columns: readonly Column[];
  readonly sections: readonly Section[];
  /** Kinds of the members, by path; `*` stands for an element of an array. */
  readonly kinds: { readonly [path: string]: Kind };
  readonly paging: PagingRules;
  /** What `show` finds a row by. */
  readonly keyOf: (row: Row) => string;
  /** A refusal that only means that filters are missing: the sentence to show with the filter bar. */
  readonly demandsFilters?: (fault: NodeFault) => string | undefined;
  /** The rows of an answer, checked; undefined when the answer is no page of this list. */
  readonly page: (answer: Json) => RowPage | undefined;
}

interface Definition<Fields> extends Omit<Resource, 'columns' | 'keyOf' | 'page' | 'sections'> {
  readonly schema: v.GenericSchema<unknown, Fields>;
  readonly columns: readonly (Omit<Column, 'value'> & { readonly value: (fields: Fields) => string })[];
  readonly sections: readonly (Omit<Section, 'notes'> & {
    readonly notes?: (fields: Fields) => readonly string[];
  })[];
  readonly key: (fields: Fields) => string;
}

/** Makes a resource of its definition: rows are decoded by the schema once, when first looked at. */
export function defineResource<Fields>(definition: Definition<Fields>): Resource {
  const decoded = new WeakMap<Row, Fields>();
  const fieldsOf = (row: Row): Fields => {
    const known = decoded.get(row);
    if (known !== undefined) return known;
    const fields = v.parse(definition.schema, row);
    decoded.set(row, fields);
    return fields;
  };
  const { schema: _, key, columns, sections, ...rest } = definition;
  return {
    ...rest,
    columns: columns.map(column => ({ ...column, value: row => column.value(fieldsOf(row)) })),
    sections: sections.map(({ notes, ...section }) =>
      notes === undefined ? section : { ...section, notes: row => notes(fieldsOf(row)) },
    ),
    keyOf: row => key(fieldsOf(row)),
    page: answer => {
      const page = readPage(answer, definition.wrapperKey);
      return page === undefined ? undefined : { ...page, rows: page.records.map(asRow) };
    },
  };
}

// A record that is no object is nobody's schema; it is kept and shown whole under one name.
const asRow = (record: Json): Row => (isJsonObject(record) ? record : { value: record });
