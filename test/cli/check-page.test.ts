import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkCommandLine } from '../../src/cli/run.ts';

const page = readFileSync('docs/check.md', 'utf8');
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

describe('docs/check.md', () => {
  it('runs command lines that the program takes', async () => {
    const lines = units.flatMap(({ text }) =>
      [...text.matchAll(/^ExecStart=\S*\/blockglass (.*)$/gm)].map(([, line = '']) => line),
    );
    expect(lines).toHaveLength(1);
    for (const line of lines) await checkCommandLine(line.split(' '));
  });

  it.skipIf(!isThere('systemd-analyze'))('has units that systemd-analyze takes', () => {
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

  it.skipIf(!isThere('promtool'))('has alerts that promtool takes', () => {
    const rules = join(folder(), 'rules.yml');
    writeFileSync(
      rules,
      blocks.find(({ language, text }) => language === 'yaml' && text.startsWith('groups:'))?.text ?? '',
    );
    expect(execFileSync('promtool', ['check', 'rules', rules]).toString()).toMatch(/SUCCESS: 4 rules found/);
  });
});
