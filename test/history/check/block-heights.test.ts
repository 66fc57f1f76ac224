import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BlockHeights } from '../../../src/history/check/entry-check.ts';

function faultsOf(from: bigint, to: bigint, rows: readonly string[]) {
  const faults: { readonly fault: string; readonly text: string }[] = [];
  const heights = new BlockHeights(from, to, (fault, text) => faults.push({ fault, text: text() }));
  for (const row of rows) heights.take(row);
  heights.end();
  return faults;
}

/** The blocks that a sentence calls missing. */
function missingIn(text: string): readonly bigint[] {
  const [, first = '', last = first] = /^blocks? (\d+)(?: to (\d+))? (?:is|are) missing/.exec(text) ?? [];
  const blocks: bigint[] = [];
  for (let block = BigInt(first); block <= BigInt(last); block++) blocks.push(block);
  return blocks;
}

describe('Block heights check', () => {
  test('The block heights check has a fault for each row that breaks the range and each block without a row', () => {
    const starts = fc.constantFrom(0n, 1n, 998n, 10n ** 17n - 3n);
    const rowAt = fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: -3, max: 14 }) },
      { weight: 1, arbitrary: fc.constantFrom('', 'x', '7x', 'x7', '-1', '1.0', ' 1', '1'.repeat(20)) },
    );
    fc.assert(
      fc.property(starts, fc.nat(10), fc.array(rowAt, { maxLength: 16 }), fc.nat(3), (from, length, steps, zeros) => {
        const to = from + BigInt(length);
        const at = (step: number) => from + BigInt(step);
        const rows = steps.map(step =>
          typeof step === 'string' || at(step) < 0n ? String(step) : '0'.repeat(zeros % 2) + String(at(step)),
        );
        let highest = from - 1n;
        const rest = new Set(Array.from({ length: length + 1 }, (_, index) => from + BigInt(index)));
        const strayRows = steps.filter(step => {
          // Genesis and the first block are both number 1.
          if (typeof step !== 'string' && at(step) === 1n && highest === 1n) return false;
          if (typeof step === 'string' || at(step) > to || at(step) <= highest) return true;
          highest = at(step);
          rest.delete(highest);
          return false;
        });
        const faults = faultsOf(from, to, rows);
        expect(faults.filter(({ fault }) => fault === 'height')).toHaveLength(strayRows.length);
        const missing = faults.filter(({ fault }) => fault === 'missing-rows').flatMap(({ text }) => missingIn(text));
        expect(missing).toEqual([...rest]);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['10', 'is for block 10, outside the range'],
    ['2', 'repeats block 2 or is out of order'],
    ['5.5', 'has no block height'],
  ])('The block height %s after 1 to 4 of 9 is reported with the right fault', (row, text) => {
    expect(faultsOf(1n, 9n, ['1', '2', '3', '4', row, '5', '6', '7', '8', '9'])).toEqual([{ fault: 'height', text }]);
  });
});
