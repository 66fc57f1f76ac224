import { describe, expect, it } from 'vitest';
import { startStrictNode } from '../support/strict-node.ts';
import { openExplorer } from './support/explorer.ts';

describe.each([
  ['INK_SCREEN_READER', { env: { INK_SCREEN_READER: 'true' }, args: ['parameters'] }],
  ['--screen-reader', { env: { TERM: 'dumb' }, args: ['parameters', '--screen-reader'] }],
] as const)('Screen reader mode by %s', (_, start) => {
  it('The explorer says in lines where it is and what its keys change, and ends as it does on a screen', async () => {
    await using node = await startStrictNode();
    await using terminal = await openExplorer({
      node: node.url,
      ...start,
      rows: 60,
      columns: 120,
      until: /^1 of 30; .*key: strict\.parameter\.29; /m,
    });
    expect(terminal.inAlternateScreen).toBe(false);
    expect(terminal.screen()).toContain('Parameters, tab 1 of 8');
    await terminal.press('j');
    await terminal.waitFor(/^2 of 30; .*key: /m);
    await terminal.press('enter');
    await terminal.waitFor(/^network parameter /m);
    await terminal.press('escape', '/', 'rewards');
    await terminal.waitFor(/^find in the loaded rows: rewards$/m);
    await terminal.press('enter');
    await terminal.waitFor(/rows of 30 match/);
    await terminal.paste('x');
    await terminal.press('3');
    await terminal.waitFor('Paid fees, tab 3 of 8');
    await terminal.press('q');
    expect(await terminal.waitForExit()).toEqual({ exitCode: 0, signal: undefined });
    expect(terminal.raw.replaceAll(/\u001b\[\?(?:2004|25)[hl]/g, '')).not.toContain('\u001b');
    expect(terminal.bracketedPaste).toBe(false);
  });
});

it('The screen reader mode ends on a signal, and the cursor stays where it is', async () => {
  await using node = await startStrictNode();
  await using terminal = await openExplorer({
    node: node.url,
    env: { INK_SCREEN_READER: 'true' },
    until: 'tab 1 of 8',
  });
  terminal.kill('SIGTERM');
  expect(await terminal.waitForExit()).toEqual({ exitCode: 130, signal: undefined });
  expect(terminal.raw).not.toContain('\u001b[?1049');
});
