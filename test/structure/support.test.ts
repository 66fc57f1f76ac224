import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const HOOK = /^(?:await )?(?:after|before)(?:Each|All)\(/m;

// The files of a quick run share their modules: a hook of a shared one would be there for the first file alone.
it('Modules that tests share register no hook when they are loaded', async () => {
  const names = (await readdir(ROOT, { recursive: true })).filter(name => /\.tsx?$/.test(name));
  const shared = names.filter(name => !/\.test\.tsx?$/.test(name));
  const texts = await Promise.all(shared.map(async name => ({ name, text: await readFile(join(ROOT, name), 'utf8') })));
  expect(texts.length).toBeGreaterThan(100);
  expect(texts.filter(({ text }) => HOOK.test(text)).map(({ name }) => name)).toEqual([]);
});
