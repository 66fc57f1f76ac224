import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RefusedError } from '../../../src/chain/api/errors.ts';
import type { Json } from '../../../src/chain/api/json.ts';
import { requestUrl } from '../../../src/chain/api/request.ts';
import { type Directory, NO_NAMES } from '../../../src/chain/directory/directory.ts';
import type { EpochChoice, FeeNode, FeeQuery } from '../../../src/chain/explain/statement/fee-node.ts';
import { type FeeStatement, feeStatement } from '../../../src/chain/explain/statement/fee-statement.ts';
import { fetchFees } from '../../../src/chain/explain/statement/fetch-fees.ts';
import { statementForms } from '../../../src/chain/explain/statement/statement-forms.ts';
import { statementTable } from '../../../src/chain/explain/statement/statement-table.ts';
import { pageRequest } from '../../../src/chain/resources/page-request.ts';
import { paidLiquidityFees } from '../../../src/chain/resources/paid-liquidity-fees.ts';
import { ammOf, type StrictFee, type StrictFeeNode, strictFees } from '../../support/strict-fee-node.ts';

const PARTY = 'aa11';
const OTHER = 'bb22';

const feeOf = (market: string, asset: string, epoch: string, amount = '10', total = '40'): StrictFee => ({
  market,
  asset,
  epochSeq: epoch,
  totalFeesPaid: total,
  feesPaidPerParty: [{ party: PARTY, amount }],
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

const QUESTION: FeeQuery = { party: PARTY, market: '', asset: '', epochs: { kind: 'last', count: 3 } };

/** A node as a statement asks it, with the addresses that were asked. */
function nodeOf(answer: (path: string) => { readonly status: number; readonly body: string }) {
  const asked: string[] = [];
  const get = (path: string): Json => {
    asked.push(path.replace('http://n', ''));
    const { status, body } = answer(path);
    if (status === 200) return JSON.parse(body);
    throw new RefusedError(status, { message: body, details: [] }, { url: path, hint: '' });
  };
  const base = new URL('http://n/');
  const node: FeeNode = {
    get: async request => get(requestUrl(base, request)),
    page: async (resource, request) => {
      const page = paidLiquidityFees.page(get(requestUrl(base, pageRequest(resource, request))));
      if (page === undefined) throw new Error('no page');
      return page;
    },
  };
  return { node, asked };
}

interface Asked {
  readonly question?: Partial<FeeQuery>;
  readonly directory?: Directory;
}

async function statementFrom(of: StrictFeeNode, { question, directory = DIRECTORY }: Asked = {}) {
  const { node, asked } = nodeOf(path => strictFees(of, path));
  const whole = { ...QUESTION, ...question };
  const fetched = await fetchFees(whole, node, { directory, onProgress: () => {} });
  return { statement: feeStatement(fetched, whole.epochs), fetched, asked };
}

/** Each line in a word, each epoch that it is of. */
const kinds = ({ lines }: FeeStatement): readonly string[] =>
  lines.map(line => `${line.epoch}${'toEpoch' in line ? `-${line.toEpoch}` : ''} ${line.kind}`);

const FEES = 'api/v2/liquidity/paidfees';

/** The heading and the lines of its CSV. */
async function csvOf(statement: FeeStatement, directory: Directory) {
  const { records, head, cells } = statementForms(statement, directory);
  return [head(), ...(await Promise.all(records.map(cells))).flat()];
}

const jsonOf = (statement: FeeStatement): string =>
  [...(statementForms(statement, DIRECTORY).document?.() ?? [])].join('');

describe('Fees of a party', () => {
  it('The fees of a party are requested by epoch and party only, so that no market or asset is missing', async () => {
    const rows = [feeOf('01', 'a1', '8'), feeOf('02', 'a9', '8'), feeOf('03', 'a1', '10')];
    const { statement, asked } = await statementFrom({ rows, open: 11 });
    expect(asked).toEqual([
      '/statistics',
      `/${FEES}?epochSeq=10&partyIds=${PARTY}&pagination.first=5000`,
      `/${FEES}?epochSeq=9&partyIds=${PARTY}&pagination.first=5000`,
      `/${FEES}?epochSeq=8&partyIds=${PARTY}&pagination.first=5000`,
    ]);
    expect(kinds(statement)).toEqual(['8 allocated', '8 allocated', '9-9 none', '10 allocated']);
    expect(statement.totals).toMatchObject([
      { asset: 'a1', amount: '20' },
      { asset: 'a9', amount: '10' },
    ]);
    expect(statement.problems).toEqual([]);
  });

  it('The fees of a party on one market in one asset take one request, if its rows show that it had every epoch', async () => {
    const rows = [feeOf('01', 'a1', '3'), feeOf('01', 'a1', '9'), feeOf('01', 'a2', '9')];
    const question = { market: '01', asset: 'a1', epochs: { kind: 'all' } } as const;
    const { statement, asked } = await statementFrom({ rows, open: 11 }, { question });
    expect(asked.length).toBe(2);
    expect(kinds(statement)).toEqual(['0-2 none', '3 allocated', '4-8 none', '9 allocated', '10-10 none']);
  });

  it('The fees of a party come from one request for the range when the node offers it, with AMM income', async () => {
    const amm = { ...feeOf('02', 'a1', '9'), feesPaidPerParty: [{ party: ammOf(PARTY, '02'), amount: '7' }] };
    const rows = [feeOf('01', 'a1', '8'), amm, feeOf('01', 'a1', '2')];
    const { statement, asked } = await statementFrom({ rows, open: 11, version: 'v0.79.0' });
    expect(asked.slice(1)).toEqual([
      `/${FEES}?partyIds=${PARTY}&epochFrom=8&epochTo=10&includeDerivedParties=true&pagination.first=5000`,
    ]);
    expect(statement.totals).toMatchObject([{ amount: '17', ammAmount: '7', allocations: 2 }]);
    expect(statement.basis).toBe('with AMM income; allocated, before penalties and bonuses');
  });

  it.each([
    [{ version: 'v0.74.10' }, 'not-offered', '10', 'no AMM income (v0.74.10 has no AMMs)'],
    [{ version: 'v0.79.0', refusesDerived: true }, 'refused', '10', 'without AMM income (the node refused it)'],
    [{ version: '' }, 'unknown', '10', 'AMM income unknown (no version stated)'],
    [{ version: 'v0.77.0' }, 'included', '17', 'with AMM income'],
  ])('The fees of a party say whether AMM income is included: %j', async (of, ammIncome, amount, text) => {
    const amm = { ...feeOf('02', 'a1', '10'), feesPaidPerParty: [{ party: ammOf(PARTY, '02'), amount: '7' }] };
    const { statement } = await statementFrom({ rows: [feeOf('01', 'a1', '9'), amm], open: 11, ...of });
    expect(statement).toMatchObject({ ammIncome, totals: [{ amount }] });
    expect(statement.basis).toContain(text);
  });

  it('The fees of a party are the same on a node that ignores ranges though its version has them', async () => {
    const rows = [feeOf('01', 'a1', '8'), feeOf('01', 'a1', '9'), feeOf('01', 'a1', '10')];
    const of = { rows, open: 11, version: 'v0.79.0', ignores: ['epochFrom', 'epochTo'] };
    const { statement } = await statementFrom(of);
    expect(statement.totals).toMatchObject([{ amount: '30', allocations: 3 }]);
  });

  it.each([
    [[feeOf('01', 'a1', '10')]],
    [[{ ...feeOf('01', 'a1', '10'), feesPaidPerParty: [{ party: OTHER, amount: '1' }] }]],
  ])('The fees of a party are not reported as none when the node answers with another epoch: %#', async rows => {
    const { statement, asked } = await statementFrom({ rows, open: 11, ignores: ['epochSeq'] });
    expect(kinds(statement).filter(line => line.endsWith('none'))).toEqual([]);
    expect(statement.problems).toEqual([
      expect.stringMatching(/^the node ignores the epoch filter: it answered epoch 10 for epoch \d+$/),
    ]);
    expect(statement.lines.at(0)).toMatchObject({ kind: 'not-known', epoch: '8' });
    expect(asked.length).toBeLessThanOrEqual(6);
  });

  it('The fees of a party are separated from those of others when the node ignores the party, which is reported', async () => {
    const both = {
      ...feeOf('01', 'a1', '9'),
      feesPaidPerParty: [OTHER, PARTY].map(party => ({ party, amount: '10' })),
    };
    const { statement } = await statementFrom({
      rows: [both, feeOf('02', 'a1', '10')],
      open: 11,
      ignores: ['partyIds'],
    });
    expect(statement.totals).toMatchObject([{ amount: '20', allocations: 2 }]);
    expect(statement.problems).toEqual(['the node answered with other parties too: they are left out']);
  });

  it('The fees of a party are separated by market when the node ignores the market, which is reported', async () => {
    const rows = [feeOf('01', 'a1', '9'), feeOf('02', 'a1', '9'), feeOf('01', 'a1', '10')];
    const { statement } = await statementFrom(
      { rows, open: 11, ignores: ['marketId'] },
      { question: { market: '01' } },
    );
    expect(statement.totals).toMatchObject([{ amount: '20', allocations: 2 }]);
    expect(statement.problems).toEqual(['epoch 9: rows of other epochs, markets or assets came too: left out']);
  });

  it('The fees of an epoch with more rows than a page are requested by market, and possible gaps are reported', async () => {
    const rows = ['01', '02', '03'].flatMap(market => [feeOf(market, 'a1', '10'), feeOf(market, 'a1', '9')]);
    const of = { rows, open: 11, mostRows: 1 };
    const { statement } = await statementFrom(of, { question: { epochs: { kind: 'last', count: 1 } } });
    expect(statement.totals).toMatchObject([{ amount: '20', allocations: 2 }]);
    expect(kinds(statement)).toEqual(['10-10 not-known', '10 allocated', '10 allocated']);
    expect(statement.problems).toEqual([
      'epoch 10: the node has more rows than it gives at once; requested for each of the 2 markets known here: fees on others may be missing',
    ]);
  });

  it('The fees of a row that comes twice are left out of every sum', async () => {
    const { statement } = await statementFrom({ rows: [feeOf('01', 'a1', '9'), feeOf('01', 'a1', '9')], open: 11 });
    expect(statement.totals).toMatchObject([{ amount: '0', unreadable: 1 }]);
  });

  it('The fees of asset IDs that differ only in letter case are of one asset', async () => {
    const rows = [feeOf('01', 'A1', '9'), feeOf('01', 'a1', '10')];
    expect((await statementFrom({ rows, open: 11 })).statement.totals).toMatchObject([{ asset: 'a1', amount: '20' }]);
  });
});

describe('Epochs of a statement', () => {
  const of = { rows: [feeOf('01', 'a1', '8'), feeOf('01', 'a1', '9')], open: 11 };
  const over = async (epochs: EpochChoice, node: StrictFeeNode = of, directory = DIRECTORY) =>
    (await statementFrom(node, { question: { epochs }, directory })).statement;

  it('The epochs are counted back from the one before the current epoch of the node, which is not over', async () => {
    const { epochs, span } = await over({ kind: 'last', count: 3 });
    expect([epochs, span]).toEqual([{ from: 8n, to: 10n }, 'epochs 8 to 10, the last 3: epoch 11 is not over']);
  });

  it('Epochs that are not over, or have not begun, are not reported as without fees', async () => {
    const range = await over({ kind: 'range', from: 9n, to: 2n ** 64n - 1n });
    expect(kinds(range)).toEqual(['9 allocated', '10-10 none', '11-11 open', '12-18446744073709551615 future']);
    expect(range.span).toBe('epochs 9 to 18446744073709551615: epoch 11 is not over');
    expect(kinds(await over({ kind: 'range', from: 20n, to: 30n }))).toEqual(['20-30 future']);
  });

  it('Epochs that are open may have fees of a market that has closed', async () => {
    const rows = [...of.rows, feeOf('02', 'a1', '11')];
    const range = await over({ kind: 'range', from: 11n, to: 12n }, { rows, open: 11 });
    expect(kinds(range)).toEqual(['11-11 open', '11 allocated', '12-12 future']);
  });

  it('The epochs are counted back from the newest with fees when the node does not report its epoch', async () => {
    const silent = { rows: of.rows };
    const { epochs, span } = await over({ kind: 'last', count: 3 }, silent);
    expect([epochs, span]).toEqual([{ from: 7n, to: 9n }, 'epochs 7 to 9, the last 3: 9 is the newest with fees']);
    expect(kinds(await over({ kind: 'range', from: 9n, to: 12n }, silent))).toEqual(['9 allocated', '10-12 not-known']);
  });

  it('The range of epochs is empty when nothing shows the newest, and never goes below 0', async () => {
    // Asked for its newest epoch with fees, such a node has none.
    expect(kinds(await over({ kind: 'range', from: 1n, to: 280n }, { rows: [] }))).toEqual(['1-280 none']);
    expect((await over({ kind: 'last', count: 3 }, { rows: [] })).span).toContain('no epoch');
    expect((await over({ kind: 'all' }, { rows: [], open: 0 })).span).toBe('no epoch: epoch 0 is not over');
    expect((await over({ kind: 'last', count: 3 }, { rows: of.rows, open: 2 })).epochs).toEqual({ from: 0n, to: 1n });
  });

  it('Epochs that are too many for a node without ranges are unknown, which is reported', async () => {
    const all = await over({ kind: 'all' }, { rows: of.rows, open: 10_005 }, NO_NAMES);
    expect(kinds(all)).toEqual(['0-4 not-known', '5-7 none', '8 allocated', '9 allocated', '10-10004 none']);
    expect(all.problems).toEqual(['only the newest 10000 epochs were requested: use --epochs A..B for older ones']);
  });
});

describe('Statement of many epochs', () => {
  const EPOCHS = Array.from({ length: 300 }, (_, index) => String(index));
  const ofMarket = (market: string, asset: string, epochs = EPOCHS) => epochs.map(epoch => feeOf(market, asset, epoch));
  const asked = async (of: StrictFeeNode, question: Partial<FeeQuery>, directory = DIRECTORY) => {
    const made = await statementFrom(
      { open: 300, ...of },
      { question: { epochs: { kind: 'all' }, ...question }, directory },
    );
    return { ...made, fees: made.asked.filter(path => path.includes(FEES)) };
  };
  const busy = ofMarket('02', 'a1');

  it.each<readonly [string, readonly StrictFee[], Partial<FeeQuery>, readonly string[]]>([
    ['of a market', ofMarket('01', 'a1'), { party: '', market: '01' }, Array(300).fill('allocated')],
    [
      'of a market with fees in one',
      ofMarket('01', 'a1', ['7']),
      { party: '', market: '01' },
      ['none', 'allocated', 'none'],
    ],
    ['of a market without fees', [], { party: '', market: '01' }, ['none']],
    ['of a market that no list has', ofMarket('09', 'a9'), { party: '', market: '09' }, Array(300).fill('allocated')],
    ['of a party', ofMarket('01', 'a1', ['7', '8']), {}, ['none', 'allocated', 'allocated', 'none']],
  ])('Many epochs take a handful of requests: %s', async (_, rows, question, lines) => {
    const others =
      question.party === ''
        ? busy
        : [{ ...feeOf('02', 'a1', '299'), feesPaidPerParty: [{ party: OTHER, amount: '1' }] }];
    const { statement, fees } = await asked({ rows: [...others, ...rows] }, question);
    expect(statement.lines.map(({ kind }) => kind)).toEqual(lines);
    expect(fees.length).toBeLessThanOrEqual(6);
  });

  it('Many epochs on a node without fee rows are reported as without fees, not as unknown', async () => {
    for (const question of [{ party: '', market: '01' }, {}]) {
      const { statement, fees } = await asked({ rows: [] }, question);
      expect(kinds(statement)).toEqual(['0-299 none']);
      expect(fees.length).toBeLessThanOrEqual(6);
    }
  });

  it('Many epochs are requested one by one when market and asset give only the newest', async () => {
    const rows = [...ofMarket('01', 'a1', ['297', '298']), ...ofMarket('02', 'a1', ['299'])];
    const { statement, fees } = await asked({ rows, ignores: ['assetId'] }, { party: '', market: '01' });
    expect(statement.lines.map(({ kind }) => kind)).toEqual(['none', 'allocated', 'allocated', 'none']);
    expect(fees.length).toBeGreaterThan(300);
  });

  it('Many epochs are requested one by one when a market of the newest is not listed', async () => {
    const { statement, fees } = await asked({ rows: [...busy, feeOf('09', 'a9', '299')] }, {});
    expect(statement.totals).toMatchObject([
      { asset: 'a1', amount: '3000' },
      { asset: 'a9', amount: '10' },
    ]);
    expect(fees.length).toBeGreaterThan(300);
  });

  it('Many epochs with more rows than a page are requested in halves of the range', async () => {
    const { statement, fees } = await asked({ rows: busy, version: 'v0.79.0', mostRows: 100 }, {});
    expect(statement.totals).toMatchObject([{ amount: '3000', allocations: 300 }]);
    expect(fees.length).toBeLessThan(12);
  });
});

describe('Statement of any node', () => {
  const ids = (letter: string, count: number) =>
    fc.constantFrom(...Array.from({ length: count }, (_, index) => `${letter}${index.toString(16).padStart(3, '0')}`));
  const parties = ids('e', 6);
  const row = fc
    .record({
      ...{ market: ids('b', 40), asset: ids('a', 3), epochSeq: fc.nat(12).map(String) },
      paid: fc.uniqueArray(fc.record({ party: parties, amount: fc.bigInt(1n, 10n ** 30n), isAmm: fc.boolean() }), {
        selector: ({ party, isAmm }) => `${party}${isAmm}`,
        minLength: 1,
        maxLength: 8,
      }),
    })
    .map(({ market, asset, epochSeq, paid }) => ({
      ...{ market, asset, epochSeq },
      totalFeesPaid: String(paid.reduce((sum, { amount }) => sum + amount, 0n)),
      feesPaidPerParty: paid.map(({ party, amount, isAmm }) => ({
        party: isAmm ? ammOf(party, market) : party,
        amount: String(amount),
      })),
    }));
  const rows = fc.uniqueArray(row, {
    selector: fee => `${fee.market}/${fee.asset}/${fee.epochSeq}`,
    maxLength: 120,
  });
  const choice: fc.Arbitrary<EpochChoice> = fc.oneof(
    fc.constant({ kind: 'all' } as const),
    fc.nat(14).map(count => ({ kind: 'last', count: count + 1 }) as const),
    fc
      .tuple(fc.nat(14), fc.nat(14))
      .map(([from, more]) => ({ kind: 'range', from: BigInt(from), to: BigInt(from + more) }) as const),
  );
  const filter = { market: fc.option(ids('b', 40), { nil: '' }), asset: fc.option(ids('a', 3), { nil: '' }) };
  const node = fc.record({
    version: fc.constantFrom('v0.74.10', 'v0.79.0'),
    ignores: fc.subarray(['partyIds', 'marketId', 'assetId', 'epochFrom', 'epochTo', 'includeDerivedParties']),
    mostRows: fc.option(fc.integer({ min: 5, max: 60 }), { nil: undefined }),
  });
  const subject = fc.oneof(
    fc.record({ party: parties, ...filter }),
    fc.record({ party: fc.constant(''), market: ids('b', 40), asset: filter.asset }),
  );

  /** Added up from the raw rows, apart from the code under test. */
  function sums(fees: readonly StrictFee[], question: FeeQuery, withAmms: boolean): ReadonlyMap<string, bigint> {
    const { party, market, asset, epochs } = question;
    const first = epochs.kind === 'range' ? epochs.from : epochs.kind === 'last' ? 14n - BigInt(epochs.count) : 0n;
    const last = epochs.kind === 'range' ? epochs.to : 13n;
    const found = new Map<string, bigint>();
    for (const fee of fees) {
      const epoch = BigInt(fee.epochSeq);
      if (
        epoch < first ||
        epoch > last ||
        (market !== '' && fee.market !== market) ||
        (asset !== '' && fee.asset !== asset)
      )
        continue;
      for (const paid of fee.feesPaidPerParty) {
        const isMine = party === '' || paid.party === party || (withAmms && paid.party === ammOf(party, fee.market));
        if (isMine) found.set(fee.asset, (found.get(fee.asset) ?? 0n) + BigInt(paid.amount));
      }
    }
    return found;
  }

  it('A statement is the sum of the node rows, or says that some are unknown, whatever the node ignores', async () => {
    await fc.assert(
      fc.asyncProperty(rows, subject, choice, node, async (fees, who, epochs, of) => {
        const { version, ignores, mostRows } = of;
        const question: FeeQuery = { ...who, epochs };
        const limit = mostRows === undefined ? {} : { mostRows };
        const { statement } = await statementFrom({ rows: fees, open: 14, version, ignores, ...limit }, { question });
        const all = sums(fees, question, true);
        const found = new Map(statement.totals.map(({ asset, amount }) => [asset, BigInt(amount)]));
        const isUnsure = statement.lines.some(({ kind }) => kind === 'not-known');
        // Without a page that is cut and on a node that offers AMM income, or shows everybody, nothing may be missing.
        const isDerived = version === 'v0.79.0' && !ignores.includes('includeDerivedParties');
        const expected = isDerived || ignores.includes('partyIds') ? all : sums(fees, question, false);
        if (!isUnsure) expect(found).toEqual(expected);
        if (mostRows === undefined) expect(isUnsure).toBe(false);
        for (const [asset, amount] of found) expect(amount <= (all.get(asset) ?? 0n)).toBe(true);
        if (isUnsure) expect(statement.problems).not.toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

describe('Statement as a table', () => {
  const made = async (rows: readonly StrictFee[], directory = DIRECTORY, question: Partial<FeeQuery> = {}) => {
    const asked = { market: '01', asset: 'a1', epochs: { kind: 'range', from: 3n, to: 5n }, ...question } as const;
    return (await statementFrom({ rows, open: 9 }, { question: asked, directory })).statement;
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

  it('A statement table has amounts in units with the symbol in the heading, which says if they are rounded', async () => {
    expect(await texts([feeOf('01', 'a1', '3', '123456', '200000'), feeOf('01', 'a1', '5', '100', '400')])).toEqual([
      `fees allocated to ${PARTY} on ONE/HUSD in HUSD`,
      'EPOCH | AMOUNT HUSD | SHARE | RUNNING TOTAL | MARKET TOTAL',
      '3 | 1 234.56 | 61.7 % | 1 234.56 | 2 000.00',
      '4 | none |  |  | ',
      '5 | 1.00 | 25.0 % | 1 235.56 | 4.00',
      'total 1 235.56 HUSD in 2 epochs, 61.7 % of 2 004.00; largest 1 234.56 in epoch 3',
    ]);
  });

  it('A statement table shows a small amount as small, not as zero', async () => {
    const fine: Directory = {
      ...DIRECTORY,
      assets: new Map([['a1', { symbol: 'FINE', name: '', status: '', decimals: 6, quantum: '' }]]),
    };
    const rows = [feeOf('01', 'a1', '3', '1', '2000000'), feeOf('01', 'a1', '4', '1500000', '2000000')];
    expect((await texts(rows, fine)).slice(1)).toEqual([
      'EPOCH | AMOUNT FINE, rounded | SHARE | RUNNING TOTAL | MARKET TOTAL',
      '3 | < 0.01 | <0.1 % | < 0.01 | 2.00',
      '4 | 1.50 | 75.0 % | 1.50 | 2.00',
      '5 | none |  |  | ',
      'total 1.50 FINE in 2 epochs, 37.5 % of 4.00; largest 1.50 in epoch 4',
    ]);
  });

  it('A statement table says smallest unit when the decimals are unknown', async () => {
    expect((await texts([feeOf('01', 'a1', '3', '1234567', '2')], NO_NAMES))[1]).toContain('AMOUNT, smallest unit |');
  });

  it('A statement table of a market shows who was paid most', async () => {
    expect((await texts([feeOf('01', 'a1', '3', '40')], DIRECTORY, { party: '' })).slice(0, 3)).toEqual([
      'fees allocated on ONE/HUSD in HUSD',
      'EPOCH | AMOUNT HUSD | PARTIES | TOP PARTY | TOP SHARE | RUNNING TOTAL',
      `3 | 0.4 | 1 | ${PARTY} | 100.0 % | 0.4`,
    ]);
  });

  it('A statement table is the same in CSV, in smallest units and in units of the asset', async () => {
    const [head = [], ...records] = await csvOf(await made([feeOf('01', 'a1', '3', '150', '400')]), DIRECTORY);
    expect(records.slice(0, 1).map(cells => Object.fromEntries(head.map((id, index) => [id, cells[index]])))).toEqual([
      {
        ...{
          kind: 'allocated',
          epoch: '3',
          to_epoch: '3',
          market: '01',
          market_name: 'ONE/HUSD',
          asset: 'a1',
          symbol: 'HUSD',
        },
        ...{
          amount: '150',
          amount_scaled: '1.5',
          amm_amount: '0',
          amm_amount_scaled: '0',
          market_total: '400',
          market_total_scaled: '4',
          share: '37.5',
        },
        ...{ running_total: '150', running_total_scaled: '1.5', parties: '', top_party: '', top_amount: '' },
        ...{ top_amount_scaled: '', top_share: '', why: '' },
      },
    ]);
    const unnamed = await csvOf(await made([feeOf('01', 'a1', '3')]), NO_NAMES);
    expect(unnamed[1]?.slice(0, 9).join()).toBe('allocated,3,3,01,,a1,,10,');
  });

  it('A statement table has a line for epochs without fees that shows no market', async () => {
    const question = { market: '', asset: '', epochs: { kind: 'range', from: 3n, to: 4n } } as const;
    const rows = [feeOf('01', 'a1', '3'), feeOf('02', 'a1', '3')];
    const { statement } = await statementFrom({ rows, open: 9 }, { question });
    expect(statementTable(statement, DIRECTORY).rows.map(({ cells }) => cells.slice(0, 2))).toEqual([
      ['3', 'ONE/HUSD'],
      ['3', 'TWO/HUSD'],
      ['4', ''],
    ]);
    expect(JSON.parse(jsonOf(statement)).lines).toMatchObject([{ market: '01' }, { market: '02' }, { market: null }]);
  });

  it('A statement table without fees says so in one line', async () => {
    const { statement } = await statementFrom({ rows: [], open: 9 });
    const of = (party: string) => ({ ...statement, query: { ...statement.query, party } });
    expect(statementTable(of('ab'.repeat(32)), DIRECTORY).totals).toEqual(['no fees in these epochs']);
    expect(statementTable(of('ab'), DIRECTORY).totals).toEqual([
      'parties ab has 2 hex digits instead of 64: only a whole ID finds fees',
    ]);
  });
});

describe('Statement of any fees', () => {
  it('Any fees that a node sends make a statement in every format', async () => {
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
        const edges = rows.map(node => ({ node, cursor: '' }));
        const list = { paidLiquidityFees: { edges, pageInfo: { hasNextPage: false } } };
        const { node } = nodeOf(path => ({ status: 200, body: JSON.stringify(path.includes(FEES) ? list : other) }));
        const question = { ...QUESTION, party, market: party === '' ? '01' : '' };
        const fetched = await fetchFees(question, node, { directory: DIRECTORY, onProgress: () => {} });
        const made = feeStatement(fetched, question.epochs);
        expect(statementTable(made, DIRECTORY).columns.length).toBeGreaterThan(3);
        expect(jsonOf(made)).toContain('"lines"');
        expect(new Set((await csvOf(made, DIRECTORY)).map(({ length }) => length)).size).toBe(1);
      }),
    );
  });
});
