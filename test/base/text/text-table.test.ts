import { expect, it } from 'vitest';
import { safeText } from '../../../src/base/text/safe-text.ts';
import { formatTable, textTable } from '../../../src/base/text/text-table.ts';

const NAME = { title: safeText`NAME`, cut: 'end', leastCells: 4 } as const;
const COUNT = { title: safeText`COUNT`, align: 'right' } as const;

it('A text table is as wide as its first rows need, and a later cell that is never cut moves the others', () => {
  const table = textTable([COUNT, { title: safeText`NAME` }]);
  expect(table.lines([[safeText`1`, safeText`ab`]])).toBe('COUNT  NAME\n    1  ab\n');
  expect(table.lines([[safeText`1234567`, safeText`abcdef`]])).toBe('1234567  abcdef\n');
});

it('A text table shortens a column that may be cut until the table fits', () => {
  const row = [safeText`abcdefghijklmnop`, safeText`123`];
  expect(textTable([NAME, COUNT], 20).lines([row])).toBe('NAME           COUNT\nabcdefghijkl…    123\n');
});

it('A text table shows each row as a block with all values if cutting is not enough, or only its titles', () => {
  const row = [safeText`abcdefghijklmnop`, safeText`1234567890`];
  expect(textTable([NAME, COUNT], 12).lines([row])).toBe(
    '-- 1 --\nNAME  abcdef\n      ghijkl\n      mnop\nCOU…  123456\n      7890\n',
  );
  expect(textTable([NAME, COUNT], 8).lines([])).toBe('NAME  COUNT\n');
});

it('A text table that has all its rows is sanitized', () => {
  expect(formatTable(['A', ''], [['\u001b[2J', 'x']])).toBe('A\n␛[2J  x\n');
});
