import fc from 'fast-check';
import { expect, test } from 'vitest';
import { didYouMean, nearestWord } from '../../../src/base/text/nearest-word.ts';

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
])('The mistyped word %s is corrected to %s', (typed, word) => {
  expect(nearestWord(typed, COMMANDS)).toBe(word);
});

test.each(['', 'x', 'zzz', 'liquidity', 'a'.repeat(100_000)])('No suggestion is near "%.20s"', typed => {
  expect(nearestWord(typed, COMMANDS)).toBeUndefined();
  expect(didYouMean(typed, COMMANDS)).toBe('');
});

test('The nearest word is suggested, and none if none is near', () => {
  expect(didYouMean('verfy', COMMANDS)).toBe('; did you mean "verify"?');
});

test('Any word with one typing error is recognised as that word', () => {
  const slipped = fc
    .record({
      word: fc.constantFrom('provisions', 'parameters', 'validators'),
      at: fc.nat(9),
      letter: fc.constantFrom(...'xyz0-'),
    })
    .map(({ word, at, letter }) => ({ word, typed: word.slice(0, at) + letter + word.slice(at + 1) }));
  fc.assert(
    fc.property(slipped, ({ word, typed }) => {
      expect(nearestWord(typed, ['fees', 'provisions', 'parameters', 'validators'])).toBe(word);
    }),
  );
});

test('Any two texts can be compared, and only one of the known words is suggested', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string()), (typed, words) => {
      const word = nearestWord(typed, words);
      expect(word === undefined || words.includes(word)).toBe(true);
    }),
  );
});
