import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CHECK_RULES } from '../../src/cli/check/judge-check.ts';
import { checkCommandLine } from '../../src/cli/run.ts';
import { run } from './run-command.ts';
import { startSwitchedNode } from './switched-node.ts';

const page = readFileSync('docs/guides/check.md', 'utf8');
const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({
  language,
  text,
}));
const units = blocks
  .filter(({ language }) => language === 'ini')
  .map(({ text }) => ({
    name: /^# .*\/([\w-]+\.\w+)$/m.exec(text)?.[1] ?? '',
    text,
  }));

const isThere = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'blockglass-units-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

describe('Check manual page (docs/guides/check.md)', () => {
  it('The check page and the overview page have a row for each rule', () => {
    const pages = `${readFileSync('docs/guides/overview.md', 'utf8')}${page}`;
    const described = [...pages.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name = '']) => name);
    expect(described).toEqual(expect.arrayContaining(CHECK_RULES.map(({ id }) => id)));
  });

  it('The check page has command lines that the program accepts', async () => {
    const lines = units.flatMap(({ text }) =>
      [...text.matchAll(/^ExecStart=\S*\/blockglass (.*)$/gm)].map(([, line = '']) => line),
    );
    expect(lines).toHaveLength(1);
    for (const line of lines) await checkCommandLine(line.split(' '));
  });

  it.skipIf(!isThere('systemd-analyze'))('The check page has units that systemd-analyze accepts', () => {
    expect(units.map(({ name }) => name)).toEqual(['blockglass-check.service', 'blockglass-check.timer']);
    const place = folder();
    // The programs of the units are not installed here.
    copyFileSync('/bin/true', join(place, 'program'));
    for (const { name, text } of units)
      writeFileSync(join(place, name), text.replaceAll(/(?<=^Exec\w+=)\S+/gm, join(place, 'program')));
    const { status, stderr } = spawnSync(
      'systemd-analyze',
      ['verify', '--man=no', ...units.map(({ name }) => join(place, name))],
      {
        env: { ...process.env, SYSTEMD_UNIT_PATH: `${place}:` },
        encoding: 'utf8',
      },
    );
    expect([status, stderr.split('\n').filter(line => line.includes('blockglass'))]).toEqual([0, []]);
  });

  it.skipIf(!isThere('amtool'))('The check page has a route that amtool accepts', () => {
    const config = join(folder(), 'alertmanager.yml');
    writeFileSync(
      config,
      blocks.find(({ language, text }) => language === 'yaml' && text.startsWith('route:'))?.text ?? '',
    );
    expect(execFileSync('amtool', ['check-config', config]).toString()).toMatch(/SUCCESS[\s\S]*2 receivers/);
  });

  it.skipIf(!isThere('promtool'))(
    'The check page describes metrics that promtool accepts, whatever the node says',
    async () => {
      await using node = await startSwitchedNode(Date.now());
      const env = { HOME: folder() };
      const hostile = String.raw`v1\\\"},{\n\u0000\u001b[2J# HELP x y\n\ud800|{}`;
      const versions: readonly string[] = ['v0.74.10', hostile, 'x'.repeat(5000)];
      for (const version of versions)
        for (const state of ['up', 'gone'] as const) {
          node.state = state;
          node.alter = (_, body) => body.replaceAll(/"(appVersion|version|chainId)":"[^"]*"/g, `"$1":"${version}"`);
          const { out } = await run(['check', '--node', node.url, '--timeout', '2', '-o', 'prometheus'], { env });
          const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
            input: out,
            encoding: 'utf8',
          });
          expect([version.slice(0, 10), status, `${stdout}${stderr}`]).toEqual([version.slice(0, 10), 0, '']);
          expect(out).toContain(`blockglass_up{node="${node.url}"} ${state === 'up' ? 1 : 0}`);
        }
    },
    60_000,
  );

  it.skipIf(!isThere('promtool'))('The check page has alerts that promtool accepts', () => {
    const rules = join(folder(), 'rules.yml');
    writeFileSync(
      rules,
      blocks.find(({ language, text }) => language === 'yaml' && text.startsWith('groups:'))?.text ?? '',
    );
    expect(execFileSync('promtool', ['check', 'rules', rules]).toString()).toMatch(/SUCCESS: 4 rules found/);
  });
});
