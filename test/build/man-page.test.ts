import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { EVERY_KEY, escaped, manPage } from '../../build/man-page.ts';
import { RESOURCES } from '../../src/chain/resources/registry.ts';
import { COMMANDS, usageText } from '../../src/cli/commands.ts';
import { EXIT } from '../../src/cli/exit-code.ts';
import { COMMON_FLAGS } from '../../src/cli/flags.ts';

const page = await manPage('1.2.3');
const text = Object.entries({ '-': '-', e: '\\', '(aq': "'", '(dq': '"', '(ga': '`', '(ha': '^', '(ti': '~' }).reduce(
  (shown, [name, character]) => shown.replaceAll(`\\${name}`, character),
  page,
);
const hasGroff = spawnSync('groff', ['--version']).status === 0;

describe('Man page', () => {
  it('The man page has every command with all its flags', async () => {
    for (const [name, load] of Object.entries(COMMANDS)) {
      const command = await load();
      const { about, flags } = command;
      const part = text.split(`.SS ${usageText(name, command)}\n`)[1]?.split(/^\.S[SH] /m)[0];
      expect(part, name).toContain(about);
      expect(flags.filter(flag => !part?.includes(`--${flag.name}`))).toEqual([]);
    }
  });

  it('The man page has the common flags, and every resource, exit code and key', () => {
    const parts = (title: string) => text.split(`.SH ${title}\n`)[1]?.split(/^\.SH /m)[0] ?? '';
    const missing = (title: string, terms: readonly string[]) => terms.filter(term => !parts(title).includes(term));
    expect(
      missing(
        'OPTIONS',
        COMMON_FLAGS.map(({ name }) => `--${name}`),
      ),
    ).toEqual([]);
    expect(
      missing(
        'RESOURCES',
        RESOURCES.map(({ id }) => `.B "${id}"\n`),
      ),
    ).toEqual([]);
    expect(
      missing(
        'EXIT STATUS',
        Object.values(EXIT).map(code => `.B "${code}"\n`),
      ),
    ).toEqual([]);
    expect(
      missing(
        'KEYS',
        // A line that begins with a dot would be a request.
        EVERY_KEY.map(({ keys, title }) => `.B "${keys.join(', ').replace(/^\./, '\\&.')}"\n${title}\n`),
      ),
    ).toEqual([]);
  });

  it('The man page escapes text that looks like a roff request and shows it unchanged', () => {
    expect(escaped(".so x\n.'a\n'b \\fB -c \"~^`")).toBe(
      '\\&.so x\n\\&.\\(aqa\n\\(aqb \\efB \\-c \\(dq\\(ti\\(ha\\(ga',
    );
    const requests = new Set(page.match(/^[.'].*?(?= |$)/gm));
    expect([...requests].toSorted()).toEqual(
      ['.B', '.PD', '.PP', '.SH', '.SS', '.TH', '.TP', '.ad', '.br', '.nh'].toSorted(),
    );
  });

  it.runIf(hasGroff)('The man page is read by groff without a warning', () => {
    const { status, stderr } = spawnSync('groff', ['-man', '-ww', '-z'], { input: page, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });
});
