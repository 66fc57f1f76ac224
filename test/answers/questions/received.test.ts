import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AnswerError } from '../../../src/answers/engine/answer-error.ts';
import type { QuestionValues, ReadyAnswer } from '../../../src/answers/questions/question.ts';
import { answerQuestion } from '../../../src/answers/questions/questions.ts';
import type { SavedRanges } from '../../../src/answers/questions/row-range.ts';
import { type Directory, NO_NAMES } from '../../../src/chain/directory/directory.ts';
import { asset, market } from '../../chain/directory/directories.ts';
import { sharedEngine } from '../shared-engine.ts';
import { datasetOf, type GivenTable, NONE_SAVED } from './table-dataset.ts';

const engine = sharedEngine();

const id = (label: string): string => createHash('sha256').update(label).digest('hex');
const [P, Q, A, B, M, HIDDEN] = ['party', 'other party', 'asset', 'second asset', 'market', 'market nobody knows'].map(
  id,
);
if (!P || !Q || !A || !B || !M || !HIDDEN) throw new Error('ids');

const names: Directory = {
  ...NO_NAMES,
  assets: new Map([
    [A, asset({ symbol: 'USDT', decimals: 6 })],
    [B, asset({ symbol: 'VEGA', decimals: 18 })],
  ]),
  markets: new Map([[M, market({ code: 'BTC', asset: A })]]),
};

interface Account {
  readonly asset: string;
  readonly party: string;
  readonly market?: string;
  readonly type: string;
}

const accountId = ({ asset: of, party, market: on = '', type }: Account): string =>
  id(`${of}${party}${on}ACCOUNT_TYPE_${type}`);

interface Move {
  readonly from: Account;
  readonly to: Account;
  readonly quantity: bigint;
  readonly type: string | null;
  readonly time: string;
  readonly transfer?: string | null;
}

function ledgerOf(moves: readonly Move[], ids: 'BLOB' | 'VARCHAR' = 'BLOB'): GivenTable {
  const isLong = moves.some(({ quantity }) => quantity >= 10n ** 38n);
  return {
    name: 'ledger',
    columns: [
      ['ledger_entry_time', 'TIMESTAMP'],
      ['account_from_id', ids],
      ['account_to_id', ids],
      ['quantity', isLong ? 'VARCHAR' : 'DECIMAL(38,0)'],
      ['vega_time', 'TIMESTAMP'],
      ['type', 'VARCHAR'],
      ['transfer_id', ids],
    ],
    rows: moves.map(({ from, to, quantity, type, time, transfer = '' }, index) => [
      `2026-01-01 00:00:00.${String(index).padStart(6, '0')}`,
      ...[accountId(from), accountId(to), String(quantity), time],
      type === null ? null : `TRANSFER_TYPE_${type}`,
      transfer,
    ]),
  };
}

const general = (party: string, of: string = A): Account => ({ asset: of, party, type: 'GENERAL' });
const margin = (party: string, on: string = M): Account => ({ asset: A, party, market: on, type: 'MARGIN' });
const pending = (of: string = A): Account => ({ asset: of, party: 'network', type: 'PENDING_TRANSFERS' });

async function ask(
  table: GivenTable,
  values: QuestionValues = {},
  known = names,
  saved: SavedRanges = NONE_SAVED,
): Promise<ReadyAnswer> {
  const dataset = await datasetOf([table], engine());
  try {
    const all = { parties: [P ?? ''], ...values };
    const ground = { dataset, names: known, saved, values: all, signal: new AbortController().signal };
    return await answerQuestion('received', ground);
  } finally {
    await dataset.close();
  }
}

/** The rows by the ids of their columns, those of the table apart. */
const records = ({ columns, rows }: ReadyAnswer) =>
  rows.map(row =>
    Object.fromEntries(columns.flatMap((column, at) => (column.in === 'table' ? [] : [[column.id, row[at]] as const]))),
  );

const move = (from: Account, to: Account, quantity: bigint, type: string | null, more: Partial<Move> = {}): Move => ({
  ...{ from, to, quantity, type, time: '2026-03-31 23:59:59.999999' },
  ...more,
});

describe('Question: received', () => {
  test('The `received` answer has payments from others by asset and month, in whole and smallest units', async () => {
    const answer = await ask(
      ledgerOf([
        move(general(Q), general(P), 1_500_000n, 'MAKER_FEE_RECEIVE'),
        move(general(P), { asset: A, party: 'network', market: M, type: 'FEES_MAKER' }, 400_001n, 'MAKER_FEE_PAY'),
        move(general(Q), general(P), 7n, 'WIN', { time: '2026-04-01 00:00:00' }),
        move(general(Q, B), general(P, B), 5n, 'WIN'),
        move(general(Q), margin(Q), 5n, 'MARGIN_LOW'),
      ]),
    );
    expect(
      records(answer).map(row => [
        row.assetName,
        row.month,
        row.received,
        row.sent,
        row.net,
        row.receivedSmallest,
        row.moves,
      ]),
    ).toEqual(
      [
        ['USDT', '2026-03', '1.5', '0.400001', '1.099999', '1500000', '2'],
        ['USDT', '2026-04', '0.000007', '0', '0.000007', '7', '1'],
        ['VEGA', '2026-03', '0.000000000000000005', '0', '0.000000000000000005', '5', '1'],
      ].toSorted((a, b) => ((a[0] === 'USDT' ? A : B) ?? '').localeCompare((b[0] === 'USDT' ? A : B) ?? '')),
    );
    expect(answer.notes).toEqual([
      'range: everything in the files, because their exported range is not known (an older export, or one without its .names.json)',
      'files: ledger of blocks 1 to 1000, rows of 2026-03-31T23:59:59.999999Z to 2026-04-01T00:00:00Z; no other data was used',
      'accounts were computed from 2 assets and 1 market: accounts of other assets and markets are not included',
    ]);
  });

  test('The `received` answer over epochs includes the rewards of the preceding epoch and notes both ends', async () => {
    const pool = { asset: A, party: 'network', type: 'GLOBAL_REWARD' };
    const paid = (time: string, quantity: bigint): Move =>
      move(pool, { asset: A, party: P, type: 'VESTING_REWARDS' }, quantity, 'REWARD_PAYOUT', { time });
    const table = ledgerOf([
      paid('2026-10-01 20:00:00', 19n),
      paid('2026-10-01 21:00:00', 20n),
      paid('2026-10-01 22:00:00', 21n),
      paid('2026-10-01 23:00:00', 22n),
    ]);
    const epochs = ['20', '21', '22'].map(seq => ({
      ...{ seq, start: `2026-10-01T${seq}:00:00.000000Z`, end: `2026-10-01T${Number(seq) + 1}:00:00.000000Z` },
    }));
    const bounds = (from: number, to: number) => ({
      from: { time: `2026-10-01T${from}:00:00.000000Z`, epoch: String(from) },
      until: { time: `2026-10-01T${to + 1}:00:00.000000Z`, epoch: String(to) },
    });
    const asked = { table: 'ledger', fromBlock: '1', toBlock: '1000', name: 'e20..e21', ...bounds(20, 21) };
    const later = (epoch: number) =>
      `an epoch's rewards and liquidity fees are paid in the first block of the next epoch: those of epoch 19 are in this range, those of epoch ${epoch} are not`;
    const answered = async (values: QuestionValues, saved: SavedRanges) => {
      const { notes, ...answer } = await ask(table, values, names, saved);
      return [
        records({ notes, ...answer }).map(row => row.receivedSmallest),
        notes.filter(note => /first block/.test(note)),
      ];
    };
    expect(await answered({ from: 'e20', to: 'e22' }, { ranges: [], epochs })).toEqual([['60'], [later(22)]]);
    expect(await answered({}, { ranges: [asked], epochs: [] })).toEqual([['39'], [later(21)]]);
    expect(await answered({ isWhole: true }, { ranges: [asked], epochs: [] })).toEqual([['82'], []]);
    expect(await answered({ from: '2026-10-01', to: '2026-10-01' }, { ranges: [], epochs })).toEqual([['82'], []]);
  });

  test('The `received` net is 40: it leaves out restored 1 000, own AMM 500, staked 300 and 60 withheld of 100 in fees', async () => {
    const amm = createHash('sha3-256').update(`AMMv1${M}${P}0`).digest('hex');
    const external = { asset: A, party: 'network', type: 'EXTERNAL' };
    const fees = { asset: A, party: P, market: M, type: 'LP_LIQUIDITY_FEES' };
    const bonus = { asset: A, party: 'network', market: M, type: 'LIQUIDITY_FEES_BONUS_DISTRIBUTION' };
    const locked = { asset: A, party: P, type: 'LOCKED_FOR_STAKING' };
    const [staked, unstaked] = [{ transfer: id('stake') }, { transfer: id('unstake') }];
    const million = 1_000_000n;
    const answer = await ask(
      ledgerOf([
        move(external, general(P), 1000n * million, 'CHECKPOINT_BALANCE_RESTORE'),
        move(external, general(P), 70n * million, 'DEPOSIT'),
        move(general(P), external, 20n * million, 'WITHDRAW'),
        move(general(P), general(amm), 500n * million, 'AMM_LOW'),
        move(general(amm), margin(amm), 200n * million, 'MARGIN_LOW'),
        move(margin(amm), general(amm), 200n * million, 'MARGIN_HIGH'),
        move(general(amm), general(P), 500n * million, 'AMM_RELEASE'),
        move(general(P), pending(), 300n * million, 'TRANSFER_FUNDS_SEND', staked),
        move(pending(), locked, 300n * million, 'TRANSFER_FUNDS_DISTRIBUTE', staked),
        move(locked, pending(), 300n * million, 'TRANSFER_FUNDS_SEND', unstaked),
        move(pending(), general(P), 300n * million, 'TRANSFER_FUNDS_DISTRIBUTE', unstaked),
        move({ ...bonus, type: 'FEES_LIQUIDITY' }, fees, 100n * million, 'LIQUIDITY_FEE_ALLOCATE'),
        move(fees, bonus, 60n * million, 'LIQUIDITY_FEE_UNPAID_COLLECT'),
        move(fees, general(P), 40n * million, 'LIQUIDITY_FEE_NET_DISTRIBUTE'),
      ]),
    );
    expect(records(answer)).toMatchObject([
      {
        ...{ received: '40', sent: '0', net: '40', moves: '1', restored: '1000', deposited: '70', withdrawn: '20' },
        ...{ allocated: '100', withheld: '60', bonus: '0', unclearReceivedSmallest: '0', unclearSentSmallest: '0' },
      },
    ]);
    const notes = answer.notes.join('\n');
    expect(notes).toContain("the party's own AMM: 500 USDT went to it and 500 USDT came back in 2 moves");
    expect(notes).toContain('locked for staking: 300 USDT went to it and 300 USDT came back');
    expect(notes).toContain('restored is the balance from before a restart of the network from a checkpoint');
    expect(notes).toContain('deposits and withdrawals have columns of their own: they are neither received nor sent');
    expect(notes).toContain('withheld was taken from it');
    expect(answer.columns.filter(column => column.in === 'table').map(({ title }) => title)).toEqual(
      expect.arrayContaining(['deposited', 'withdrawn', 'restored', 'LP allocated', 'LP withheld']),
    );
  });

  test('The `received` answer includes the liquidity provider bonus with its amount, and hides empty columns', async () => {
    const bonus = { asset: A, party: 'network', market: M, type: 'LIQUIDITY_FEES_BONUS_DISTRIBUTION' };
    const answer = await ask(
      ledgerOf([
        move(bonus, general(P), 7n, 'SLA_PERFORMANCE_BONUS_DISTRIBUTE'),
        move(general(Q), general(P), 1n, 'WIN'),
      ]),
    );
    expect(records(answer)).toMatchObject([{ receivedSmallest: '8', bonusSmallest: '7' }]);
    const titles = answer.columns.filter(column => column.in !== 'data').map(({ title }) => title);
    expect(titles).toEqual(['asset', 'month', 'received', 'sent', 'net', 'moves', 'LP bonus']);
  });

  test('The `received` answer includes what an own AMM earns as income of the party', async () => {
    const amm = createHash('sha3-256').update(`AMMv1${M}${P}0`).digest('hex');
    const pool = { asset: A, party: 'network', market: M, type: 'FEES_MAKER' };
    const answer = await ask(
      ledgerOf([
        move(pool, general(amm), 9n, 'MAKER_FEE_RECEIVE'),
        move(general(P), general(createHash('sha3-256').update(`AMMv1${HIDDEN}${P}0`).digest('hex')), 5n, 'AMM_LOW'),
      ]),
    );
    expect(records(answer)).toMatchObject([{ receivedSmallest: '9', sentSmallest: '0', unclearSentSmallest: '5' }]);
    expect(answer.notes.join('\n')).toContain('1 move with a type that stays within one party');
  });

  test('The liquidity fees of an own AMM are allocated to its fee account and received when they leave it', async () => {
    const amm = createHash('sha3-256').update(`AMMv1${M}${P}0`).digest('hex');
    const fees = { asset: A, party: amm, market: M, type: 'LP_LIQUIDITY_FEES' };
    const pool = { asset: A, party: 'network', market: M, type: 'FEES_LIQUIDITY' };
    const answer = await ask(
      ledgerOf([
        move(pool, fees, 9n, 'LIQUIDITY_FEE_ALLOCATE'),
        move(fees, general(amm), 9n, 'LIQUIDITY_FEE_NET_DISTRIBUTE'),
      ]),
    );
    expect(records(answer)).toMatchObject([
      { receivedSmallest: '9', sentSmallest: '0', allocatedSmallest: '9', withheldSmallest: '0' },
    ]);
  });

  test('The `received` answer excludes transfers between own accounts: an unlocked reward is not income again', async () => {
    const reward = { asset: A, party: P, type: 'VESTING_REWARDS' };
    const answer = await ask(
      ledgerOf([
        move({ asset: A, party: 'network', type: 'GLOBAL_REWARD' }, reward, 100n, 'REWARD_PAYOUT'),
        move(reward, { ...reward, type: 'VESTED_REWARDS' }, 60n, 'REWARDS_VESTED'),
        move(general(P), margin(P), 50n, 'MARGIN_LOW'),
        move({ ...reward, type: 'VESTED_REWARDS' }, pending(), 30n, 'TRANSFER_FUNDS_SEND', { transfer: id('own') }),
        move(pending(), general(P), 30n, 'TRANSFER_FUNDS_DISTRIBUTE', {
          transfer: id('own'),
          time: '2026-04-02 00:00:00',
        }),
      ]),
    );
    expect(records(answer)).toMatchObject([{ receivedSmallest: '100', sentSmallest: '0', moves: '1' }]);
  });

  test('The `received` answer excludes transfers to itself by their id, and counts old ones without an id with a note', async () => {
    const theirs = { transfer: id('theirs') };
    const moves = [
      move(general(Q), pending(), 8n, 'TRANSFER_FUNDS_SEND', theirs),
      move(pending(), general(P), 8n, 'TRANSFER_FUNDS_DISTRIBUTE', theirs),
      move(general(P), pending(), 3n, 'TRANSFER_FUNDS_SEND', { transfer: null }),
      move(pending(), general(P), 3n, 'TRANSFER_FUNDS_DISTRIBUTE', { transfer: null }),
    ];
    const answer = await ask(ledgerOf(moves));
    expect(records(answer)).toMatchObject([{ receivedSmallest: '11', sentSmallest: '3' }]);
    expect(answer.notes.join('\n')).toContain('2 moves of transfers without a transfer id');
    const { columns, rows, name } = ledgerOf(moves);
    const old = { name, columns: columns.slice(0, -1), rows: rows.map(row => row.slice(0, -1)) };
    expect(records(await ask(old))).toMatchObject([{ receivedSmallest: '11', sentSmallest: '3' }]);
  });

  test('The `received` answer notes transfers with only one half in the exports', async () => {
    const sent = (label: string) => move(general(P), pending(), 5n, 'TRANSFER_FUNDS_SEND', { transfer: id(label) });
    const came = (to: Account, label: string) =>
      move(pending(), to, 5n, 'TRANSFER_FUNDS_DISTRIBUTE', { transfer: id(label), time: '2026-04-02 00:00:00' });
    const whole = [sent('theirs'), came(general(Q), 'theirs'), sent('own'), came(general(P), 'own')];
    const told = 'of transfers whose other half is not in these exports';
    expect((await ask(ledgerOf(whole))).notes.join('\n')).not.toContain(told);
    // Another move with the id of a transfer is no half of it.
    const fee = move(general(P), { ...pending(), type: 'FEES_INFRASTRUCTURE' }, 2n, 'INFRASTRUCTURE_FEE_PAY', {
      transfer: id('begun'),
    });
    const answer = await ask(ledgerOf([...whole, sent('begun'), sent('begun'), fee, came(general(P), 'ended')]));
    expect(answer.notes.join('\n')).toContain(`3 moves ${told}`);
    expect(records(answer)).toMatchObject([
      { month: '2026-03', sentSmallest: '17' },
      { month: '2026-04', receivedSmallest: '5' },
    ]);
    // What is not asked for is here all the same.
    const later = await ask(ledgerOf([sent('slow'), came(general(Q), 'slow')]), { to: '2026-03-31' });
    expect(later.notes.join('\n')).not.toContain(told);
  });

  test('The `received` answer includes other rows with the id of a self-transfer, and treats an empty id as no id', async () => {
    const own = { transfer: id('own') };
    const answer = await ask(
      ledgerOf([
        move(general(P), pending(), 30n, 'TRANSFER_FUNDS_SEND', own),
        move(
          general(P),
          { asset: A, party: 'network', type: 'FEES_INFRASTRUCTURE' },
          2n,
          'INFRASTRUCTURE_FEE_PAY',
          own,
        ),
        move(pending(), general(P), 30n, 'TRANSFER_FUNDS_DISTRIBUTE', own),
        move(general(P), pending(), 5n, 'TRANSFER_FUNDS_SEND', { transfer: '' }),
      ]),
    );
    expect(records(answer)).toMatchObject([{ receivedSmallest: '0', sentSmallest: '7' }]);
    expect(answer.notes.join('\n')).toContain('1 move of transfers without a transfer id');
  });

  test('The `received` answer gives the reason of each payment in words, or notes that it is not given', async () => {
    const answer = await ask(
      ledgerOf([
        move(general(Q), general(P), 1n, 'WIN'),
        move(general(Q), general(P), 2n, null),
        move(general(Q), general(P), 4n, 'NEW_KIND'),
      ]),
      { types: true },
    );
    expect(records(answer).map(({ why, receivedSmallest }) => [why, receivedSmallest])).toEqual([
      ['TRANSFER_TYPE_NEW_KIND', '4'],
      ['final settlement gain', '1'],
      ['not given', '2'],
    ]);
    expect(answer.notes.join('\n')).toContain('1 move without a type');
  });

  test('The `received` answer leaves out moves of an unknown market, with a note', async () => {
    const answer = await ask(
      ledgerOf([
        move(margin(P, HIDDEN), general(P), 9n, 'MARGIN_HIGH'),
        move(general(P), margin(P, HIDDEN), 4n, 'MARGIN_LOW'),
        move(general(Q), general(P), 1n, 'WIN'),
      ]),
    );
    expect(records(answer)).toMatchObject([
      { receivedSmallest: '1', sentSmallest: '0', unclearReceivedSmallest: '9', unclearSentSmallest: '4', moves: '1' },
    ]);
    expect(answer.notes.join('\n')).toContain(
      '2 moves with a type that stays within one party, but with an unknown account',
    );
  });

  test('A transfer between two requested parties is sent by one and received by the other', async () => {
    const answer = await ask(ledgerOf([move(general(Q), general(P), 9n, 'WIN')]), { parties: [P, Q] });
    const of = (party: string) => records(answer).find(row => row.partyId === party);
    expect([of(P)?.receivedSmallest, of(P)?.sentSmallest]).toEqual(['9', '0']);
    expect([of(Q)?.receivedSmallest, of(Q)?.sentSmallest]).toEqual(['0', '9']);
  });

  test('The `received` answer can be limited by inclusive times and by an asset given as its symbol', async () => {
    const at = (time: string) => move(general(Q), general(P), 1n, 'WIN', { time });
    const moves = [
      at('2026-03-01 00:00:00'),
      at('2026-03-02 12:30:59.9'),
      at('2026-03-02 23:59:59.999999'),
      at('2026-03-03 00:00:00'),
    ];
    const count = async (values: QuestionValues) => records(await ask(ledgerOf(moves), values)).map(row => row.moves);
    expect(await count({ from: '2026-03-01', to: '2026-03-02' })).toEqual(['3']);
    expect(await count({ from: '2026-03-01 00:00:01', to: '2026-03-02 12:30' })).toEqual(['1']);
    expect(await count({ to: '2026-03-02 12:30:59' })).toEqual(['2']);
    expect(await count({ by: 'day' })).toEqual(['1', '2', '1']);
    expect(await count({ asset: 'vega' })).toEqual([]);
    expect(await count({ asset: 'usdt' })).toEqual(['4']);
  });

  test('The `received` answer uses smallest units for an asset with unknown decimals, with a note', async () => {
    const dataset = await datasetOf([ledgerOf([move(general(Q), general(P), 12_345n, 'WIN')])], engine());
    const unknown = { ...names, assets: new Map([[A, asset({ symbol: 'X', decimals: null })]]) };
    const { signal } = new AbortController();
    const answer = await answerQuestion('received', {
      dataset,
      names: unknown,
      saved: NONE_SAVED,
      values: { parties: [P] },
      signal,
    });
    await dataset.close();
    expect(records(answer)).toMatchObject([{ received: null, receivedSmallest: '12345' }]);
    expect(answer.rows[0]).toContain('12 345 smallest');
    expect(answer.notes.join('\n')).toContain(
      `the decimals of asset ${A} are not known: amounts are in smallest units`,
    );
  });

  test('The `received` hint suggests an asset with a similar symbol', async () => {
    const hint = (asset: string) => ask(ledgerOf([]), { asset }).catch((error: AnswerError) => error.hint);
    expect(await hint('usd')).toBe('did you mean USDT? Or give its id: --asset ID');
    expect(await hint('veag')).toBe('did you mean VEGA? Or give its id: --asset ID');
    expect(await hint('')).toBe('give its id: --asset ID');
    expect(await hint('nothing')).toBe('give its id: --asset ID');
  });

  test.each([
    [{ parties: [] }, 'received needs a party'],
    [{ parties: ['abc'] }, 'a party is 64 hexadecimal digits, not "abc"'],
    [{ asset: 'nothing' }, 'asset "nothing" not found among the known names'],
    [
      { from: '2026-03-02', to: '2026-03-01 23:59' },
      'the range begins after it ends: 2026-03-02 is later than 2026-03-01 23:59',
    ],
    [{ from: 'yesterday' }, '--from must be an epoch, a day or a time in UTC, not "yesterday"'],
    [{ to: '2026-02-30' }, '--to must be an epoch, a day or a time in UTC, not "2026-02-30"'],
    [{ to: '2026-02-03 24:00' }, '--to must be an epoch, a day or a time'],
  ])('The `received` question refuses %j with a clear message', async (values, message) => {
    await expect(ask(ledgerOf([]), values)).rejects.toThrow(message);
  });

  test('The `received` question without a known asset, or without the table, is refused with a clear message', async () => {
    const dataset = await datasetOf([ledgerOf([])], engine());
    const { signal } = new AbortController();
    const ground = { dataset, names: NO_NAMES, saved: NONE_SAVED, values: { parties: [P] }, signal };
    await expect(answerQuestion('received', ground)).rejects.toThrow('no asset of the chain is known');
    await expect(answerQuestion('trades', ground)).rejects.toThrow(
      'trades needs the table trades; the exports have ledger',
    );
    await expect(answerQuestion('recieved', ground)).rejects.toThrow('question "recieved" not found');
    await dataset.close();
  });

  test('The `received` question also works on ids stored as hexadecimal text', async () => {
    const answer = await ask(ledgerOf([move(general(Q), general(P), 9n, 'WIN')], 'VARCHAR'));
    expect(records(answer)).toMatchObject([{ receivedSmallest: '9' }]);
  });

  test('The `received` sums are exact for every ledger, with whole numbers of any length', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyMove, { maxLength: 60, size: 'max' }), async moves => {
        const answer = await ask(ledgerOf(moves));
        const sums = new Map(
          records(answer).map(row => [`${row.assetId} ${row.month}`, PARTS.map(part => row[part]).join(' ')]),
        );
        expect(sums).toEqual(summed(moves));
      }),
      { numRuns: 25 },
    );
  });
});

const accounts: readonly Account[] = [P, Q].flatMap(party => [
  ...[A, B].flatMap(of => ['GENERAL', 'VESTED_REWARDS'].map(type => ({ asset: of, party, type }))),
  ...['MARGIN', 'LP_LIQUIDITY_FEES'].map(type => ({ asset: A, party, market: M, type })),
  { asset: A, party, market: HIDDEN, type: 'MARGIN' },
]);
const anyAccount = fc.constantFrom(...accounts, pending(), { ...pending(B), type: 'EXTERNAL' });
const anyMove: fc.Arbitrary<Move> = fc.record({
  from: anyAccount,
  to: anyAccount,
  quantity: fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 64n }), fc.bigInt({ min: 10n ** 37n, max: 10n ** 60n })),
  type: fc.constantFrom(
    'WIN',
    'MARGIN_LOW',
    'TRANSFER_FUNDS_SEND',
    'TRANSFER_FUNDS_DISTRIBUTE',
    'REWARDS_VESTED',
    'DEPOSIT',
    'WITHDRAW',
    'CHECKPOINT_BALANCE_RESTORE',
    'LIQUIDITY_FEE_NET_DISTRIBUTE',
    null,
  ),
  time: fc.constantFrom('2026-03-31 23:59:59.999999', '2026-04-01 00:00:00', '2025-12-31 00:00:00'),
  transfer: fc.constantFrom('', id('t1'), id('t2'), null),
});

/** The same once more, without the engine: which accounts are the party's is written down here. */
function summed(moves: readonly Move[]): ReadonlyMap<string, string> {
  const isOwn = ({ party, market: on }: Account) => party === P && on !== HIDDEN;
  const isFees = (account: Account) => isOwn(account) && account.type === 'LP_LIQUIDITY_FEES';
  const own = (type: string, side: 'from' | 'to') =>
    moves.filter(each => each.type === type && each.transfer && isOwn(each[side])).map(({ transfer }) => transfer);
  const arrived = own('TRANSFER_FUNDS_DISTRIBUTE', 'to');
  const toItself = new Set(own('TRANSFER_FUNDS_SEND', 'from').filter(transfer => arrived.includes(transfer)));
  const sums = new Map<string, bigint[]>();
  const add = (account: Account, time: string, place: number, quantity: bigint) => {
    const key = `${account.asset} ${time.slice(0, 7)}`;
    const sum = sums.get(key) ?? PARTS.map(() => 0n);
    sum[place] = (sum[place] ?? 0n) + quantity;
    sums.set(key, sum);
  };
  for (const { from, to, quantity, type, time, transfer } of moves) {
    const isHalf = type?.startsWith('TRANSFER_FUNDS') ?? false;
    for (const [side, other, isIn] of [
      [to, from, true],
      [from, to, false],
    ] as const) {
      if (!isOwn(side)) continue;
      const place = (part: string) => PARTS.indexOf(part);
      if (isFees(other) && !isFees(side)) {
        add(side, time, place(isIn ? 'receivedSmallest' : 'sentSmallest'), quantity);
        continue;
      }
      if (isOwn(other) || (isHalf && transfer && toItself.has(transfer))) continue;
      if (isFees(side)) add(side, time, place(isIn ? 'allocatedSmallest' : 'withheldSmallest'), quantity);
      else if (type === 'CHECKPOINT_BALANCE_RESTORE') add(side, time, place('restoredSmallest'), quantity);
      else if (type === 'DEPOSIT') add(side, time, place('depositedSmallest'), quantity);
      else if (type === 'WITHDRAW') add(side, time, place('withdrawnSmallest'), quantity);
      else if (type === 'MARGIN_LOW' || type === 'REWARDS_VESTED')
        add(side, time, place(isIn ? 'unclearReceivedSmallest' : 'unclearSentSmallest'), quantity);
      else add(side, time, place(isIn ? 'receivedSmallest' : 'sentSmallest'), quantity);
    }
  }
  return new Map([...sums].map(([key, sum]) => [key, sum.join(' ')]));
}

const PARTS = [
  ...['receivedSmallest', 'sentSmallest', 'unclearReceivedSmallest', 'unclearSentSmallest', 'depositedSmallest'],
  ...['withdrawnSmallest', 'restoredSmallest', 'allocatedSmallest', 'withheldSmallest'],
];
