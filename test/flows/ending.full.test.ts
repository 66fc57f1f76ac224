import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { startStrictNode } from '../support/strict-node.ts';
import { openTab, tabKey } from '../support/tabs.ts';
import { openTerminal, type Terminal } from '../support/terminal.ts';
import { bundle, command, goToTab, hasRows, openExplorer, selectedKey } from './support/explorer.ts';
import { holdExport } from './support/export-steps.ts';
import { embedded } from './support/nodes.ts';
import { run } from './support/program.ts';

/** The terminal is as it was before the program ran. */
function expectGivenBack(terminal: Terminal): void {
  expect({
    alternate: terminal.inAlternateScreen,
    cursor: terminal.cursorVisible,
    paste: terminal.bracketedPaste,
  }).toEqual({ alternate: false, cursor: true, paste: false });
}

describe.each([embedded])('Explorer exit on $name', ({ start }) => {
  it.each([
    ['q', ['q']],
    [':q', [':', 'q', 'enter']],
  ] as const)('The explorer exits with 0 on %s, and restores the terminal', async (_, keys) => {
    await using node = await start();
    await using terminal = await openExplorer({ node: node.url });
    expect(terminal.inAlternateScreen).toBe(true);
    expect(terminal.bracketedPaste).toBe(true);
    await terminal.press(...keys);
    expect(await terminal.waitForExit()).toEqual({ exitCode: 0, signal: undefined });
    expectGivenBack(terminal);
  });

  it('The explorer exits on ctrl-c from anywhere, even from a field, and restores the terminal', async () => {
    await using node = await start();
    await using terminal = await openExplorer({ node: node.url });
    await terminal.press('/', 'abc', 'ctrl-c');
    const { exitCode } = await terminal.waitForExit();
    expect([0, 130]).toContain(exitCode);
    expectGivenBack(terminal);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)(
    'The explorer exits with 130 on %s, and restores the terminal',
    async signal => {
      await using node = await start();
      await using terminal = await openExplorer({ node: node.url });
      terminal.kill(signal);
      expect(await terminal.waitForExit()).toEqual({ exitCode: 130, signal: undefined });
      expectGivenBack(terminal);
    },
  );

  it('The explorer exits on ctrl-\\ at once, despite a download or a question, and restores the terminal', async () => {
    await using node = await start();
    await using held = await holdExport(node);
    const { terminal } = held;
    await terminal.press('q', 'q');
    await terminal.waitFor('Quit and cancel it?');
    await terminal.hand('\u001c');
    expect(await terminal.waitForExit()).toEqual({ exitCode: 130, signal: undefined });
    expectGivenBack(terminal);
  });

  it('The explorer does not quit on Esc', async () => {
    await using node = await start();
    await using terminal = await openExplorer({ node: node.url });
    await terminal.press('escape');
    await terminal.waitFor('q quits');
    await terminal.press('escape', 'down');
    await terminal.waitFor(hasRows);
  });

  it('The explorer asks before it quits during a download; n stays, y quits', async () => {
    await using node = await start();
    await using held = await holdExport(node);
    const { folder, terminal } = held;
    await terminal.press('q', 'q');
    await terminal.waitFor('An export is running. Quit and cancel it?');
    await terminal.press('n');
    await terminal.waitFor(
      screen => !screen.includes('Quit and cancel it?') && screen.includes(`export ${node.exportTable}: 1.0 kB`),
    );
    await terminal.press(tabKey('parameters'), 'ctrl-c');
    await terminal.waitFor('Quit and cancel it?');
    await terminal.press('y');
    expect(await terminal.waitForExit()).toMatchObject({ exitCode: 0 });
    expectGivenBack(terminal);
    expect((await folder.files()).map(name => name.slice(-9))).toEqual(['.zip.part']);
  });

  it('The explorer restores the terminal when a signal comes during a download, and keeps what arrived', async () => {
    await using node = await start();
    await using held = await holdExport(node);
    const { folder, terminal } = held;
    terminal.kill('SIGTERM');
    expect(await terminal.waitForExit()).toMatchObject({ exitCode: 130 });
    expectGivenBack(terminal);
    expect((await folder.files()).map(name => name.slice(-9))).toEqual(['.zip.part']);
  });
});

describe('Explorer exit with the embedded node', () => {
  it('The explorer exits with 0 on q with the embedded node, and leaves no thread behind', async () => {
    await using terminal = await openExplorer();
    await command(terminal, 'fees');
    await terminal.waitFor(openTab('fees'));
    await terminal.press('q');
    expect(await terminal.waitForExit()).toEqual({ exitCode: 0, signal: undefined });
    expectGivenBack(terminal);
  });
});

function isDoneUnlessGone(kill: () => void): boolean {
  try {
    kill();
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

describe('Explorer exit on two signals at once', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'The explorer exits cleanly on two signals at once: %s',
    async signal => {
      await using node = await startStrictNode();
      await using terminal = await openExplorer({ node: node.url });
      terminal.kill(signal);
      // Where this process had to wait for its turn in between, the program may have ended.
      expect(() => terminal.kill('SIGTERM')).toSatisfy(isDoneUnlessGone);
      expect(await terminal.waitForExit()).toEqual({ exitCode: 130, signal: undefined });
      expectGivenBack(terminal);
    },
  );
});

// The pseudo-terminal starts the program as sshd does for `ssh -t host blockglass`: no shell of its session is left.
describe('Explorer without job control', () => {
  it.each([
    ['Ctrl-Z', (terminal: Terminal) => terminal.press('ctrl-z')],
    ['a stop from outside', async (terminal: Terminal) => terminal.kill('SIGTSTP')],
  ] as const)('The explorer ignores %s without job control, and says so', async (_, stop) => {
    await using node = await startStrictNode();
    await using terminal = await openExplorer({ node: node.url });
    await stop(terminal);
    await terminal.waitFor(screen => screen.includes('no shell waits for this program') && hasRows(screen));
    expect([terminal.inAlternateScreen, terminal.bracketedPaste, terminal.cursorVisible]).toEqual([true, true, false]);
    const before = selectedKey(terminal.screen());
    await terminal.press('down');
    await terminal.waitFor(screen => hasRows(screen) && selectedKey(screen) !== before);
    await terminal.press('q');
    expect(await terminal.waitForExit()).toEqual({ exitCode: 0, signal: undefined });
    expectGivenBack(terminal);
  });
});

describe('Explorer in a shell with job control', () => {
  it.each(['ctrl-z', 'SIGTSTP', 'SIGSTOP', 'ctrl-z in a script', 'ctrl-z in a field', 'ctrl-z over a menu'] as const)(
    'The explorer comes back intact after %s',
    async how => {
      await using node = await startStrictNode();
      await using terminal = await openTerminal({
        command: 'bash',
        args: ['--norc', '--noprofile', '-i'],
        env: { NO_COLOR: '1', PS1: 'shell> ' },
      });
      await terminal.waitFor('shell>');
      // The shell would turn it on for itself.
      terminal.send("bind 'set enable-bracketed-paste off'; clear\r");
      await terminal.waitFor(screen => screen.trim() === 'shell>');
      const own = `'${process.execPath}' '${bundle}' --node ${node.url}`;
      // A script waits as npm does: it has to stop too, or nobody has the terminal.
      terminal.send(how === 'ctrl-z in a script' ? `sh -c "${own}; exit \\$?"\r` : `${own}\r`);
      await terminal.waitFor(hasRows);
      if (how === 'ctrl-z in a field') await typeInto(terminal, '/', 'find in the loaded rows');
      if (how === 'ctrl-z over a menu') await typeInto(terminal, 's', 'Sort');
      if (how.startsWith('ctrl-z')) terminal.send('\u001a');
      else process.kill(Number(await childOf(terminal.pid)), how);
      await terminal.waitFor('Stopped');
      // Whoever is stopped without being asked cannot give anything back.
      if (how !== 'SIGSTOP') expectGivenBack(terminal);
      const outputBefore = terminal.raw.length;
      terminal.send('echo meanwhile; fg\r');
      await terminal.waitFor(screen => {
        const isBack = terminal.raw.includes('meanwhile', outputBefore) && terminal.inAlternateScreen;
        return isBack && hasRows(screen) && !screen.includes('meanwhile');
      });
      if (how === 'ctrl-z in a field') await typeInto(terminal, 'x', 'find in the loaded rows: x');
      if (how === 'ctrl-z in a field' || how === 'ctrl-z over a menu') await terminal.press('escape');
      expect([terminal.inAlternateScreen, terminal.bracketedPaste]).toEqual([true, true]);
      const before = selectedKey(terminal.screen());
      terminal.send('\u001b[B');
      await terminal.waitFor(screen => hasRows(screen) && selectedKey(screen) !== before);
      terminal.send('q');
      await terminal.waitFor(screen => !hasRows(screen) && screen.includes('shell>'));
      expectGivenBack(terminal);
      terminal.send('echo code $?\r');
      await terminal.waitFor('code 0');
    },
  );
});

async function typeInto(terminal: Terminal, key: string, shown: string): Promise<void> {
  terminal.send(key);
  await terminal.waitFor(shown);
}

/** The one process that this one has started. */
const childOf = (pid: number): Promise<string> => readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');

describe('Unexpected record in the explorer', () => {
  it.each(['{}', '{"externalDataSourceSpec":{}}', '{"externalDataSourceSpec":null}', '[]', '7', 'null'])(
    'An unexpected record is shown and does not end the explorer: %s',
    async record => {
      await using node = await startStrictNode();
      await using terminal = await openExplorer({ node: node.url });
      const pageInfo = { startCursor: 'a', endCursor: 'a', hasNextPage: false, hasPreviousPage: false };
      const body = `{"oracleSpecs":{"edges":[{"cursor":"a","node":${record}}],"pageInfo":${JSON.stringify(pageInfo)}}}`;
      node.failNext({ status: 200, headers: { 'content-type': 'application/json' }, body }, '/oracle/specs');
      await goToTab(terminal, 'oracles');
      await terminal.waitFor(screen => screen.includes(openTab('oracles')) && /1-\d+ of \d+|no rows/.test(screen));
      await terminal.press('enter', 'escape', '1');
      await terminal.waitFor(screen => screen.includes(openTab('parameters')) && hasRows(screen));
    },
  );
});

describe('Explorer without a terminal', () => {
  it('The explorer exits with 2 without a terminal, and a sentence lists what works there', async () => {
    const { code, stdout, stderr } = await run([]);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('the explorer needs a terminal. Use list, show, segments or export');
  });
});
