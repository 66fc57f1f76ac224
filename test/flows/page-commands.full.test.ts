import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callsIn, codesOf, commandsOf } from '../support/page-commands.ts';
import { PAGES } from '../support/pages.ts';
import { temporaryFolder } from './support/folder.ts';
import { runShell } from './support/program.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

const runnable = PAGES.flatMap(commandsOf).filter(({ line, shown }) => line.includes('--demo') || shown !== undefined);

/** What a page shows: `...` in a line stands for any text, and a line of it alone for any lines. */
function pattern(shown: string): RegExp {
  const lines = shown
    .trim()
    .split('\n')
    .map(line => line.trim());
  const parts = lines.map(line =>
    line === '...' ? '(?:.*\\n)*?' : `\\s*${line.split('...').map(literal).join('.*')}\\s*?\\n`,
  );
  return new RegExp(`^${parts.join('')}$`);
}

/** Columns are as wide as their values, so any number of spaces is as good as another. */
const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/ +/g, ' +');

// One after another, with a folder and settings for each page: what an export writes is what the next command reads.
describe('Commands in the documentation', () => {
  it.each(runnable)('The documented command does what the page shows: $path: $line', async ({ path, line, shown }) => {
    const [cwd, home] = [join(folder.path, path), join(folder.path, 'homes', path)];
    await mkdir(cwd, { recursive: true });
    const homes = { XDG_CONFIG_HOME: join(home, 'config'), XDG_STATE_HOME: join(home, 'state') };
    const { code, stdout, stderr } = await runShell(line, { cwd, env: homes });
    expect(
      callsIn(line).flatMap(([command = '']) => codesOf(command)),
      stderr,
    ).toContain(code);
    if (shown !== undefined) expect(`${stdout.trim()}\n`).toMatch(pattern(shown));
  });
});
