import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { QuestionValues, ReadyAnswer } from '../../../src/answers/questions/question.ts';
import { answerableQuestions, answerQuestion, QUESTIONS } from '../../../src/answers/questions/questions.ts';
import { type Directory, NO_NAMES } from '../../../src/chain/directory/directory.ts';
import { TABLE_SCHEMAS } from '../../../src/tables/columns.ts';
import { asset, market } from '../../chain/directory/directories.ts';
import { sharedEngine } from '../shared-engine.ts';
import { datasetOf, type GivenTable, NONE_SAVED } from './table-dataset.ts';

const engine = sharedEngine();

const id = (label: string): string => createHash('sha256').update(label).digest('hex');
const [P, Q, A, M] = [id('party'), id('other'), id('asset'), id('market')];

const names: Directory = {
  ...NO_NAMES,
  assets: new Map([[A, asset({ symbol: 'USDT', decimals: 6 })]]),
  markets: new Map([[M, market({ code: 'BTC', asset: A, decimalPlaces: 2, positionDecimalPlaces: 1 })]]),
};

async function ask(
  name: string,
  tables: readonly GivenTable[],
  values: QuestionValues = {},
  known = names,
): Promise<ReadyAnswer> {
  const dataset = await datasetOf(tables, engine());
  try {
    return await answerQuestion(name, {
      dataset,
      names: known,
      saved: NONE_SAVED,
      values,
      signal: new AbortController().signal,
    });
  } finally {
    await dataset.close();
  }
}

const records = ({ columns, rows }: ReadyAnswer) =>
  rows.map(row =>
    Object.fromEntries(columns.flatMap((column, at) => (column.in === 'table' ? [] : [[column.id, row[at]] as const]))),
  );

describe('Question catalogue', () => {
  test('The questions use only existing tables, and each has a name for programs and a title for people', () => {
    for (const { name, title, tables } of QUESTIONS) {
      expect(name).toMatch(/^[a-z]+$/);
      expect(title).not.toBe('');
      for (const table of tables) expect(TABLE_SCHEMAS.has(table)).toBe(true);
    }
    expect(answerableQuestions(['ledger']).map(({ name }) => name)).toEqual(['received', 'balance']);
    expect(answerableQuestions(['trades', 'rewards']).map(({ name }) => name)).toEqual(['rewards', 'fills', 'trades']);
    expect(answerableQuestions(['blocks'])).toEqual([]);
  });
});

interface Trade {
  readonly price: bigint;
  readonly size: bigint;
  readonly fee: bigint | null;
  readonly time: string;
  readonly buyer?: string;
  readonly seller?: string;
  readonly aggressor?: string | null;
  readonly type?: string;
}

const isLong = (values: readonly bigint[]): boolean => values.some(value => value >= 10n ** 38n);

function tradesOf(trades: readonly Trade[], { market: of = M } = {}): GivenTable {
  return {
    name: 'trades',
    columns: [
      ['synthetic_time', 'TIMESTAMP'],
      ['vega_time', 'TIMESTAMP'],
      ['id', 'BLOB'],
      ['market_id', 'BLOB'],
      ['price', isLong(trades.map(({ price }) => price)) ? 'VARCHAR' : 'DECIMAL(38,0)'],
      ['size', 'BIGINT'],
      ['buyer', 'BLOB'],
      ['seller', 'BLOB'],
      ['aggressor', 'SMALLINT'],
      ['type', 'SMALLINT'],
      ['buyer_maker_fee', 'DECIMAL(38,0)'],
      ['seller_liquidity_fee', isLong(trades.map(({ fee }) => fee ?? 0n)) ? 'VARCHAR' : 'DECIMAL(38,0)'],
      ...['buyer_infrastructure_fee', 'buyer_liquidity_fee', 'seller_maker_fee', 'seller_infrastructure_fee'].map(
        column => [column, 'DECIMAL(38,0)'] as const,
      ),
    ],
    rows: trades.map(({ price, size, fee, time, buyer = P, seller = Q, aggressor = '1', type = '1' }, index) => [
      ...[`${time}.${String(index).padStart(6, '0')}`, `${time}`, id(String(index)), of, String(price), String(size)],
      ...[buyer, seller, aggressor, type, '1', fee === null ? null : String(fee), null, '0', null, '0'],
    ]),
  };
}

const anyTrade: fc.Arbitrary<Trade> = fc.record({
  price: fc.oneof(
    fc.bigInt({ min: 0n, max: 10n ** 12n }),
    fc.bigInt({ min: 0n, max: 10n ** 38n - 1n }),
    fc.bigInt({ min: 0n, max: 2n ** 256n }),
  ),
  size: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
  fee: fc.option(fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.bigInt({ min: 0n, max: 10n ** 60n }))),
  time: fc.constantFrom('2026-03-31 00:00:00', '2026-03-31 23:59:59', '2026-04-01 00:00:00'),
});

describe('Question: trades', () => {
  test('The `trades` question has exact sums, whatever the prices and sizes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyTrade, { minLength: 1, maxLength: 20, size: 'max' }), async trades => {
        const expected = new Map<string, [bigint, bigint, bigint]>();
        for (const { time, price, size, fee } of trades) {
          const [volume, turnover, fees] = expected.get(time.slice(0, 10)) ?? [0n, 0n, 0n];
          expected.set(time.slice(0, 10), [volume + size, turnover + price * size, fees + 1n + (fee ?? 0n)]);
        }
        const said = records(await ask('trades', [tradesOf(trades)]));
        expect(
          new Map(
            said.map(row => [
              row.day,
              [row.volumeSmallest, row.turnoverSmallest, row.feesSmallest].map(text => BigInt(text ?? '')),
            ]),
          ),
        ).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });

  test('The `trades` question uses the decimals of the market, and those of its asset for fees', async () => {
    const [row] = records(
      await ask('trades', [
        tradesOf([
          { price: 12_345n, size: 15n, fee: 1_499_999n, time: '2026-03-31 00:00:00' },
          { price: 100n, size: 5n, fee: null, time: '2026-03-31 00:00:01' },
        ]),
      ]),
    );
    expect(row).toMatchObject({
      ...{ marketName: 'BTC', day: '2026-03-31', trades: '2', volume: '2', turnover: '185.675', firstPrice: '123.45' },
      ...{ lastPrice: '1', fees: '1.500001', makerFees: '0.000002', liquidityFees: '1.499999' },
    });
  });

  test('The `trades` question uses smallest units for an unknown market and counts close-outs, with notes', async () => {
    const answer = await ask('trades', [
      tradesOf([{ price: 5n, size: 7n, fee: 1n, time: '2026-03-31 00:00:00', type: '3' }], { market: id('x') }),
    ]);
    expect(records(answer)).toMatchObject([{ turnover: null, turnoverSmallest: '35', closeouts: '1' }]);
    expect(answer.notes.join('\n')).toContain('1 trade with the network are included in volume and turnover');
    expect(answer.notes.join('\n')).toContain(`the decimals of market ${id('x')} are not known`);
  });
});

describe('Fee assets', () => {
  test.each([
    ['trades', {}, 'fees'],
    ['fills', { parties: [P] }, 'fee'],
  ])('The fees in the %s question have a column with their asset', async (name, values, fee) => {
    const one = tradesOf([{ price: 1n, size: 1n, fee: 1n, time: '2026-03-31 00:00:00' }]);
    const { columns, rows } = await ask(name, [one], values);
    const shown = columns.flatMap(({ id: of, in: where }, at) =>
      where === 'data' ? [] : [[of, rows[0]?.[at]] as const],
    );
    expect(shown[shown.findIndex(([of]) => of === fee) + 1]).toEqual(['asset', 'USDT']);
    expect(records({ columns, rows, sql: '', notes: [] })[0]).toMatchObject({ assetId: A, assetName: 'USDT' });
    const unknown = await ask(name, [one], values, NO_NAMES);
    expect(records(unknown)[0]).toMatchObject({ assetId: null, assetName: null });
  });
});

describe('Question: fills', () => {
  const time = '2026-03-31 00:00:00';
  const all = [
    { price: 1n, size: 1n, fee: 5n, time, aggressor: '1' },
    { price: 2n, size: 1n, fee: 5n, time, aggressor: '1', buyer: Q, seller: P },
    { price: 3n, size: 1n, fee: 5n, time, aggressor: '0' },
    { price: 4n, size: 1n, fee: 5n, time, aggressor: '2', buyer: P, seller: P, type: '2' },
    { price: 5n, size: 1n, fee: 5n, time, buyer: Q, seller: Q },
    { price: 6n, size: 1n, fee: null, time, aggressor: null, buyer: Q, seller: P },
  ];

  test('The `fills` question shows the side of the party, its own fees and whether it was the taker', async () => {
    const rows = records(await ask('fills', [tradesOf(all)], { parties: [`0x${P.toUpperCase()}`] }));
    expect(rows.map(row => [row.priceSmallest, row.side, row.role, row.feeSmallest, row.kind])).toEqual([
      ['1', 'buy', 'taker', '1', 'default trade'],
      ['2', 'sell', 'maker', '5', 'default trade'],
      ['3', 'buy', 'auction', '1', 'default trade'],
      ['4', 'buy', 'maker', '1', 'close-out leg: network against book'],
      ['4', 'sell', 'taker', '5', 'close-out leg: network against book'],
      ['6', 'sell', 'auction', '0', 'default trade'],
    ]);
  });

  test('A close-out fill has its own role, and the other side of a network trade is the maker', async () => {
    const closed = [
      { price: 1n, size: 1n, fee: null, time, aggressor: '1', buyer: '03', seller: P, type: '3' },
      { price: 2n, size: 1n, fee: null, time, aggressor: '2', buyer: P, seller: '03', type: '3' },
      { price: 3n, size: 1n, fee: 5n, time, aggressor: '2', buyer: P, seller: '03', type: '2' },
    ];
    const rows = records(await ask('fills', [tradesOf(closed)], { parties: [P] }));
    expect(rows.map(row => [row.priceSmallest, row.side, row.role])).toEqual([
      ['1', 'sell', 'close-out'],
      ['2', 'buy', 'close-out'],
      ['3', 'buy', 'maker'],
    ]);
    const [total] = records(await ask('fills', [tradesOf(closed)], { parties: [P], by: 'day' }));
    expect(total).toMatchObject({
      ...{ maker: '1', taker: '0', auction: '0', closeouts: '2', volumeSmallest: '1', turnoverSmallest: '3' },
      ...{ closedOutSmallest: '2' },
    });
  });

  test('The `fills` question can be limited to one market by its code', async () => {
    expect(records(await ask('fills', [tradesOf(all)], { parties: [P], market: 'btc' }))).toHaveLength(6);
    expect(records(await ask('fills', [tradesOf(all, { market: id('x') })], { parties: [P], market: 'btc' }))).toEqual(
      [],
    );
  });
});

describe('Question: fills by day or month', () => {
  /** Both sides of a trade are of the party, of another, or of each one; prices and fees of any length. */
  const anyFill: fc.Arbitrary<Trade> = fc
    .tuple(
      anyTrade,
      fc.constantFrom(P, Q),
      fc.constantFrom(P, Q),
      fc.constantFrom('0', '1', '2', null),
      fc.constantFrom('1', '2', '3'),
    )
    .map(([trade, buyer, seller, aggressor, type]) => ({ ...trade, buyer, seller, aggressor, type }));

  test.each(['day', 'month'] as const)('The `fills` question has exact totals by %s', async by => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyFill, { minLength: 1, maxLength: 20, size: 'max' }), async trades => {
        const expected = new Map<string, bigint[]>();
        for (const { time, price, size, fee, buyer, seller, aggressor, type } of trades) {
          const [buyFees, sellFees] = [
            { all: 1n, maker: 1n },
            { all: fee ?? 0n, maker: 0n },
          ];
          for (const [who, own, other, side] of [
            [buyer, buyFees, sellFees, '1'],
            [seller, sellFees, buyFees, '2'],
          ] as const) {
            if (who !== P) continue;
            const traded = aggressor === '0' || aggressor === null ? 2 : aggressor === side ? 1 : 0;
            const role = type === '3' ? 3 : traded;
            const volumes = role === 3 ? [0n, 0n, size] : [size, price * size, 0n];
            const sums = [0n, 0n, 0n, 0n, ...volumes, own.all, role === 0 ? other.maker : 0n];
            sums[role] = 1n;
            const period = time.slice(0, by === 'day' ? 10 : 7);
            const before = expected.get(period) ?? sums.map(() => 0n);
            expected.set(
              period,
              sums.map((sum, at) => sum + (before[at] ?? 0n)),
            );
          }
        }
        const said = records(await ask('fills', [tradesOf(trades)], { parties: [P], by }));
        const counts = ['maker', 'taker', 'auction', 'closeouts'];
        const numbers = [...counts, 'volumeSmallest', 'turnoverSmallest', 'closedOutSmallest', 'paidSmallest'];
        expect(
          new Map(said.map(row => [row[by], [...numbers, 'receivedSmallest'].map(name => BigInt(row[name] ?? ''))])),
        ).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });

  test('The `fills` totals use the decimals of market and asset, show maker fees received and note exclusions', async () => {
    const trade = { price: 12_345n, size: 15n, fee: 1_499_999n, time: '2026-03-31 00:00:00' };
    const asked = [tradesOf([{ ...trade, buyer: Q, seller: P }])];
    const answer = await ask('fills', asked, { parties: [P], by: 'month' });
    expect(records(answer)).toMatchObject([
      {
        ...{ month: '2026-03', marketName: 'BTC', maker: '1', taker: '0', auction: '0', volume: '1.5' },
        ...{ turnover: '185.175', paid: '1.499999', received: '0.000001', assetId: A, assetName: 'USDT' },
      },
    ]);
    expect(answer.notes.join('\n')).toContain('received is the maker fee that the other side paid');
    expect(answer.notes.join('\n')).not.toContain('high volume');
  });
});

const accountId = (party: string, on: string, type: string): string => id(`${A}${party}${on}ACCOUNT_TYPE_${type}`);

describe('Question: balance', () => {
  const [general, margin] = [accountId(P, '', 'GENERAL'), accountId(P, M, 'MARGIN')];
  const balances: GivenTable = {
    name: 'balances',
    columns: [
      ['account_id', 'BLOB'],
      ['vega_time', 'TIMESTAMP'],
      ['balance', 'DECIMAL(38,0)'],
    ],
    rows: [
      [general, '2026-03-01 10:00:00', '100'],
      [general, '2026-03-01 12:00:00', '90'],
      [accountId(Q, '', 'GENERAL'), '2026-03-01 13:00:00', '7'],
      [general, '2026-03-03 00:00:00', '90'],
      [margin, '2026-03-03 00:00:00', '10'],
    ],
    blocks: [['5', '1000']],
  };
  const at = async (time: string) => {
    const answer = await ask('balance', [balances], { parties: [P], at: time });
    return { notes: answer.notes.join('\n'), rows: records(answer).map(row => [row.account, row.balanceSmallest]) };
  };

  test('A balance at a time comes from the newest row up to then, with a note on accounts without a row', async () => {
    expect((await at('2026-03-01 11:00')).rows).toEqual([['ACCOUNT_TYPE_GENERAL', '100']]);
    expect((await at('2026-03-01 12:00:00')).rows).toEqual([['ACCOUNT_TYPE_GENERAL', '90']]);
    const { rows, notes } = await at('2026-03-02');
    expect(rows).toEqual([['ACCOUNT_TYPE_GENERAL', '90']]);
    expect(notes).toContain('an account that is not listed has no row up to that time');
    expect(notes).toContain('at 2026-03-02: changes before 2026-03-03 00:00:00 UTC are included');
    expect((await at('2026-03-03')).rows).toEqual([
      ['ACCOUNT_TYPE_GENERAL', '90'],
      ['ACCOUNT_TYPE_MARGIN', '10'],
    ]);
  });

  test('A balance at a time is 0 for an account without a row since block 1, unless blocks are missing', async () => {
    const noteFrom = async (blocks: GivenTable['blocks'] & {}): Promise<string> => {
      const answer = await ask('balance', [{ ...balances, blocks }], { parties: [P], at: '2026-03-02' });
      return answer.notes.find(note => note.startsWith('an account that is not listed')) ?? '';
    };
    expect(
      await noteFrom([
        ['1', '10'],
        ['11', '20'],
      ]),
    ).toContain('from block 1 up to that time: its balance is 0');
    expect(
      await noteFrom([
        ['1', '10'],
        ['12', '20'],
      ]),
    ).toContain('not known, and not necessarily 0');
    expect(await noteFrom([['5', '20']])).toContain('not known, and not necessarily 0');
  });

  test('A balance before the export begins is unknown, not 0, and one after its end has a note', async () => {
    const before = await at('2026-02-28');
    expect(before.rows).toEqual([]);
    expect(before.notes).toContain('the balances at that time are not known: balances begins at 2026-03-01T10:00:00Z');
    const end = 'balances ends at 2026-03-03T00:00:00Z: later changes are not included';
    expect((await at('2026-04-01')).notes).toContain(end);
    expect((await at('2026-03-03')).notes).toContain(end);
    expect((await at('2026-03-03 00:00:00.000000')).notes).not.toContain(end);
  });

  test('A balance over time is the last value of each day on which it changed', async () => {
    const daily = await ask('balance', [balances], { parties: [P] });
    expect(daily.notes).toContain(
      'an account is listed for each day on which it changed in this range, and keeps its balance until its next row; for all accounts at one moment use --at TIME',
    );
    expect(daily.notes.join()).not.toContain('has no row up to that time');
    expect(records(daily).map(row => [row.account, row.day, row.balanceSmallest])).toEqual([
      ['ACCOUNT_TYPE_GENERAL', '2026-03-01', '90'],
      ['ACCOUNT_TYPE_GENERAL', '2026-03-03', '90'],
      ['ACCOUNT_TYPE_MARGIN', '2026-03-03', '10'],
    ]);
    const monthly = await ask('balance', [balances], { parties: [P], by: 'month', asset: 'USDT' });
    expect(records(monthly)).toHaveLength(2);
    expect(monthly.notes.join()).toContain('for each month in which it changed');
  });

  test('A balance from the ledger is the value after each row, starting with the one before the first row', async () => {
    const row = (
      entry: string,
      from: string,
      to: string,
      quantity: string,
      left: string,
      has: string,
    ): readonly string[] => [...[`2026-03-01 ${entry}`, from, to, quantity, `2026-03-01 ${entry}`, left, has]];
    const ledger: GivenTable = {
      name: 'ledger',
      columns: [
        ['ledger_entry_time', 'TIMESTAMP'],
        ['account_from_id', 'BLOB'],
        ['account_to_id', 'BLOB'],
        ['quantity', 'DECIMAL(38,0)'],
        ['vega_time', 'TIMESTAMP'],
        ['account_from_balance', 'DECIMAL(38,0)'],
        ['account_to_balance', 'DECIMAL(38,0)'],
      ],
      rows: [
        row('10:00:00', accountId(Q, '', 'GENERAL'), accountId(Q, M, 'MARGIN'), '1', '1', '1'),
        row('11:00:00', general, margin, '30', '70', '35'),
        row('12:00:00', margin, general, '5', '30', '75'),
      ],
    };
    const known = async (time: string) =>
      records(await ask('balance', [ledger], { parties: [P], at: time })).map(each => [
        each.account,
        each.balanceSmallest,
      ]);
    expect(await known('2026-03-01 10:30')).toEqual([
      ['ACCOUNT_TYPE_GENERAL', '100'],
      ['ACCOUNT_TYPE_MARGIN', '5'],
    ]);
    expect(await known('2026-03-01 11:30')).toEqual([
      ['ACCOUNT_TYPE_GENERAL', '70'],
      ['ACCOUNT_TYPE_MARGIN', '35'],
    ]);
    expect(await known('2026-03-01')).toEqual([
      ['ACCOUNT_TYPE_GENERAL', '75'],
      ['ACCOUNT_TYPE_MARGIN', '30'],
    ]);
    expect(await known('2026-03-01 09:59')).toEqual([]);
  });
});

describe('Left-out columns', () => {
  const table = (name: string, columns: readonly string[]): GivenTable => ({
    name,
    columns: columns.map(column => [column, /_id$|^id$|^buyer$|^seller$/.test(column) ? 'BLOB' : columnType(column)]),
    rows: [],
  });
  const columnType = (column: string): string =>
    /time$/.test(column) ? 'TIMESTAMP' : /^type$|aggressor|epoch/.test(column) ? 'SMALLINT' : 'DECIMAL(38,0)';
  const fees = ['buyer', 'seller'].flatMap(side =>
    ['maker', 'infrastructure', 'liquidity'].map(fee => `${side}_${fee}_fee`),
  );
  const NEEDED = [
    ['trades', 'trades', ['synthetic_time', 'vega_time', 'market_id', 'price', 'size', 'type', ...fees]],
    [
      'fills',
      'trades',
      [
        ...['synthetic_time', 'vega_time', 'id', 'market_id', 'price', 'size', 'buyer', 'seller', 'aggressor'],
        'type',
        ...fees,
      ],
    ],
    ['rewards', 'rewards', ['party_id', 'asset_id', 'epoch_id', 'amount', 'vega_time', 'reward_type']],
    ['received', 'ledger', ['account_from_id', 'account_to_id', 'quantity', 'vega_time', 'type']],
    ['balance', 'balances', ['account_id', 'vega_time', 'balance']],
    [
      'balance',
      'ledger',
      [
        ...['account_from_id', 'account_to_id', 'quantity', 'vega_time', 'ledger_entry_time'],
        'account_from_balance',
        'account_to_balance',
      ],
    ],
  ] as const;
  const ofAll = { parties: [P], from: '2026-03-01' };

  test.each(NEEDED.flatMap(([name, of, columns]) => columns.map(column => [name, of, column, columns] as const)))(
    'A column that was left out never counts as empty: %s of %s without %s',
    async (name, of, column, columns) => {
      const values = { ...ofAll, ...(name === 'rewards' && { types: true }) };
      expect((await ask(name, [table(of, columns)], values)).rows).toEqual([]);
      const left = columns.filter(each => each !== column);
      await expect(ask(name, [table(of, left)], values)).rejects.toThrow(
        `has no column ${column}, which this question needs`,
      );
    },
  );
});

describe('Untrusted names in questions', () => {
  test('Quotes, comments and malformed ids never become part of a statement', async () => {
    const hostile: Directory = {
      ...NO_NAMES,
      assets: new Map([
        [A, asset({ symbol: "'; DROP TABLE trades; --", decimals: 6 })],
        ["x'); DROP TABLE ledger; --", asset()],
      ]),
      markets: new Map([[M, market({ code: "'", asset: "y') --" })]]),
    };
    const answer = await ask(
      'balance',
      [
        {
          name: 'balances',
          columns: [
            ['account_id', 'BLOB'],
            ['vega_time', 'TIMESTAMP'],
            ['balance', 'VARCHAR'],
          ],
          rows: [],
        },
      ],
      { parties: [P] },
      hostile,
    );
    expect(answer.rows).toEqual([]);
    expect(answer.sql).not.toContain('DROP');
  });

  test('Names that fill a file add a limited number of accounts, with a note on the rest', async () => {
    const many = (count: number, kind: string) => Array.from({ length: count }, (_, index) => id(`${kind}${index}`));
    const large: Directory = {
      ...NO_NAMES,
      assets: new Map(many(500, 'a').map(each => [each, asset()])),
      markets: new Map(many(3000, 'm').map(each => [each, market({ asset: '' })])),
    };
    const { notes } = await ask(
      'balance',
      [
        {
          name: 'balances',
          columns: [
            ['account_id', 'BLOB'],
            ['vega_time', 'TIMESTAMP'],
            ['balance', 'VARCHAR'],
          ],
          rows: [],
        },
      ],
      { parties: [P] },
      large,
    );
    expect(notes.join('\n')).toContain('3 000 markets with an unknown asset were left out');
  });

  test('Text instead of a number fails the question and is not read as another number', async () => {
    const table: GivenTable = {
      name: 'balances',
      columns: [
        ['account_id', 'BLOB'],
        ['vega_time', 'TIMESTAMP'],
        ['balance', 'VARCHAR'],
      ],
      rows: [[accountId(P, '', 'GENERAL'), '2026-03-01 00:00:00', '12.5']],
    };
    await expect(ask('balance', [table], { parties: [P] })).rejects.toThrow(
      'balance has a value that is not a whole number: 12.5',
    );
  });
});

describe('Reward without an amount', () => {
  const rewards = (...amounts: readonly (string | null)[]): GivenTable => ({
    name: 'rewards',
    columns: [
      ['party_id', 'BLOB'],
      ['asset_id', 'BLOB'],
      ['epoch_id', 'BIGINT'],
      ['amount', 'DECIMAL(38,0)'],
      ['vega_time', 'TIMESTAMP'],
    ],
    rows: amounts.map(amount => [P, A, '7', amount, '2026-03-01 00:00:00']),
  });
  const notesOn = async (table: GivenTable, values: QuestionValues = {}) =>
    (await ask('rewards', [table], values)).notes.filter(note => note.includes('no amount'));

  test('A reward without an amount is reported as missing from the sums', async () => {
    expect(await notesOn(rewards('5', null))).toEqual([
      '1 reward has no amount: it is among the payouts, and not in the amounts',
    ]);
    expect(await notesOn(rewards(null, null), { parties: [P] })).toEqual([
      '2 rewards have no amount: they are among the payouts, and not in the amounts',
    ]);
    expect(await notesOn(rewards('5', '0'))).toEqual([]);
    expect(await notesOn(rewards(null), { parties: [Q] })).toEqual([]);
  });
});

describe('Asset without a name', () => {
  const X = id('unnamed asset');
  const reward: GivenTable = {
    name: 'rewards',
    columns: [
      ['party_id', 'BLOB'],
      ['asset_id', 'BLOB'],
      ['epoch_id', 'BIGINT'],
      ['amount', 'DECIMAL(38,0)'],
      ['vega_time', 'TIMESTAMP'],
      ['reward_type', 'VARCHAR'],
    ],
    rows: [[P, X, '7', '5', '2026-03-01 00:00:00', 'x']],
  };
  const account = (party: string, type: string) => id(`${X}${party}ACCOUNT_TYPE_${type}`);
  const ledger: GivenTable = {
    name: 'ledger',
    columns: [
      ['ledger_entry_time', 'TIMESTAMP'],
      ['account_from_id', 'BLOB'],
      ['account_to_id', 'BLOB'],
      ['quantity', 'DECIMAL(38,0)'],
      ['vega_time', 'TIMESTAMP'],
      ['type', 'VARCHAR'],
      ['account_from_balance', 'DECIMAL(38,0)'],
      ['account_to_balance', 'DECIMAL(38,0)'],
    ],
    rows: [
      [
        ...['2026-03-01 00:00:00', account('network', 'EXTERNAL'), account(P, 'GENERAL'), '5', '2026-03-01 00:00:00'],
        ...['TRANSFER_TYPE_DEPOSIT', '0', '5'],
      ],
    ],
  };
  const balances: GivenTable = {
    name: 'balances',
    columns: [
      ['account_id', 'BLOB'],
      ['vega_time', 'TIMESTAMP'],
      ['balance', 'DECIMAL(38,0)'],
    ],
    rows: [[account(P, 'GENERAL'), '2026-03-01 00:00:00', '5']],
  };
  const trade = tradesOf([{ price: 1n, size: 1n, fee: 1n, time: '2026-03-31 00:00:00' }]);
  const markets = new Map([[M, market({ code: 'BTC', asset: X.toUpperCase() })]]);
  const NAMES: readonly (readonly [string, Directory])[] = [
    ['an empty file of names', NO_NAMES],
    ['a file of names that lacks it', names],
    ['a file of names in which a market alone has it', { ...NO_NAMES, markets }],
  ];
  const QUESTIONS_ASKED = [
    ['received', ledger, { parties: [P], asset: X }],
    ['balance', balances, { parties: [P], asset: `0X${X.toUpperCase()}` }],
    ['balance', ledger, { parties: [P], asset: X }],
    ['rewards', reward, { parties: [P], asset: X }],
    ['rewards', reward, {}],
    ['fills', trade, { parties: [P] }],
    ['fills', trade, { parties: [P], by: 'day' }],
    ['trades', trade, { market: M }],
  ] as const;

  test.each(NAMES.flatMap(known => QUESTIONS_ASKED.map(asked => [asked[0], asked[1].name, ...known, asked] as const)))(
    'An asset without a name never hides a row: %s of %s, with %s',
    async (name, _table, _names, known, [, table, values]) => {
      expect((await ask(name, [table], values, known)).rows).toHaveLength(1);
    },
  );

  test.each([
    ['of the rows of another table', [ledger, reward], NO_NAMES],
    ['of a market', [ledger], { ...NO_NAMES, markets }],
  ])('The answer uses the asset %s even if no names file lists it', async (_, tables, known) => {
    const received = await ask('received', tables, { parties: [P] }, known);
    expect(records(received)).toMatchObject([{ assetId: X, depositedSmallest: '5' }]);
    expect(received.notes.join('\n')).not.toContain('not known here, and');
    expect((await ask('balance', [...tables, balances], { parties: [P] }, known)).rows).toHaveLength(1);
  });

  test('An asset that is mentioned nowhere is reported as missing, and without any asset the error says what to do', async () => {
    const { rows, notes } = await ask('received', [ledger], { parties: [P] }, names);
    expect(rows).toEqual([]);
    expect(notes.join('\n')).toContain("the ledger has 1 asset not known here, and the party's amounts in");
    await expect(ask('received', [ledger], { parties: [P] }, NO_NAMES)).rejects.toMatchObject({
      message: 'the accounts of the party cannot be computed, because no asset of the chain is known',
      hint: 'name an asset by its id (--asset ID), or a node that has the names (--node URL)',
    });
  });
});
