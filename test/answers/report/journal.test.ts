import { describe, expect, test } from 'vitest';
import type { PartyAccount, PartyMove } from '../../../src/answers/index.ts';
import { hledgerJournal } from '../../../src/answers/report/journal.ts';
import { NO_NAMES } from '../../../src/chain/directory/directory.ts';
import { asset, market } from '../../chain/directory/directories.ts';
import { HLEDGER, hledger } from './hledger.ts';

const A = 'aa'.repeat(32);
const B = 'bb'.repeat(32);
const C = 'cc'.repeat(32);
/** Two ids that begin alike, and one that does not. */
const MARKETS = [`12345678${'1'.repeat(56)}`, `12345678${'2'.repeat(56)}`, `ab${'3'.repeat(62)}`] as const;

const NAMES = {
  ...NO_NAMES,
  assets: new Map([
    [A, asset({ symbol: 'USD!', decimals: 2 })],
    [B, asset({ symbol: 'USD?', decimals: 0 })],
    [C, asset({ symbol: 'usd', decimals: 6 })],
  ]),
  markets: new Map(MARKETS.map((id, at) => [id, market({ code: ['M(K)T', 'M K T', 'm k t*'][at] ?? '', asset: A })])),
};

const account = (kind: string, on = '', of = A): PartyAccount => ({ asset: of, kind, market: on });

function move(second: number, of: PartyAccount, amount: number, more: Partial<PartyMove> = {}): PartyMove {
  return {
    time: `2026-10-01 12:00:${String(second).padStart(2, '0')}.000001`,
    account: of,
    received: amount > 0 ? String(amount) : null,
    sent: amount < 0 ? String(-amount) : null,
    type: 'TRANSFER_TYPE_MTM_WIN',
    part: 'income',
    other: null,
    ...more,
  };
}

const journalOf = (moves: readonly PartyMove[], held: readonly (readonly [PartyAccount, number])[] = []): string =>
  hledgerJournal({
    ...{ party: 'p', chainId: 'c', program: 'x', notes: [], moves, names: NAMES },
    reasonOf: type => (type ?? 'unknown').replace('TRANSFER_TYPE_', '').toLowerCase().replaceAll('_', ' '),
    balances: {
      held: [],
      holdings: held.map(([of, closing]) => ({
        ...of,
        ...{ opening: '0', change: String(closing), closing: String(closing), since: '2026-10-01 12:00:59' },
      })),
    },
  });

const namesIn = (journal: string, start: string): readonly string[] => [
  ...new Set(
    [...journal.matchAll(/^ {4}([a-z]+:.*?)(?: {2}.*)?$/gm)].flatMap(([, name = '']) =>
      name.startsWith(start) ? [name] : [],
    ),
  ),
];

describe('hledger journal accounts', () => {
  const margins = MARKETS.map((id, at) => [account('MARGIN', id), 100 * (at + 1)] as const);
  const apart = journalOf(
    margins.map(([of, amount], at) => move(at, of, amount)),
    margins,
  );

  test('The journal distinguishes markets whose names are equal without the characters that it drops', () => {
    const names = namesIn(apart, 'assets:margin');
    expect(names).toHaveLength(MARKETS.length);
    expect(new Set(names.map(name => name.toLowerCase())).size).toBe(MARKETS.length);
  });

  test('The journal shows a market without its id if its name is unique', () => {
    expect(namesIn(journalOf([move(1, account('MARGIN', MARKETS[0]), 5)]), 'assets')).toEqual(['assets:margin:M K T']);
  });

  test('The journal distinguishes assets whose symbols are equal', () => {
    const journal = journalOf([A, B, C].map((of, at) => move(at, account('GENERAL', '', of), 5)));
    const symbols = [...journal.matchAll(/^commodity .*"(.*)"/gm)].map(([, symbol]) => symbol);
    expect(new Set(symbols).size).toBe(3);
  });

  const spot = journalOf(
    [
      move(1, account('GENERAL'), -500, { type: 'TRANSFER_TYPE_SPOT' }),
      move(1, account('GENERAL', '', B), 7, { type: 'TRANSFER_TYPE_SPOT' }),
      move(2, account('GENERAL', '', B), -3, { type: 'TRANSFER_TYPE_SPOT' }),
      move(2, account('GENERAL'), 200, { type: 'TRANSFER_TYPE_SPOT' }),
      move(3, account('GENERAL'), -1, { type: 'TRANSFER_TYPE_MAKER_FEE_PAY' }),
    ],
    [
      [account('GENERAL'), -301],
      [account('GENERAL', '', B), 4],
    ],
  );

  test('The journal has a spot trade as one conversion of two assets, and no income', () => {
    expect(namesIn(spot, 'income')).toEqual([]);
    expect(namesIn(spot, 'expenses')).toEqual(['expenses:maker fee pay']);
    expect(
      spot
        .split('\n\n')
        .filter(part => part.includes('spot'))
        .map(part => part.split('\n').length),
    ).toEqual([5, 5]);
    expect(spot).toContain('account equity:conversion  ; type:V\n');
  });

  test('The journal declares every account and commodity of its postings', () => {
    for (const journal of [apart, spot]) {
      const declared = [...journal.matchAll(/^account (.*?)(?: {2};.*)?$/gm)].map(([, name]) => name);
      expect(declared).toEqual(namesIn(journal, '').toSorted());
      const symbols = new Set([...journal.matchAll(/^ {4}.*"(.*?)"$/gm)].map(([, symbol]) => symbol));
      const commodities = new Set([...journal.matchAll(/^commodity .*"(.*)"/gm)].map(([, symbol]) => symbol));
      expect(commodities).toEqual(symbols);
    }
  });

  test.skipIf(HLEDGER === undefined)(
    'The journal passes hledger check --strict, and its income has no spot trade',
    () => {
      for (const journal of [apart, spot])
        expect(hledger(journal, 'check', '--strict')).toEqual({ code: 0, out: '', problem: '' });
      expect(hledger(spot, 'incomestatement').out).not.toMatch(/spot|conversion/);
      expect(hledger(spot, 'balance', 'assets', '--no-total').out).toMatch(/-3\.01 "USD"|-3\.01 USD/);
    },
  );
});
