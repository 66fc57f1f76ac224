import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import * as v from 'valibot';
import { Database } from '../../src/answers/engine/database.ts';
import { externalTablesSql, readParquetManifest, tablesFromManifest } from '../../src/answers/index.ts';
import { type DataSet, exportDemo, multiply, TABLES } from './data.ts';
import {
  type Cell,
  type Engine,
  parseExact,
  type Result,
  startClickhouse,
  startDuckdb,
  startSpark,
  startTrino,
} from './engines.ts';
import { installPython, installS3a, installTrino } from './install.ts';
import { BUCKET, startObjectServer } from './object-server.ts';

// Runs what `convert --ddl` and `answer --for` print on DuckDB, ClickHouse, Spark and Trino, and compares every answer with
// the program's own: npm run engines -- [--size 10GB] [--only spark,trino].

const ENGINES = ['duckdb', 'clickhouse', 'spark', 'trino'] as const;

type EngineName = (typeof ENGINES)[number];

const { values } = parseArgs({ options: { size: { type: 'string', default: '1GB' }, only: { type: 'string' } } });
const only = values.only?.split(',') ?? [...ENGINES];
const size = Number(/^(\d+)GB$/.exec(values.size)?.[1]) * 1e9;
if (!(size >= 0)) throw new Error('--size is the CSV that the large set stands for, such as 1GB; 0GB leaves it out');

/** A liquidity provider of the demo. */
const PARTY = 'c4ce365e0c15309e49eb696b314eea13b526a299f2c0d49cac87dcfc2a346b9c';

const folder = await mkdtemp(join(tmpdir(), 'blockglass-engines-'));
const folders = new Map<string, string>();
const server = await startObjectServer(folders);
const env = { ...process.env, ...server.env };
/** An engine that skips the files of other days may open this many of them to see their columns. */
const MAX_OTHER_FILES = 1;

/** The time of DuckDB for each question, to print beside the others. */
const duckdbSeconds = new Map<string, string>();
const counts = { same: 0, different: 0 };

/** Every engine on every set. */
async function compareAll(): Promise<void> {
  const sets = await makeSets();
  const own = new Map<string, Result>();
  for (const set of sets) for (const words of questionsOf(set)) own.set(keyOf(set, words), await answered(set, words));
  console.log(
    lineOf({
      set: 'set',
      engine: 'engine',
      place: 'place',
      question: 'question',
      rows: 'rows',
      seconds: 'seconds',
      duckdb: 'DuckDB',
      files: 'files',
    }),
  );
  for (const name of ENGINES.filter(engine => only.includes(engine))) await compareEngine(name, sets, own);
}

async function makeSets(): Promise<readonly DataSet[]> {
  const demo = await exportDemo(folder, program);
  const sets: DataSet[] = [demo];
  if (size > 0) {
    const database = await Database.open({ memoryMiB: 2048 });
    const copies = Math.max(2, Math.ceil(size / demo.csvBytes));
    sets.push(await multiply(demo, join(folder, 'large'), copies, database));
    await database.close();
  }
  for (const set of sets) {
    folders.set(set.name, set.folder);
    console.log(`${set.name}: ${set.rows} rows`);
  }
  return sets;
}

/** Each question in its forms, over everything and over a few days. */
function questionsOf({ name, firstDay }: DataSet): readonly (readonly string[])[] {
  const day = (later: number): string => new Date(Date.parse(firstDay) + later * 86_400_000).toISOString().slice(0, 10);
  const days = name === 'demo' ? ['--from', day(0), '--to', day(0)] : ['--from', day(3), '--to', day(4)];
  const party = ['--party', PARTY];
  return [
    ['received', ...party, '--types', '--whole'],
    ['received', ...party, '--by', 'day', ...days],
    ['balance', ...party, '--whole'],
    ['balance', ...party, '--at', `${day(name === 'demo' ? 1 : 5)} 00:30`],
    ['rewards', '--types', '--whole'],
    ['fills', ...party, '--whole'],
    ['fills', ...party, '--by', 'month', '--whole'],
    ['trades', '--whole'],
    ['trades', ...days],
  ];
}

const keyOf = (set: DataSet, words: readonly string[]): string => [set.name, ...words].join(' ');

/** The program's own answer, with the columns of its SQL. */
async function answered(set: DataSet, [question = '', ...flags]: readonly string[]): Promise<Result> {
  const began = performance.now();
  const sql = await program('answer', question, set.folder, ...flags, '--sql', '--memory', '4096');
  const text = await program('query', sql, set.folder, '-o', 'json', '--memory', '4096');
  const records = v.parse(v.array(v.record(v.string(), v.nullable(v.string()))), parseExact(text));
  return { rows: records.map(record => Object.values(record)), seconds: (performance.now() - began) / 1000 };
}

async function compareEngine(name: EngineName, sets: readonly DataSet[], own: ReadonlyMap<string, Result>) {
  const engine = await start(name).catch((error: unknown) => failed(`${name} did not start: ${reasonOf(error)}`));
  if (engine === undefined) return;
  try {
    for (const place of PLACES[name]) for (const set of sets) await compareSet({ name, engine, place, set }, own);
  } finally {
    await engine.close();
  }
}

async function compareSet(on: Omit<Comparison, 'words'>, own: ReadonlyMap<string, Result>): Promise<void> {
  const { name, engine, place, set } = on;
  try {
    for (const table of TABLES) await drop(name, engine, table);
    await runAll(
      engine,
      await (place === 'folder' ? program('convert', '--ddl', name, set.folder) : inBucket(name, set)),
    );
  } catch (error) {
    return failed(`${name} did not make the tables: ${reasonOf(error)}`);
  }
  for (const words of questionsOf(set)) await compare({ ...on, words }, own.get(keyOf(set, words)));
}

/** The statements for the same folder as a prefix of the bucket. */
async function inBucket(name: EngineName, set: DataSet): Promise<string> {
  const manifest = await readParquetManifest(set.folder);
  if (manifest === undefined) throw new Error('the set is no folder of Parquet');
  const statements = externalTablesSql(
    name,
    tablesFromManifest(manifest, { kind: 'bucket', bucket: BUCKET, prefix: set.name }),
  );
  return statements.replaceAll(`https://${BUCKET}.s3.amazonaws.com/`, `${server.url}/${BUCKET}/`);
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message.slice(0, 500) : String(error));

/** Where each engine reads here. DuckDB reads buckets with an extension that it downloads, Trino reads no local folder. */
const PLACES = {
  duckdb: ['folder'],
  clickhouse: ['folder', 'bucket'],
  spark: ['folder', 'bucket'],
  trino: ['bucket'],
} as const satisfies { readonly [name in EngineName]: readonly ('folder' | 'bucket')[] };

async function start(name: EngineName): Promise<Engine> {
  switch (name) {
    case 'duckdb':
      return startDuckdb(folder);
    case 'clickhouse':
      return startClickhouse(await installPython(), env);
    case 'spark':
      return startSpark(await installPython(), await installS3a(), env);
    case 'trino':
      return startTrino(await installTrino(), { folder: join(folder, 'trino'), env: server.env });
  }
}

/** What an earlier set left. */
async function drop(name: EngineName, engine: Engine, table: string): Promise<void> {
  const isView = name === 'duckdb' || name === 'clickhouse';
  const named = name === 'trino' ? `hive.default.${table}` : table;
  await engine.run(`DROP ${isView ? 'VIEW' : 'TABLE'} IF EXISTS ${named}`);
}

interface Comparison {
  readonly name: EngineName;
  readonly engine: Engine;
  readonly place: 'folder' | 'bucket';
  readonly set: DataSet;
  readonly words: readonly string[];
}

async function compare({ name, engine, place, set, words }: Comparison, own: Result | undefined): Promise<void> {
  const [question = '', ...flags] = words;
  const sql = await program('answer', question, set.folder, ...flags, '--for', name, '--memory', '4096');
  server.heard.length = 0;
  const key = keyOf(set, words);
  const line = {
    ...{ set: set.name, engine: `${name} ${engine.version.replace(/^v/, '')}`, place },
    ...{ question: words.join(' ').replace(PARTY, 'ID'), rows: '', seconds: '', duckdb: '', files: '' },
  };
  try {
    const found = await runAll(engine, sql);
    const [ours, theirs] = [own?.rows ?? [], found.rows].map(comparable);
    const difference = ours?.find((row, index) => row !== theirs?.[index]);
    const isSame = own !== undefined && ours?.length === theirs?.length && difference === undefined;
    const seconds = found.seconds.toFixed(2);
    if (name === 'duckdb') duckdbSeconds.set(key, seconds);
    const read = place === 'bucket' ? filesRead(server.heard) : [];
    const files = place === 'bucket' ? String(read.length) : '';
    const duckdb = duckdbSeconds.get(key) ?? '';
    if (question === 'trades' && words.includes('--from')) {
      const others = read.filter(path => !datesOf(words).some(date => path.includes(`/date=${date}/`)));
      if (others.length > MAX_OTHER_FILES) failed(`reads files of other days: ${others.join(', ')}`);
    }
    console.log(lineOf({ ...line, rows: String(found.rows.length), seconds, duckdb, files }));
    if (isSame) counts.same++;
    else
      failed(`DIFFERS: ${difference ?? 'other rows'}\n  there: ${theirs?.find((row, index) => row !== ours?.[index])}`);
  } catch (error) {
    console.log(lineOf(line));
    failed(reasonOf(error));
  }
}

interface Line {
  readonly set: string;
  readonly engine: string;
  readonly place: string;
  readonly question: string;
  readonly rows: string;
  readonly seconds: string;
  readonly duckdb: string;
  readonly files: string;
}

const lineOf = ({ set, engine, place, question, rows, seconds, duckdb, files }: Line): string =>
  `${set.padEnd(6)} ${engine.padEnd(20)} ${place.padEnd(6)} ${question.padEnd(64)} ${rows.padStart(6)} ${seconds.padStart(8)} ${duckdb.padStart(8)} ${files.padStart(6)}`;

function failed(why: string): undefined {
  counts.different++;
  console.log(`  ${why}`);
}

/** The files that the engine asked the store for. */
const filesRead = (heard: readonly string[]): readonly string[] => [
  ...new Set(heard.flatMap(path => /table=[^?]*\.parquet(?=\?|$)/.exec(decodeURIComponent(path)) ?? [])),
];

/** The days that a question is about: at most two, the first and the last. */
const datesOf = (words: readonly string[]): readonly string[] => words.filter(word => /^\d{4}-\d\d-\d\d$/.test(word));

/** Runs the statements of a text one after the other; resolves with the result of the last. */
async function runAll(engine: Engine, text: string): Promise<Result> {
  const code = text
    .split('\n')
    .filter(line => !line.trimStart().startsWith('--'))
    .join('\n');
  let result: Result = { rows: [], seconds: 0 };
  for (const statement of code.split(/;\n/).map(each => each.trim()))
    if (statement !== '') result = await engine.run(statement);
  return result;
}

/** Rows in an order of their own, and times without the zeros at their end: some engines print them. */
const comparable = (rows: readonly (readonly Cell[])[]): readonly string[] =>
  rows.map(row => JSON.stringify(row.map(cell => cell?.replace(TIME, '$1$2') ?? null))).toSorted();

const TIME = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(?:(\.\d*?[1-9])0*|\.0+)?$/;

async function program(...words: readonly string[]): Promise<string> {
  const start = fileURLToPath(new URL('../../dist/start.js', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [start, ...words], { env, maxBuffer: 2 ** 30 });
  return stdout;
}

try {
  await compareAll();
} finally {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
}
console.log(`${counts.same} passed, ${counts.different} failed`);
process.exitCode = counts.different === 0 ? 0 : 1;
