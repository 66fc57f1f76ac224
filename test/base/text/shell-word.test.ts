import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shellWord } from '../../../src/base/text/shell-word.ts';

describe('Shell word', () => {
  it('The shell word is the text itself if nothing in it is special', () => {
    expect(shellWord('https://node.example:3008/a%20b')).toBe('https://node.example:3008/a%20b');
  });

  it.each([
    ['', "''"],
    ["it's", "'it'\\''s'"],
    ['a b', "'a b'"],
    ['$(x)', "'$(x)'"],
    ['~', "'~'"],
  ])('The shell word of %j is %s', (text, word) => expect(shellWord(text)).toBe(word));

  it('The shell word is read by a shell as exactly the original text', () => {
    const texts = fc.sample(fc.string({ unit: 'grapheme' }), 200).filter(text => !text.includes('\0'));
    const script = `printf '%s\\0' ${texts.map(shellWord).join(' ')}`;
    expect(execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\0')).toEqual([...texts, '']);
  });
});
