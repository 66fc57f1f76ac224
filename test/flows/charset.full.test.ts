import { describe, expect, it } from 'vitest';
import { startStrictNode } from '../support/strict-node.ts';
import type { TerminalOptions } from '../support/terminal.ts';
import type { EnvironmentChanges } from '../support/terminal-env.ts';
import { hasRows, openExplorer, selectedRow, statusLine, withoutHeader } from './support/explorer.ts';

const SILENT: EnvironmentChanges = { LANG: undefined, LC_ALL: undefined, LC_CTYPE: undefined };
const RULE = '\u2500'.repeat(20);
const ASCII_RULE = '-'.repeat(20);
const QUESTION = '\u001b[6n';

async function start(env: EnvironmentChanges, reply?: TerminalOptions['reply'], until: () => boolean = () => true) {
  const node = await startStrictNode();
  const terminal = await openExplorer({
    node: node.url,
    env,
    args: ['parameters'],
    until: screen => until() && hasRows(screen),
    ...(reply !== undefined && { reply }),
  });
  return {
    terminal,
    [Symbol.asyncDispose]: async () => {
      await terminal.close();
      await node.close();
    },
  };
}

describe('where the locale is silent', () => {
  it('a terminal that takes UTF-8 is found out, and drawn for, with nothing left of the question', async () => {
    await using opened = await start(SILENT);
    const { terminal } = opened;
    const screen = await terminal.waitFor(RULE);
    expect(terminal.raw.split(QUESTION)).toHaveLength(2);
    await using told = await start({ LANG: 'C.UTF-8' });
    expect(withoutHeader(screen)).toEqual(withoutHeader(await told.terminal.waitFor(RULE)));
    await terminal.press('j');
    await terminal.waitFor(hasRows);
    expect(terminal.raw.split(QUESTION)).toHaveLength(2);
  });

  it('ASCII stays on one that takes two bytes for two characters', async () => {
    await using opened = await start(SILENT, (answer, send) => send(answer.replace(';2R', ';3R')));
    await opened.terminal.waitFor(ASCII_RULE);
    await opened.terminal.press('j', 'k');
    expect(opened.terminal.screen()).not.toContain(RULE);
  });

  it('ASCII stays on one that does not answer, which is left all the same', async () => {
    await using opened = await start(SILENT, () => {});
    await opened.terminal.waitFor(ASCII_RULE);
    await opened.terminal.press('q');
    await opened.terminal.waitForExit();
    expect(opened.terminal.screen()).not.toContain('\u001b');
  });

  it('an answer in two pieces counts', async () => {
    const pieces: string[] = [];
    await using opened = await start(
      SILENT,
      answer => void pieces.push(answer.slice(0, 3), answer.slice(3)),
      () => pieces.length > 0,
    );
    for (const piece of pieces) await opened.terminal.hand(piece);
    await opened.terminal.waitFor(RULE);
  });

  it('an answer that nobody waits for any more changes nothing, and is no key', async () => {
    const late: (() => void)[] = [];
    await using opened = await start(
      SILENT,
      (answer, send) => {
        send(answer.replace(';2R', ';3R'));
        late.push(() => send(answer));
      },
      () => late.length > 0,
    );
    const { terminal } = opened;
    await terminal.waitFor(ASCII_RULE);
    const before = withoutHeader(terminal.screen()).join('\n');
    await terminal.press('j');
    for (const send of late) send();
    await terminal.press('j', 'k', 'k');
    await terminal.waitFor(screen => withoutHeader(screen).join('\n') === before);
    await terminal.press('/');
    for (const send of late) send();
    await terminal.press('a');
    await terminal.waitFor(screen => statusLine(screen).trim() === 'find in the loaded rows: a');
    expect(selectedRow(terminal.screen())).toBeDefined();
  });
});

describe('a charset that is said', () => {
  it.each([
    [{ LANG: 'C' }, ASCII_RULE],
    [{ LC_ALL: 'POSIX', LANG: 'C.UTF-8' }, ASCII_RULE],
    [{ LANG: 'C.UTF-8' }, RULE],
    [{ ...SILENT, TERM: 'vt100' }, ASCII_RULE],
    [{ ...SILENT, TERM: 'linux' }, ASCII_RULE],
    [{ ...SILENT, BLOCKGLASS_CHARSET: 'utf-8' }, RULE],
    [{ ...SILENT, BLOCKGLASS_CHARSET: 'ascii' }, ASCII_RULE],
    [{ LANG: 'C.UTF-8', BLOCKGLASS_CHARSET: 'ascii' }, ASCII_RULE],
  ])('by %j is not asked for', async (env, rule) => {
    await using opened = await start(env);
    await opened.terminal.waitFor(rule);
    expect(opened.terminal.raw).not.toContain(QUESTION);
  });
});
