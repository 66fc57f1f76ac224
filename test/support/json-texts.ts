import fc from 'fast-check';
import { anyCharacter } from './any-character.ts';

/** A number as JSON may write it: of any length, with a fraction or an exponent, minus zero. */
const numberText = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(
      fc.constant('0'),
      fc.bigInt({ min: 1n, max: 10n ** 20n }).map(String),
      fc.integer({ min: 1, max: 400 }).map(length => '9'.repeat(length)),
      fc.integer({ min: 13, max: 18 }).map(length => `1${'0'.repeat(length)}`),
    ),
    fc.oneof(fc.constant(''), fc.stringMatching(/^\.[0-9]{1,20}$/)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^[eE][+-]?[0-9]{1,4}$/)),
  )
  .map(parts => parts.join(''));

/** A string as JSON may write it, most of all one that looks like JSON with long numbers in it. */
const stringText = fc.oneof(
  fc.string({ unit: anyCharacter }).map(text => JSON.stringify(text)),
  fc
    .array(
      fc.constantFrom(
        ...[':1234567890123456,', '":1234567890123456,"', '[1.0]', ',-0', '{', '}', '\\', '"', ' ', '\u00e9', '\ufeff'],
        ...['\ud800', '\udc00', '__proto__', '12345678901234567'],
      ),
      { maxLength: 6 },
    )
    .map(parts => JSON.stringify(parts.join(''))),
  fc
    .array(fc.constantFrom('\\"', '\\\\', '\\/', '\\n', '\\u0022', '\\ud83d', '\\uDe00', ':1.0', 'a', ','), {
      maxLength: 8,
    })
    .map(parts => `"${parts.join('')}"`),
);

const space = fc.constantFrom('', '', '', ' ', '\n', '\r\n\t', '   ');

// No name holds a backslash: V8 13 reads a name with an escape as one that it has seen with a backslash in that place.
const nameText = fc.oneof(
  stringText.filter(text => !text.includes('\\\\')),
  fc.constantFrom('"__proto__"', '"constructor"', '"a"', '"a"', '"1"', '"0"', '"digits"', '"rawJSON"'),
);

/** Any JSON text, with names given twice, any white space, and numbers of every kind beside strings that look like them. */
export const jsonText: fc.Arbitrary<string> = fc.letrec<{ value: string; list: string; object: string }>(tie => ({
  value: fc
    .tuple(
      space,
      fc.oneof(
        { maxDepth: 5, depthSize: 'small' },
        fc.oneof(numberText, stringText, fc.constantFrom('null', 'true', 'false')),
        tie('list'),
        tie('object'),
      ),
      space,
    )
    .map(parts => parts.join('')),
  list: fc.tuple(space, fc.array(tie('value'), { maxLength: 5 })).map(([gap, items]) => `[${items.join(',') || gap}]`),
  object: fc
    .tuple(space, fc.array(fc.tuple(space, nameText, space, tie('value')), { maxLength: 5 }))
    .map(
      ([gap, members]) =>
        `{${members.map(([before, name, after, value]) => `${before}${name}${after}:${value}`).join(',') || gap}}`,
    ),
})).value;
