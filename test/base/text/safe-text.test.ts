import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  EMPTY,
  joinSafe,
  normaliseTypedLine,
  safeJson,
  safeLine,
  safeLines,
  sanitize,
  trimEndSafe,
} from '../../../src/base/text/safe-text.ts';
import { anyCharacter, HIDDEN } from '../../support/any-character.ts';

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/u;
const INVISIBLE = /[\u061c\u200b-\u200f\u202a-\u202e\u2028\u2029\u2060-\u206f\ufeff\u00ad]/u;

describe('`sanitize`', () => {
  it('`sanitize` shows each control character as its picture', () => {
    expect(sanitize('a\u001b[31mred\u0007\r\n\tb\u007f')).toBe('a␛[31mred␇␍␊␉b␡');
  });

  it('`sanitize` shows C1 controls, bidi overrides, zero-width characters and lone surrogates as a mark', () => {
    expect(sanitize('a\u009b2Jb\u202ec\u200bd\ud800e\u2066f')).toBe('a�2Jb�c�d�e�f');
  });

  it('`sanitize` leaves printable text of any script as it is', () => {
    for (const text of ['plain', 'Größe', '流動性', 'ケーキ', 'e\u0301', '😀', 'שלום', '─│┌']) {
      expect(sanitize(text)).toBe(text);
    }
  });

  it('`sanitize` keeps the emoji and drops the selector whose width terminals disagree on', () => {
    expect(sanitize('❤\ufe0f')).toBe('❤');
  });

  it('`sanitize` does not let combining marks pile up or attach to preceding text', () => {
    expect(sanitize(`z${'\u0300'.repeat(50)}`)).toBe(`z${'\u0300'.repeat(4)}�`);
    expect(sanitize('\u0300x')).toBe('◌\u0300x');
  });

  it('`sanitize` never lets a control or invisible character through, whatever the input', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), text => {
        const clean = sanitize(text);
        expect(CONTROL.test(clean)).toBe(false);
        expect(INVISIBLE.test(clean)).toBe(false);
        expect(clean.isWellFormed()).toBe(true);
        expect(sanitize(clean)).toBe(clean);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('Safe lines', () => {
  it('A safe line ends only where the program ends it', () => {
    expect(safeLine('a\nb\u001b[2J')).toBe('a␊b␛[2J\n');
    expect(safeLines('one\n\u0007two\n')).toBe('one\n␇two\n');
  });

  it('A safe line loses the spaces at its end, and none at its beginning', () => {
    expect(trimEndSafe(sanitize('  a  '))).toBe('  a');
  });

  it('Safe texts are joined by the given separator, and by nothing else', () => {
    expect(joinSafe([sanitize('a'), sanitize('b')], sanitize(', '))).toBe('a, b');
    expect(joinSafe([sanitize('a'), EMPTY, sanitize('b')])).toBe('ab');
  });
});

describe('`oneLine`', () => {
  it('`oneLine` turns pasted line breaks into spaces and drops escape characters', () => {
    expect(normaliseTypedLine(' ab\r\ncd\u001b[2J')).toBe('ab cd[2J');
  });
});

describe('`safeJson`', () => {
  it('`safeJson` returns the same value, without a character that is hidden or moves the cursor', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: anyCharacter }), fc.constantFrom(undefined, 2), (value, indent) => {
        const json = JSON.stringify(value, null, indent);
        const shown = safeJson(json);
        expect(JSON.parse(shown)).toEqual(JSON.parse(json));
        expect(shown.replaceAll('\n', '')).not.toMatch(HIDDEN);
        expect(shown.split('\n').length).toBe(json.split('\n').length);
      }),
      { numRuns: 1000 },
    );
  });
});
