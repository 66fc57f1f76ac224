import { expect, it } from 'vitest';
import { drawHistoryStrip } from '../../../../src/explorer/screens/export/history-strip.ts';
import { THEMES } from '../../../../src/explorer/terminal/theme.ts';
import { LISTED } from '../../support/export-scenes.ts';
import { looksOf } from '../../terminal/colours.ts';

const stripAt = (columns: number, from = '', to = ''): readonly string[] =>
  drawHistoryStrip({ boundaries: LISTED, from, to }, columns).map(line => line.map(({ text }) => text).join(''));

it('The history strip draws the history between its ends, down to ten characters of it', () => {
  // Two spaces, 501, a space; a space, 2100; the last column stays free.
  const around = '  501 '.length + ' 2100'.length + 1;
  expect(stripAt(around + 16)).toEqual(['  501 ──────────·····─ 2100']);
  expect(stripAt(around + 10)).toEqual(['  501 ──────···· 2100']);
  expect(stripAt(around + 9)).toEqual([]);
});

it.each(Object.values(THEMES))('The history strip shows the chosen blocks in $utf8.name', ({ utf8 }) => {
  const [strip = []] = drawHistoryStrip({ boundaries: LISTED, from: '501', to: '700' }, 40);
  const chosen = strip.find(({ text }) => text.startsWith('\u2588'));
  // A full block shows none of its background.
  expect(looksOf(utf8.styles[chosen?.style ?? 'mark'])).toMatchObject({ isReversed: false });
  expect(looksOf(utf8.styles[chosen?.style ?? 'mark']).background).toBeUndefined();
});

it('The history strip marks the range once both of its ends are heights', () => {
  expect(stripAt(28, '501', '')).toEqual(stripAt(28));
  expect(stripAt(28, '', '700')).toEqual(stripAt(28));
  expect(stripAt(28, '501', '700').join('')).toContain('501 ██');
});
