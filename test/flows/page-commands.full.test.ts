import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { callsIn, codesOf, commandsOf } from '../support/page-commands.ts';
import { PAGES } from '../support/pages.ts';
import { temporaryFolder } from './support/folder.ts';
import { run, runShell } from './support/program.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

/** The page whose commands all use the node that it starts first. */
const TUTORIAL = 'docs/guides/tutorial.md';

const all = PAGES.flatMap(commandsOf);
// The examples of the generated pages are those of the help, which have a test of their own.
const written = all.filter(({ path }) => path !== TUTORIAL && !path.startsWith('docs/generated/'));
const isShown = (wanted: string): boolean => written.some(({ line, shown }) => line === wanted && shown !== undefined);
const runnable = written.filter(
  ({ line, shown }) => shown !== undefined || (line.includes('--demo') && !isShown(line)),
);
const tutorial = all.filter(({ path }) => path === TUTORIAL);

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

const PAGE_ADDRESS = 'http://127.0.0.1:3008';
const NODE_LINE = 'blockglass serve --port 3008';

describe('Tutorial', () => {
  it('The commands of the tutorial, in their order, print what it shows on the node that it starts', async () => {
    const [cwd, home] = [join(folder.path, 'tutorial'), join(folder.path, 'homes', 'tutorial')];
    await mkdir(cwd, { recursive: true });
    const env = {
      XDG_CONFIG_HOME: join(home, 'config'),
      XDG_STATE_HOME: join(home, 'state'),
      XDG_DATA_HOME: join(home, 'data'),
    };
    expect(tutorial.map(({ line }) => line)).toContain(NODE_LINE);
    expect(tutorial.every(({ shown }) => shown !== undefined)).toBe(true);
    const port = await freePort();
    const node = await run(['serve', '--port', String(port)], {
      during: async ({ firstOutput, kill }) => {
        expect(await firstOutput()).toContain(`http://127.0.0.1:${port}`);
        const onPage = (text: string): string => text.replaceAll(`http://127.0.0.1:${port}`, PAGE_ADDRESS);
        for (const { line, shown = '' } of tutorial.filter(command => command.line !== NODE_LINE)) {
          const typed = line.replaceAll(PAGE_ADDRESS, `http://127.0.0.1:${port}`);
          const { code, stdout } = await runShell(`${typed} 2>&1`, { cwd, env });
          expect(onPage(`${stdout.trim()}\n`), line).toMatch(pattern(shown));
          expect(code, line).toBe(0);
        }
        kill('SIGINT');
      },
    });
    const printed = `${node.stdout}${node.stderr}`.replaceAll(`http://127.0.0.1:${port}`, PAGE_ADDRESS);
    expect(printed).toMatch(pattern(tutorial.find(({ line }) => line === NODE_LINE)?.shown ?? ''));
    expect(await readdir(cwd)).toEqual(['report-c4ce365e.html']);
  });
});
