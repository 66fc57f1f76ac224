import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The versions that are run. */
const PYTHON_PACKAGES = ['pyspark==4.0.1', 'chdb==4.4.0', 'chdb-core==26.9.0'];

/** The newest Trino whose engine and Hive connector are both on Maven Central as libraries. */
export const TRINO_VERSION = '380';

/** Where the engines are installed; it stays for the next run. */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/engines', import.meta.url));

export const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Installs Spark and ClickHouse into an environment of Python. Resolves with its Python. */
export async function installPython(): Promise<string> {
  const folder = join(CACHE, 'python');
  const python = join(folder, 'bin/python');
  const wanted = `import importlib.metadata as m; assert all(m.version(p.split('==')[0]) == p.split('==')[1] for p in ${JSON.stringify(PYTHON_PACKAGES)})`;
  const isThere = await run(python, ['-c', wanted]).then(
    () => true,
    () => false,
  );
  if (isThere) return python;
  await run('python3', ['-m', 'venv', folder]);
  await run(join(folder, 'bin/pip'), ['install', '--quiet', ...PYTHON_PACKAGES]);
  return python;
}

export interface TrinoInstalled {
  /** The class path of the server. */
  readonly server: string;
  readonly plugins: string;
}

/** Puts Trino together from its libraries, because its server is not there as one archive. */
export async function installTrino(): Promise<TrinoInstalled> {
  const folder = join(CACHE, `trino-${TRINO_VERSION}`);
  const [server, hive] = [join(folder, 'server'), join(folder, 'plugins/hive')];
  const installed = { server: `${server}/*`, plugins: join(folder, 'plugins') };
  const finished = await run('test', ['-e', join(folder, 'finished')]).then(
    () => true,
    () => false,
  );
  if (finished) return installed;
  await rm(folder, { recursive: true, force: true });
  await mkdir(hive, { recursive: true });
  for (const [artifact, out] of [
    ['trino-main', server],
    ['trino-hive', hive],
  ] as const) {
    const pom = join(folder, `${artifact}.xml`);
    await writeFile(
      pom,
      `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>engines</groupId><artifactId>${artifact}</artifactId><version>1</version>
<dependencies><dependency><groupId>io.trino</groupId><artifactId>${artifact}</artifactId><version>${TRINO_VERSION}</version></dependency></dependencies>
</project>`,
    );
    await run('mvn', [
      '-q',
      '-f',
      pom,
      'dependency:copy-dependencies',
      '-DincludeScope=runtime',
      `-DoutputDirectory=${out}`,
    ]);
  }
  const descriptor = join(hive, 'descriptor');
  await mkdir(join(descriptor, 'META-INF/services'), { recursive: true });
  await run('javac', ['-cp', `${hive}/*`, '-d', descriptor, here('HivePlugin.java')]);
  await writeFile(join(descriptor, 'META-INF/services/io.trino.spi.Plugin'), 'HivePlugin\n');
  await writeFile(join(folder, 'finished'), '');
  return installed;
}
