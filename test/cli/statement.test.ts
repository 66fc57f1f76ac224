import { createServer, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { statement as command } from '../../src/cli/statement.ts';
import { type RunningNode, startNode } from '../../src/node/index.ts';
import { urlOf } from '../support/loopback.ts';
import { ammOf, serveFees } from '../support/strict-fee-node.ts';
import { run } from './run-command.ts';
import { type Fee, type Made, sumsOf, totalsIn } from './statement-sums.ts';

let node: RunningNode;
beforeAll(async () => {
  node = await startNode({ rateLimit: { ratePerSecond: 1e6, burst: 1e6 } });
});
afterAll(() => node.close());

const statement = (...words: readonly string[]) => run(['statement', ...words, '--node', node.url]);

/** The rows of a list of the node, by a way of its own. */
async function fees(...filters: readonly string[]): Promise<readonly Fee[]> {
  const { out } = await run(['list', 'fees', ...filters, '-o', 'json', '--node', node.url]);
  return JSON.parse(out);
}

async function somebodyPaid(): Promise<{ readonly fee: Fee; readonly party: string }> {
  const [fee] = await fees();
  const party = fee?.feesPaidPerParty[0]?.party;
  if (fee === undefined || party === undefined) throw new Error('nobody was paid');
  return { fee, party };
}

const requestsIn = (err: string): number => Number(/^(\d+) requests?$/m.exec(err)?.[1]);

describe('`statement` command', () => {
  it('The examples of `statement` find fees of the demo chain', async () => {
    for (const example of command.examples) {
      const [, ...words] = example.replace(' -o csv', '').split(' ');
      const { code, out, err } = await statement(...words, '-o', 'json');
      expect(code, err).toBe(0);
      expect(JSON.parse(out).totals).not.toEqual([]);
    }
  });

  it('`statement` adds up the amounts in the rows of a market and asset', async () => {
    const { fee, party } = await somebodyPaid();
    const { code, out } = await statement('--party', party, '--market', fee.market, '--asset', fee.asset, '-o', 'json');
    const rows = await fees('--market-id', fee.market, '--asset-id', fee.asset, '--party-ids', party);
    const amounts = rows.map(row => BigInt(row.feesPaidPerParty[0]?.amount ?? ''));
    const made = JSON.parse(out);
    expect(code).toBe(0);
    expect(amounts.length).toBeGreaterThan(0);
    expect(made.totals[0].amount.raw).toBe(String(amounts.reduce((sum, amount) => sum + amount, 0n)));
    expect(made.totals[0].amount.symbol).toMatch(/^[A-Z]+$/);
    expect(made.totals[0].allocations).toBe(rows.length);
    expect(made.problems).toEqual([]);
  });

  it('`statement` shows what a party was allocated over the last ten epochs, its share and the total', async () => {
    const { party } = await somebodyPaid();
    const { code, out, err } = await statement('--party', party.toUpperCase(), '--last', '10');
    expect(code).toBe(0);
    expect(out).toMatch(/^fees allocated to [0-9a-f]{4}\.\.[0-9a-f]{4}/);
    expect(out).toMatch(/^EPOCH +(MARKET +)?(ASSET +)?AMOUNT.* SHARE +RUNNING TOTAL +MARKET TOTAL$/m);
    expect(out).toMatch(/^total [\d .]+ [A-Z]+ in \d+ epochs?, [\d.]+ % of [\d .]+; largest/m);
    expect(err).toMatch(/^epochs \d+ to \d+, the last 10: epoch \d+ is not over$/m);
    expect(out).toMatch(/^no AMM income \(v0\.74\.10 has no AMMs\); allocated, before penalties and bonuses$/m);
    expect(requestsIn(err)).toBeGreaterThan(10);
  });

  it('`statement` sends one request for a market and an asset besides those for names, and counts every request', async () => {
    const { fee } = await somebodyPaid();
    let asked = 0;
    const proxy = createServer((request, response) => {
      asked++;
      void fetch(`${node.url}${request.url}`).then(async answer => {
        response.writeHead(answer.status).end(await answer.text());
      });
    });
    onTestFinished(() => void proxy.close());
    const url = await urlOf(proxy);
    const { err } = await run(['statement', '--market', fee.market, '--asset', fee.asset, '--node', url]);
    expect(requestsIn(err)).toBe(asked);
    expect(asked).toBeLessThanOrEqual(9);
  });

  it.each(['table', 'json', 'ndjson', 'csv'])('`statement` prints %s, and says what the amounts are', async format => {
    const { fee } = await somebodyPaid();
    const { code, out, err } = await statement('--market', fee.market, '--epochs', '30..35', '-o', format);
    expect(code).toBe(0);
    expect(out).not.toBe('');
    expect(out + err).toContain('allocated, before penalties');
  });

  it('`statement` prints CSV records of one form, which cover every requested epoch', async () => {
    const { fee } = await somebodyPaid();
    const { out } = await statement('--market', fee.market, '--asset', fee.asset, '--epochs', '0..50', '-o', 'csv');
    const [head = '', ...records] = out.trim().split('\r\n');
    const cells = records.map(record => record.split(','));
    expect(new Set(cells.map(({ length }) => length))).toEqual(new Set([head.split(',').length]));
    const covered = cells.flatMap(([, from, to]) =>
      Array.from({ length: Number(to) - Number(from) + 1 }, (_, step) => Number(from) + step),
    );
    expect([...new Set(covered)]).toEqual(Array.from({ length: 51 }, (_, epoch) => epoch));
  });

  it.each([
    ['e30..e31', '30..31'],
    ['epoch 30 .. 031', '30..31'],
    ['e30', '30..30'],
  ])('`statement` reads the epochs %j as %j', async (one, other) => {
    const { fee } = await somebodyPaid();
    const [first, second] = await Promise.all(
      [one, other].map(epochs => statement('--market', fee.market, '--epochs', epochs, '-o', 'csv')),
    );
    expect(first?.code).toBe(0);
    expect(first?.out).toBe(second?.out);
  });

  it.each([
    [[], 'missing --party ID or --market ID. Example: blockglass statement --party ID --last 10'],
    [['--asset', 'aa'], 'missing --party ID or --market ID. Example: blockglass statement --party ID --last 10'],
    [['--party', 'xyz'], '--party: none of the parties known here is called "xyz"'],
    [['--market', ''], '--market must be a market ID (64 hex digits)'],
    [['--party', 'aa', '--last', '0'], '--last must be a whole number from 1'],
    [['--party', 'aa', '--last', '3', '--epochs', '1..2'], '--epochs and --last cannot be used together'],
    [['--party', 'aa', '--epochs', '1..2..3'], '--epochs must be epochs such as 20..25 or e20..e25, not "1..2..3"'],
    [['--party', 'aa', '--epochs', '2026-10-01'], '--epochs must be epochs such as 20..25'],
    [['--party', 'aa', '--epochs', '5..3'], '--epochs: 5 comes after 3'],
    [['--party', 'aa', '--epochs', '0..18446744073709551616'], '--epochs must be epochs'],
  ])('`statement` exits with 2 for wrong arguments: %j', async (words, problem) => {
    const { code, out, err } = await statement(...words);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(problem);
  });

  it('`statement` reports that a party has no fees, and exits with 0', async () => {
    const { code, out, err } = await statement('--party', 'ab'.repeat(32));
    expect(code).toBe(0);
    expect(out).toMatch(/^ 0-\d+ +none$/m);
    expect(out).toMatch(/^no fees in these epochs$/m);
    expect(err).toContain('none: the node has no fees of the party in that epoch');
  });
});

describe('Statement of a node with many markets', () => {
  const PARTIES = ['aa', 'bb', 'cc'];
  const rowsOf = (markets: number): readonly Fee[] =>
    Array.from({ length: markets }, (_, market) => market).flatMap(market =>
      // A market has fees in some epochs only, and a party in some of those.
      [1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap(epoch => {
        const paid = PARTIES.flatMap((party, index) =>
          (market + epoch + index) % 4 === 0 ? [{ party, amount: `${market * 1000 + epoch * 10 + index}` }] : [],
        );
        if (paid.length === 0) return [];
        const total = paid.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
        const place = { market: `d${market.toString(16).padStart(3, '0')}`, asset: market % 3 === 0 ? 'a1' : 'a2' };
        return [{ ...place, epochSeq: String(epoch), totalFeesPaid: String(total), feesPaidPerParty: paid }];
      }),
    );

  it.each([40, 200])('A statement has every row of %i markets, with one request per epoch', async markets => {
    const rows = rowsOf(markets);
    const { url, asked } = await serveFees({ rows, open: 10 });
    for (const party of PARTIES) {
      asked.length = 0;
      const { code, out } = await run(['statement', '--party', party, '--last', '5', '-o', 'json', '--node', url]);
      const made: Made = JSON.parse(out);
      expect([code, totalsIn(made)]).toEqual([0, sumsOf(rows, party, [5, 9])]);
      expect(asked.filter(path => path.includes('paidfees')).length).toBe(5);
    }
  });

  it('A statement has what AMMs of the party were allocated, when the node offers it', async () => {
    const own = rowsOf(40);
    const market = 'd002';
    const paid = { party: ammOf('aa', market), amount: '5000000' };
    const amm = { market, asset: 'a3', epochSeq: '8', totalFeesPaid: '5000000', feesPaidPerParty: [paid] };
    const { url, asked } = await serveFees({ rows: [...own, amm], open: 10, version: 'v0.79.0' });
    const { code, out } = await run(['statement', '--party', 'aa', '--last', '5', '-o', 'json', '--node', url]);
    expect([code, totalsIn(JSON.parse(out))]).toEqual([0, { ...sumsOf(own, 'aa', [5, 9]), a3: 5000000n }]);
    expect(JSON.parse(out).ammIncome).toBe('included');
    expect(asked.filter(path => path.includes('paidfees')).length).toBe(1);
  });

  it.each(['partyIds', 'epochSeq'])(
    'A statement adds no wrong amount on a node that ignores %s, and reports the problem',
    async name => {
      const rows = rowsOf(40);
      const { url } = await serveFees({ rows, open: 10, ignores: [name] });
      const { code, out } = await run(['statement', '--party', 'aa', '--last', '5', '-o', 'json', '--node', url]);
      const made = JSON.parse(out);
      const expected = sumsOf(rows, 'aa', name === 'epochSeq' ? [9, 9] : [5, 9]);
      expect([code, totalsIn(made)]).toEqual([0, expected]);
      expect(made.problems.length).toBe(1);
    },
  );

  it('A statement waits when the node reports too many requests half-way, and has every row', async () => {
    const rows = rowsOf(40);
    let refused = 0;
    const busy = { status: 429, body: '{"code":8,"message":"api request rate limit exceeded","details":[]}' };
    const { url } = await serveFees({ rows, open: 10 }, (_, path) =>
      path.includes('epochSeq=7') && refused++ === 0 ? busy : undefined,
    );
    const { code, out, err } = await run(['statement', '--party', 'aa', '--last', '5', '-o', 'json', '--node', url]);
    expect([code, refused]).toEqual([0, 2]);
    expect(totalsIn(JSON.parse(out))).toEqual(sumsOf(rows, 'aa', [5, 9]));
    expect(err).toContain('waiting 1 s');
  });

  it('A statement that is interrupted half-way prints nothing, and exits with 130', async () => {
    const stop = new AbortController();
    const { url } = await serveFees({ rows: rowsOf(40), open: 10 }, (_, path) => {
      if (path.includes('epochSeq=7')) stop.abort();
      return undefined;
    });
    const words = ['statement', '--party', 'aa', '--last', '5', '-o', 'json', '--node', url];
    const { code, out } = await run(words, { signal: stop.signal });
    expect([code, out]).toEqual([130, '']);
  });
});

describe('Statement of a misbehaving node', () => {
  const answering = async (answer: (request: IncomingMessage) => string, status = 200): Promise<string> => {
    const server = createServer((request, response) => response.writeHead(status).end(answer(request)));
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    return urlOf(server);
  };
  const listOf = (edges: string, more = false): string =>
    `{"paidLiquidityFees":{"edges":[${edges}],"pageInfo":{"hasNextPage":${more},"hasPreviousPage":false${edges === '' ? '' : ',"startCursor":"c","endCursor":"c"'}}}}`;

  it('`statement` exits with 3 when the node refuses, 4 when it is unreachable, 5 when a page is unreadable', async () => {
    const words = ['statement', '--party', 'aa', '--market', 'bb', '--asset', 'cc', '--node'];
    const refusing = await answering(() => '{"code":13,"message":"no","details":[{}]}', 500);
    expect((await run([...words, refusing])).code).toBe(3);
    expect((await run([...words, 'http://127.0.0.1:1'])).code).toBe(4);
    expect((await run([...words, await answering(() => listOf('{"node":7}'))])).code).toBe(5);
    expect((await run([...words, await answering(() => '{}')])).code).toBe(5);
  });

  it('`statement` reports how many requests it took, including retries', async () => {
    let seen = 0;
    const server = createServer((request, response) => {
      seen++;
      const isDown = seen === 2 && request.url !== undefined;
      response.writeHead(isDown ? 503 : 200).end(isDown ? '' : listOf(''));
    });
    onTestFinished(() => void server.close());
    const { code, err } = await run([
      ...['statement', '--party', 'aa'.repeat(32), '--market', 'bb'.repeat(32), '--node'],
      await urlOf(server),
    ]);
    expect(code).toBe(0);
    expect(requestsIn(err)).toBe(seen);
  });

  it('`statement` adds up a doubtful row, and does not report it as left out', async () => {
    const party = '{"party":"aa","amount":"7"}';
    const row = `{"node":{"market":"bb","asset":"cc","epochSeq":"4","totalFeesPaid":"9","feesPaidPerParty":[${party}]}}`;
    const { out, err } = await run([
      ...['statement', '--market', 'bb', '--asset', 'cc', '--node'],
      await answering(() => listOf(row)),
    ]);
    expect(out).toContain('total 9 smallest units of cc in 1 epoch');
    expect(err).toContain('problem: epoch 4: the parties add up to 7, the total is 9');
    expect(err).not.toContain('not used');
  });

  it('`statement` prints no control sequence from the node on a terminal, and no wrong sum', async () => {
    const party = '{"party":"aa","amount":"\\u001b[31m7"}';
    const row = `{"node":{"market":"bb","asset":"cc","epochSeq":"4","totalFeesPaid":"9","feesPaidPerParty":[${party}]}}`;
    const { out, err } = await run([
      ...['statement', '--party', 'aa', '--market', 'bb', '--asset', 'cc', '--node'],
      await answering(() => listOf(row)),
    ]);
    expect(out + err).not.toContain('\u001b');
    expect(out).toMatch(/^ +4 +unreadable$/m);
    expect(out).toContain('total 0 smallest units of cc in 0 epochs, 1 unreadable, not counted');
    expect(err).toContain('problem: epoch 4: the amount is not a whole number: not in any total');
  });

  it('`statement` requests epochs one by one when a full page has no room for them', async () => {
    const rows = Array.from({ length: 6000 }, (_, index) => ({
      ...{ market: 'bb', asset: 'cc', epochSeq: String(index), totalFeesPaid: '9' },
      feesPaidPerParty: [{ party: 'aa', amount: '1' }],
    }));
    const { url, asked } = await serveFees({ rows, open: 6000 });
    const words = ['--party', 'aa', '--market', 'bb', '--asset', 'cc', '--epochs', '998..1003', '--node', url];
    const { out } = await run(['statement', ...words]);
    expect(out).toContain('in 6 epochs');
    expect(asked.filter(path => path.includes('paidfees')).length).toBe(3);
  });
});
