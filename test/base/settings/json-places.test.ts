import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonMistake, jsonPlaces } from '../../../src/base/settings/json-places.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const mistakeIn = (text: string): JsonMistake | undefined => {
  try {
    jsonPlaces(text);
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

/** Each path of a value with the line it has where every member has one to itself. */
function* linesOf(
  value: unknown,
  path: readonly (string | number)[],
  line: { now: number },
): Generator<[string, number]> {
  yield [JSON.stringify(path), line.now];
  if (typeof value !== 'object' || value === null) return;
  const members = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  for (const [name, member] of members) {
    line.now += 1;
    yield* linesOf(member, [...path, name], line);
  }
  if (members.length > 0) line.now += 1;
}

describe('the places in a JSON text', () => {
  it('are on the lines where its members begin, whatever it holds', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(1, 2, '\t'), (value, indent) => {
        const read: unknown = JSON.parse(JSON.stringify(value));
        const places = jsonPlaces(JSON.stringify(value, null, indent));
        for (const [path, line] of linesOf(read, [], { now: 1 }))
          expect(places.lineOf(JSON.parse(path)), path).toBe(line);
        expect(places.twice).toEqual([]);
      }),
    );
  });

  it('are found in whatever the parser takes, and in nothing else', () => {
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

  it('report a name that an object has twice', () => {
    const text = '{"a":{"b":1,\n"b":2},"c":3,"a":{"b":4}}';
    const places = jsonPlaces(text);
    expect(places.twice).toEqual([['a', 'b'], ['a'], ['a', 'b']]);
    expect(places.lineOf(['a'])).toBe(2);
    expect(places.lineOf(['d'])).toBeUndefined();
  });

  it.each([
    ['{"a":\n{"b":1,\n}}', 3, 'a', 'expected a name in double quotes'],
    ['{"a":{\n"b":1\n"c":2}}', 3, 'a', 'expected a comma or }'],
    ['{"a":\n[1,\n2 3]}', 3, 'a', 'expected a comma or ]'],
    ['{"a":{"b"\n1}}', 2, 'a.b', 'expected a colon'],
    ["{\n\n'a':1}", 3, '', 'expected a name in double quotes'],
    ['{"a":\nyes}', 2, 'a', 'expected a value'],
    ['{"a":1}\n\n}', 3, '', 'unexpected text after the end'],
    ['{"a":\n{"b":', 2, 'a.b', 'unexpected end of the file'],
    ['{"a": "x', 1, 'a', 'expected a value'],
    ['', 1, '', 'unexpected end of the file'],
  ])('of %j are not there: the mistake is on line %d, in %s', (text, line, path, message) => {
    const mistake = mistakeIn(text);
    expect([mistake?.line, mistake?.path.join('.'), mistake?.message]).toEqual([line, path, message]);
  });

  it('of a deep or a long text take neither the stack nor the time', () => {
    expect(mistakeIn('['.repeat(100_000))?.message).toBe('it is nested too deeply');
    const startedMs = cpuMs();
    expect(mistakeIn(`"${'a'.repeat(1_000_000)}`)?.message).toBe('expected a value');
    expect(mistakeIn(`[${'1,\n'.repeat(300_000)}1]`)).toBeUndefined();
    expect(mistakeIn(`"${'\\n'.repeat(500_000)}"`)).toBeUndefined();
    expect(cpuMs() - startedMs).toBeLessThan(5000);
  });
});
