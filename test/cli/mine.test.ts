import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningNode, startNode } from '../../src/node/index.ts';
import { listening } from '../support/loopback.ts';
import { deedsOf } from '../support/terminal-judge.ts';
import { hostileStrings } from '../torture/hostile-strings.ts';
import { run } from './run-command.ts';

let node: RunningNode;
let address = '';
const records: { [list: string]: readonly Record<string, unknown>[] } = {};
beforeAll(async () => {
  node = await startNode({ rateLimit: { ratePerSecond: 1e6, burst: 1e6 } });
  const read = async (list: string, ...words: readonly string[]) => {
    records[list] = JSON.parse((await run(['list', list, ...words, '-o', 'json', '--node', node.url])).out);
  };
  for (const list of ['markets', 'validators', 'oracles', 'bundles']) await read(list);
  await read('provisions', '--market-id', first('markets'));
  address = String(records.bundles?.[0]?.submitter);
});
afterAll(() => node.close());

let home = '';
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'blockglass-mine-'));
});
const closers: (() => unknown)[] = [];
afterEach(async () => {
  await rm(home, { recursive: true, force: true });
  for (const close of closers.splice(0)) await close();
});

const file = (): string => join(home, 'blockglass', 'mine.json');
const env = () => ({ XDG_CONFIG_HOME: home });
const settings = async () => ({ aliases: { [PARTY]: 'cold wallet', [OTHER]: 'twin', [THIRD]: 'Twin', abcd: 'short' } });
const mine = (...words: readonly string[]) => run(['mine', ...words], { env: env(), settings });
/** With the embedded node. */
const here = (...words: readonly string[]) => mine(...words, '--node', node.url);
/** Without a node. */
const on = (...words: readonly string[]) => mine(...words, '--chain', 'c');
const written = async (): Promise<unknown> => JSON.parse(await readFile(file(), 'utf8'));

const [PARTY, OTHER, THIRD] = ['01'.repeat(32), '02'.repeat(32), '03'.repeat(32)];
const ADDRESS = `0x${'ab'.repeat(20)}`;
const first = (list: string): string => String(records[list]?.[0]?.id);
const party = (): string => String(records.provisions?.[0]?.partyId);

describe('mine add', () => {
  it('`mine add` detects the kind of an id from the lists of the node', async () => {
    const ids = [party(), first('validators'), first('markets'), address];
    const { code, out, err } = await here('add', ...ids);
    expect([code, err]).toEqual([0, '']);
    expect(out).toBe(
      ['party', 'validator', 'market', 'submitter']
        .map((kind, index) => `added ${kind} ${ids[index]} to mine on demo-chain-1\n`)
        .join(''),
    );
    expect(await written()).toEqual({
      'demo-chain-1': {
        ...{ parties: [ids[0]], submitters: [address], validators: [ids[1]], markets: [ids[2]] },
      },
    });
  });

  it('`mine add` contacts no node for an unambiguous id: an address, an alias, or a kind with a chain', async () => {
    for (const words of [[ADDRESS], [PARTY, '--kind', 'party'], ['@Cold Wallet', '--kind', 'party']])
      expect((await on('add', ...words)).code).toBe(0);
    expect(await written()).toEqual({ c: { parties: [PARTY], submitters: [ADDRESS] } });
  });

  it('`mine add` changes nothing the second time, with a message', async () => {
    await on('add', ADDRESS);
    const before = await readFile(file(), 'utf8');
    expect(await on('add', ADDRESS.toUpperCase().replace('0X', '0x'))).toEqual({
      code: 0,
      out: `submitter ${ADDRESS} is in mine on c already\n`,
      err: '',
    });
    expect(await readFile(file(), 'utf8')).toBe(before);
  });

  it('`mine add` accepts the name of a market or a validator', async () => {
    const name = String(records.validators?.[0]?.name);
    expect((await here('add', name.toLowerCase())).out).toContain(`added validator ${first('validators')}`);
    expect((await here('add', name, '--kind', 'market')).err).toContain(`no alias, market or validator is called`);
  });

  it.each([
    ['an id that no list has', () => [PARTY], 'no party, validator or market of this node has this id'],
    ['the id of something else', () => [specId()], 'this id is an oracle spec'],
    ['a part of an id', () => ['c4ce365e0c15309e49eb'], '"c4ce365e0c15309e49eb" is not an id (64 hex digits)'],
    ['a number', () => ['42'], '"42" is not an id (64 hex digits)'],
    ['a name that nothing has', () => ['nobody'], 'no alias, market or validator is called "nobody"'],
    ['an alias of two ids', () => ['twin'], '2 ids have the alias "twin". Give the id.'],
    ['an alias of no id', () => ['short'], 'alias "short" points to "abcd", which is neither an id nor an address'],
    ['a mistyped address', () => [`0xAb${'ab'.repeat(19)}`], 'does not match. Check the address'],
    ['an address as a party', () => [ADDRESS, '--kind', 'party'], 'a party has 64 hex digits'],
    ['an id as a submitter', () => [PARTY, '--kind', 'submitter'], 'a submitter is an Ethereum address'],
    ['a kind that is none', () => [PARTY, '--kind', 'valdator'], 'did you mean "validator"?'],
    ['nothing', () => [], 'missing argument <id>. Usage: blockglass mine add <id>...'],
    ['an empty id', () => [''], 'an id is empty'],
    ['a format', () => [PARTY, '-o', 'json'], 'mine add does not accept -o, --output. Only mine list does.'],
  ])('`mine add` refuses %s and writes nothing', async (_, words, message) => {
    const { code, out, err } = await here('add', ...words());
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
    await expect(readFile(file())).rejects.toThrow('ENOENT');
  });

  const specId = (): string => {
    const [spec] = JSON.parse(JSON.stringify(records.oracles));
    return String(spec.externalDataSourceSpec.spec.id);
  };

  it('`mine add` writes all of several ids or none', async () => {
    expect((await here('add', ADDRESS, 'nobody!')).code).toBe(2);
    await expect(readFile(file())).rejects.toThrow('ENOENT');
  });

  it.each([
    ['no chain', '{"statistics":{}}', 'the node does not report a chain id. Set it with --chain ID.'],
    ['a chain with a name as long as a book', JSON.stringify({ statistics: { chainId: 'x'.repeat(1e6) } }), 'too long'],
  ])('`mine add` refuses a node that reports %s', async (_, body, message) => {
    const server = await listening(createServer((_request, response) => void response.end(body)));
    closers.push(() => server[Symbol.asyncDispose]());
    const { code, err } = await mine('add', ADDRESS, '--node', server.url);
    expect([code, err.slice(0, 3000)]).toEqual([2, expect.stringContaining(message)]);
  });

  it('`mine add` with a name reports which lists the node did not give', async () => {
    const statistics = JSON.stringify({ statistics: { chainId: 'c' } });
    const markets = JSON.stringify({ markets: { edges: [{ node: { id: OTHER }, cursor: 'c' }], pageInfo: {} } });
    const server = await listening(
      createServer((request, response) => {
        const body = request.url?.includes('/markets')
          ? markets
          : request.url?.includes('statistics')
            ? statistics
            : '';
        response.writeHead(body === '' ? 404 : 200).end(body);
      }),
    );
    closers.push(() => server[Symbol.asyncDispose]());
    expect((await mine('add', 'Ashgrove', '--node', server.url)).err).toContain(
      'no alias or market is called "Ashgrove", and this node gave no names of validators. Give the id.',
    );
  });

  it('`mine add` exits with 4 if the node cannot be reached', async () => {
    expect((await mine('add', ADDRESS, '--node', 'http://127.0.0.1:9')).code).toBe(4);
  });

  it('`mine add` leaves a damaged file unchanged and reports the damage', async () => {
    await mkdir(join(home, 'blockglass'));
    await writeFile(file(), '{"c":');
    const { code, err } = await on('add', ADDRESS);
    expect(code).toBe(2);
    expect(err).toBe(
      `blockglass: mine cannot be written: ${file()}: it is not valid JSON: unexpected end of the file, at c; nothing is changed until it is fixed\n`,
    );
    expect(await readFile(file(), 'utf8')).toBe('{"c":');
    const list = await mine('list');
    expect([list.code, list.err]).toEqual([0, expect.stringContaining('it is not valid JSON')]);
  });

  it('`mine add` needs a home folder', async () => {
    const { code, err } = await run(['mine', 'add', ADDRESS, '--chain', 'c'], { env: { HOME: 'relative' } });
    expect([code, err]).toEqual([2, 'blockglass: no home folder for the settings. Set HOME.\n']);
  });
});

describe('mine remove', () => {
  it('`mine remove` removes an id of any kind, once', async () => {
    await on('add', PARTY, '--kind', 'party');
    await on('add', PARTY, '--kind', 'market');
    expect((await on('remove', PARTY, '--kind', 'market')).out).toBe(`removed market ${PARTY} from mine on c\n`);
    expect((await on('remove', 'cold wallet')).out).toBe(`removed party ${PARTY} from mine on c\n`);
    expect(await on('remove', PARTY)).toEqual({ code: 0, out: `${PARTY} is not in mine on c\n`, err: '' });
    expect(await written()).toEqual({});
  });
});

describe('mine list', () => {
  it('`mine list` lists all chains, or the given one, and contacts no node', async () => {
    await on('add', PARTY, '--kind', 'party');
    await here('add', first('validators'));
    const { out, err } = await mine('list');
    expect(err).toBe('');
    expect(out).toMatch(
      /^CHAIN {9}KIND {7}ID {64}NAME\nc {13}party {6}(01){32} {2}@cold wallet\ndemo-chain-1 {2}valid/,
    );
    expect(JSON.parse((await on('list', '-o', 'json')).out)).toEqual([
      { chain: 'c', kind: 'party', id: PARTY, name: '@cold wallet' },
    ]);
    expect(JSON.parse((await here('list', '-o', 'ndjson')).out)).toEqual({
      ...{ chain: 'demo-chain-1', kind: 'validator', id: first('validators') },
      name: records.validators?.[0]?.name,
    });
    expect((await on('list', '-o', 'csv')).out).toBe(`chain,kind,id,name\r\nc,party,${PARTY},@cold wallet\r\n`);
  });

  it('`mine list` says how to add something if there is nothing', async () => {
    expect(await on('list')).toEqual({
      code: 0,
      out: 'CHAIN  KIND  ID  NAME\n',
      err: 'nothing is yours yet on c. Add something with blockglass mine add ID.\n',
    });
    expect((await mine('list', '-o', 'json')).out).toBe('[]\n');
  });

  it('`mine list` prints nothing harmful to the terminal, whatever the file contains', async () => {
    await mkdir(join(home, 'blockglass'));
    const chains = hostileStrings(7, 200).filter(text => text !== '' && text.length < 200);
    await writeFile(file(), JSON.stringify(Object.fromEntries(chains.map(chain => [chain, { parties: [PARTY] }]))));
    const { out, err } = await mine('list');
    expect(await deedsOf(out)).toEqual([]);
    expect(await deedsOf(err)).toEqual([]);
    for (const chain of chains.slice(0, 20))
      expect(await deedsOf((await mine('remove', PARTY, '--chain', chain)).out)).toEqual([]);
  });
});

describe('Ids marked as mine', () => {
  const read = (...words: readonly string[]) => run([...words, '--node', node.url], { env: env() });

  it('The ids marked as mine have “you” in lists, records and statements for people', async () => {
    await here('add', party(), first('validators'));
    const name = String(records.validators?.[0]?.name);
    expect((await read('list', 'provisions', '--party-id', party())).out).toMatch(/\nyou {2,}/);
    expect((await read('show', 'provisions', '0', '--party-id', party())).out).toContain(`you  ${party()}`);
    expect((await read('statement', '--party', party(), '--last', '2')).out).toContain('you');
    expect((await read('list', 'bundles')).out).toContain(`${name}, you`);
    expect((await read('list', 'validators')).out).toContain(`\n${name}, you  `);
  });

  it('The `what` command shows whether an id is marked as mine', async () => {
    await here('add', party());
    expect((await read('what', party())).out).toContain('\n  yours: marked as your party\n');
    expect((await read('what', party(), '-o', 'json')).out).not.toContain('yours');
  });

  it('The ids marked as mine change no machine-readable output', async () => {
    const commands = [
      ['list', 'provisions', '--party-id', party()],
      ['list', 'bundles'],
      ['list', 'bundles', '--freq', 'submitter'],
      ['show', 'bundles', '0', '--meaning'],
      ['statement', '--party', party(), '--last', '2'],
    ];
    const all = async () => {
      const outs: string[] = [];
      for (const command of commands) outs.push((await read(...command, '-o', 'json')).out);
      return outs;
    };
    const before = await all();
    await here('add', party(), first('validators'), address);
    expect(await all()).toEqual(before);
  });

  it('A damaged file of own ids is reported, and the list is printed anyway', async () => {
    await mkdir(join(home, 'blockglass'));
    await writeFile(file(), '[');
    const { code, out, err } = await read('list', 'bundles');
    expect([code, out.includes('SUBMITTER')]).toEqual([0, true]);
    expect(err).toContain(`warning: ${file()} is not used: it is not valid JSON`);
  });
});
