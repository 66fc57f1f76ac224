/**
 * Converts in a process of its own, which kills itself at the call of the file system that is named:
 * `node convert-process.ts OUT CALL PATH...`; 0 is none.
 */
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const [, , out = '', call = '0', ...paths] = process.argv;

const KILLED_AT = ['mkdir', 'open', 'rename', 'rm', 'readdir', 'stat'] as const;

let calls = 0;
const counted = (name: (typeof KILLED_AT)[number]) => {
  const plain: unknown = promises[name];
  if (typeof plain !== 'function') throw new Error(`${name} is no function`);
  Object.assign(promises, {
    [name]: (...given: readonly unknown[]) => {
      calls++;
      if (calls === Number(call)) process.kill(process.pid, 'SIGKILL');
      return Reflect.apply(plain, promises, given);
    },
  });
};
for (const name of KILLED_AT) counted(name);
syncBuiltinESMExports();

const { convertToParquet } = await import('../../../src/answers/parquet/convert.ts');
const { signal } = new AbortController();
try {
  const { tables } = await convertToParquet({ paths, out, signal, partBytes: 2000, program: 'blockglass' });
  process.stdout.write(`${calls} ${tables.length}\n`);
} catch (error) {
  process.stderr.write(String(error));
  process.exitCode = 3;
}
