import { describe, expect, it } from 'vitest';
import { AUDITED_TABLES } from '../../../src/answers/audit/rows.ts';
import { QUESTIONS } from '../../../src/answers/questions/questions.ts';
import { REPORTED_TABLES } from '../../../src/answers/report/make-report.ts';
import { EXPORT_TABLES } from '../../../src/history/plan/export-tables.ts';
import { FETCHED_QUESTIONS, tablesFor } from '../../../src/history/store/purposes.ts';

describe('tablesFor', () => {
  it('A report and an audit are fetched with the tables that they read', () => {
    expect(tablesFor('report')).toEqual(expect.arrayContaining([...REPORTED_TABLES]));
    expect(AUDITED_TABLES).toEqual(expect.arrayContaining([...tablesFor('report')]));
    expect(tablesFor('audit').toSorted()).toEqual([...AUDITED_TABLES].toSorted());
  });

  it('Every question is fetched with a table that answers it', () => {
    expect([...FETCHED_QUESTIONS].toSorted()).toEqual(QUESTIONS.map(({ name }) => name).toSorted());
    for (const { name, tables } of QUESTIONS) expect(tablesFor('answer', name)).toEqual([tables[0]]);
  });

  it('All tables are fetched for every purpose at once, and none for an unknown question', () => {
    expect(tablesFor('all')).toEqual(EXPORT_TABLES.map(({ id }) => id));
    expect(tablesFor('answer').toSorted()).toEqual(['balances', 'ledger', 'rewards', 'trades']);
    expect(tablesFor('answer', 'nothing')).toEqual([]);
  });
});
