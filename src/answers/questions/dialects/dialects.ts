import { clickhouseDialect } from './clickhouse.ts';
import type { Dialect } from './dialect.ts';
import { duckdbDialect } from './duckdb.ts';
import { sparkDialect } from './spark.ts';
import { trinoDialect } from './trino.ts';

/** Engines in whose SQL the questions can be printed. */
export const DIALECT_NAMES = ['duckdb', 'spark', 'trino', 'clickhouse'] as const;

export type DialectName = (typeof DIALECT_NAMES)[number];

export const QUESTION_DIALECTS: { readonly [engine in DialectName]: Dialect } = {
  duckdb: duckdbDialect,
  spark: sparkDialect,
  trino: trinoDialect,
  clickhouse: clickhouseDialect,
};
