import { expect, test } from 'vitest';
import type { PartyReport } from '../../src/report/report.ts';
import { reportSummary } from '../../src/report/words.ts';

test('numbers in the lines of a report have their names', () => {
  const columnsOf = (left: readonly string[], right: readonly string[]) => [
    ...left.map(title => ({ title, align: 'left' as const })),
    ...right.map(title => ({ title, align: 'right' as const })),
  ];
  const section = (columns: ReturnType<typeof columnsOf>, row: readonly string[]) => ({
    ...({ id: 'fees', title: 'Fees', about: '', notes: [], gap: null } as const),
    figures: [{ title: 'By kind', columns, rows: [row], records: [], sql: '', charts: [], isDetail: false }],
  });
  const report: PartyReport = {
    ...{ program: 'x', made: '2026-10-01T00:00:00Z', chainId: 'c', party: 'p', partyName: null, asset: null },
    ...{ asked: '2026', covered: [], warnings: [], included: [], excluded: [], archives: [], witnesses: [] },
    audit: { kind: 'not-made', why: 'no' },
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
