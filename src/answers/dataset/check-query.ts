import { AnswerError } from '../engine/answer-error.ts';
import type { Database, ResultStream } from '../engine/database.ts';
import { READING_STATEMENTS } from '../engine/engine-connection.ts';
import { sqlText } from '../engine/sql-text.ts';

/** The result of a typed query. Throws AnswerError if it does anything but read the tables. */
export async function streamQuery(database: Database, sql: string, signal: AbortSignal): Promise<ResultStream> {
  await checkQuery(database, sql, signal);
  return database.stream(sql, signal);
}

/**
 * Refuses anything but a single statement that reads. The sealed engine opens no other files; this check also refuses
 * statements that overwrite files it may open, or that use addresses as data. A crash only ends the engine's process.
 */
async function checkQuery(database: Database, sql: string, signal: AbortSignal): Promise<void> {
  if (sql.includes('\0')) throw new AnswerError('the query has a NUL character', 'remove it');
  const inner = EXPLAIN.exec(sql);
  const statement = inner === null ? sql : sql.slice(inner[0].length);
  const tree = await parseStatement(database, statement, signal);
  if ('error' in tree) {
    // For a misspelt statement, show the engine's own message.
    if (tree.error === 'parser') await database.parse(sql);
    throw refusalError(statement);
  }
  if (tree.statements === 0) throw refusalError('');
  if (tree.statements !== 1) throw new AnswerError(`the query has ${tree.statements} statements`, 'run one at a time');
  const forbidden = tree.tables.find(name => !TABLE_FUNCTIONS.has(name));
  if (forbidden !== undefined)
    throw new AnswerError(
      `${forbidden}() cannot be used in a query`,
      'query the tables that blockglass query --tables lists',
    );
  if (tree.functions.has(FORBIDDEN_FUNCTION))
    throw new AnswerError(
      `${FORBIDDEN_FUNCTION}() is not allowed: its SQL cannot be checked`,
      'write the query itself',
    );
}

const FORBIDDEN_FUNCTION = 'json_serialize_plan';

/** The prefix of an EXPLAIN statement. It matches only plain words as options; others are refused. */
const EXPLAIN = /^(?:\s|--[^\n]*(?:\n|$))*EXPLAIN\b(?:\s+ANALYZE\b|\s*\([\w\s,]*\))?/i;

/** Table functions that read nothing beyond their arguments. */
const TABLE_FUNCTIONS: ReadonlySet<string> = new Set([
  'range',
  'generate_series',
  'unnest',
  'repeat',
  'repeat_row',
  'json_each',
  'json_tree',
  'summary',
  'histogram',
  'histogram_values',
  'duckdb_columns',
  'duckdb_functions',
  'duckdb_keywords',
  'duckdb_settings',
  'duckdb_tables',
  'duckdb_types',
  'duckdb_views',
  'duckdb_memory',
  'pragma_show',
  'pragma_table_info',
  'pragma_version',
  'icu_calendar_names',
  'pg_timezone_names',
]);

type Tree =
  | { readonly statements: number; readonly tables: readonly string[]; readonly functions: ReadonlySet<string> }
  | { readonly error: string };

/** The statement as the engine's parser reads it; it only parses SELECT statements. */
async function parseStatement(database: Database, sql: string, signal: AbortSignal): Promise<Tree> {
  const { rows } = await database.all(`SELECT json_serialize_sql(${sqlText(sql)})`, signal);
  const tree: unknown = JSON.parse(rows[0]?.[0] ?? 'null');
  const statements = member(tree, 'statements');
  if (member(tree, 'error') !== false || !Array.isArray(statements))
    return { error: String(member(tree, 'error_type')) };
  const nodes = [...walkObjects(statements)];
  return {
    statements: statements.length,
    tables: nodes
      .filter(node => member(node, 'type') === 'TABLE_FUNCTION')
      .map(node => functionName(member(node, 'function'))),
    functions: new Set(nodes.filter(node => member(node, 'class') === 'FUNCTION').map(functionName)),
  };
}

function* walkObjects(tree: unknown): Generator<object> {
  const waiting = [tree];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    yield node;
    for (const part of Object.values(node)) if (part !== null && part !== undefined) waiting.push(part);
  }
}

const functionName = (call: unknown): string => String(member(call, 'function_name')).toLowerCase();

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;

function refusalError(sql: string): AnswerError {
  const first = /^(?:\s|--[^\n]*(?:\n|$)|\/\*.*?\*\/|;)*([A-Za-z]+)/s.exec(sql)?.[1]?.toUpperCase();
  if (first === undefined) return new AnswerError('the query is empty', READING_STATEMENTS);
  if (first === 'PIVOT') return new AnswerError('PIVOT needs a list of columns', `PIVOT ... ON column IN ('a', 'b')`);
  return new AnswerError(`a query can only read: ${first} is not allowed`, READING_STATEMENTS);
}
