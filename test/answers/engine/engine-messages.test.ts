import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AnswerError, isStringTooLong } from '../../../src/answers/engine/answer-error.ts';
import { packRows, restoreError, serialiseError, unpackRows } from '../../../src/answers/engine/engine-messages.ts';

// Any code unit, half of a pair too.
const cell = fc.option(fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 6 }), { nil: null });
const text = (units: readonly number[] | null) => (units === null ? null : String.fromCharCode(...units));

it('Rows survive the engine message encoding, with NULL and empty text kept distinct', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(cell), (columns, cells) => {
      const rows = Array.from({ length: Math.floor(cells.length / columns) }, (_, row) =>
        cells.slice(row * columns, (row + 1) * columns).map(text),
      );
      expect(unpackRows(structuredClone(packRows(rows, columns)))).toEqual(rows);
    }),
  );
});

it('An error keeps its class and all its properties across the engine message encoding', () => {
  const error = new AnswerError('what', 'try', 'untrusted');
  expect(restoreError(structuredClone(serialiseError(error)))).toEqual(error);
  expect(restoreError(structuredClone(serialiseError(new TypeError('a fault'))))).toEqual(new Error('a fault'));
  expect(restoreError(serialiseError(thrownBy(() => 'x'.repeat(2 ** 29))))).toMatchObject({
    message: 'a row is too long: at most half a gigabyte of text can be written',
  });
});

function thrownBy(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

it('`isTooLong` distinguishes a text that is too long from other errors', () => {
  expect(isStringTooLong(thrownBy(() => 'x'.repeat(2 ** 29)))).toBe(true);
  expect(isStringTooLong(thrownBy(() => ['x'.repeat(2 ** 29 - 30), 'x'.repeat(30)].join()))).toBe(true);
  expect(isStringTooLong(thrownBy(() => Buffer.alloc(2 ** 28).toString('hex')))).toBe(true);
  expect(isStringTooLong(thrownBy(() => 'x'.repeat(-1)))).toBe(false);
  expect(isStringTooLong(thrownBy(() => JSON.parse('{')))).toBe(false);
});
