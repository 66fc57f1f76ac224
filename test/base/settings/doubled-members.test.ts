import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { doubledMembers, JsonMistake } from '../../../src/base/settings/doubled-members.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const mistakeIn = (text: string): JsonMistake | undefined => {
  try {
    doubledMembers(text);
    return undefined;
  } catch (error) {
    if (error instanceof JsonMistake) return error;
    throw error;
  }
};

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('Doubled members of a JSON text', () => {
  it('The doubled members are none in what JSON.stringify writes, whatever it holds', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(0, 1, '\t'), (value, indent) => {
        expect(doubledMembers(JSON.stringify(value, null, indent))).toEqual([]);
      }),
    );
  });

  it('The doubled members are looked for in whatever the parser takes, and in nothing else', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"b',
      '\\',
      '\n',
      ' ',
      '1',
      '-',
      '.5',
      'e3',
      'null',
      'tru',
      "'",
    ];
    const soup = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map(parts => parts.join(''));
    const damaged = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom(...pieces))
      .map(
        ([text, at, piece]) => `${text.slice(0, at % (text.length + 1))}${piece}${text.slice(at % (text.length + 1))}`,
      );
    fc.assert(
      fc.property(fc.oneof(soup, damaged, fc.json(), fc.string({ unit: anyCharacter })), text => {
        expect(mistakeIn(text) === undefined).toBe(isJson(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('The doubled members are those with a name that their object has twice', () => {
    const text = '{"a":{"b":1,\n"b":2},"c":3,"a":{"b":4}}';
    expect(doubledMembers(text)).toEqual([['a', 'b'], ['a'], ['a', 'b']]);
  });

  it.each([
    ['{"a":{"b":1,}}', 'a.b', 'expected a name in double quotes'],
    ['{"a":{"b":1 "c":2}}', 'a.b', 'expected a comma or }'],
    ['{"a":1 "b":2}', 'a', 'expected a comma or }'],
    ['{"a":[1,2 3]}', 'a.1', 'expected a comma or ]'],
    ['{"a":{"b" 1}}', 'a.b', 'expected a colon'],
    ["{'a':1}", '', 'expected a name in double quotes'],
    ['{"a":yes}', 'a', 'expected a value'],
    ['{"a":1}\n}', '', 'unexpected text after the end'],
    ['{"a":{"b":', 'a.b', 'unexpected end of the file'],
    ['{"a": "x', 'a', 'expected a value'],
    ['', '', 'unexpected end of the file'],
  ])('The doubled members of %j are not there: the mistake is at "%s"', (text, path, message) => {
    const mistake = mistakeIn(text);
    expect([mistake?.path.join('.'), mistake?.message]).toEqual([path, message]);
  });

  it('The doubled members of a deep or a long text take neither the stack nor the time', () => {
    expect(mistakeIn('['.repeat(100_000))?.message).toBe('it is nested too deeply');
    const startedMs = cpuMs();
    expect(mistakeIn(`"${'a'.repeat(1_000_000)}`)?.message).toBe('expected a value');
    expect(mistakeIn(`[${'1,\n'.repeat(300_000)}1]`)).toBeUndefined();
    expect(mistakeIn(`"${'\\n'.repeat(500_000)}"`)).toBeUndefined();
    expect(cpuMs() - startedMs).toBeLessThan(5000);
  });
});
