import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import type { Flag } from '../../src/cli/flags.ts';
import { startNode } from '../../src/node/index.ts';
import { answer, serve } from '../chain/api/loopback-server.ts';
import { run } from './run-command.ts';

let node: Awaited<ReturnType<typeof startNode>>;
let home = '';
beforeAll(async () => {
  node = await startNode({ provisions: 200, rateLimit: { ratePerSecond: 1e6, burst: 1e6 } });
  home = await mkdtemp(join(tmpdir(), 'blockglass-ids-'));
});
afterAll(async () => {
  await node.close();
  await rm(home, { recursive: true, force: true });
});

const onNode = (...words: readonly string[]) => run([...words, '--node', node.url], { env: { HOME: home } });

/** Without what differs from one second to the next. */
const timeless = (text: string): string => text.replace(/"inSeconds": \d+/g, '');

/** Flags that take an id, each with the words of a command that has it. */
const ON_A_NODE: readonly (readonly [flag: string, entity: keyof typeof NAMES, words: readonly string[]])[] = [
  ['list --market-id', 'market', ['list', 'provisions', '-o', 'ndjson']],
  ['list --party-id', 'party', ['list', 'provisions', '-o', 'ndjson']],
  ['list --party-ids', 'party', ['list', 'fees', '-o', 'ndjson']],
  ['list --asset-id', 'asset', ['list', 'fees', '-o', 'ndjson']],
  ['list --node-id', 'node', ['list', 'bundles', '-o', 'ndjson']],
  ['list --submitter', 'submitter', ['list', 'bundles', '-o', 'ndjson']],
  ['show --market-id', 'market', ['show', 'provisions', '0', '-o', 'json']],
  ['show --party-id', 'party', ['show', 'provisions', '0', '-o', 'json']],
  ['show --party-ids', 'party', ['show', 'fees', '0', '-o', 'json']],
  ['show --asset-id', 'asset', ['show', 'fees', '0', '-o', 'json']],
  ['show --node-id', 'node', ['show', 'bundles', '0', '-o', 'json']],
  ['show --submitter', 'submitter', ['show', 'bundles', '0', '-o', 'json']],
  ['statement --party', 'party', ['statement', '-o', 'json', '--last', '2']],
  ['statement --market', 'market', ['statement', '-o', 'json', '--last', '2']],
  ['statement --asset', 'asset', ['statement', '-o', 'json', '--last', '2', '--market', 'BTC/USDT-PERP']],
];

/** Tested with exports: answer.full.test.ts, report.full.test.ts, audit.test.ts. */
const OF_EXPORTS = [
  'answer --party',
  'answer --asset',
  'answer --market',
  'report --party',
  'report --asset',
  'audit --party',
];

/** Ids of chains have no names, and the address of a signer is one that no node knows. */
const WITHOUT_NAMES = [
  ...['answer', 'audit', 'convert', 'fetch', 'query', 'report', 'view'].map(command => `${command} --chain`),
  ...['diff --chain', 'mine --chain', 'record --chain', 'serve --chain', 'verify --chain', 'serve --host'],
  ...['list --signer', 'show --signer'],
];

/** Things of the demo, by their names as a table shows them. */
const NAMES = {
  market: 'BTC/USDT-PERP',
  party: 'Ashgrove',
  asset: 'USDT',
  node: 'Hollow Oak',
  submitter: 'eiderdown',
} as const;

async function idOf(entity: keyof typeof NAMES): Promise<string> {
  const { out } = await onNode('what', NAMES[entity], '-o', 'json');
  const { roles } = JSON.parse(out);
  const wanted = entity === 'party' || entity === 'submitter' ? 'node' : entity;
  const id: string = roles.find((role: { readonly entity: string }) => role.entity === wanted).id;
  if (wanted === entity) return id;
  const record = JSON.parse((await onNode('show', 'validators', id, '-o', 'json')).out);
  return entity === 'party' ? record.pubKey : record.ethereumAddress;
}

/** The spellings of one id that people paste. What is short must be the only one that begins so. */
const spellings = (id: string): readonly string[] => {
  const digits = id.replace(/^0x/, '');
  return [`0x${digits}`, digits.toUpperCase(), `0X${digits.toUpperCase()}`, ` ${id} `];
};
const beginnings = (id: string): readonly string[] => {
  const digits = id.replace(/^0x/, '');
  return [digits.slice(0, 11), `0x${digits.slice(0, 12)}`, `${digits.slice(0, 6)}..${digits.slice(-6)}`];
};

describe('Spellings of ids', () => {
  it.each(ON_A_NODE)('The flag in `%s` accepts the id of a %s however it is spelt', async (flag, entity, words) => {
    const name = `--${flag.split('--')[1]}`;
    const id = await idOf(entity);
    const wanted = await onNode(...words, name, id);
    for (const spelt of [...spellings(id), ...beginnings(id)]) {
      const { code, out } = await onNode(...words, name, spelt);
      expect([spelt, code, timeless(out)]).toEqual([spelt, wanted.code, timeless(wanted.out)]);
    }
  });

  it.each([
    ['market', 'markets', []],
    ['validator', 'validators', []],
    ['party', 'provisions', ['--market-id', 'BTC/USDT-PERP']],
  ])('The key of `show` accepts the id of a %s however it is spelt', async (entity, list, filters) => {
    const words = [list, ...filters, '-o', 'json'];
    const [row] = JSON.parse((await onNode('list', ...words)).out);
    const id: string = entity === 'party' ? row.partyId : row.id;
    const wanted = await onNode('show', list, id, ...filters, '-o', 'json');
    expect(wanted.code).toBe(0);
    for (const spelt of [...spellings(id), ...beginnings(id)]) {
      const { code, out } = await onNode('show', list, spelt, ...filters, '-o', 'json');
      expect([spelt, code, timeless(out)]).toEqual([spelt, wanted.code, timeless(wanted.out)]);
    }
  });

  it('The argument of `what` accepts an id however it is spelt', async () => {
    const id = await idOf('market');
    for (const spelt of [...spellings(id), ...beginnings(id)]) {
      const { roles } = JSON.parse((await onNode('what', spelt, '-o', 'json')).out);
      expect([spelt, roles.map((role: { readonly id?: string }) => role.id)]).toEqual([
        spelt,
        expect.arrayContaining([id]),
      ]);
    }
  });

  it.each(['market', 'node'] as const)(
    'The argument of `mine add` accepts the id of a %s however it is spelt',
    async entity => {
      const id = await idOf(entity);
      for (const spelt of [...spellings(id), ...beginnings(id)]) {
        expect((await onNode('mine', 'add', spelt)).out).toContain(id);
        expect((await onNode('mine', 'remove', spelt)).out).toContain(id);
      }
    },
  );
});

describe('Ids and names in flags', () => {
  it('The rule for ids and names covers every flag that takes an id', async () => {
    const takesId = ({ value = '' }: Flag): boolean => /^(?:ID|ADDRESS\b.*)$/.test(value);
    const flags: string[] = [];
    for (const [name, load] of Object.entries(COMMANDS))
      flags.push(...(await load()).flags.filter(takesId).map(flag => `${name} --${flag.name}`));
    const known = [...ON_A_NODE.map(([flag]) => flag), ...OF_EXPORTS, ...WITHOUT_NAMES];
    expect(flags.toSorted()).toEqual(known.toSorted());
  });

  it.each(ON_A_NODE)(
    'The flag in `%s` accepts the name of a %s, and the error for a wrong name says what it is not',
    async (flag, entity, words) => {
      const name = `--${flag.split('--')[1]}`;
      const id = await idOf(entity);
      const [byId, byName] = [await onNode(...words, name, id), await onNode(...words, name, NAMES[entity])];
      expect([byId.code, byName.code]).toEqual([byId.code, byId.code]);
      expect(timeless(byName.out)).toBe(timeless(byId.out));
      expect(byName.out + byName.err).not.toContain('known here');
      const wrong = await onNode(...words, name, `${NAMES[entity]}?`);
      expect(wrong).toMatchObject({ code: 2, out: '', err: expect.stringContaining(`${name}: none of the `) });
      expect(wrong.err.toLowerCase()).toContain(`did you mean "${NAMES[entity]}"`.toLowerCase());
    },
  );

  it.each([
    ['show', 'markets', 'LINK/USDC-PERP 9379'],
    ['show', 'validators', 'eiderdown'],
    ['show', 'validators', 'Hollow Oak', '--meaning'],
    ['show', 'fees', 'VEGA'],
  ])('The command %s %s finds a record by a value shown in a table: %s', async (...words) => {
    expect(await onNode(...words)).toMatchObject({ code: 0, err: expect.stringContaining(' is the only ') });
  });

  it('A name of several things is refused with the id of each', async () => {
    const { code, err } = await onNode('list', 'provisions', '--market-id', 'LINK/USDC-PERP');
    expect(code).toBe(2);
    expect(err).toMatch(
      /--market-id: 2 markets are called "LINK\/USDC-PERP". Give the id of one:\n( {2}[0-9a-f]{64} LINK\S+ [0-9a-f]{4}\n){2}$/,
    );
    const bundles = await onNode('show', 'bundles', 'Gannet');
    expect(bundles.code).toBe(2);
    expect(bundles.err).toMatch(/hold "Gannet". Choose one:\n {2}0x.*\(Gannet, Eiderdown\)\n/);
    const one = await onNode('show', 'bundles', 'Gannet', '--submitter', 'Eiderdown');
    expect(one).toMatchObject({ code: 0, out: expect.stringContaining('Gannet') });
  });

  it('A name lookup exits with the error of a node that gives no names', async () => {
    const { url } = await serve((_, response) => answer(response, 403, '{}'));
    expect((await run(['list', 'provisions', '--market-id', 'BTC', '--node', url])).code).toBe(3);
    expect((await run(['list', 'provisions', '--market-id', 'BTC', '--node', 'http://127.0.0.1:9'])).code).toBe(4);
  });
});
