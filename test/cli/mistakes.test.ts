import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { validators } from '../../src/chain/resources/validators.ts';
import { RowNameSearch } from '../../src/cli/find-record.ts';
import { type RunningNode, startNode } from '../../src/node/index.ts';
import { run } from './run-command.ts';

let node: RunningNode;
beforeAll(async () => {
  node = await startNode({ provisions: 20 });
});
afterAll(() => node.close());

describe('Destination in a bucket', () => {
  it.each([
    [2, ['export', '--table', 'ledger', '--out', 's3://b/k', '--demo']],
    [2, ['convert', 'missing.zip', '--parquet', '--out', 's3://b/k']],
    [2, ['convert', 'missing.zip', '--parquet', '--out', 'GS://b/k']],
    [2, ['report', '--party', 'ab', '--out', 's3://b/k']],
    [2, ['list', 'fees', '--demo', '--log', 's3://b/k']],
    [3, ['check', '--demo', '--textfile', 's3://b/k']],
  ])('A destination in a bucket is refused with code %i: %j', async (code, words) => {
    expect(await run(words)).toMatchObject({
      code,
      out: '',
      err: 'blockglass: blockglass writes to folders, not to buckets. Write to a folder, then copy it (docs/guides/parquet.md).\n',
    });
  });
});

it.each([
  [['--columns', 'quantity,foo'], '--columns: ledger has no column "foo"'],
  [['--exclude', 'amonut', '--plan'], '--exclude: ledger has no column "amonut"'],
])('`export --parquet` refuses an unknown column before the first request: %j', async (words, asked) => {
  const { code, out, err } = await run([
    ...['export', '--table', 'ledger', '--last', '1', '--node', 'http://127.0.0.1:1'],
    ...['--parquet', ...words],
  ]);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(asked);
});

describe('Unknown word on the command line', () => {
  const profiles = { mainnet: 'http://127.0.0.1:1', fairground: { url: 'http://127.0.0.1:1' } };

  it.each([
    [['lst'], 'did you mean "list"?'],
    [['list', 'paramters'], 'did you mean "parameters"?'],
    [['show', 'provision', '0'], 'did you mean "provisions"?'],
    [['list', 'fees', '--frist', '3'], 'did you mean --first?'],
    [['list', 'provisions', '--markt-id', 'ab'], 'did you mean --market-id?'],
    [['statement', '--partty', 'ab'], 'did you mean --party?'],
    [['list', 'fees', '-o', 'jsn'], 'did you mean "json"?'],
    [['list', 'provisions', '--sort', 'comitment:desc'], 'did you mean "commitment"?'],
    [['export', '--table', 'legder'], 'did you mean "ledger"?'],
    [['export', '--table', 'ledger', '--last', 'last-month'], 'did you mean --range "last-month"?'],
    [['list', 'fees', '--node', 'mainet'], 'did you mean "mainnet"?'],
    [['list', 'fees', '--node', 'fairgroun'], 'did you mean "fairground"?'],
  ])('An unknown word in %j gets the closest suggestion, with code 2', async (words, asked) => {
    const { code, out, err } = await run(words, { settings: async () => ({ profiles }) });
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(asked);
  });

  it('An unknown word gets no suggestion if nothing is close', async () => {
    const { code, err } = await run(['list', 'zzzzzz']);
    expect(code).toBe(2);
    expect(err).not.toContain('did you mean');
  });
});

describe('Export without a table', () => {
  it('`export` without a table suggests the export screen, whose tab has the name of the command', async () => {
    const { code, err } = await run(['export']);
    expect(code).toBe(2);
    expect(err).toMatch(
      /missing --table TABLE: one of .*\n {2}blockglass explore export lets you choose on a screen\n$/,
    );
  });
});

describe('Name instead of an id', () => {
  it.each([
    [['show', 'markets', 'no market'], 3, 'list them with: blockglass list markets'],
    [['show', 'validators', 'Nobody'], 3, 'list them with: blockglass list validators'],
    [['list', 'provisions', '--market-id', 'no market'], 2, 'as blockglass list markets prints them'],
    [['statement', '--market', 'no market'], 2, 'as blockglass list markets prints them'],
  ])('An unmatched name gets a hint where names are listed: %j', async (words, wanted, hint) => {
    const { code, err } = await run([...words, '--node', node.url]);
    expect(code).toBe(wanted);
    expect(err).toContain(hint);
  });

  it.each([
    [['show', 'markets', 'ab'.repeat(32)]],
    [['show', 'markets', 'abcdef']],
    [['show', 'parameters', 'zzzzzz']],
    [['list', 'provisions', '--market-id', 'abc']],
    [['list', 'provisions', '--party-id', 'BTC']],
    [['show', 'markets', '99']],
  ])('An id-like value, or a key that is a name, gets no hint about names: %j', async words => {
    expect((await run([...words, '--node', node.url])).err).not.toContain('to find an ID');
  });
});

describe('Unknown key', () => {
  it('An unknown key gets the closest suggestion from the searched rows', async () => {
    const { code, err } = await run(['show', 'parameters', 'validators.epoch.lenth', '--node', node.url]);
    expect(code).toBe(3);
    expect(err).toContain(
      'no network parameter matches "validators.epoch.lenth" in the 172 rows searched; did you mean "validators.epoch.length"?',
    );
  });

  it('An unknown key gets no suggestion if nothing is close', async () => {
    const { err } = await run(['show', 'parameters', 'zzzzzz', '--node', node.url]);
    expect(err).not.toContain('did you mean');
  });

  it('An unknown key gets the keys that contain it as suggestions', async () => {
    const whole = await run(['show', 'parameters', 'Epoch.length', '--node', node.url]);
    expect([whole.code, whole.err]).toEqual([
      3,
      'blockglass: no network parameter matches "Epoch.length" in the 172 rows searched; did you mean "validators.epoch.length"?\n',
    ]);
    const part = await run(['show', 'parameters', 'maxClose', '--node', node.url]);
    expect(part.err).toMatch(/; it is part of (governance[\w.]+\.maxClose, ){3}[\w.]+ and \d+ more\n$/);
  });
});

describe('Name instead of a key', () => {
  const show = (...words: readonly string[]) => run(['show', ...words, '--node', node.url]);
  const first = async (resource: string) => JSON.parse((await show(resource, '0', '-o', 'json')).out);

  it('A displayed name finds its record, and the command reports which one it is', async () => {
    const { id, name } = await first('validators');
    const found = await show('validators', name.toUpperCase(), '-o', 'json');
    expect(JSON.parse(found.out).id).toBe(id);
    expect(found.err).toMatch(
      new RegExp(
        `^blockglass: ${id} is the only validator of the \\d+ rows searched whose NAME is ${name.toUpperCase()}\n`,
      ),
    );
    const market = await first('markets');
    const { code } = market.tradableInstrument.instrument;
    expect((await run(['show', 'markets', code, '--node', node.url])).err).toContain(`whose CODE is ${code}`);
  });

  it('A name shared by several records lists them, with code 2', async () => {
    const named = ['a1', 'a2'].map(id => ({ id, name: 'Twin' }));
    const rows = new RowNameSearch(validators, 'twin');
    for (const row of named) rows.look(row, named);
    expect(() => rows.only('of the 2 rows searched')).toThrow('2 of the 2 rows searched hold "twin"');
  });

  it('A name that begins the key of another record is treated as a partial key', async () => {
    const { err } = await show('parameters', 'validators.epoch.l');
    expect(err).toContain('that matches');
  });
});

describe('Partial id', () => {
  it.each([
    [['list', 'provisions', '--party-id', '8a3e'], 'party 8a3e has 4 hex digits instead of 64'],
    [['list', 'provisions', '--market-id', 'ab', '--all'], 'market ab has 2 hex digits instead of 64'],
  ])('A partial id is reported as the reason for no matches: %j', async (words, said) => {
    const { code, err } = await run([...words, '--node', node.url]);
    expect(code).toBe(0);
    expect(err).toContain(`note: ${said}\n`);
  });

  it.each([
    ['--party', 'parties 8a3e has 4 hex digits', '8a3e'],
    ['--market', `market ${'ab'.repeat(33)} has 66 hex digits`, 'ab'.repeat(33)],
  ])('A partial id is refused if the sum would be of nothing: statement %s', async (flag, said, id) => {
    const { code, out, err } = await run(['statement', flag, id, '--last', '3', '--node', node.url]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(`${said} instead of 64: only a whole ID finds fees`);
  });

  it('A full id gets no note about its length', async () => {
    const { err } = await run(['list', 'provisions', '--party-id', 'ab'.repeat(32), '--node', node.url]);
    expect(err).not.toContain('hex digits');
  });
});

describe('Partial key', () => {
  const show = (...words: readonly string[]) => run(['show', ...words, '--node', node.url]);

  it('A partial key finds the only matching record, and reports how many rows were searched', async () => {
    const { code, out, err } = await show('parameters', 'validators.epoch.l');
    expect(code).toBe(0);
    expect(out).toContain('validators.epoch.length');
    expect(err).toMatch(
      /^blockglass: validators\.epoch\.length is the only \w+ ?\w* of the \d+ rows searched that matches validators\.epoch\.l\n/,
    );
  });

  it('A partial key that is an id matches in either case', async () => {
    const id = JSON.parse((await show('markets', '0', '-o', 'json')).out).id;
    const found = await show('markets', id.slice(0, 8).toUpperCase(), '-o', 'json');
    expect(JSON.parse(found.out).id).toBe(id);
  });

  it('A partial key with several matches lists them, with code 2', async () => {
    const { code, out, err } = await show('parameters', 'market.liquidity');
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/\d+ of the \d+ rows searched match "market\.liquidity"\. Choose one:/);
    expect(err).toContain('\n  market.liquidity.bondPenaltyParameter\n');
    expect(err).toMatch(/and \d+ more\n$/);
  });

  it('A partial key needs at least four characters, so that a typo finds no record', async () => {
    expect((await show('parameters', 'val')).code).toBe(3);
    expect((await show('bundles', '0xaaa')).code).toBe(3);
  });

  it('A partial key that is also a full key finds that record', async () => {
    const { code, err } = await show('parameters', 'validators.epoch.length');
    expect([code, err]).toEqual([0, '']);
  });
});
