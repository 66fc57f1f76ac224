import { describe, expect, it } from 'vitest';
import { flagName } from '../../src/chain/resources/filter.ts';
import { RESOURCES } from '../../src/chain/resources/registry.ts';
import type { Command } from '../../src/cli/command.ts';
import { COMMANDS, helpFor } from '../../src/cli/commands.ts';
import { SHARED_FLAGS } from '../../src/cli/flags.ts';
import { FORMATS } from '../../src/cli/output.ts';
import { withNode } from '../node/wire.ts';
import { run } from './run-command.ts';

const node = withNode();

const commands: readonly (readonly [string, Command])[] = await Promise.all(
  Object.entries(COMMANDS).map(async ([name, load]) => [name, await load()] as const),
);

const VALUES: { readonly [flag: string]: string } = {
  node: 'http://127.0.0.1:1',
  at: '1',
  timeout: '5',
  log: '/dev/null',
  output: 'json',
};
const wordsFor = (flag: string): readonly string[] => [`--${flag}`, ...(flag in VALUES ? [VALUES[flag] ?? ''] : [])];

/** Without the flags that a command has of its own by the same name. */
const cases = commands.flatMap(([name, command]) =>
  SHARED_FLAGS.filter(flag => !command.flags.some(own => own.name === flag.name)).map(
    flag => [name, flag.name, command] as const,
  ),
);

describe('Common flags', () => {
  it.each(cases.filter(([, flag, { uses }]) => !uses.includes(flag)))(
    'A common flag that %s does not use is refused: --%s',
    async (name, flag) => {
      const { code, out, err } = await run([name, ...wordsFor(flag)]);
      // Monitoring knows 2 as critical.
      expect([code, out]).toEqual([name === 'check' ? 3 : 2, '']);
      expect(err).toMatch(new RegExp(`^blockglass: ${name} does not accept (-o, )?--${flag}: `));
    },
  );

  it.each(cases)(
    'The help of %s lists a common flag when it is used and only then: --%s',
    async (name, flag, command) => {
      expect(`${await helpFor(name, command)}`.split(/[\s,]+/).includes(`--${flag}`)).toBe(command.uses.includes(flag));
    },
  );

  it.each(cases.filter(([, flag, { uses }]) => uses.includes(flag)))(
    'A common flag that %s uses is accepted: --%s',
    async (name, flag) => {
      const { err } = await run([name, ...wordsFor(flag)], { env: { BLOCKGLASS_NODE: 'http://127.0.0.1:1' } });
      expect(err).not.toMatch(/does not accept|unknown option/);
    },
  );

  it('The --node flag takes one node, except in a command that asks several', async () => {
    for (const [name, { asksSeveral }] of commands.filter(([, { uses }]) => uses.includes('node'))) {
      const { err } = await run([name, '--node', 'http://127.0.0.1:1', '--node', 'http://127.0.0.1:2']);
      expect([name, err.includes('--node was given twice. Give it once.')]).toEqual([name, asksSeveral !== true]);
    }
  });

  it('A format flag of `export` is refused with a hint where the file goes instead', async () => {
    for (const words of [['-o', 'csv'], ['--output=csv'], ['-ocsv']])
      expect(await run(['export', '--table', 'ledger', '--from', '1', '--to', '1000', ...words])).toMatchObject({
        code: 2,
        err: 'blockglass: export does not accept -o, --output: it writes ZIP files. Choose where with --out PATH.\n',
      });
  });
});

const limited = commands.flatMap(([name, { flags, uses }]) =>
  [...flags, ...SHARED_FLAGS.filter(flag => uses.includes(flag.name) && !flags.some(own => own.name === flag.name))]
    .filter(({ kind }) => kind === 'number' || kind === 'duration')
    .map(flag => [name, flag.name] as const),
);

describe('Limits of values', () => {
  it.each(limited)('A wrong value is refused by %s before anything else is missing: --%s', async (name, flag) => {
    for (const value of ['3x', '', '-1', '99999999999999999999']) {
      const { code, out, err } = await run([name, `--${flag}=${value}`]);
      expect([code, out]).toEqual([name === 'check' ? 3 : 2, '']);
      expect(err).toMatch(new RegExp(`^blockglass: --${flag} must be a .*, not "${value}"`));
    }
  });

  it.each([
    [['check', '--demo', '--severity', 'node-behind=loud'], '--severity must be RULE=SEVERITY'],
    [['check', '--demo', '--severity', 'nobody=info'], 'unknown rule "nobody"'],
    [['check', '--at', '1', '--least-income', 'USDC'], '--least-income must be ASSET=AMOUNT'],
    [['export', '--ids', 'text'], '--ids must be bytes or hex'],
    [['mine', 'list', '--kind', 'friend'], '--kind must be one of'],
    [['export', '--last', 'last-month'], 'did you mean --range "last-month"?'],
  ])('A wrong word is refused even where another flag is missing: %j', async (words, message) => {
    const { code, err } = await run(words);
    expect(code).toBe(words[0] === 'check' ? 3 : 2);
    expect(err).toContain(message);
  });

  it('Help is printed whatever the values are', async () => {
    expect(await run(['check', '--hold', '3x', '--help'])).toMatchObject({ code: 0, err: '' });
  });
});

it.each(commands.map(([name, { form }]) => [name, form] as const).filter(([, form]) => !form.endsWith('...')))(
  '%s accepts no more arguments than its usage %j',
  async (name, form) => {
    const words = (form.match(/<[^>]*>|\S+/g) ?? []).length + 1;
    const given = Array.from({ length: words }, (_, index) => `word-${index}`);
    const { code, err } = await run([name, ...given]);
    expect(code).toBe(2);
    expect(err).toBe(`blockglass: unexpected argument "word-${words - 1}". See blockglass ${name} --help.\n`);
  },
);

describe('Output formats of commands', () => {
  const printing = commands.filter(([, { uses }]) => uses.includes('output'));

  it.each(printing)('%s accepts the formats that its help lists', async (name, command) => {
    const help = `${await helpFor(name, command)}`.replace(/\s+/g, ' ');
    const listed = /--output FORMAT ([a-z, ]+?) (?:--|-h|append)/.exec(help)?.[1]?.split(/, | or /);
    expect(listed).toEqual(command.formats ?? [...FORMATS]);
    for (const format of FORMATS.filter(one => !listed?.includes(one))) {
      const { code, err } = await run([name, '-o', format]);
      expect([code, err]).toEqual([2, expect.stringContaining(`does not print ${format}`)]);
    }
  });
});

describe.each(['list', 'show'])('Help of %s for a list', name => {
  const LISTS = RESOURCES.map(({ id }) => id);
  const helpOf = async (...words: readonly string[]) =>
    (await run([name, ...words, '--help'], { tabs: LISTS })).out.replace(/\s+/g, ' ');
  const cases = RESOURCES.flatMap(resource => resource.filters.map(filter => [resource.id, filter] as const));

  it.each(cases)(
    'The help for %s says what each filter does there, and does not mention other lists: $name',
    async (list, filter) => {
      const help = await helpOf(list);
      const value = filter.kind === 'boolean' ? '[=true|false]' : ` ${filter.kind.toUpperCase()}`;
      const own = `--${flagName(filter)}${value} ${filter.meaning}`.replace(/\s+/g, ' ');
      expect(help).toContain(own);
      const owned = new Set(RESOURCES.find(({ id }) => id === list)?.filters.map(flagName));
      const others = cases.map(([, other]) => flagName(other)).filter(flag => !owned.has(flag));
      for (const flag of others) expect(help).not.toContain(`--${flag} `);
    },
  );

  it.each(LISTS)('The help for %s has two examples of that list, which work', async list => {
    const { out } = await run([name, list, '--help'], { tabs: LISTS });
    const examples = [...out.matchAll(/^ {2}blockglass (.+)$/gm)].map(([, line = '']) => line.split(' '));
    expect(examples.map(words => words.slice(0, 2))).toEqual([
      [name, list],
      [name, list],
    ]);
    for (const words of examples) expect(await run([...words, '--node', node.url])).toMatchObject({ code: 0 });
  });

  it('The help without a list says what a filter does for each list', async () => {
    const help = await helpOf();
    for (const [list, { meaning }] of cases) expect(help).toContain(`${list}: ${meaning}`);
  });
});
