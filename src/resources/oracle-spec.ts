import * as v from 'valibot';
import type { Json } from '../api/json.ts';
import type { DataSource } from '../insight/oracle/data-source.ts';
import { sourceSentence } from '../insight/oracle/sentence.ts';
import { object, text } from './field.ts';
import { sources } from './oracle-source.ts';
import type { Row } from './resource.ts';

const spec = object({ id: text, createdAt: text, updatedAt: text, status: text, data: sources });

/** A spec as it was sent. */
export interface OracleSpec {
  readonly id: string;
  readonly status: string;
  /** Unix nanoseconds, when it was activated. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly data: Json;
  /** What the source delivers, as one line. */
  readonly delivers: string;
  /** The first source it defines; everything said about a spec is about this one. */
  readonly source: DataSource;
  /** Further sources; no node is known to send any. */
  readonly otherSources: readonly DataSource[];
}

/** A record of the list; it accepts anything. The long texts are made once, with the record. */
export const oracleSpecSchema = v.pipe(
  v.object({ externalDataSourceSpec: object({ spec }) }),
  v.transform(({ externalDataSourceSpec }): OracleSpec => {
    const { data, ...rest } = externalDataSourceSpec.spec;
    const [source = NO_SOURCE, ...otherSources] = data.sources;
    return { ...rest, data: data.sent, source, otherSources, delivers: sourceSentence(source) };
  }),
);

const NO_SOURCE: DataSource = { variant: 'none' };

/** Reads a record of the list, whatever it holds. */
export const readOracleSpec = (row: Row): OracleSpec => v.parse(oracleSpecSchema, row);
