import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bar } from '../../../src/chain/insight/bar.ts';
import { derivedParty } from '../../../src/chain/insight/derived-party.ts';
import { compareFees, epochNumber, type FeeRow, sharePercent, topParty } from '../../../src/chain/insight/paid-fees.ts';
import {
  createStatement,
  type EpochSpan,
  type Statement,
  type StatementInput,
  type StatementLine,
} from '../../../src/chain/insight/statement.ts';

const PARTY = 'aa11';
const OTHER = 'bb22';

const row = (epoch: string, amount: string, total: string, party = PARTY): FeeRow => ({
  market: 'm1',
  asset: 'a1',
  epochSeq: epoch,
  totalFeesPaid: total,
  feesPaidPerParty: [{ party, amount }],
});

const known = (from: bigint, to: bigint): EpochSpan => ({ kind: 'known', from, to });

const factsOf = (rows: readonly FeeRow[], rest: Partial<StatementInput> = {}): StatementInput => ({
  ...{ party: PARTY, market: '', asset: '', rows },
  spans: [known(3n, 7n)],
  ...rest,
});

/** A line each, in a few words. */
const told = ({ lines }: Statement): readonly string[] => lines.map(wordsOf);

function wordsOf(line: StatementLine): string {
  switch (line.kind) {
    case 'allocated':
      return `${line.epoch} ${line.amount} of ${line.marketTotal} ${line.share} sum ${line.running}`;
    case 'unreadable':
      return `${line.epoch} unreadable`;
    case 'none':
    case 'not-known':
    case 'open':
    case 'future':
      return `${line.epoch}-${line.toEpoch} ${line.kind}`;
  }
}

describe('Fee statement', () => {
  it('The statement has a line for each epoch, oldest first, with share, running total and gaps', () => {
    const rows = [row('7', '30', '90'), row('3', '1', '8'), row('4', '9', '9')];
    const statement = createStatement(factsOf(rows));
    expect(told(statement)).toEqual([
      '3 1 of 8 12.5 sum 1',
      '4 9 of 9 100.0 sum 10',
      '5-6 none',
      '7 30 of 90 33.3 sum 40',
    ]);
    expect(statement.totals).toEqual([
      {
        asset: 'a1',
        amount: '40',
        ammAmount: '0',
        marketTotal: '107',
        share: '37.4',
        allocations: 3,
        unreadable: 0,
        largest: { amount: '30', epoch: '7', market: 'm1' },
      },
    ]);
    expect(statement.problems).toEqual([]);
  });

  it('The statement covers the requested epochs and no others', () => {
    const rows = [row('3', '1', '8'), row('7', '30', '90')];
    expect(told(createStatement(factsOf(rows, { spans: [known(5n, 9n)] })))).toEqual([
      '5-6 none',
      '7 30 of 90 33.3 sum 30',
      '8-9 none',
    ]);
    expect(told(createStatement(factsOf([], { spans: [known(0n, 2n ** 64n - 1n)] })))).toEqual([
      '0-18446744073709551615 none',
    ]);
  });

  it('The statement reports what is known about epochs that are incomplete', () => {
    const spans: readonly EpochSpan[] = [
      { kind: 'not-known', from: 1n, to: 3n },
      known(4n, 6n),
      { kind: 'open', from: 7n, to: 7n },
      { kind: 'future', from: 8n, to: 9n },
    ];
    expect(told(createStatement(factsOf([row('5', '1', '2'), row('7', '1', '2')], { spans })))).toEqual([
      '1-3 not-known',
      '4-4 none',
      '5 1 of 2 50.0 sum 1',
      '6-6 none',
      '7-7 open',
      '7 1 of 2 50.0 sum 2',
      '8-9 future',
    ]);
  });

  it('The statement reports no problem of an epoch that was not requested', () => {
    const rows = [row('4', 'much', '2'), row('5', '1', '2'), row('6', '3', '2')];
    const problemsOf = (from: bigint, to: bigint) =>
      createStatement(factsOf(rows, { spans: [known(from, to)] })).problems;
    expect(problemsOf(5n, 5n)).toEqual([]);
    expect(problemsOf(4n, 4n)).toEqual(['epoch 4: the amount is not a whole number: not in any total']);
    expect(problemsOf(6n, 9n)).toEqual(['epoch 6: the party has more than the whole market']);
  });

  it('The statement leaves out a row with an unreadable epoch, and reports it', () => {
    const statement = createStatement(factsOf([row('3', '1', '2'), row('x', '1', '2'), row('5', '1', '2')]));
    expect(told(statement)).toEqual(['3 1 of 2 50.0 sum 1', '4-4 none', '5 1 of 2 50.0 sum 2', '6-7 none']);
    expect(statement.problems).toEqual(['1 row without an epoch: left out']);
  });

  it('The statement adds the fees of the AMM of the party, and reports how much they are', () => {
    const amm = { party: derivedParty(PARTY, 'm1'), amount: '5' };
    const own = { party: PARTY, amount: '2' };
    const rows = [
      { ...row('3', '', '9'), feesPaidPerParty: [own, amm, { party: OTHER, amount: '2' }] },
      { ...row('4', '', '9'), feesPaidPerParty: [amm] },
      { ...row('5', '', '9'), market: 'm2', feesPaidPerParty: [amm] },
    ];
    const { lines, totals } = createStatement(factsOf(rows));
    expect(lines).toMatchObject([
      { epoch: '3', amount: '7', ammAmount: '5', share: '77.8' },
      { epoch: '4', amount: '5', ammAmount: '5' },
      { kind: 'none', epoch: '5', toEpoch: '7' },
    ]);
    expect(totals).toMatchObject([{ amount: '12', ammAmount: '10' }]);
  });

  it.each([
    [
      'an amount that is no whole number',
      row('3', '1.5', '2'),
      'epoch 3: the amount is not a whole number: not in any total',
    ],
    ['an amount below 0', row('3', '-1', '2'), 'epoch 3: the amount is not a whole number: not in any total'],
    [
      'a party twice in a row',
      {
        ...row('3', '1', '2'),
        feesPaidPerParty: [row('3', '1', '2'), row('3', '1', '2')].flatMap(r => r.feesPaidPerParty),
      },
      'epoch 3: the party is in the row more than once: not in any total',
    ],
    [
      'a row that names nobody',
      { ...row('3', '1', '2'), feesPaidPerParty: [] },
      'epoch 3: the row has no party ids: not in any total',
    ],
  ])('The statement leaves a bad row out of every sum, and reports it: %s', (_, odd, problem) => {
    const statement = createStatement(factsOf([odd, row('4', '7', '9')]));
    expect(told(statement)).toEqual(['3 unreadable', '4 7 of 9 77.8 sum 7', '5-7 none']);
    expect(statement.totals).toMatchObject([{ amount: '7', marketTotal: '9', allocations: 1, unreadable: 1 }]);
    expect(statement.problems).toEqual([problem]);
  });

  it('The statement adds neither of two rows of one epoch, even if they are equal', () => {
    const statement = createStatement(factsOf([row('3', '1', '2'), row('3', '1', '2')]));
    expect(told(statement)).toEqual(['3 unreadable', '4-7 none']);
    expect(statement.totals).toMatchObject([{ amount: '0', share: '', unreadable: 1 }]);
  });

  it('The statement has no share where the market total is unreadable, and no share of the sum', () => {
    const statement = createStatement(factsOf([row('3', '1', 'many'), row('4', '1', '2')]));
    expect(told(statement)).toEqual(['3 1 of many  sum 1', '4 1 of 2 50.0 sum 2', '5-7 none']);
    expect(statement.totals).toMatchObject([{ amount: '2', marketTotal: '', share: '' }]);
  });

  it('The statement distinguishes a party that was not paid from a row that does not tell', () => {
    const rows = [row('3', '1', '2'), row('4', '5', '5', OTHER), row('5', '1', '2')];
    expect(told(createStatement(factsOf(rows, { spans: [known(3n, 5n)] })))).toEqual([
      '3 1 of 2 50.0 sum 1',
      '4-4 none',
      '5 1 of 2 50.0 sum 2',
    ]);
  });

  it('The statement of a market has the total paid, the number of parties and the party paid most', () => {
    const paid = [
      { party: OTHER, amount: '6' },
      { party: PARTY, amount: '2' },
    ];
    const rows = [{ ...row('3', '', '8'), feesPaidPerParty: paid }];
    const { lines, problems } = createStatement(factsOf(rows, { party: '', spans: [known(3n, 3n)] }));
    expect(lines).toMatchObject([
      { kind: 'allocated', amount: '8', share: '100.0', parties: 2, top: { party: OTHER, amount: '6', share: '75.0' } },
    ]);
    expect(problems).toEqual([]);
    const off = createStatement(factsOf([{ ...row('3', '', '9'), feesPaidPerParty: paid }], { party: '' }));
    expect(off.problems).toEqual(['epoch 3: the parties add up to 8, the total is 9']);
  });

  it('The statement adds up by asset across markets', () => {
    const second = { ...row('3', '5', '10'), market: 'm2' };
    const rows = [row('3', '1', '2'), second, { ...second, asset: 'a2' }];
    const statement = createStatement(factsOf(rows, { spans: [known(3n, 3n)] }));
    expect(told(statement)).toEqual(['3 1 of 2 50.0 sum 1', '3 5 of 10 50.0 sum 6', '3 5 of 10 50.0 sum 5']);
    expect(statement.totals.map(({ asset, amount }) => `${asset} ${amount}`)).toEqual(['a1 6', 'a2 5']);
  });
});

const digits = fc.bigInt({ min: 0n, max: 10n ** 30n }).map(String);
const junk = fc.oneof(digits, fc.string(), fc.constantFrom('', '-1', '1e9', '0x10', '1.0', ' 1', '٣', '9'.repeat(400)));
const id = fc.constantFrom('m1', 'M1', 'a1', 'm2', PARTY, OTHER, '', 'zz');
const anyRow = fc.record({
  market: id,
  asset: id,
  epochSeq: fc.oneof(fc.nat(20).map(String), junk),
  totalFeesPaid: junk,
  feesPaidPerParty: fc.array(fc.record({ party: id, amount: junk }), { maxLength: 4 }),
});
const anySpans = fc
  .array(fc.tuple(fc.constantFrom('known', 'not-known', 'open', 'future'), fc.nat(6)), { maxLength: 4 })
  .map(parts => {
    let next = 0n;
    return parts.map(([kind, more]): EpochSpan => {
      const from = next;
      next += BigInt(more) + 1n;
      return { kind, from, to: next - 1n };
    });
  });
const anyFacts = fc.record({
  party: fc.constantFrom('', PARTY, OTHER),
  ...{ market: fc.constantFrom('', 'm1'), asset: fc.constantFrom('', 'a1'), spans: anySpans },
  rows: fc.array(anyRow, { maxLength: 12 }),
});

describe('Fee statement from any node data', () => {
  it('The statement never throws, and every amount in a sum has its own line', () => {
    fc.assert(
      fc.property(anyFacts, facts => {
        const { lines, totals } = createStatement(facts);
        for (const total of totals) {
          const paid = lines.filter(line => line.kind === 'allocated' && line.asset === total.asset);
          const sum = paid.reduce((all, line) => all + (line.kind === 'allocated' ? BigInt(line.amount) : 0n), 0n);
          expect(total.amount).toBe(String(sum));
          expect(total.allocations).toBe(paid.length);
        }
      }),
    );
  });

  it('The statement has every epoch of the spans in a line, and only once if it has no amount', () => {
    fc.assert(
      fc.property(anyFacts, facts => {
        const { lines } = createStatement(facts);
        const epochsOf = (from: string | bigint, to: string | bigint) =>
          Array.from({ length: Number(to) - Number(from) + 1 }, (_, step) => Number(from) + step);
        const withAmount = lines.flatMap(line => ('toEpoch' in line ? [] : [Number(line.epoch)]));
        const without = lines.flatMap(line => ('toEpoch' in line ? epochsOf(line.epoch, line.toEpoch) : []));
        const asked = facts.spans.flatMap(({ from, to }) => epochsOf(from, to));
        expect(new Set(without).size).toBe(without.length);
        expect([...new Set([...withAmount, ...without])].toSorted((one, other) => one - other)).toEqual(asked);
        const isKnown = (epoch: number) =>
          facts.spans.some(({ kind, from, to }) => kind === 'known' && from <= epoch && to >= epoch);
        expect(withAmount.filter(epoch => isKnown(epoch) && without.includes(epoch))).toEqual([]);
      }),
    );
  });
});

describe('Share percentage', () => {
  it('A share is rounded half to even to one decimal place, exactly', () => {
    expect(sharePercent('1', '8')).toBe('12.5');
    expect(sharePercent('1', '2000')).toBe('0.0');
    expect(sharePercent('3', '2000')).toBe('0.2');
    expect(sharePercent('5', '2000')).toBe('0.2');
    expect(sharePercent('9'.repeat(40), '9'.repeat(40))).toBe('100.0');
    expect(sharePercent('1', '0')).toBeUndefined();
    expect(sharePercent('', '3')).toBeUndefined();
  });

  it('A share differs from the exact one by at most half of its last place', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 40n), fc.bigInt(1n, 10n ** 40n), (part, whole) => {
        const tenths = BigInt((sharePercent(String(part), String(whole)) ?? '').replace('.', ''));
        const off = tenths * whole - part * 1000n;
        expect(2n * (off < 0n ? -off : off) <= whole).toBe(true);
      }),
    );
  });
});

describe('Top party', () => {
  it('The top party is not given when an unreadable amount may be larger', () => {
    const paid = (amount: string) => ({ party: PARTY, amount });
    expect(
      topParty({ ...row('1', '', ''), feesPaidPerParty: [paid('1'), { party: OTHER, amount: '?' }] }),
    ).toBeUndefined();
    expect(
      [paid('2'), { party: '00', amount: '2' }, paid('10')].toSorted(compareFees).map(({ amount }) => amount),
    ).toEqual(['10', '2', '2']);
  });
});

describe('Epoch number', () => {
  it('An epoch number is a 64-bit integer', () => {
    expect(epochNumber('18446744073709551615')).toBe(2n ** 64n - 1n);
    for (const odd of ['18446744073709551616', '', '-1', '1.0', '1e3', ' 1']) expect(epochNumber(odd)).toBeUndefined();
  });
});

describe('Bar', () => {
  it('A bar grows by half cells up to its width, and any value above zero is visible', () => {
    expect([0n, 1n, 50n, 100n].map(part => bar(part, 100n, 4))).toEqual(['', '╸', '━━', '━━━━']);
    expect(bar(31n, 100n, 8)).toBe('━━╸');
    expect(bar(1n, 10n ** 40n, 8)).toBe('╸');
    expect(bar(5n, 0n, 8)).toBe('');
  });

  it('A bar is never longer for a smaller value, nor wider than its cells', () => {
    const length = (text: string) => text.length * 2 - (text.endsWith('╸') ? 1 : 0);
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 20n), fc.bigInt(0n, 10n ** 20n), fc.nat(20), (one, other, cells) => {
        const [less, more] = one < other ? [one, other] : [other, one];
        expect(bar(more, more, cells).length).toBeLessThanOrEqual(cells);
        expect(length(bar(less, more, cells))).toBeLessThanOrEqual(length(bar(more, more, cells)));
      }),
    );
  });
});
