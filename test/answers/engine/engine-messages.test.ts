import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AnswerError, isTooLong } from '../../../src/answers/engine/answer-error.ts';
import { packRows, receivedError, sentError, unpackRows } from '../../../src/answers/engine/engine-messages.ts';

// Any code unit, half of a pair too.
const cell = fc.option(fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 6 }), { nil: null });
const text = (units: readonly number[] | null) => (units === null ? null : String.fromCharCode(...units));

it('rows are the same on the other side, NULL and empty texts apart', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(cell), (columns, cells) => {
      const rows = Array.from({ length: Math.floor(cells.length / columns) }, (_, row) =>
        cells.slice(row * columns, (row + 1) * columns).map(text),
      );
      expect(unpackRows(structuredClone(packRows(rows, columns)))).toEqual(rows);
    }),
  );
});

it('an error keeps its class and all that it says', () => {
  const error = new AnswerError('what', 'try', 'untrusted');
  expect(receivedError(structuredClone(sentError(error)))).toEqual(error);
  expect(receivedError(structuredClone(sentError(new TypeError('a fault'))))).toEqual(new Error('a fault'));
  expect(receivedError(sentError(thrownBy(() => 'x'.repeat(2 ** 29))))).toMatchObject({
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

it('a text that is too long is distinguished from other errors', () => {
  expect(isTooLong(thrownBy(() => 'x'.repeat(2 ** 29)))).toBe(true);
  expect(isTooLong(thrownBy(() => ['x'.repeat(2 ** 29 - 30), 'x'.repeat(30)].join()))).toBe(true);
  expect(isTooLong(thrownBy(() => Buffer.alloc(2 ** 28).toString('hex')))).toBe(true);
  expect(isTooLong(thrownBy(() => 'x'.repeat(-1)))).toBe(false);
  expect(isTooLong(thrownBy(() => JSON.parse('{')))).toBe(false);
});
