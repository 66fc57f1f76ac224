import { describe, expect, it } from 'vitest';
import { openTab } from '../support/tabs.ts';
import type { Terminal } from '../support/terminal.ts';
import {
  downTo,
  footer,
  hasRows,
  openExplorer,
  openFields,
  openProvisions,
  selectedKey,
  tableRows,
  withoutHeader,
} from './support/explorer.ts';
import { embedded } from './support/nodes.ts';
import { knownIds } from './support/wire.ts';

/** Every row of the screen fits: nothing was wrapped onto the line below. */
async function resized(terminal: Terminal, columns: number, rows: number): Promise<string> {
  await terminal.resize(columns, rows);
  return terminal.waitFor(
    screen =>
      screen.split('\n')[1]?.includes(openTab('provisions')) === true &&
      tableRows(screen).length === rows - 6 &&
      /rows 1-|^ 1-\d+ of /.test(footer(screen)) &&
      hasRows(screen),
  );
}

describe.each([embedded])('Terminal size on $name', ({ start }) => {
  it('The explorer follows the size of the terminal, and looks as before when that is restored', async () => {
    await using node = await start();
    const { market } = await knownIds(node.url);
    await using terminal = await openExplorer({ node: node.url });
    const before = await openProvisions(terminal, node, market);
    const key = selectedKey(before);
    for (const [columns, rows] of [
      [120, 40],
      [200, 55],
      [40, 12],
      [80, 24],
      [200, 24],
      [80, 24],
    ] as const) {
      const screen = await resized(terminal, columns, rows);
      expect(selectedKey(screen).slice(0, 3)).toBe(key.slice(0, 3));
    }
    expect(withoutHeader(terminal.screen())).toEqual(withoutHeader(before));
  });

  it('The explorer leaves no remains of a wide screen on the narrow one', async () => {
    await using node = await start();
    const { market } = await knownIds(node.url);
    await using terminal = await openExplorer({ node: node.url });
    const before = await openProvisions(terminal, node, market);
    const key = selectedKey(before).slice(0, 4);
    const narrow = withoutHeader(before).join('\n');
    for (let round = 0; round < 3; round++) {
      await resized(terminal, 200, 24);
      // Ink draws once in 16 ms; a resize right behind a frame would hide the one it draws in the old width.
      await terminal.press('down');
      await terminal.waitFor(screen => !selectedKey(screen).startsWith(key));
      await terminal.press('up');
      await terminal.waitFor(screen => selectedKey(screen).startsWith(key));
      await terminal.press('home', 'home', 'home');
      await terminal.resize(80, 24);
      await terminal.waitFor(screen => withoutHeader(screen).join('\n') === narrow);
    }
  });

  it('The explorer shows more columns when there is room', async () => {
    await using node = await start();
    const { market } = await knownIds(node.url);
    await using terminal = await openExplorer({ node: node.url, args: ['--preview', 'off'] });
    const narrow = await openProvisions(terminal, node, market);
    expect(narrow).toMatch(/^ {2}PARTY .* >$/m);
    const wide = await resized(terminal, 200, 55);
    expect(wide).not.toMatch(/^ {2}PARTY .* >$/m);
    expect(wide).toContain('REFERENCE');
  });

  it('The explorer says what it needs when the terminal is too small, and continues when it is large enough', async () => {
    await using node = await start();
    const { market } = await knownIds(node.url);
    await using terminal = await openExplorer({ node: node.url });
    const before = await openProvisions(terminal, node, market);
    await terminal.resize(30, 8);
    const small = await terminal.waitFor('too small: 30x8');
    expect(small).toContain('needs 40x12');
    await terminal.resize(80, 24);
    expect(withoutHeader(await terminal.waitFor(hasRows))).toEqual(withoutHeader(before));
    await terminal.resize(30, 8);
    await terminal.waitFor('q quits');
    await terminal.press('q');
    expect(await terminal.waitForExit()).toMatchObject({ exitCode: 0 });
  });

  it('The explorer shows the inspector next to the table if there is room, and otherwise over it', async () => {
    await using node = await start();
    const { market } = await knownIds(node.url);
    await using terminal = await openExplorer({ node: node.url, columns: 120, rows: 40 });
    await openProvisions(terminal, node, market);
    await openFields(terminal);
    const beside = await downTo(terminal, '▾ Commitment');
    expect(beside).toContain('│');
    expect(beside).toMatch(/^ {2}PARTY .*│/m);
    await terminal.resize(80, 24);
    const over = await terminal.waitFor(screen => screen.includes('▾ Fields as sent') && !screen.includes('│'));
    expect(over).not.toMatch(/^ {2}PARTY /m);
    await terminal.press('escape');
    await terminal.waitFor(/^ {2}PARTY /m);
  });
});
