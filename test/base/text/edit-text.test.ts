import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EditedText, editText, insertText, type TextEdit } from '../../../src/base/text/edit-text.ts';

const LONGEST = 40;

const EDITS: readonly TextEdit[] = [
  'left',
  'right',
  'to-start',
  'to-end',
  'remove-before',
  'remove-after',
  'remove-word',
  'remove-to-start',
  'remove-to-end',
];

/** The text with `|` where the cursor stands. */
const shown = ({ text, at }: EditedText): string => `${text.slice(0, at)}|${text.slice(at)}`;

const field = (drawn: string): EditedText => ({ text: drawn.replace('|', ''), at: drawn.indexOf('|') });

const FAMILY = '👩‍👩‍👧';
const FLAG = '🇫🇷';

describe('Edit key in a text field', () => {
  it.each<readonly [string, TextEdit, string]>([
    ['ab|c', 'left', 'a|bc'],
    ['|abc', 'left', '|abc'],
    ['a|bc', 'right', 'ab|c'],
    ['abc|', 'right', 'abc|'],
    ['ab|c', 'to-start', '|abc'],
    ['ab|c', 'to-end', 'abc|'],
    ['ab|c', 'remove-before', 'a|c'],
    ['|abc', 'remove-before', '|abc'],
    ['a|bc', 'remove-after', 'a|c'],
    ['abc|', 'remove-after', 'abc|'],
    ['ab|c', 'remove-to-start', '|c'],
    ['ab|c', 'remove-to-end', 'ab|'],
    ['', 'remove-word', '|'],
  ])('The text field edits %s, %s: %s', (before, edit, after) => {
    expect(shown(editText(before === '' ? { text: '', at: 0 } : field(before), edit))).toBe(after);
  });

  it.each([
    ['one two|', 'one |'],
    ['one two   |', 'one |'],
    ['one t|wo', 'one |wo'],
    ['one   |two', '|two'],
    ['market=ab reference|', 'market=ab |'],
    ['./out/folder|', '|'],
    ['one\u3000two|', 'one\u3000|'],
  ])('The text field removes the word before the cursor, and the spaces after it: %s', (before, after) => {
    expect(shown(editText(field(before), 'remove-word'))).toBe(after);
  });

  it.each([
    ['a family', FAMILY],
    ['a flag', FLAG],
    ['a letter with two marks', 'e\u0301\u0323'],
    ['a wide character', '流'],
    ['a tone of skin', '👍🏽'],
    ['a letter of Hebrew with a point', 'שׁ'],
  ])('The text field treats %s as one character', (_, character) => {
    const text = `a${character}b`;
    const behind = 1 + character.length;
    expect(editText({ text, at: behind }, 'left').at).toBe(1);
    expect(editText({ text, at: 1 }, 'right').at).toBe(behind);
    expect(editText({ text, at: behind }, 'remove-before')).toEqual({ text: 'ab', at: 1 });
    expect(editText({ text, at: 1 }, 'remove-after')).toEqual({ text: 'ab', at: 1 });
  });

  it('The text field leaves no space at the beginning', () => {
    expect(shown(editText(field('ab| cd'), 'remove-word'))).toBe('|cd');
  });
});

describe('Typed or pasted text in a text field', () => {
  it('The text field inserts text at the cursor', () => {
    expect(shown(insertText(field('a|d'), 'bc', LONGEST))).toBe('abc|d');
    expect(shown(insertText(field('a|'), ' ', LONGEST))).toBe('a |');
  });

  it('The text field makes text one line, without invisible characters', () => {
    expect(shown(insertText(field('a|d'), 'b\r\n\tc\u0000\u200b\u001b', LONGEST))).toBe('ab c|d');
  });

  it('The text field moves the cursor behind the character that the text has become part of', () => {
    expect(shown(insertText(field('e|f'), '\u0301', LONGEST))).toBe('e\u0301|f');
    expect(shown(insertText(field('a|🇷'), '🇫', LONGEST))).toBe('a🇫🇷|');
  });

  it('The text field cuts text between two characters when it is full, and never removes anything', () => {
    expect(shown(insertText(field('a|z'), 'b'.repeat(60), LONGEST))).toBe(`a${'b'.repeat(38)}|z`);
    expect(shown(insertText(field('a|z'), `${'b'.repeat(37)}🇫🇷c`, LONGEST))).toBe(`a${'b'.repeat(37)}|z`);
    const full = { text: 'x'.repeat(50), at: 20 };
    expect(insertText(full, 'y', LONGEST)).toEqual(full);
  });
});

/** The same by an array of characters: slow, and plain to see. */
class NaiveField {
  characters: readonly string[] = [];
  at = 0;

  get text(): string {
    return this.characters.join('');
  }

  edit(edit: TextEdit): void {
    const { characters, at } = this;
    if (edit === 'left') this.at = Math.max(0, at - 1);
    if (edit === 'right') this.at = Math.min(characters.length, at + 1);
    if (edit === 'to-start') this.at = 0;
    if (edit === 'to-end') this.at = characters.length;
    if (edit === 'remove-before') this.#keep(characters.slice(0, Math.max(0, at - 1)), characters.slice(at));
    if (edit === 'remove-after') this.#keep(characters.slice(0, at), characters.slice(at + 1));
    if (edit === 'remove-to-start') this.#keep([], characters.slice(at));
    if (edit === 'remove-to-end') this.#keep(characters.slice(0, at), []);
    if (edit === 'remove-word') {
      let from = at;
      while (from > 0 && characters[from - 1]?.trim() === '') from--;
      while (from > 0 && characters[from - 1]?.trim() !== '') from--;
      this.#keep(characters.slice(0, from), characters.slice(at));
    }
  }

  insert(text: string): void {
    this.#keep([...this.characters.slice(0, this.at), text], this.characters.slice(this.at));
  }

  #keep(before: readonly string[], behind: readonly string[]): void {
    const whole = [...before, ...behind].join('');
    const spaces = whole.length - whole.trimStart().length;
    const place = Math.max(0, before.join('').length - spaces);
    this.characters = [...new Intl.Segmenter('en').segment(whole.trimStart())].map(({ segment }) => segment);
    let length = 0;
    this.at = 0;
    for (const character of this.characters) {
      if (length >= place) break;
      length += character.length;
      this.at++;
    }
  }
}

const pieces = fc.constantFrom(
  ...[
    'a',
    'b',
    ' ',
    '  ',
    'word',
    '流',
    'e\u0301',
    '\u0301',
    '🇫',
    '🇷',
    '👍',
    '🏽',
    'ש',
    '\u05c1',
    '각',
    '\u1100',
    '\u1161',
  ],
);
const inputs = fc.array(fc.oneof(fc.constantFrom(...EDITS), fc.record({ insert: pieces })), { maxLength: 60 });

describe('Any keys in a text field', () => {
  it('The text field treats any keys as a list of characters would', () => {
    fc.assert(
      fc.property(inputs, typed => {
        const naive = new NaiveField();
        let edited: EditedText = { text: '', at: 0 };
        for (const input of typed) {
          if (typeof input === 'string') naive.edit(input);
          else naive.insert(input.insert);
          edited = typeof input === 'string' ? editText(edited, input) : insertText(edited, input.insert, 4096);
          expect(edited.text).toBe(naive.text);
          expect(edited.at).toBe(naive.characters.slice(0, naive.at).join('').length);
        }
      }),
      { numRuns: 300 },
    );
  });
});
