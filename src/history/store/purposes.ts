import { EXPORT_TABLES } from '../plan/export-tables.ts';

/** What a history is fetched for. */
export type Purpose = 'report' | 'audit' | 'all' | 'answer';

export const PURPOSES: readonly Purpose[] = ['report', 'audit', 'answer', 'all'];

/** The tables that a question is answered from: the best one where one of several is enough. */
const QUESTION_TABLES: { readonly [question: string]: readonly string[] } = {
  received: ['ledger'],
  balance: ['balances'],
  rewards: ['rewards'],
  fills: ['trades'],
  trades: ['trades'],
};

/** Tables with the assets and markets of a chain, in case a node does not list them: accounts are computed from their ids. */
export const NAMING_SOURCES: readonly string[] = ['markets', 'deposits'];

/** Tables whose rows are of accounts, not of parties. */
const ACCOUNT_TABLES: readonly string[] = ['ledger', 'balances'];

/** Whether the accounts in these tables need the assets and markets of the chain. */
export const haveAccounts = (tables: readonly string[]): boolean =>
  tables.some(table => ACCOUNT_TABLES.includes(table));

/** The tables to fetch for these: where accounts are among them, also those that name assets and markets. */
export const withNamingTables = (tables: readonly string[], naming: readonly string[]): readonly string[] =>
  haveAccounts(tables) ? [...tables, ...naming.filter(table => !tables.includes(table))] : tables;

/** The tables that a purpose needs; `question` is the name of the one to answer, by default every one. */
export function tablesFor(purpose: Purpose, question?: string): readonly string[] {
  switch (purpose) {
    case 'report':
      // The last three are for its audit.
      return ['ledger', 'balances', 'rewards', 'trades', 'deposits', 'withdrawals', 'blocks'];
    case 'audit':
      return ['blocks', 'ledger', 'balances', 'deposits', 'withdrawals', 'rewards', 'trades', 'positions', 'orders'];
    case 'all':
      return EXPORT_TABLES.map(({ id }) => id);
    case 'answer':
      return question === undefined
        ? [...new Set(Object.values(QUESTION_TABLES).flat())]
        : (QUESTION_TABLES[question] ?? []);
  }
}

/** The questions that `tablesFor` knows. */
export const FETCHED_QUESTIONS: readonly string[] = Object.keys(QUESTION_TABLES);
