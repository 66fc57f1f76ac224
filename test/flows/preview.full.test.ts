import { describe, expect, it } from 'vitest';
import { footer, openExplorer, selectedKey } from './support/explorer.ts';

/** The cells to the right of the rule between a list and the record next to it. */
const beside = (screen: string): string =>
  screen
    .split('\n')
    .map(line => line.split('\u2502')[1] ?? '')
    .join('\n');

describe('Record next to a list', () => {
  it('The record next to a list follows the selection, opens by Enter, and comes and goes with its room', async () => {
    await using terminal = await openExplorer({ args: ['--demo', 'markets'], columns: 120, rows: 40 });
    const showsRecord = (screen: string): boolean =>
      /How fees are shared.*\d %.*enter all fields {2}g /s.test(beside(screen));
    const first = await terminal.waitFor(showsRecord);
    await terminal.press('j');
    const next = await terminal.waitFor(screen => showsRecord(screen) && titleOf(screen) !== titleOf(first));
    expect(selectedKey(next)).not.toBe(selectedKey(first));
    await terminal.press('enter');
    const opened = await terminal.waitFor(screen => beside(screen).includes('Fields as sent'));
    expect(titleOf(opened).slice(0, 12)).toBe(titleOf(next).slice(0, 12));
    expect(footer(opened)).toContain('g go to');
    await terminal.press('escape');
    await terminal.waitFor(showsRecord);
    await terminal.resize(100, 40);
    await terminal.waitFor(screen => !screen.includes('\u2502') && screen.includes('SETTLES IN'));
    await terminal.resize(120, 40);
    const back = await terminal.waitFor(screen => showsRecord(screen));
    expect(titleOf(back)).toBe(titleOf(next));
  });
});

/** `market  161b..9994` */
const titleOf = (screen: string): string => /market {2}(\S+)/.exec(beside(screen))?.[0] ?? '';
