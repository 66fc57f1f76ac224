import fc from 'fast-check';
import { expect, test } from 'vitest';
import { didYouMean, nearest } from '../../../src/base/text/nearest.ts';

const COMMANDS = ['list', 'show', 'statement', 'what', 'segments', 'export', 'verify', 'serve', 'completion'];

test.each([
  ['lsit', 'list'],
  ['LIST', 'list'],
  ['lists', 'list'],
  ['exprot', 'export'],
  ['segment', 'segments'],
  ['seg', 'segments'],
  ['state', 'statement'],
  ['complete', 'completion'],
  ['exp', 'export'],
])('%s was meant to be %s', (typed, word) => {
  expect(nearest(typed, COMMANDS)).toBe(word);
});

test.each(['', 'x', 'zzz', 'liquidity', 'a'.repeat(100_000)])('nothing is near "%.20s"', typed => {
  expect(nearest(typed, COMMANDS)).toBeUndefined();
  expect(didYouMean(typed, COMMANDS)).toBe('');
});

test('the nearest word is asked back, and none where none is near', () => {
  expect(didYouMean('verfy', COMMANDS)).toBe('; did you mean "verify"?');
});

test('any word with one slip in it is taken for that word', () => {
  const slipped = fc
    .record({
      word: fc.constantFrom('provisions', 'parameters', 'validators'),
      at: fc.nat(9),
      letter: fc.constantFrom(...'xyz0-'),
    })
    .map(({ word, at, letter }) => ({ word, typed: word.slice(0, at) + letter + word.slice(at + 1) }));
  fc.assert(
    fc.property(slipped, ({ word, typed }) => {
      expect(nearest(typed, ['fees', 'provisions', 'parameters', 'validators'])).toBe(word);
    }),
  );
});

test('any two texts are compared, and only one of the words is named', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string()), (typed, words) => {
      const word = nearest(typed, words);
      expect(word === undefined || words.includes(word)).toBe(true);
    }),
  );
});
