import { expect, test } from 'vitest';
import type { PartyReport } from '../../../src/answers/report/report.ts';
import {
  aboutLines,
  auditSentence,
  missingTimeNotes,
  reportSummary,
  sectionNotes,
} from '../../../src/answers/report/report-texts.ts';

const EMPTY: PartyReport = {
  ...{ program: 'x', made: '2026-10-01T00:00:00Z', chainId: 'c', party: 'p', partyName: null, asset: null },
  ...{ asked: '2026', covered: [], warnings: [], included: [], excluded: [], archives: [], witnesses: [] },
  audit: { kind: 'not-made', why: 'no' },
  sections: [],
};

test('Numbers in the lines of a report are labelled', () => {
  const columnsOf = (left: readonly string[], right: readonly string[]) => [
    ...left.map(title => ({ title, align: 'left' as const })),
    ...right.map(title => ({ title, align: 'right' as const })),
  ];
  const section = (columns: ReturnType<typeof columnsOf>, row: readonly string[]) => ({
    ...({ id: 'fees', title: 'Fees', about: '', notes: [], gap: null } as const),
    figures: [{ title: 'By kind', columns, rows: [row], records: [], sql: '', charts: [], isDetail: false }],
  });
  const report: PartyReport = {
    ...EMPTY,
    sections: [
      section(columnsOf(['Asset', 'Kind'], ['Earned', 'Paid', 'LP bonus']), [
        'USDT',
        'referral fee paid',
        '0',
        '3.79',
        '0',
      ]),
      section(columnsOf(['Asset', 'What'], ['Amount']), ['USDT', 'received', '7']),
    ],
  };
  expect(reportSummary(report).filter(line => line.startsWith('  '))).toEqual([
    '  USDT, referral fee paid, earned 0, paid 3.79, LP bonus 0',
    '  USDT, received, 7',
  ]);
});

const MADE = {
  ...({ kind: 'made', verdict: 'adds-up', reason: '', agreeing: 5 } as const),
  ...{ notGiven: [], otherBlocks: [], looks: [], commands: [] },
};

const headOf = (audit: Partial<Extract<PartyReport['audit'], { kind: 'made' }>>) =>
  aboutLines({ ...EMPTY, audit: { ...MADE, ...audit } }).find(({ name }) => name === 'Audit')?.values;

test('The report heading without some tables gives the number of agreeing checks and the missing tables', () => {
  const verdict = 'cannot-be-judged';
  const headings = [
    headOf({ verdict, notGiven: ['deposits', 'withdrawals'] }),
    headOf({ verdict, notGiven: ['blocks'], otherBlocks: ['balances', 'deposits', 'withdrawals'], agreeing: 1 }),
    headOf({ verdict, notGiven: ['ledger'], agreeing: 0 }),
    headOf({ verdict, reason: 'no row is about this party' }),
    headOf({ verdict, notGiven: ['deposits'], looks: [{ name: 'rewards', total: 2 }] }),
    headOf({ verdict: 'differs', notGiven: ['deposits'] }),
  ];
  expect(headings.flat()).toEqual([
    '5 checks agree; deposits and withdrawals were not given',
    '1 check agrees; blocks were not given, and balances, deposits and withdrawals were of other blocks',
    'nothing could be compared: ledger was not given',
    'nothing could be compared: no row is about this party',
    '5 checks agree; deposits were not given; 2 differences are worth a look (rewards)',
    'differs',
  ]);
});

test('The report heading mentions differences worth a look, which change no verdict', () => {
  const headingOf = (...looks: readonly { readonly name: string; readonly total: number }[]) => headOf({ looks });
  expect(headingOf()).toEqual(['adds up']);
  expect(headingOf({ name: 'rewards', total: 1 })).toEqual(['adds up; 1 difference is worth a look (rewards)']);
  expect(headingOf({ name: 'rewards', total: 2 }, { name: 'trade-fees', total: 1 })).toEqual([
    'adds up; 3 differences are worth a look (rewards, trade-fees)',
  ]);
});

test('The report heading has the tables of the same blocks in one line', () => {
  const times = { firstTime: '2026-10-01T00:00:05.5Z', lastTime: '2026-10-31T23:00:00Z' };
  const blocks = { fromBlock: '1', toBlock: '5000' };
  const covered = [
    { table: 'balances', ...blocks, ...times, rows: '40634' },
    { table: 'ledger', ...blocks, ...times, firstTime: '2026-10-01T00:00:00Z', rows: '1' },
    { table: 'rewards', ...blocks, firstTime: null, lastTime: null, rows: '0' },
    { table: 'trades', fromBlock: '1001', toBlock: null, firstTime: null, lastTime: null, rows: '0' },
  ];
  expect(aboutLines({ ...EMPTY, covered }).find(({ name }) => name === 'Covered')?.values).toEqual([
    'blocks 1 to 5000, 2026-10-01 00:00:00 to 2026-10-31 23:00:00 UTC; rows: balances 40 634, ledger 1, rewards 0',
    'blocks 1001 to ?; rows: trades 0',
  ]);
});

test('The notes of a section leave out the blocks and rows, which the heading has', () => {
  const note = 'accounts were computed from 5 assets';
  expect(
    sectionNotes(['history: ledger of blocks 1 to 9, rows of 2026-10-01T00:00:00Z to x; no other data was used', note]),
  ).toEqual([note]);
});

test('The sentence on an audit gives its verdict once', () => {
  const reason = 'the money of this party adds up in blocks 1 to 9: 4 amounts compared, all agree';
  expect(auditSentence({ ...MADE, reason })).toBe(`The ${reason.slice(4)}.`);
  expect(auditSentence({ ...MADE, verdict: 'differs', reason: '2 differences (fees)' })).toBe(
    'The audit for this party: differs. 2 differences (fees).',
  );
});

test('Missing time of a range is reported for each table, unless it is the same for all', () => {
  const [night, noon] = ['2026-10-01 00:00:00.000000', '2026-10-01 12:00:00.000000'];
  expect(
    missingTimeNotes([
      { table: 'ledger', before: null, after: night },
      { table: 'balances', before: null, after: night },
      { table: 'rewards', before: noon, after: noon },
    ]),
  ).toEqual([
    'The data of rewards begins at 2026-10-01 12:00:00 UTC: earlier parts of the range are missing.',
    'The data of ledger and balances ends at 2026-10-01 00:00:00 UTC: later parts of the range are missing.',
    'The data of rewards ends at 2026-10-01 12:00:00 UTC: later parts of the range are missing.',
  ]);
  expect(missingTimeNotes([{ table: 'ledger', before: noon, after: null }])).toEqual([
    'The data begins at 2026-10-01 12:00:00 UTC: earlier parts of the range are missing.',
  ]);
});
