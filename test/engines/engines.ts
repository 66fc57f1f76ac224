import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { Database } from '../../src/answers/engine/database.ts';
import { freePort } from '../support/free-port.ts';
import { here, TRINO_VERSION, type TrinoInstalled } from './install.ts';

export type Cell = string | null;

export interface Result {
  readonly rows: readonly (readonly Cell[])[];
  readonly seconds: number;
}

/** An engine that is running. */
export interface Engine {
  readonly version: string;
  /** Runs one statement. */
  readonly run: (statement: string) => Promise<Result>;
  readonly close: () => Promise<void>;
}

export async function startDuckdb(folder: string): Promise<Engine> {
  const database = await Database.open({ memoryMiB: 4096, spillTo: join(folder, 'spill'), spillMiB: 20_000 });
  const [[version = null] = []] = (await database.all('SELECT version()')).rows;
  return {
    version: version ?? '',
    run: async statement => {
      const began = performance.now();
      const { rows } = await database.all(statement);
      return { rows, seconds: (performance.now() - began) / 1000 };
    },
    close: async () => database.close(),
  };
}

const heard = v.union([
  v.object({ version: v.string() }),
  v.object({ error: v.string() }),
  v.object({ rows: v.array(v.array(v.nullable(v.string()))), seconds: v.number() }),
]);

/** An engine behind a program in Python that answers each line with a line. */
async function startPython(words: readonly string[], env: NodeJS.ProcessEnv): Promise<Engine> {
  const [python = '', ...args] = words;
  const program = spawn(python, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${args[0]} ended`);
    return v.parse(heard, JSON.parse(value));
  };
  const first = await next();
  return {
    version: 'version' in first ? first.version : '',
    run: async statement => {
      program.stdin.write(`${JSON.stringify(statement)}\n`);
      const answer = await next();
      if ('rows' in answer) return answer;
      throw new Error('error' in answer ? answer.error : 'no answer');
    },
    close: () => ended(program, () => program.stdin.end()),
  };
}

/** Ends a program gently, and at once if that takes too long. */
async function ended(program: ChildProcess, end: () => void): Promise<void> {
  const exit = once(program, 'exit');
  const late = setTimeout(() => program.kill('SIGKILL'), 30_000);
  end();
  await exit;
  clearTimeout(late);
}

export const startClickhouse = (python: string, env: NodeJS.ProcessEnv): Promise<Engine> =>
  startPython([python, here('clickhouse.py')], env);

/** A local cluster: a master and two workers, each a process of its own with one core and 1 GiB. */
export const startSpark = (python: string, s3a: string, env: NodeJS.ProcessEnv): Promise<Engine> =>
  // Behind the libraries of Spark: those of AWS have classes of the same names.
  startPython([python, here('spark.py'), 'local-cluster[2,1,1024]'], { ...env, SPARK_DIST_CLASSPATH: join(s3a, '*') });

interface TrinoPlace {
  /** For its settings and its metastore. */
  readonly folder: string;
  /** The store of objects that it reads. */
  readonly env: { readonly [name: string]: string };
}

export async function startTrino(installed: TrinoInstalled, { folder, env }: TrinoPlace): Promise<Engine> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  await writeSettings(installed, { folder, env }, url);
  const words = ['-Xmx3g', '-Djdk.attach.allowAttachSelf=true', `-Dconfig=${join(folder, 'config.properties')}`];
  const program = spawn('java', [...words, '-cp', installed.server, here('StartTrino.java'), TRINO_VERSION], {
    cwd: folder,
    stdio: 'ignore',
  });
  const engine = {
    version: TRINO_VERSION,
    run: (statement: string) => asked(url, statement),
    close: () => ended(program, () => program.kill('SIGTERM')),
  };
  try {
    await started(url, program);
    await engine.run('CREATE SCHEMA IF NOT EXISTS hive.default');
    return engine;
  } catch (error) {
    await engine.close();
    throw error;
  }
}

async function writeSettings({ plugins }: TrinoInstalled, { folder, env }: TrinoPlace, url: string): Promise<void> {
  const catalogs = join(folder, 'catalog');
  await mkdir(catalogs, { recursive: true });
  const settings = {
    'node.environment': 'engines',
    'node.id': 'one',
    coordinator: 'true',
    'node-scheduler.include-coordinator': 'true',
    'http-server.http.port': new URL(url).port,
    'discovery.uri': url,
    'plugin.dir': plugins,
    'catalog.config-dir': catalogs,
    'query.max-memory': '2GB',
    'query.max-memory-per-node': '1GB',
  };
  const hive = {
    'connector.name': 'hive',
    'hive.metastore': 'file',
    'hive.metastore.catalog.dir': `file://${join(folder, 'metastore')}`,
    'hive.timestamp-precision': 'MICROSECONDS',
    'hive.allow-drop-table': 'true',
    'hive.s3.endpoint': env.AWS_ENDPOINT_URL ?? '',
    'hive.s3.path-style-access': 'true',
    'hive.s3.ssl.enabled': 'false',
    // The store of the tests is one slow process: the usual 5 s are too short on a busy machine.
    'hive.s3.socket-timeout': '2m',
    'hive.s3.aws-access-key': env.AWS_ACCESS_KEY_ID ?? '',
    'hive.s3.aws-secret-key': env.AWS_SECRET_ACCESS_KEY ?? '',
  };
  await writeFile(join(folder, 'config.properties'), properties(settings));
  await writeFile(join(catalogs, 'hive.properties'), properties(hive));
}

const properties = (values: { readonly [name: string]: string }): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');

/** Resolves when the server has started and has a node to run queries on. */
async function started(url: string, program: ChildProcess): Promise<void> {
  const lateMs = Date.now() + 300_000;
  while (Date.now() < lateMs) {
    if (program.exitCode !== null) throw new Error('Trino did not start');
    const isReady = await asked(url, 'SELECT 1').then(
      () => true,
      () => false,
    );
    if (isReady) return;
    await new Promise(resolve => setTimeout(resolve, 1000));
  }
  throw new Error('Trino did not start in 300 s');
}

const page = v.object({
  nextUri: v.optional(v.string()),
  data: v.optional(v.array(v.array(v.nullable(v.string())))),
  error: v.optional(v.object({ message: v.string() })),
});

/** Asks for pages until there is no next one. */
async function asked(url: string, statement: string): Promise<Result> {
  const began = performance.now();
  // Without this capability the server rounds times to milliseconds.
  const headers = { 'X-Trino-User': 'engines', 'X-Trino-Client-Capabilities': 'PARAMETRIC_DATETIME' };
  let answer = await pageOf(await fetch(`${url}/v1/statement`, { method: 'POST', headers, body: statement }));
  const rows: (readonly Cell[])[] = [];
  for (;;) {
    if (answer.error !== undefined) throw new Error(answer.error.message);
    rows.push(...(answer.data ?? []));
    if (answer.nextUri === undefined) return { rows, seconds: (performance.now() - began) / 1000 };
    answer = await pageOf(await fetch(answer.nextUri, { headers }));
  }
}

const pageOf = async (response: Response) => v.parse(page, parseExact(await response.text()));

/** JSON with every number and truth value as the text that it was. */
export const parseExact = (text: string): unknown =>
  JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' || typeof value === 'boolean' ? (context?.source ?? String(value)) : value,
  );
