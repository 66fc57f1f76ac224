import { describe, expect, it } from 'vitest';
import {
  NetworkError,
  RateLimitedError,
  RefusedError,
  TimeoutError,
  UndecodableError,
} from '../../src/chain/api/errors.ts';
import { chooseTarget } from '../../src/cli/context.ts';
import { EXIT, exitCodeFor } from '../../src/cli/exit-code.ts';
import { COMMON_FLAGS, type Flag, readFlags } from '../../src/cli/flags.ts';
import { FORMATS, readFormat } from '../../src/cli/output.ts';
import {
  FILTER_FLAGS,
  PAGE_FLAGS,
  readPageRequest,
  requireListResource,
  withListFlagNames,
} from '../../src/cli/resource-flags.ts';
import { UsageError } from '../../src/cli/usage-error.ts';

const FLAGS: readonly Flag[] = [...PAGE_FLAGS, ...FILTER_FLAGS, ...COMMON_FLAGS];
const given = (...words: readonly string[]) => readFlags(words, FLAGS);
const page = (resource: string, ...words: readonly string[]) =>
  readPageRequest(given(...words), requireListResource(resource), 50);

describe('Flags', () => {
  it('Flags are read in any order, with = or a space, short or long', () => {
    const flags = given('--node=http://n', 'provisions', '-o', 'json', '--page-size', '7', 'key');
    expect(flags.words).toEqual(['provisions', 'key']);
    expect([flags.text('node'), flags.text('output'), flags.number('page-size')]).toEqual(['http://n', 'json', 7]);
  });

  it.each([
    [['--live'], ['true']],
    [['--live', 'true'], ['true']],
    [['--live', 'false'], ['false']],
    [['--live=false'], ['false']],
    [['--live', 'provisions'], ['true']],
    [[], []],
  ])('The arguments %j give `--live` the values %j', (words, values) =>
    expect(given(...words).texts('live')).toEqual(values),
  );

  it('Arguments after -- are all read as words', () => {
    expect(given('--', '--live', '-o').words).toEqual(['--live', '-o']);
  });

  it.each([
    [['--colour'], 'unknown option --colour. See --help.'],
    [['-x'], 'unknown option -x. See --help.'],
    [['--node'], '--node needs a value: --node URL'],
    [['-o'], '--output needs a value: --output FORMAT'],
    [['--demo=yes'], "'--demo' does not take an argument"],
    [['--node', 'a', '--node', 'b'], '--node was given twice. Give it once.'],
    [['--demo', '--demo'], '--demo was given twice. Give it once.'],
  ])('The arguments %j are a usage error: %s', (words, sentence) => {
    expect(() => given(...words)).toThrow(new UsageError(sentence));
  });

  it.each(['0', '5001', '-1', '1e3', '1.5', '', '9'.repeat(20)])(
    'A numeric flag requires a number in its range, not %j',
    text => {
      expect(() => given(`--page-size=${text}`).number('page-size')).toThrow(
        new UsageError(`--page-size must be a whole number from 1 to 5000, not "${text}"`),
      );
    },
  );

  it('A flag can be repeated only if its filter allows it', () => {
    expect(given('--party-ids', 'aa', '--party-ids', 'bb').texts('party-ids')).toEqual(['aa', 'bb']);
    expect(() => given('--market-id', 'aa', '--market-id', 'bb')).toThrow('--market-id was given twice. Give it once.');
  });
});

describe('Flag under another name', () => {
  const OWN: readonly Flag[] = [{ name: 'party', kind: 'text', value: 'ID', about: '' }];

  it.each([['--party-id', 'aa'], ['--party-ids=aa'], ['--party', 'aa']])(
    'A flag accepts the name that other commands use: %j',
    (...words) => {
      expect(readFlags(words, OWN).text('party')).toBe('aa');
    },
  );

  it.each([
    ['fees', '--party', { partyIds: ['aa'] }],
    ['fees', '--party-id', { partyIds: ['aa'] }],
    ['fees', '--market', { marketId: ['aa'] }],
    ['fees', '--asset', { assetId: ['aa'] }],
    ['provisions', '--party', { partyId: ['aa'] }],
    ['provisions', '--party-ids', { partyId: ['aa'] }],
  ])('The list %s is filtered by %s', (list, flag, filters) => {
    const resource = requireListResource(list);
    expect(readPageRequest(withListFlagNames(resource, given(flag, 'aa')), resource, 50).filters).toEqual(filters);
  });

  it('A flag is refused if nothing matches its name, and is a word after --', () => {
    const resource = requireListResource('parameters');
    expect(() => readPageRequest(withListFlagNames(resource, given('--party', 'aa')), resource, 50)).toThrow(
      'parameters does not accept --party-id',
    );
    expect(readFlags(['--', '--party-id'], OWN).words).toEqual(['--party-id']);
  });
});

describe('Page request from flags', () => {
  it('A page request has filters in the form that nodes understand', () => {
    expect(page('fees', '--market-id', 'AB', '--epoch-seq', '007', '--page-size', '9')).toEqual({
      filters: { marketId: ['ab'], epochSeq: ['7'] },
      size: 9,
      newestFirst: true,
      position: { kind: 'first' },
    });
    expect(page('provisions', '--after', 'c', '--oldest-first')).toMatchObject({
      newestFirst: false,
      position: { kind: 'after', cursor: 'c' },
    });
    expect(page('provisions', '--last', '3')).toMatchObject({ size: 3, position: { kind: 'last' } });
  });

  it.each([
    ['provisions', ['--market-id', 'xyz'], /^--market-id must be a market ID/],
    ['provisions', ['--epoch-seq', '4'], 'provisions does not accept --epoch-seq'],
    ['parameters', ['--live'], 'parameters does not accept --live'],
    ['parameters', ['--oldest-first'], /^--oldest-first: the node always sorts/],
    ['oracles', ['--last', '3'], /^--last: paged backwards/],
    ['oracles', ['--before', 'c'], /^--before: paged backwards/],
    ['provisions', ['--after', 'a', '--before', 'b'], '--after cannot be used with --before or --last'],
    ['provisions', ['--after', 'a', '--last', '3'], '--after cannot be used with --before or --last'],
    ['nothing', [], /^unknown resource "nothing". Resources: parameters, provisions/],
  ])('A page request for %s refuses %j', (resource, words, sentence) => {
    expect(() => page(resource, ...words)).toThrow(sentence);
    expect(() => page(resource, ...words)).toThrow(UsageError);
  });

  it('A page request needs a resource', () => {
    expect(() => requireListResource(undefined)).toThrow(/^missing argument <resource>: one of parameters/);
  });

  it('A page request needs an existing format', () => {
    expect(readFormat(given(), FORMATS)).toBe('table');
    expect(() => readFormat(given('-o', 'xml'), FORMATS)).toThrow(
      '--output must be one of table, json, ndjson, csv, not "xml"',
    );
  });
});

describe('Target node', () => {
  const profiles = { main: 'https://main.example' };
  const target = (words: readonly string[], env: NodeJS.ProcessEnv = {}, node?: string) =>
    chooseTarget(given(...words), {
      env,
      settings: async () => ({ profiles, ...(node !== undefined && { node }) }),
    });

  it.each([
    [['--node', 'http://a:1/x/'], {}, undefined, ['node', '', 'http://a:1/x']],
    [['--node', 'main'], {}, undefined, ['node', 'main', 'https://main.example/']],
    [[], { BLOCKGLASS_NODE: 'localhost' }, 'main', ['node', '', 'http://localhost/']],
    [[], { BLOCKGLASS_NODE: '' }, 'main', ['node', 'main', 'https://main.example/']],
    [['--demo'], { BLOCKGLASS_NODE: 'http://a' }, 'main', ['demo', 'demo', '']],
    [['--node', 'http://a'], { BLOCKGLASS_NODE: 'http://b' }, 'main', ['node', '', 'http://a/']],
    [[], {}, undefined, ['demo', 'demo', '']],
    [['--node', 'demo'], { BLOCKGLASS_NODE: 'http://a' }, 'main', ['demo', 'demo', '']],
    [[], { BLOCKGLASS_NODE: 'demo' }, 'main', ['demo', 'demo', '']],
    [[], {}, 'demo', ['demo', 'demo', '']],
    [['--node', 'http://demo'], {}, 'main', ['node', '', 'http://demo/']],
  ])('The target node from %j and %j is the right one', async (words, env, node, [kind, label, address]) => {
    expect(await target(words, env, node)).toMatchObject({ kind, label, address });
  });

  it('The target node is never replaced by another because of a mistake in the settings', async () => {
    const settings = async () => ({
      faults: [{ path: ['profiles', 'main', 'url'], problem: 'must be text' }],
      file: '/x/config.json',
    });
    await expect(chooseTarget(given('--node', 'main'), { env: {}, settings })).rejects.toThrow(
      new UsageError('/x/config.json: profiles.main.url: must be text; fix it, or use --node URL or --demo'),
    );
    expect(await chooseTarget(given(), { env: {}, settings })).toMatchObject({ kind: 'demo' });
    expect(await chooseTarget(given('--node', 'http://main'), { env: {}, settings })).toMatchObject({ kind: 'node' });
  });

  it('The target node cannot be given twice', async () => {
    await expect(target(['--demo', '--node', 'http://a'])).rejects.toThrow('--demo and --node cannot be used together');
  });

  it.each(['ftp://x.example', 'http://', '://'])('The target node must be an http address, not %s', async address => {
    await expect(target(['--node', address])).rejects.toThrow(UsageError);
  });
});

describe('Exit codes', () => {
  const at = { url: 'http://n/', hint: '' };
  it.each([
    [new UsageError('x'), EXIT.usage, 2],
    [new RefusedError(500, { message: '', details: [] }, at), EXIT.refused, 3],
    [new RateLimitedError('x', { url: '', retryAtMs: 0 }), EXIT.refused, 3],
    [new NetworkError('x', at), EXIT.unreachable, 4],
    [new TimeoutError('x', at), EXIT.unreachable, 4],
    [new UndecodableError('x', at), EXIT.untrusted, 5],
    [new Error('x'), EXIT.fault, 1],
    ['x', EXIT.fault, 1],
  ])('The exit code tells %s from other errors', (error, code, number) => {
    expect(exitCodeFor(error)).toBe(code);
    expect(code).toBe(number);
  });
});

describe('Untrusted profile name', () => {
  it.each(['toString', 'constructor', '__proto__', 'hasOwnProperty'])(
    'An inherited object member is not a profile: %s',
    async name => {
      for (const settings of [{ node: name }, { node: name, profiles: {} }])
        await expect(chooseTarget(given(), { env: {}, settings: async () => settings })).rejects.toThrow(
          `no profile "${name}"`,
        );
    },
  );

  it('A profile named like an inherited object member is found if it exists', async () => {
    const settings = { node: 'constructor', profiles: { constructor: 'http://n' } };
    const target = await chooseTarget(given(), { env: {}, settings: async () => settings });
    expect(target).toMatchObject({ label: 'constructor', address: 'http://n/' });
  });
});
