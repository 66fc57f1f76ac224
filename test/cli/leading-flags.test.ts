import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { COMMON_FLAGS } from '../../src/cli/flags.ts';
import { commandFirst, firstPlainIndex, LEADING_SWITCHES } from '../../src/cli/leading-flags.ts';
import { EXPLORER_FLAGS } from '../../src/cli/preference-flags.ts';
import { GUEST_FLAGS } from '../../src/guest.ts';

const names = Object.keys(COMMANDS);
const first = (line: string) => commandFirst(line.split(' '), names).join(' ');

describe('Flags before a command', () => {
  it.each([
    ['--node http://n list fees', 'list --node http://n fees'],
    ['--node=http://n list fees', 'list --node=http://n fees'],
    ['--demo show parameters 0', 'show --demo parameters 0'],
    ['-o json list fees --first 2', 'list -o json fees --first 2'],
    ['-ojson list fees', 'list -ojson fees'],
    ['--no-color --timeout 5 --log f export --table ledger', 'export --no-color --timeout 5 --log f --table ledger'],
  ])('The command line %s is read as %s', (typed, meant) => {
    expect(first(typed)).toBe(meant);
  });

  it.each([
    'list fees --node http://n',
    '--node list',
    '--node list fees',
    '--demo fees',
    '--demo',
    '--log list --demo parameters',
    '-- list',
    '--version',
    '--help list',
  ])('The command line %s is left unchanged', typed => {
    expect(first(typed)).toBe(typed);
  });

  it('A flag before the command takes a value unless it is a switch, as in the flag tables', () => {
    const flags = [...COMMON_FLAGS, ...EXPLORER_FLAGS, ...GUEST_FLAGS];
    const switches = flags.filter(({ name, kind }) => kind === 'switch' && name !== 'help');
    const spelled = switches.flatMap(({ name, short }) => [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]);
    expect(LEADING_SWITCHES.toSorted()).toEqual([...new Set(spelled)].toSorted());
  });

  it('A command line with leading flags loses no word, whatever is typed', () => {
    const word = fc.oneof(fc.constantFrom('list', '--node', '--demo', '-o', 'json', '--', '-', 'export'), fc.string());
    fc.assert(
      fc.property(fc.array(word), words => {
        expect([...commandFirst(words, names)].toSorted()).toEqual(words.toSorted());
        const plain = words[firstPlainIndex(words)];
        expect(plain === undefined || words.includes(plain)).toBe(true);
      }),
    );
  });
});
