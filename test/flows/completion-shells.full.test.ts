import { existsSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTerminal } from '../support/terminal.ts';
import { temporaryFolder } from './support/folder.ts';
import { run } from './support/program.ts';

/** How each shell is started bare, with a prompt of its own that is known. */
const SHELLS: { readonly [shell: string]: readonly string[] } = {
  bash: ['--norc', '--noprofile', '-i'],
  zsh: ['-f', '-i'],
  fish: ['--no-config', '-i'],
};

const PREPARE: { readonly [shell: string]: (script: string) => string } = {
  bash: script => `bind 'set bell-style none'; set +H; . '${script}'`,
  zsh: script => `autoload -Uz compinit; compinit -u -D; . '${script}'`,
  fish: script => `source '${script}'`,
};

/** Stands where the program would: tells a shell what is in a file of values, and writes down what it is run with. */
const STAND_IN = `#!/usr/bin/env bash
here=\${BASH_SOURCE[0]%/*}
if [[ $1 == completion && $2 == values ]]; then
  printf '%s\\0' "\${@:3}" > "$here/asked"
  while IFS= read -r value; do [[ $value == "\${@: -1}"* ]] && printf '%s\\n' "$value"; done < "$here/values"
else
  printf '%s\\0' "$@" > "$here/ran.part"
  mv "$here/ran.part" "$here/ran-$(( $(cat "$here/count" 2>/dev/null || echo 0) + 1 ))"
  echo $(( $(cat "$here/count" 2>/dev/null || echo 0) + 1 )) > "$here/count"
  echo "DONE $(cat "$here/count")"
fi
exit 0
`;

const words = async (path: string): Promise<readonly string[]> =>
  (await readFile(path, 'utf8')).split('\0').slice(0, -1);

/** A shell with the completion script and the stand-in in it. */
async function shellWith(shell: string, values: readonly string[]) {
  const folder = await temporaryFolder();
  const { stdout: script } = await run(['completion', shell]);
  await writeFile(join(folder.path, 'script'), script);
  await writeFile(join(folder.path, 'values'), values.map(value => `${value}\n`).join(''));
  await writeFile(join(folder.path, 'blockglass'), STAND_IN);
  await chmod(join(folder.path, 'blockglass'), 0o755);
  const terminal = await openTerminal({
    command: shell,
    args: SHELLS[shell] ?? [],
    columns: 160,
    env: { PATH: `${folder.path}${delimiter}${process.env.PATH ?? ''}` },
    cwd: folder.path,
  });
  terminal.send(`${PREPARE[shell]?.(join(folder.path, 'script')) ?? ''}; echo RE''ADY\r`);
  await terminal.waitFor(/^READY/m);
  let count = 0;
  return {
    folder: folder.path,
    /** What the program is run with when the line is typed, completed and entered. */
    entered: async (line: string, behind = ''): Promise<readonly string[]> => {
      count++;
      terminal.send(`${line}\t${behind}\r`);
      await terminal.waitFor(`DONE ${count}`);
      return words(join(folder.path, `ran-${count}`));
    },
    asked: () => words(join(folder.path, 'asked')),
    [Symbol.asyncDispose]: async () => {
      await terminal.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const HOSTILE = [
  'k01$(touch pwned)',
  'k02`touch pwned`',
  'k03;touch pwned',
  'k04|touch pwned',
  'k05&touch pwned',
  'k06>pwned',
  'k07 and a space',
  `k08'single`,
  'k09"double"',
  'k10*',
  'k11{a,b}',
  'k12~',
  'k13!!',
  'k14\\back',
  'k15#hash',
  'k16$HOME',
  'k17[a]',
  'k18(touch pwned)',
  'k19=(touch pwned)',
  'k20\u00e9;touch pwned',
  'k21:a;touch pwned',
];

const there = Object.keys(SHELLS).filter(shell =>
  (process.env.PATH ?? '').split(delimiter).some(folder => existsSync(join(folder, shell))),
);

describe.each(there)('Shell completion in %s', shell => {
  it('A completed value is one word of the line and is never executed, whatever it contains', {
    timeout: 60_000,
  }, async () => {
    await using opened = await shellWith(shell, HOSTILE);
    for (const value of HOSTILE) {
      expect(await opened.entered(`blockglass show ${value.slice(0, 3)}`)).toEqual(['show', value]);
      expect(existsSync(join(opened.folder, 'pwned')), value).toBe(false);
    }
  });

  it.each(['"', "'"])(
    'A completed value is never executed in part in an open quote: %s',
    { timeout: 60_000 },
    async quote => {
      await using opened = await shellWith(shell, [...HOSTILE, 'plain-one']);
      // bash closes no quote, and is offered no value there that would need one.
      const isClosed = shell !== 'bash';
      expect(await opened.entered(`blockglass show ${quote}plain-o`)).toEqual(['show', 'plain-one']);
      for (const value of HOSTILE.slice(0, 9)) {
        const begun = value.slice(0, 3);
        const words = await opened.entered(`blockglass show ${quote}${begun}`, isClosed ? '' : quote);
        expect(words).toEqual(['show', isClosed ? value : begun]);
        expect(existsSync(join(opened.folder, 'pwned')), value).toBe(false);
      }
    },
  );

  it('The completion passes the words of the line to the program as they are meant', async () => {
    await using opened = await shellWith(shell, ['--node=main net', 'total:desc']);
    expect(await opened.entered(`blockglass list --find "a  b" --from 'c d' e\\ f tot`)).toEqual([
      'list',
      '--find',
      'a  b',
      '--from',
      'c d',
      'e f',
      'total:desc',
    ]);
    expect(await opened.asked()).toEqual(['list', '--find', 'a  b', '--from', 'c d', 'e f', 'tot']);
    expect(await opened.entered('blockglass list --sort total:d')).toEqual(['list', '--sort', 'total:desc']);
    expect(await opened.entered('blockglass --node=ma')).toEqual(['--node=main net']);
    expect(await opened.entered('A=1 blockglass list tot')).toEqual(['list', 'total:desc']);
    expect(await opened.entered('true; blockglass list tot')).toEqual(['list', 'total:desc']);
  });
});
