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

/** What the Spark above reads a bucket with: the client of its Hadoop, and the newest library of AWS that this client was built for. */
const S3A_LIBRARIES = [
  ['org.apache.hadoop', 'hadoop-aws', '3.4.1'],
  ['software.amazon.awssdk', 'bundle', '2.24.6'],
] as const;

/** Downloads what Spark reads a bucket with, half a gigabyte. Resolves with the folder of the libraries. */
export async function installS3a(): Promise<string> {
  const folder = join(CACHE, 's3a');
  const libraries = join(folder, 'libraries');
  if (await isFinished(folder)) return libraries;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const pom = join(folder, 'pom.xml');
  await writeFile(pom, pomOf('s3a', S3A_LIBRARIES));
  // What they depend on is in Spark, or not needed to read.
  await copyLibraries(pom, libraries, ['-DexcludeTransitive=true']);
  await finish(folder);
  return libraries;
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
  if (await isFinished(folder)) return installed;
  await rm(folder, { recursive: true, force: true });
  await mkdir(hive, { recursive: true });
  for (const [artifact, out] of [
    ['trino-main', server],
    ['trino-hive', hive],
  ] as const) {
    const pom = join(folder, `${artifact}.xml`);
    await writeFile(pom, pomOf(artifact, [['io.trino', artifact, TRINO_VERSION]]));
    await copyLibraries(pom, out, ['-DincludeScope=runtime']);
  }
  const descriptor = join(hive, 'descriptor');
  await mkdir(join(descriptor, 'META-INF/services'), { recursive: true });
  await run('javac', ['-cp', `${hive}/*`, '-d', descriptor, here('HivePlugin.java')]);
  await writeFile(join(descriptor, 'META-INF/services/io.trino.spi.Plugin'), 'HivePlugin\n');
  await finish(folder);
  return installed;
}

type Library = readonly [group: string, artifact: string, version: string];

const pomOf = (name: string, libraries: readonly Library[]): string =>
  `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>engines</groupId><artifactId>${name}</artifactId><version>1</version>
<dependencies>${libraries.map(dependencyOf).join('')}</dependencies>
</project>`;

const dependencyOf = ([group, artifact, version]: Library): string =>
  `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;

const copyLibraries = (pom: string, out: string, options: readonly string[]) =>
  run('mvn', ['-q', '-f', pom, 'dependency:copy-dependencies', ...options, `-DoutputDirectory=${out}`]);

const isFinished = (folder: string): Promise<boolean> =>
  run('test', ['-e', join(folder, 'finished')]).then(
    () => true,
    () => false,
  );

const finish = (folder: string): Promise<void> => writeFile(join(folder, 'finished'), '');
