import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  EMPTY,
  joinSafe,
  oneLine,
  safeJson,
  safeLine,
  safeLines,
  sanitize,
  trimEndSafe,
} from '../../../src/base/text/safe-text.ts';
import { anyCharacter, HIDDEN } from '../../support/any-character.ts';

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/u;
const INVISIBLE = /[\u061c\u200b-\u200f\u202a-\u202e\u2028\u2029\u2060-\u206f\ufeff\u00ad]/u;

describe('sanitize', () => {
  it('shows each control character as its picture', () => {
    expect(sanitize('a\u001b[31mred\u0007\r\n\tb\u007f')).toBe('a␛[31mred␇␍␊␉b␡');
  });

  it('shows C1 controls, bidi overrides, zero-width characters and lone surrogates as a mark', () => {
    expect(sanitize('a\u009b2Jb\u202ec\u200bd\ud800e\u2066f')).toBe('a�2Jb�c�d�e�f');
  });

  it('leaves printable text of any script as it is', () => {
    for (const text of ['plain', 'Größe', '流動性', 'ケーキ', 'e\u0301', '😀', 'שלום', '─│┌']) {
      expect(sanitize(text)).toBe(text);
    }
  });

  it('keeps the emoji and drops the selector whose width terminals disagree on', () => {
    expect(sanitize('❤\ufe0f')).toBe('❤');
  });

  it('does not let combining marks pile up or attach to what stands before the text', () => {
    expect(sanitize(`z${'\u0300'.repeat(50)}`)).toBe(`z${'\u0300'.repeat(4)}�`);
    expect(sanitize('\u0300x')).toBe('◌\u0300x');
  });

  it('never lets a control or invisible character through, whatever comes', () => {
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

describe('lines', () => {
  it('end where the program ends them, and nowhere else', () => {
    expect(safeLine('a\nb\u001b[2J')).toBe('a␊b␛[2J\n');
    expect(safeLines('one\n\u0007two\n')).toBe('one\n␇two\n');
  });

  it('lose the spaces at their end, and none at their beginning', () => {
    expect(trimEndSafe(sanitize('  a  '))).toBe('  a');
  });

  it('are joined by what is named, and by nothing else', () => {
    expect(joinSafe([sanitize('a'), sanitize('b')], sanitize(', '))).toBe('a, b');
    expect(joinSafe([sanitize('a'), EMPTY, sanitize('b')])).toBe('ab');
  });
});

describe('oneLine', () => {
  it('turns pasted line ends into spaces and drops escape characters', () => {
    expect(oneLine(' ab\r\ncd\u001b[2J')).toBe('ab cd[2J');
  });
});

describe('safeJson', () => {
  it('is the same value, without a character that is hidden or moves the cursor', () => {
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
