import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AnswerError } from '../../../src/answers/engine/answer-error.ts';
import type { QuestionValues, ReadyAnswer } from '../../../src/answers/questions/question.ts';
import { answerQuestion } from '../../../src/answers/questions/questions.ts';
import { type Directory, NO_NAMES } from '../../../src/directory/directory.ts';
import { asset, market } from '../../directory/directories.ts';
import { datasetOf, type GivenTable } from './table-dataset.ts';

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

async function ask(table: GivenTable, values: QuestionValues = {}): Promise<ReadyAnswer> {
  const dataset = await datasetOf([table]);
  try {
    const ground = { dataset, names, values: { parties: [P ?? ''], ...values }, signal: new AbortController().signal };
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

describe('what a party received', () => {
  test('is what came to its accounts from others, by asset and month, in whole units and smallest ones', async () => {
    const answer = await ask(
      ledgerOf([
        move(general(Q), general(P), 1_500_000n, 'MAKER_FEE_RECEIVE'),
        move(general(P), general(Q), 400_001n, 'MAKER_FEE_PAY'),
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
      'ledger here is of blocks 1 to 1000, rows of 2026-03-31T23:59:59.999999Z to 2026-04-01T00:00:00Z: what came before and after is not in it',
      'accounts were computed from 2 assets and 1 market: accounts of markets that are not known here are not in it',
    ]);
  });

  test('is nothing of what moves between its own accounts: a reward that is unlocked is not income once more', async () => {
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

  test('has transfers to and from others, told from those to itself by their id; old ones without are counted, and it is said', async () => {
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

  test('says of transfers that only one half of them is here, whoever has the other one', async () => {
    const sent = (label: string) => move(general(P), pending(), 5n, 'TRANSFER_FUNDS_SEND', { transfer: id(label) });
    const came = (to: Account, label: string) =>
      move(pending(), to, 5n, 'TRANSFER_FUNDS_DISTRIBUTE', { transfer: id(label), time: '2026-04-02 00:00:00' });
    const whole = [sent('theirs'), came(general(Q), 'theirs'), sent('own'), came(general(P), 'own')];
    const told = 'of transfers of which the other half is not in these exports';
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

  test('has what else bears the id of a transfer to itself, and tells of an id that is empty as of none', async () => {
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

  test('says why in words, and that it is not said', async () => {
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
      ['not said', '2'],
    ]);
    expect(answer.notes.join('\n')).toContain('1 move without a word of why the money moved');
  });

  test('counts no move of a market that is not known as received or sent, and says so', async () => {
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
      '2 moves of a kind that stays with one party, with an account that is not known',
    );
  });

  test('between two parties that are both asked of is sent by the one and received by the other', async () => {
    const answer = await ask(ledgerOf([move(general(Q), general(P), 9n, 'WIN')]), { parties: [P, Q] });
    const of = (party: string) => records(answer).find(row => row.partyId === party);
    expect([of(P)?.receivedSmallest, of(P)?.sentSmallest]).toEqual(['9', '0']);
    expect([of(Q)?.receivedSmallest, of(Q)?.sentSmallest]).toEqual(['0', '9']);
  });

  test('is bounded by times, both ends with them, and by an asset that its symbol names', async () => {
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

  test('is in smallest units of an asset whose decimals are not known, and says so', async () => {
    const dataset = await datasetOf([ledgerOf([move(general(Q), general(P), 12_345n, 'WIN')])]);
    const unknown = { ...names, assets: new Map([[A, asset({ symbol: 'X', decimals: null })]]) };
    const { signal } = new AbortController();
    const answer = await answerQuestion('received', { dataset, names: unknown, values: { parties: [P] }, signal });
    await dataset.close();
    expect(records(answer)).toMatchObject([{ received: null, receivedSmallest: '12345' }]);
    expect(answer.rows[0]).toContain('12 345 smallest');
    expect(answer.notes.join('\n')).toContain(
      `the decimals of asset of ${A} are not known: amounts are in smallest units`,
    );
  });

  test('of an asset that is nearly called so names it', async () => {
    const hint = (asset: string) => ask(ledgerOf([]), { asset }).catch((error: AnswerError) => error.hint);
    expect(await hint('usd')).toBe('did you mean USDT? Or give its id: --asset ID');
    expect(await hint('veag')).toBe('did you mean VEGA? Or give its id: --asset ID');
    expect(await hint('')).toBe('give its id: --asset ID');
    expect(await hint('nothing')).toBe('give its id: --asset ID');
  });

  test.each([
    [{ parties: [] }, 'received of whom?'],
    [{ parties: ['abc'] }, 'a party is 64 hexadecimal digits, not "abc"'],
    [{ asset: 'nothing' }, 'there is no asset "nothing" among the names that are known'],
    [{ from: '2026-03-02', to: '2026-03-01 23:59' }, '--from 2026-03-02 is later than --to 2026-03-01 23:59'],
    [{ from: 'yesterday' }, '--from wants a day or a time, UTC, not "yesterday"'],
    [{ to: '2026-02-30' }, '--to wants a day or a time, UTC, not "2026-02-30"'],
    [{ to: '2026-02-03 24:00' }, '--to wants a day or a time'],
  ])('asked with %j is refused in words', async (values, message) => {
    await expect(ask(ledgerOf([]), values)).rejects.toThrow(message);
  });

  test('without a known asset, or without the table, is refused in words', async () => {
    const dataset = await datasetOf([ledgerOf([])]);
    const { signal } = new AbortController();
    const ground = { dataset, names: NO_NAMES, values: { parties: [P] }, signal };
    await expect(answerQuestion('received', ground)).rejects.toThrow('no asset of the chain is known');
    await expect(answerQuestion('trades', ground)).rejects.toThrow(
      'what was traded is answered by the table trades; here is ledger',
    );
    await expect(answerQuestion('recieved', ground)).rejects.toThrow('there is no question "recieved"');
    await dataset.close();
  });

  test('is found where the ids are hexadecimal text, too', async () => {
    const answer = await ask(ledgerOf([move(general(Q), general(P), 9n, 'WIN')], 'VARCHAR'));
    expect(records(answer)).toMatchObject([{ receivedSmallest: '9' }]);
  });

  test('whatever the ledger has, is the sum that whole numbers of any length give', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyMove, { maxLength: 60, size: 'max' }), async moves => {
        const answer = await ask(ledgerOf(moves));
        const sums = new Map(
          records(answer).map(row => [
            `${row.assetId} ${row.month}`,
            [row.receivedSmallest, row.sentSmallest, row.unclearReceivedSmallest, row.unclearSentSmallest].join(' '),
          ]),
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
    null,
  ),
  time: fc.constantFrom('2026-03-31 23:59:59.999999', '2026-04-01 00:00:00', '2025-12-31 00:00:00'),
  transfer: fc.constantFrom('', id('t1'), id('t2'), null),
});

/** The same once more, without the engine: which accounts are the party's is written down here. */
function summed(moves: readonly Move[]): ReadonlyMap<string, string> {
  const isOwn = ({ party, market: on }: Account) => party === P && on !== HIDDEN;
  const own = (type: string, side: 'from' | 'to') =>
    moves.filter(each => each.type === type && each.transfer && isOwn(each[side])).map(({ transfer }) => transfer);
  const arrived = own('TRANSFER_FUNDS_DISTRIBUTE', 'to');
  const toItself = new Set(own('TRANSFER_FUNDS_SEND', 'from').filter(transfer => arrived.includes(transfer)));
  const sums = new Map<string, [bigint, bigint, bigint, bigint]>();
  for (const { from, to, quantity, type, time, transfer } of moves) {
    const [leaves, comes] = [isOwn(from), isOwn(to)];
    const isHalf = type?.startsWith('TRANSFER_FUNDS') ?? false;
    if (leaves === comes || (isHalf && transfer && toItself.has(transfer))) continue;
    const key = `${comes ? to.asset : from.asset} ${time.slice(0, 7)}`;
    const sum = sums.get(key) ?? [0n, 0n, 0n, 0n];
    const isUnclear = type === 'MARGIN_LOW' || type === 'REWARDS_VESTED';
    sum[(isUnclear ? 2 : 0) + (comes ? 0 : 1)] = (sum[(isUnclear ? 2 : 0) + (comes ? 0 : 1)] ?? 0n) + quantity;
    sums.set(key, sum);
  }
  return new Map([...sums].map(([key, sum]) => [key, sum.join(' ')]));
}
