import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);

/** Names of Node's own modules that a process has loaded when it ends, on its last line. */
const TELLING = `process.on('exit', () => console.log('\\n' + process.moduleLoadList.filter(name => name.startsWith('NativeModule ')).map(name => name.slice(13)).join(' ')));`;

/** Each takes milliseconds to load, and the version is said without any of them. */
const LATE = ['child_process', 'crypto', 'fs/promises', 'http', 'https', 'readline', 'sqlite', 'zlib'];

it('The version is said before anything slow of Node is loaded', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'blockglass-loaded-'));
  try {
    const telling = join(folder, 'telling.cjs');
    await writeFile(telling, TELLING);
    const env = { ...process.env, XDG_CACHE_HOME: folder };
    const args = ['--require', telling, resolve('dist/start.js'), '--version'];
    const { stdout } = await run(process.execPath, args, { env });
    const loaded = stdout.trimEnd().split('\n').at(-1)?.split(' ') ?? [];
    expect(loaded).toContain('fs');
    expect(LATE.filter(name => loaded.includes(name))).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
