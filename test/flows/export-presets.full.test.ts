import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Terminal } from '../support/terminal.ts';
import { openExplorer } from './support/explorer.ts';
import { openWizard } from './support/export-steps.ts';
import { type Folder, temporaryFolder } from './support/folder.ts';
import { embedded } from './support/nodes.ts';
import { runShell } from './support/program.ts';

/** A home with a profile of this node, and nothing else. */
async function homeFor(url: string): Promise<Folder & { readonly env: { readonly [name: string]: string } }> {
  const folder = await temporaryFolder();
  await mkdir(join(folder.path, 'config', 'blockglass'), { recursive: true });
  await writeFile(
    join(folder.path, 'config', 'blockglass', 'config.json'),
    JSON.stringify({ profiles: { mine: url } }),
  );
  const env = {
    HOME: folder.path,
    XDG_CONFIG_HOME: join(folder.path, 'config'),
    XDG_CACHE_HOME: join(folder.path, 'cache'),
  };
  return { ...folder, env };
}

const command = (home: Awaited<ReturnType<typeof homeFor>>, line: string) =>
  runShell(
    `export ${Object.entries(home.env)
      .map(([name, value]) => `${name}='${value}'`)
      .join(' ')}; blockglass ${line}`,
    { cwd: home.path },
  );

/** Types a range for both ends at once, and goes on to the review. */
async function reviewRange(terminal: Terminal, range: string): Promise<string> {
  await openWizard(terminal);
  await terminal.press('enter');
  await terminal.waitFor(/> first block {2}\d/);
  await terminal.press('ctrl-u');
  await terminal.paste(range);
  await terminal.waitFor('Enter finds both blocks');
  await terminal.press('enter');
  await terminal.waitFor(/on a boundary[\s\S]*on a boundary/);
  await terminal.press('enter');
  await terminal.waitFor('Where to?');
  await terminal.press('enter');
  return terminal.waitFor(screen => screen.includes('Ready to export') && screen.includes('epochs'));
}

const words = (text: string): string => text.replace(/\s+/g, ' ');

describe('Agreement of export wizard and command', () => {
  it.each(['last 2', 'e20..e21', 'this-month', 'all'])(
    'The export wizard and the command say the same of %s',
    async range => {
      await using node = await embedded.start();
      await using home = await homeFor(node.url);
      await using terminal = await openExplorer({
        args: ['--node', 'mine'],
        env: home.env,
        cwd: home.path,
        columns: 100,
        rows: 40,
      });
      const review = words(await reviewRange(terminal, range));
      const { stdout, stderr } = await command(home, `export --node mine --table ledger --range '${range}' --plan`);
      expect(stderr).toBe('');
      const lines = stdout
        .trimEnd()
        .split('\n')
        .map(line => words(line.slice(10)));
      expect(lines.length).toBeGreaterThan(4);
      // The newest block of an open epoch moves on between the two.
      const still = (text: string): string => text.replaceAll(/\d+ blocks? behind the latest, \d+/g, 'N behind');
      for (const line of lines) if (!line.startsWith('about ')) expect(still(review)).toContain(still(line));
      expect(words(terminal.screen())).toMatch(/1 [─·█]+ \d+/);
    },
  );
});

describe('Export typed after :', () => {
  it('An export typed after : opens the review of that range, and then runs exactly the export of the command', async () => {
    await using node = await embedded.start();
    await using home = await homeFor(node.url);
    await using terminal = await openExplorer({ args: ['--node', 'mine'], env: home.env, cwd: home.path });
    await terminal.press(':');
    await terminal.paste('export legder e20..e25');
    await terminal.press('enter');
    await terminal.waitFor('did you mean "ledger"?');
    await terminal.press('ctrl-u');
    await terminal.paste('export ledger e20..e25');
    await terminal.press('enter');
    const review = words(await terminal.waitFor(/Ready to export[\s\S]*epochs/));
    const { stdout } = await command(home, 'export --node mine --table ledger --from e20 --to e25 --plan');
    const blocks = /blocks +(\d+ to \d+, .*)/.exec(stdout)?.[1] ?? 'no blocks';
    expect(review).toContain(words(blocks));
    await terminal.press('enter');
    await terminal.waitFor('The export is complete');
    await terminal.press('escape');
    await terminal.waitFor(/last export: ledger \d+-\d+, complete; v shows it/);
    await terminal.press('v');
    await terminal.waitFor('The export is complete');
    const saved = (await readdir(home.path)).filter(name => name.endsWith('.zip'));
    expect(saved).toHaveLength(1);
    expect((await command(home, `verify ${saved[0]}`)).code).toBe(0);
  });
});

describe('Export preset', () => {
  it('A preset saved in the wizard is available to the command, and the other way round', async () => {
    await using node = await embedded.start();
    await using home = await homeFor(node.url);
    await using terminal = await openExplorer({ args: ['--node', 'mine'], env: home.env, cwd: home.path });
    await reviewRange(terminal, 'last 2');
    await terminal.press(':');
    await terminal.paste('preset save newest');
    await terminal.press('enter');
    await terminal.waitFor('saved as newest');
    const { stdout } = await command(home, 'export --node mine --preset newest --plan');
    expect(stdout).toContain('2 000 blocks in 2 segments');
    const written = JSON.parse(
      await readFile(join(home.env.XDG_CONFIG_HOME ?? '', 'blockglass', 'config.json'), 'utf8'),
    );
    expect(written.profiles.mine).toEqual({ url: node.url, presets: { newest: ['--table', 'ledger', '--last', '2'] } });
    expect((await command(home, 'export --node mine --table blocks --last 1 --save-preset one --plan')).code).toBe(0);
    await using second = await openExplorer({ args: ['--node', 'mine'], env: home.env, cwd: home.path });
    await openWizard(second);
    await second.press('p');
    await second.waitFor('--table blocks --last 1');
    await second.press('down', 'enter');
    await second.waitFor(/Export blocks: which blocks[\s\S]*on a boundary[\s\S]*on a boundary/);
  });

  it('A preset export can be verified again afterwards, and continues with the next table', async () => {
    await using node = await embedded.start();
    await using home = await homeFor(node.url);
    await using terminal = await openExplorer({ args: ['--node', 'mine'], env: home.env, cwd: home.path });
    await reviewRange(terminal, 'last 1');
    await terminal.press('enter');
    await terminal.waitFor(/The export is complete[\s\S]*o open the rows/);
    await terminal.press('enter');
    await terminal.waitFor('What to do with it');
    await terminal.press('down', 'down', 'down');
    await terminal.waitFor(/^> +verify it again/m);
    await terminal.press('enter');
    const verdict = await terminal.waitFor('Verified again');
    expect(verdict).toContain('complete: ');
    await terminal.press('escape');
    await terminal.waitFor(/enter what next/);
    await terminal.press('enter');
    await terminal.waitFor('What to do with it');
    await terminal.press('end', 'up', 'enter');
    const next = await terminal.waitFor('Ready to export');
    expect(next).toMatch(/table +liquidity_provisions/);
  });
});
