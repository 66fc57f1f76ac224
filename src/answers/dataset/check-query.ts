import { AnswerError } from '../engine/answer-error.ts';
import { type Database, type ResultStream, WHAT_READS } from '../engine/database.ts';
import { sqlText } from '../engine/sql-text.ts';

/** The result of a question that somebody typed. Throws AnswerError where it does anything but read the tables. */
export async function streamQuery(database: Database, sql: string, signal: AbortSignal): Promise<ResultStream> {
  await checkQuery(database, sql, signal);
  return database.stream(sql, signal);
}

/**
 * Refuses what is not one statement that reads. The sealed engine opens no other file; this also keeps out what would
 * overwrite the files that it may open, write to the terminal past this program, or take addresses for data.
 */
async function checkQuery(database: Database, sql: string, signal: AbortSignal): Promise<void> {
  if (sql.includes('\0')) throw new AnswerError('there is a NUL character in the question', 'take it out');
  const inner = EXPLAIN.exec(sql);
  const asked = inner === null ? sql : sql.slice(inner[0].length);
  const tree = await treeOf(database, asked, signal);
  if ('error' in tree) {
    // What is misspelt is told in the engine's own words.
    if (tree.error === 'parser') await database.parse(sql);
    throw refusal(asked);
  }
  if (tree.statements === 0) throw refusal('');
  if (tree.statements !== 1) throw new AnswerError(`these are ${tree.statements} statements`, 'ask one at a time');
  const stranger = tree.functions.find(name => !TABLE_FUNCTIONS.has(name));
  if (stranger !== undefined)
    throw new AnswerError(
      `${stranger}() is no table of what was given`,
      'questions are put to the tables that blockglass query --tables shows',
    );
  const unsafe = tree.names.find(name => UNSAFE.has(name));
  if (unsafe !== undefined) throw new AnswerError(`${unsafe} is not taken: ${UNSAFE.get(unsafe)}`, INSTEAD);
}

const DEEP = 'what is deep enough ends the engine, and so this program';
const ROUND = 'it takes SQL that nobody has looked at';
const INSTEAD = "members of JSON are read by ->> '$.name', json_extract, json_keys and json_each";

/** Functions and types that walk into JSON without an end to how deep. */
const WALKS: readonly string[] = [
  ...['json_structure', 'json_group_structure', 'json_transform', 'json_transform_strict', 'from_json'],
  ...['from_json_strict', 'json_merge_patch', 'json_contains', 'json_deserialize_sql', 'variant', 'variant_extract'],
  ...['variant_typeof', 'variant_normalize', 'variant_to_parquet_variant', 'variant_bytes_to_variant', 'make_type'],
];

const UNSAFE: ReadonlyMap<string, string> = new Map([
  ...WALKS.map(name => [name, DEEP] as const),
  ['json_serialize_plan', ROUND],
]);

/** What stands before the statement that is explained. Options that are no plain words are left to be refused. */
const EXPLAIN = /^(?:\s|--[^\n]*(?:\n|$))*EXPLAIN\b(?:\s+ANALYZE\b|\s*\([\w\s,]*\))?/i;

/** Functions that stand in place of a table and reach nothing beyond what they are given. */
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
  | { readonly statements: number; readonly functions: readonly string[]; readonly names: readonly string[] }
  | { readonly error: string };

/** The statement as the engine's own parser reads it, which takes nothing apart but questions. */
async function treeOf(database: Database, sql: string, signal: AbortSignal): Promise<Tree> {
  const { rows } = await database.all(`SELECT json_serialize_sql(${sqlText(sql)})`, signal);
  const tree: unknown = JSON.parse(rows[0]?.[0] ?? 'null');
  const statements = member(tree, 'statements');
  if (member(tree, 'error') !== false || !Array.isArray(statements))
    return { error: String(member(tree, 'error_type')) };
  const found = [...namesIn(statements)];
  return {
    statements: statements.length,
    functions: found.filter(({ isTable }) => isTable).map(({ name }) => name),
    names: found.map(({ name }) => name),
  };
}

/** Functions and types, by their names. */
function* namesIn(tree: unknown): Generator<{ readonly name: string; readonly isTable: boolean }> {
  const waiting = [tree];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    if (member(node, 'type') === 'TABLE_FUNCTION') yield named(member(member(node, 'function'), 'function_name'), true);
    if (member(node, 'class') === 'FUNCTION') yield named(member(node, 'function_name'), false);
    if (member(node, 'id') === 'VARIANT' || member(node, 'type') === 'UNBOUND_TYPE_INFO')
      yield named(member(node, 'name') ?? 'variant', false);
    for (const part of Object.values(node)) if (part !== null && part !== undefined) waiting.push(part);
  }
}

const named = (name: unknown, isTable: boolean) => ({ name: String(name).toLowerCase(), isTable });

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;

function refusal(sql: string): AnswerError {
  const first = /^(?:\s|--[^\n]*(?:\n|$)|\/\*.*?\*\/|;)*([A-Za-z]+)/s.exec(sql)?.[1]?.toUpperCase();
  if (first === undefined) return new AnswerError('there is no question', WHAT_READS);
  if (first === 'PIVOT') return new AnswerError('PIVOT has to name its columns', `PIVOT ... ON column IN ('a', 'b')`);
  return new AnswerError(`a question only reads: ${first} is not taken`, WHAT_READS);
}
