import { expect, it } from 'vitest';
import { compareSides } from '../../../src/memory/diff/compare-sides.ts';
import { createDisplayContext, displayMembers } from '../../../src/memory/diff/describe-change.ts';
import { hiddenDifference } from '../../../src/memory/diff/hidden-difference.ts';
import { parameter, readList, side } from './sides.ts';

it.each([
  ['a space behind it', 'BTC', 'BTC ', '"BTC"', '"BTC\\u{20}"'],
  ['a space before it', ' BTC', 'BTC', '"\\u{20}BTC"', '"BTC"'],
  ['two spaces', 'a  b', 'a b', '"a \\u{20}b"', '"a b"'],
  ['a no-break space', 'a b', 'a\u00a0b', '"a\\u{20}b"', '"a\\u{a0}b"'],
  ['a line end', 'a b', 'a\nb', '"a\\u{20}b"', '"a\\u{a}b"'],
  ['a character without width', 'BTC', 'B\u200bTC', '"BTC"', '"B\\u{200b}TC"'],
  ['a joiner', 'BTC', 'BTC\u200d', '"BTC"', '"BTC\\u{200d}"'],
  ['a direction mark', '\u200eBTC', '\u200fBTC', '"\\u{200e}BTC"', '"\\u{200f}BTC"'],
  ['a letter of another script', 'ABC', '\u0410BC', '"ABC"', '"\\u{410}BC"'],
  ['letters of another script', 'ABC-O', '\u0391B\u0421-\u041e', '"ABC-O"', '"\\u{391}B\\u{421}-\\u{41e}"'],
  ['a wide letter', 'ABC', '\uff21BC', '"ABC"', '"\\u{ff21}BC"'],
  ['the normal form', 'caf\u00e9', 'cafe\u0301', '"caf\\u{e9}"', '"cafe\\u{301}"'],
  ['the case', 'Btc', 'bTc', '"Btc"', '"bTc"'],
  ['an invisible text', '', '\u200b', '""', '"\\u{200b}"'],
])('`hiddenDifference` shows what differs in %s', (_, from, to, one, other) => {
  expect(hiddenDifference(from, to)).toEqual([one, other]);
  expect(hiddenDifference(to, from)).toEqual([other, one]);
  expect(hiddenDifference(from, from)).toBeUndefined();
  const sides = [from, to].map(value => side(readList('parameters', [parameter('k', value)])));
  const [a = side(), b = side()] = sides;
  const shown = compareSides(a, b).changes.flatMap(change => displayMembers(change, createDisplayContext(a, b)));
  expect(shown).toMatchObject([{ from: one, to: other }]);
});

it.each([
  ['24h', '25h'],
  ['Tether', 'Tethys'],
  ['\u4f60\u597d', '\u4f60\u4eec'],
  ['', 'x'],
])('`hiddenDifference` ignores differences that can be seen: %s and %s', (from, to) =>
  expect(hiddenDifference(from, to)).toBeUndefined(),
);
