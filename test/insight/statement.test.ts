import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bar } from '../../src/insight/bar.ts';
import { byAmount, epochNumber, type FeeRow, sharePercent, topParty } from '../../src/insight/paid-fees.ts';
import { type Statement, type StatementFacts, statementOf } from '../../src/insight/statement.ts';
import type { StatementLine } from '../../src/insight/statement-line.ts';

const PARTY = 'aa11';
const OTHER = 'bb22';

const row = (epoch: string, amount: string, total: string, party = PARTY): FeeRow => ({
  market: 'm1',
  asset: 'a1',
  epochSeq: epoch,
  totalFeesPaid: total,
  feesPaidPerParty: [{ party, amount }],
});

const factsOf = (rows: readonly FeeRow[], rest: Partial<StatementFacts> = {}): StatementFacts => ({
  party: PARTY,
  epochs: null,
  lists: [{ market: 'm1', asset: 'a1', rows, isCut: false }],
  ...rest,
});

/** A line each, in a few words. */
const told = ({ lines }: Statement): readonly string[] => lines.map(wordsOf);

function wordsOf(line: StatementLine): string {
  switch (line.kind) {
    case 'paid':
      return `${line.epoch} ${line.amount} of ${line.marketTotal} ${line.share} sum ${line.running}`;
    case 'unreadable':
      return `${line.epoch} unreadable`;
    case 'no-payment':
    case 'not-known':
      return `${line.epoch}-${line.toEpoch} ${line.kind}`;
  }
}

describe('a statement', () => {
  it('has a line for each epoch, oldest first, with share and running total, and its gaps', () => {
    const rows = [row('7', '30', '90'), row('3', '1', '8'), row('4', '9', '9')];
    const statement = statementOf(factsOf(rows));
    expect(told(statement)).toEqual([
      '3 1 of 8 12.5 sum 1',
      '4 9 of 9 100.0 sum 10',
      '5-6 no-payment',
      '7 30 of 90 33.3 sum 40',
    ]);
    expect(statement.totals).toEqual([
      {
        asset: 'a1',
        amount: '40',
        marketTotal: '107',
        share: '37.4',
        payments: 3,
        unreadable: 0,
        largest: { amount: '30', epoch: '7', market: 'm1' },
      },
    ]);
    expect(statement.problems).toEqual([]);
  });

  it('covers the epochs that were asked for and no others', () => {
    const rows = [row('3', '1', '8'), row('7', '30', '90')];
    expect(told(statementOf(factsOf(rows, { epochs: { from: 5n, to: 9n } })))).toEqual([
      '5-6 no-payment',
      '7 30 of 90 33.3 sum 30',
      '8-9 no-payment',
    ]);
    expect(told(statementOf(factsOf([], { epochs: { from: 0n, to: 2n ** 64n - 1n } })))).toEqual([
      '0-18446744073709551615 no-payment',
    ]);
  });

  it('says of epochs beyond a list that was cut that they are not known', () => {
    const lists = [{ market: 'm1', asset: 'a1', rows: [row('5', '1', '2'), row('7', '1', '2')], isCut: true }];
    expect(told(statementOf(factsOf([], { lists, epochs: { from: 1n, to: 9n } })))).toEqual([
      '1-4 not-known',
      '5 1 of 2 50.0 sum 1',
      '6-6 no-payment',
      '7 1 of 2 50.0 sum 2',
      '8-9 not-known',
    ]);
  });

  it('has no fault of an epoch that was not asked for', () => {
    const rows = [row('4', 'much', '2'), row('5', '1', '2'), row('6', '3', '2')];
    const problemsOf = (from: bigint, to: bigint) => statementOf(factsOf(rows, { epochs: { from, to } })).problems;
    expect(problemsOf(5n, 5n)).toEqual([]);
    expect(problemsOf(4n, 4n)).toEqual(['epoch 4: the amount is no whole number: in no sum']);
    expect(problemsOf(6n, 9n)).toEqual(['epoch 6: the party was paid more than the whole market']);
  });

  it('knows no gap of a list that was cut and is in no order', () => {
    const cut = (...epochs: readonly string[]) => [
      { market: 'm1', asset: 'a1', rows: epochs.map(epoch => row(epoch, '1', '2')), isCut: true },
    ];
    const gaps = (...epochs: readonly string[]) =>
      told(statementOf(factsOf([], { lists: cut(...epochs) }))).filter(line => line.includes('-'));
    expect(gaps('4', '9', '6')).toEqual(['5-5 not-known', '7-8 not-known']);
    expect(gaps('9', '6', '4')).toEqual(['5-5 no-payment', '7-8 no-payment']);
    expect(gaps('4', '6', '9')).toEqual(['5-5 no-payment', '7-8 no-payment']);
  });

  it('takes no gap for granted when a row came whose epoch cannot be read', () => {
    const statement = statementOf(factsOf([row('3', '1', '2'), row('x', '1', '2'), row('5', '1', '2')]));
    expect(told(statement)).toEqual(['3 1 of 2 50.0 sum 1', '4-4 not-known', '5 1 of 2 50.0 sum 2']);
    expect(statement.problems).toEqual(['1 row without an epoch: left out']);
  });

  it.each([
    ['an amount that is no whole number', row('3', '1.5', '2'), 'epoch 3: the amount is no whole number: in no sum'],
    ['an amount below 0', row('3', '-1', '2'), 'epoch 3: the amount is no whole number: in no sum'],
    [
      'a party twice in a row',
      {
        ...row('3', '1', '2'),
        feesPaidPerParty: [row('3', '1', '2'), row('3', '1', '2')].flatMap(r => r.feesPaidPerParty),
      },
      'epoch 3: the party is in the row more than once: in no sum',
    ],
    [
      'a row that names nobody',
      { ...row('3', '1', '2'), feesPaidPerParty: [] },
      'epoch 3: the row does not say who was paid: in no sum',
    ],
  ])('leaves out of every sum, and says so: %s', (_, odd, problem) => {
    const statement = statementOf(factsOf([odd, row('4', '7', '9')]));
    expect(told(statement)).toEqual(['3 unreadable', '4 7 of 9 77.8 sum 7']);
    expect(statement.totals).toMatchObject([{ amount: '7', marketTotal: '9', payments: 1, unreadable: 1 }]);
    expect(statement.problems).toEqual([problem]);
  });

  it('adds neither of two rows of one epoch, also when they are the same', () => {
    const statement = statementOf(factsOf([row('3', '1', '2'), row('3', '1', '2')]));
    expect(told(statement)).toEqual(['3 unreadable']);
    expect(statement.totals).toMatchObject([{ amount: '0', share: '', unreadable: 1 }]);
  });

  it('has no share where the total of the market cannot be read, and none of the sum', () => {
    const statement = statementOf(factsOf([row('3', '1', 'many'), row('4', '1', '2')]));
    expect(told(statement)).toEqual(['3 1 of many  sum 1', '4 1 of 2 50.0 sum 2']);
    expect(statement.totals).toMatchObject([{ amount: '2', marketTotal: '', share: '' }]);
  });

  it('tells a party that is not among those paid from a row that does not say', () => {
    const rows = [row('3', '1', '2'), row('4', '5', '5', OTHER), row('5', '1', '2')];
    expect(told(statementOf(factsOf(rows)))).toEqual(['3 1 of 2 50.0 sum 1', '4-4 no-payment', '5 1 of 2 50.0 sum 2']);
  });

  it('of a market has what was paid on it, to how many, and who was paid most', () => {
    const paid = [
      { party: OTHER, amount: '6' },
      { party: PARTY, amount: '2' },
    ];
    const rows = [{ ...row('3', '', '8'), feesPaidPerParty: paid }];
    const { lines, problems } = statementOf(factsOf(rows, { party: '' }));
    expect(lines).toMatchObject([
      { kind: 'paid', amount: '8', share: '100.0', parties: 2, top: { party: OTHER, amount: '6', share: '75.0' } },
    ]);
    expect(problems).toEqual([]);
    const off = statementOf(factsOf([{ ...row('3', '', '9'), feesPaidPerParty: paid }], { party: '' }));
    expect(off.problems).toEqual(['epoch 3: the parties were paid 8 together, the total is 9']);
  });

  it('adds up by asset across markets, and keeps rows out that are of no list', () => {
    const second = { ...row('3', '5', '10'), market: 'm2' };
    const lists = [
      { market: 'm1', asset: 'a1', rows: [row('3', '1', '2'), second], isCut: false },
      { market: 'm2', asset: 'a1', rows: [second], isCut: false },
      { market: 'm2', asset: 'a2', rows: [{ ...second, asset: 'a2' }], isCut: false },
    ];
    const statement = statementOf(factsOf([], { lists }));
    expect(told(statement)).toEqual(['3 1 of 2 50.0 sum 1', '3 5 of 10 50.0 sum 6', '3 5 of 10 50.0 sum 5']);
    expect(statement.totals.map(({ asset, amount }) => `${asset} ${amount}`)).toEqual(['a1 6', 'a2 5']);
    expect(statement.problems).toEqual(['1 row of other markets or assets came: left out']);
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
const range = fc.option(
  fc.tuple(fc.nat(30), fc.nat(30)).map(([from, more]) => ({ from: BigInt(from), to: BigInt(from + more) })),
);
const anyFacts = fc.record({
  party: fc.constantFrom('', PARTY, OTHER),
  epochs: range,
  lists: fc.array(
    fc.record({
      market: fc.constantFrom('m1', 'm2'),
      asset: fc.constantFrom('a1', 'a2'),
      rows: fc.array(anyRow, { maxLength: 12 }),
      isCut: fc.boolean(),
    }),
    { maxLength: 1 },
  ),
});

describe('whatever a node sends', () => {
  it('never makes a statement throw, and every amount in a sum is a line on its own', () => {
    fc.assert(
      fc.property(anyFacts, facts => {
        const { lines, totals } = statementOf(facts);
        for (const total of totals) {
          const paid = lines.filter(line => line.kind === 'paid' && line.asset === total.asset);
          const sum = paid.reduce((all, line) => all + (line.kind === 'paid' ? BigInt(line.amount) : 0n), 0n);
          expect(total.amount).toBe(String(sum));
          expect(total.payments).toBe(paid.length);
        }
      }),
    );
  });

  it('leaves every epoch that was asked for in exactly one line of its list', () => {
    fc.assert(
      fc.property(anyFacts, facts => {
        const { epochs } = facts;
        const [list] = facts.lists;
        if (epochs === null || list === undefined) return;
        const covered = statementOf(facts).lines.flatMap(line => {
          const to = 'toEpoch' in line ? line.toEpoch : line.epoch;
          return Array.from({ length: Number(to) - Number(line.epoch) + 1 }, (_, step) => Number(line.epoch) + step);
        });
        const asked = Array.from(
          { length: Number(epochs.to - epochs.from) + 1 },
          (_, step) => Number(epochs.from) + step,
        );
        expect(covered).toEqual(asked);
      }),
    );
  });
});

describe('a share', () => {
  it('is half to even to one place, exactly', () => {
    expect(sharePercent('1', '8')).toBe('12.5');
    expect(sharePercent('1', '2000')).toBe('0.0');
    expect(sharePercent('3', '2000')).toBe('0.2');
    expect(sharePercent('5', '2000')).toBe('0.2');
    expect(sharePercent('9'.repeat(40), '9'.repeat(40))).toBe('100.0');
    expect(sharePercent('1', '0')).toBeUndefined();
    expect(sharePercent('', '3')).toBeUndefined();
  });

  it('is within half of its last place of the exact one', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 40n), fc.bigInt(1n, 10n ** 40n), (part, whole) => {
        const tenths = BigInt((sharePercent(String(part), String(whole)) ?? '').replace('.', ''));
        const off = tenths * whole - part * 1000n;
        expect(2n * (off < 0n ? -off : off) <= whole).toBe(true);
      }),
    );
  });
});

describe('the top party', () => {
  it('is not named when an amount that cannot be read may be larger', () => {
    const paid = (amount: string) => ({ party: PARTY, amount });
    expect(
      topParty({ ...row('1', '', ''), feesPaidPerParty: [paid('1'), { party: OTHER, amount: '?' }] }),
    ).toBeUndefined();
    expect(
      [paid('2'), { party: '00', amount: '2' }, paid('10')].toSorted(byAmount).map(({ amount }) => amount),
    ).toEqual(['10', '2', '2']);
  });
});

describe('an epoch', () => {
  it('is a 64-bit number', () => {
    expect(epochNumber('18446744073709551615')).toBe(2n ** 64n - 1n);
    for (const odd of ['18446744073709551616', '', '-1', '1.0', '1e3', ' 1']) expect(epochNumber(odd)).toBeUndefined();
  });
});

describe('a bar', () => {
  it('grows by eighths up to its cells, and more than nothing is seen', () => {
    expect([0n, 1n, 50n, 100n].map(part => bar(part, 100n, 4))).toEqual([
      '',
      '\u258f',
      '\u2588\u2588',
      '\u2588'.repeat(4),
    ]);
    expect(bar(1n, 10n ** 40n, 8)).toBe('\u258f');
    expect(bar(5n, 0n, 8)).toBe('');
  });

  it('is never longer for less, nor wider than its cells', () => {
    const length = (text: string) => text.length * 8 - (text === '' ? 0 : text.charCodeAt(text.length - 1) - 0x2588);
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 20n), fc.bigInt(0n, 10n ** 20n), fc.nat(20), (one, other, cells) => {
        const [less, more] = one < other ? [one, other] : [other, one];
        expect(bar(more, more, cells).length).toBeLessThanOrEqual(cells);
        expect(length(bar(less, more, cells))).toBeLessThanOrEqual(length(bar(more, more, cells)));
      }),
    );
  });
});
