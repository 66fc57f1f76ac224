import { spawnSync } from 'node:child_process';

/** The program if it is installed: hledger is not in the npm registry. */
export const HLEDGER = ['hledger', process.env.HLEDGER ?? ''].find(
  name => name !== '' && spawnSync(name, ['--version']).status === 0,
);

/** What hledger makes of a journal: its exit code, what it prints, and what it complains about. */
export function hledger(journal: string, ...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(HLEDGER ?? '', ['-f', '-', ...words], {
    input: journal,
    encoding: 'utf8',
    env: { ...process.env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' },
  });
  return { code: status, out: stdout, problem: stderr };
}
