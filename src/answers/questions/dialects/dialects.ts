import { clickhouse } from './clickhouse.ts';
import type { Dialect } from './dialect.ts';
import { duckdb } from './duckdb.ts';
import { spark } from './spark.ts';
import { trino } from './trino.ts';

/** Engines in whose SQL the questions can be printed. */
export const DIALECT_NAMES = ['duckdb', 'spark', 'trino', 'clickhouse'] as const;

export type DialectName = (typeof DIALECT_NAMES)[number];

export const QUESTION_DIALECTS: { readonly [engine in DialectName]: Dialect } = { duckdb, spark, trino, clickhouse };
