import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shellWord } from '../../../src/base/text/shell-word.ts';

describe('a word for a shell', () => {
  it('is the text itself where nothing in it means anything', () => {
    expect(shellWord('https://node.example:3008/a%20b')).toBe('https://node.example:3008/a%20b');
  });

  it.each([
    ['', "''"],
    ["it's", "'it'\\''s'"],
    ['a b', "'a b'"],
    ['$(x)', "'$(x)'"],
    ['~', "'~'"],
  ])('of %j is %s', (text, word) => expect(shellWord(text)).toBe(word));

  it('is read by a shell as the one text it stands for', () => {
    const texts = fc.sample(fc.string({ unit: 'grapheme' }), 200).filter(text => !text.includes('\0'));
    const script = `printf '%s\\0' ${texts.map(shellWord).join(' ')}`;
    expect(execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\0')).toEqual([...texts, '']);
  });
});
