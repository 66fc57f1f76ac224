import { expect, it } from 'vitest';
import { pageMark } from '../../../src/chain/resources/overlap.ts';

it('pages have the same mark when they are as long and begin and end alike, to the digit', () => {
  const marks = [
    '[]',
    '[{"a":1}]',
    '[{"a":2}]',
    '[{"a":1},{"a":1}]',
    '[{"a":1},{"a":2}]',
    '[{"a":2},{"a":1}]',
    '[{"a":1},{"a":9},{"a":2}]',
    '[{"a":"9007199254740993"},{"a":1}]',
    '[{"a":"9007199254740992"},{"a":1}]',
  ].map(rows => pageMark(JSON.parse(rows)));
  expect(new Set(marks).size).toBe(marks.length);
  expect(pageMark([{ a: 1 }, { a: 9 }, { a: 2 }])).toBe(pageMark([{ a: 1 }, { a: 8 }, { a: 2 }]));
  for (const mark of marks) expect(mark.length).toBeLessThan(30);
});
