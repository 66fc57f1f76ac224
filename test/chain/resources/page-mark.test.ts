import { expect, it } from 'vitest';
import { pageFingerprint } from '../../../src/chain/resources/page-overlap.ts';

it('Pages have the same mark if they have the same length and the same first and last row, to the digit', () => {
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
  ].map(rows => pageFingerprint(JSON.parse(rows)));
  expect(new Set(marks).size).toBe(marks.length);
  expect(pageFingerprint([{ a: 1 }, { a: 9 }, { a: 2 }])).toBe(pageFingerprint([{ a: 1 }, { a: 8 }, { a: 2 }]));
  for (const mark of marks) expect(mark.length).toBeLessThan(30);
});
