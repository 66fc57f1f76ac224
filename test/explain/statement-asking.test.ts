import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PageTooLargeError, RefusedError } from '../../src/api/errors.ts';
import type { Json, JsonObject } from '../../src/api/json.ts';
import { requestUrl } from '../../src/api/request.ts';
import { type Directory, NO_NAMES } from '../../src/directory/directory.ts';
import type { FeeNode, FeeQuestion } from '../../src/explain/statement/fee-question.ts';
import { feeStatement } from '../../src/explain/statement/fee-statement.ts';
import { fetchFees } from '../../src/explain/statement/fetch-fees.ts';
import { statementCsv } from '../../src/explain/statement/statement-csv.ts';
import { statementJson } from '../../src/explain/statement/statement-json.ts';
import { statementTable } from '../../src/explain/statement/statement-table.ts';
import { pageRequest } from '../../src/resources/page-request.ts';

const PARTY = 'aa11';

const feeOf = (market: string, asset: string, epoch: string, amount = '10', total = '40'): JsonObject => ({
  market,
  asset,
  epochSeq: epoch,
  totalFeesPaid: total,
  feesPaidPerParty: [{ party: PARTY, amount, quantumAmount: '' }],
});

const settlingIn = (asset: string) => ({
  code: 'X',
  name: 'X',
  state: 'STATE_ACTIVE',
  decimalPlaces: 2,
  positionDecimalPlaces: 2,
  asset,
  specs: [],
});

const DIRECTORY: Directory = {
  ...NO_NAMES,
  markets: new Map([
    ['01', { ...settlingIn('a1'), code: 'ONE/HUSD' }],
    ['02', { ...settlingIn('a1'), code: 'TWO/HUSD' }],
  ]),
  assets: new Map([['a1', { symbol: 'HUSD', name: 'H', status: '', decimals: 2, quantum: '' }]]),
};

const QUESTION: FeeQuestion = { party: PARTY, market: '', asset: '', seen: [], isCountedBack: false };

const refused = (status: number) =>
  new RefusedError(status, { message: 'no', details: [] }, { url: 'http://n/', hint: 'none' });

/** A node of a few answers by address; what it has no answer for it refuses. */
function nodeWith(
  answers: { readonly [path: string]: readonly JsonObject[] | Json | Error },
  rest: { more?: boolean } = {},
) {
  const asked: string[] = [];
  const answerTo = (url: string) => {
    asked.push(url.replace('http://n/', ''));
    const key = Object.keys(answers).find(part => url.includes(part));
    const answer = key === undefined ? refused(404) : answers[key];
    if (answer instanceof Error) throw answer;
    return answer ?? null;
  };
  const base = new URL('http://n/');
  const node: FeeNode = {
    get: async request => answerTo(requestUrl(base, request)) as Json,
    page: async (resource, request) => ({
      rows: answerTo(requestUrl(base, pageRequest(resource, request))) as readonly JsonObject[],
      cursors: [],
      startCursor: '',
      endCursor: '',
      hasNextPage: rest.more ?? false,
      hasPreviousPage: false,
      flaws: [],
    }),
  };
  return { node, asked };
}

const provisionsOn = (...markets: readonly string[]): Json => ({
  liquidityProvisions: { edges: markets.map(marketId => ({ node: { marketId } })), pageInfo: { hasNextPage: false } },
});

const options = (directory = DIRECTORY) => ({ directory, onProgress: () => {} });

describe('the fees of a party', () => {
  it('are asked for by market and asset: those of the newest epoch, and those of its provisions', async () => {
    const { node, asked } = nodeWith({
      'paidfees?marketId=01': [feeOf('01', 'a1', '3')],
      'paidfees?marketId=02': [feeOf('02', 'a1', '2')],
      paidfees: [feeOf('01', 'a1', '3')],
      provisions: provisionsOn('02', '01', '02'),
    });
    const fetched = await fetchFees(QUESTION, node, options());
    expect(asked).toEqual([
      `api/v2/liquidity/paidfees?partyIds=${PARTY}&pagination.first=5000`,
      `api/v2/liquidity/provisions?partyId=${PARTY}&pagination.first=5000`,
      `api/v2/liquidity/paidfees?marketId=01&assetId=a1&partyIds=${PARTY}&pagination.first=5000&pagination.newestFirst=false`,
      `api/v2/liquidity/paidfees?marketId=02&assetId=a1&partyIds=${PARTY}&pagination.first=5000&pagination.newestFirst=false`,
    ]);
    expect(fetched.requests).toBe(4);
    expect(fetched.notes.join()).toContain('looked at 2 markets and assets');
    expect(feeStatement(fetched, { kind: 'all' }).totals).toMatchObject([{ amount: '20', payments: 2 }]);
  });

  it('on one market and in one asset take one request', async () => {
    const { node, asked } = nodeWith({ paidfees: [feeOf('01', 'a1', '3')] });
    await fetchFees({ ...QUESTION, market: '01', asset: 'a1' }, node, options());
    expect(asked.length).toBe(1);
  });

  it('are looked for where the directory knows nothing by asking for the market', async () => {
    const instrument = { spot: { baseAsset: 'b1', quoteAsset: 'a9' } };
    const { node, asked } = nodeWith({
      'market/05': { market: { tradableInstrument: { instrument } } },
      'paidfees?marketId=05&assetId=a9': [feeOf('05', 'a9', '3')],
      paidfees: [],
      provisions: provisionsOn('05', '06'),
    });
    const fetched = await fetchFees(QUESTION, node, options(NO_NAMES));
    expect(fetched.lists.map(({ market, asset }) => `${market}/${asset}`)).toEqual(['05/a9']);
    expect(fetched.notes.join()).toContain('looked at in the newest epoch alone, of the market: 06');
    expect(asked.length).toBe(5);
  });

  it('are those of the newest epoch alone when the provisions are refused, which is said', async () => {
    const { node } = nodeWith({ provisions: refused(500), paidfees: [feeOf('01', 'a1', '3')] });
    const { lists, notes } = await fetchFees(QUESTION, node, options());
    expect(lists.length).toBe(1);
    expect(notes.join()).toContain('does not tell the provisions');
  });

  it('keep the letters of an id that has a name, and ask for none that is no id', async () => {
    const { node, asked } = nodeWith({
      'marketId=01': [feeOf('01', 'XYZalpha', '3')],
      paidfees: [feeOf('01', 'XYZalpha', '3'), feeOf('../x', 'XYZalpha', '3')],
      provisions: provisionsOn('zz', '', '01', 'a'.repeat(3)),
    });
    const fetched = await fetchFees(QUESTION, node, options(NO_NAMES));
    expect(asked.slice(2)).toEqual([expect.stringContaining('marketId=01&assetId=XYZalpha&')]);
    expect(feeStatement(fetched, { kind: 'all' }).lines).toMatchObject([{ asset: 'XYZalpha', amount: '10' }]);
  });

  it('may be cut when as many rows came as the list can have', async () => {
    const { node } = nodeWith({ paidfees: [feeOf('01', 'a1', '3')] }, { more: true });
    const fetched = await fetchFees({ ...QUESTION, market: '01', asset: 'a1' }, node, options());
    const { lines, notes } = feeStatement(fetched, { kind: 'range', from: 2n, to: 3n });
    expect(lines.map(({ kind }) => kind)).toEqual(['not-known', 'paid']);
    expect(notes.join()).toContain('not known: the node shows no more rows');
  });

  it('are asked for by half as long as the answer is too large for the node', async () => {
    const sizes: string[] = [];
    const { node } = nodeWith({ paidfees: [feeOf('01', 'a1', '3')] });
    const tooLarge = new PageTooLargeError(429, { message: 'large', details: [] }, { url: '', hint: '' });
    const narrow: FeeNode = {
      ...node,
      page: (resource, request) => {
        sizes.push(String(request.size));
        return request.size > 2000 ? Promise.reject(tooLarge) : node.page(resource, request);
      },
    };
    const { requests } = await fetchFees({ ...QUESTION, market: '01', asset: 'a1' }, narrow, options());
    expect([sizes, requests]).toEqual([['5000', '2500', '1250'], 3]);
  });
});

describe('the fees of a market', () => {
  it('are those of the asset it settles in and of those paid in the newest epoch', async () => {
    const { node, asked } = nodeWith({
      'paidfees?marketId=01&assetId=a1': [feeOf('01', 'a1', '3')],
      'paidfees?marketId=01&assetId=a2': [feeOf('01', 'a2', '3')],
      'paidfees?marketId=01': [feeOf('01', 'a2', '3')],
    });
    const fetched = await fetchFees({ ...QUESTION, party: '', market: '01' }, node, options());
    expect(fetched.lists.map(({ asset }) => asset)).toEqual(['a2', 'a1']);
    expect(asked.some(url => url.includes('partyIds'))).toBe(false);
  });
});

describe('the last epochs', () => {
  const last = async (statistics: Json | Error, rows: readonly JsonObject[]) => {
    const { node } = nodeWith({ statistics, paidfees: rows });
    const question = { ...QUESTION, market: '01', asset: 'a1', isCountedBack: true };
    return feeStatement(await fetchFees(question, node, options()), { kind: 'last', count: 3 });
  };

  it('are counted back from the one before that of the node, which is not over', async () => {
    const { epochs, span } = await last({ statistics: { epochSeq: '11' } }, [feeOf('01', 'a1', '9')]);
    expect([epochs, span]).toEqual([{ from: 8n, to: 10n }, 'epochs 8 to 10, the last 3: epoch 11 is not over']);
  });

  it.each([
    ['refuses', refused(503)],
    ['has none', { statistics: {} }],
    ['names an older one', { statistics: { epochSeq: '5' } }],
  ])('are counted back from the newest with fees where the node %s', async (_, statistics) => {
    const { epochs, span } = await last(statistics, [feeOf('01', 'a1', '9')]);
    expect([epochs, span]).toEqual([
      { from: 7n, to: 9n },
      'epochs 7 to 9, the last 3: 9 is the newest with fees that came',
    ]);
  });

  it('are none where nothing says which is the newest, and never below 0', async () => {
    expect((await last(refused(503), [])).span).toContain('no epoch');
    expect((await last({ statistics: { epochSeq: '2' } }, [])).epochs).toEqual({ from: 0n, to: 1n });
  });
});

describe('a statement as a table', () => {
  const made = async (rows: readonly JsonObject[], directory = DIRECTORY, question: Partial<FeeQuestion> = {}) => {
    const { node } = nodeWith({ paidfees: rows });
    const asked = { ...QUESTION, market: '01', asset: 'a1', ...question };
    return feeStatement(await fetchFees(asked, node, options(directory)), { kind: 'all' });
  };
  const texts = async (...of: Parameters<typeof made>) => {
    const { title, columns, rows, totals } = statementTable(await made(...of), of[1] ?? DIRECTORY);
    return [
      title,
      columns.map(column => column.title).join(' | '),
      ...rows.map(({ cells }) => cells.join(' | ')),
      ...totals,
    ];
  };

  it('has amounts in units with the symbol in the heading, rounded where that is said', async () => {
    expect(await texts([feeOf('01', 'a1', '3', '123456', '200000'), feeOf('01', 'a1', '5', '100', '400')])).toEqual([
      `paid to ${PARTY} on ONE/HUSD in HUSD`,
      'EPOCH | AMOUNT HUSD | SHARE | RUNNING TOTAL | MARKET TOTAL',
      '3 | 1 234.56 | 61.7 % | 1 234.56 | 2 000.00',
      '4 | no payment |  |  | ',
      '5 | 1.00 | 25.0 % | 1 235.56 | 4.00',
      'total 1 235.56 HUSD in 2 payments, 61.7 % of 2 004.00; longest bar 1 234.56 in epoch 3',
    ]);
  });

  it('shows little as little, not as nothing', async () => {
    const fine: Directory = {
      ...DIRECTORY,
      assets: new Map([['a1', { symbol: 'FINE', name: '', status: '', decimals: 6, quantum: '' }]]),
    };
    const rows = [feeOf('01', 'a1', '3', '1', '2000000'), feeOf('01', 'a1', '4', '1500000', '2000000')];
    expect((await texts(rows, fine)).slice(1)).toEqual([
      'EPOCH | AMOUNT FINE, rounded | SHARE | RUNNING TOTAL | MARKET TOTAL',
      '3 | < 0.01 | 0.0 % | < 0.01 | 2.00',
      '4 | 1.50 | 75.0 % | 1.50 | 2.00',
      'total 1.50 FINE, rounded, in 2 payments, 37.5 % of 4.00; longest bar 1.50 in epoch 4',
    ]);
  });

  it('says smallest unit where the decimals are not known', async () => {
    expect((await texts([feeOf('01', 'a1', '3', '1234567', '2')], NO_NAMES))[1]).toContain('AMOUNT, smallest unit |');
  });

  it('of a market names who was paid most', async () => {
    expect((await texts([feeOf('01', 'a1', '3', '40')], DIRECTORY, { party: '' })).slice(0, 3)).toEqual([
      'paid on ONE/HUSD in HUSD',
      'EPOCH | AMOUNT HUSD | PARTIES | TOP PARTY | ITS SHARE | RUNNING TOTAL',
      `3 | 0.4 | 1 | ${PARTY} | 100.0 % | 0.4`,
    ]);
  });

  it('is the same in CSV, in smallest units and in those of the asset', async () => {
    const [head = [], ...records] = statementCsv(await made([feeOf('01', 'a1', '3', '150', '400')]), DIRECTORY);
    expect(records.map(cells => Object.fromEntries(head.map((id, index) => [id, cells[index]])))).toEqual([
      {
        ...{
          kind: 'paid',
          epoch: '3',
          to_epoch: '3',
          market: '01',
          market_name: 'ONE/HUSD',
          asset: 'a1',
          symbol: 'HUSD',
        },
        ...{ amount: '150', amount_scaled: '1.5', market_total: '400', market_total_scaled: '4', share: '37.5' },
        ...{ running_total: '150', running_total_scaled: '1.5', parties: '', top_party: '', top_amount: '' },
        ...{ top_amount_scaled: '', top_share: '', why: '' },
      },
    ]);
    const unnamed = statementCsv(await made([feeOf('01', 'a1', '3')]), NO_NAMES);
    expect(unnamed[1]?.slice(0, 9).join()).toBe('paid,3,3,01,,a1,,10,');
  });

  it('has lines of the markets with a row, and names the others once', async () => {
    const { node } = nodeWith({
      'paidfees?marketId=01': [feeOf('01', 'a1', '3')],
      'paidfees?marketId=02': [],
      paidfees: [],
      provisions: provisionsOn('01', '02'),
    });
    const statement = feeStatement(await fetchFees(QUESTION, node, options()), { kind: 'range', from: 3n, to: 4n });
    expect(statement.lines.length).toBe(3);
    const { rows, totals } = statementTable(statement, DIRECTORY);
    expect(rows.map(({ cells }) => cells[0])).toEqual(['3', '4']);
    expect(totals.at(-1)).toBe('nothing in these epochs: TWO/HUSD (HUSD)');
  });
});

describe('whatever a node sends as fees', () => {
  it('makes a statement in every form', async () => {
    const text = fc.oneof(fc.constantFrom('01', 'a1', PARTY, '3', '4', ''), fc.string(), fc.jsonValue());
    const fee = fc.record({
      market: fc.oneof(fc.constant('01'), text),
      asset: fc.oneof(fc.constant('a1'), text),
      epochSeq: fc.oneof(fc.nat(9).map(String), text),
      totalFeesPaid: fc.oneof(fc.nat().map(String), text),
      feesPaidPerParty: fc.oneof(
        fc.array(fc.record({ party: text, amount: fc.oneof(fc.nat().map(String), text) })),
        fc.jsonValue(),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fee), fc.constantFrom('', PARTY), fc.jsonValue(), async (rows, party, other) => {
        const { node } = nodeWith({
          paidfees: rows as readonly JsonObject[],
          provisions: other as Json,
          statistics: other as Json,
        });
        const question = { ...QUESTION, party, market: party === '' ? '01' : '', isCountedBack: true };
        const fetched = await fetchFees(question, node, options());
        const made = feeStatement(fetched, { kind: 'last', count: 5 });
        expect(statementTable(made, DIRECTORY).columns.length).toBeGreaterThan(3);
        expect(JSON.stringify(statementJson(made, DIRECTORY))).toContain('"lines"');
        expect(new Set(statementCsv(made, DIRECTORY).map(({ length }) => length)).size).toBe(1);
      }),
    );
  });
});
