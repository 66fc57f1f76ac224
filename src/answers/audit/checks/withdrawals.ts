import { isEntityId } from '../account-names.ts';
import { AmountMatcher } from '../amount-matcher.ts';
import type { Check } from '../check.ts';

/** Accepted withdrawals are in the ledger, in the block of the request. */
export const withdrawals: Check = {
  name: 'withdrawals',
  title: 'accepted withdrawals are in the ledger',
  kind: 'differs',
  isMoney: true,
  tables: ['ledger', 'withdrawals'],
  blindSpots: ['whether the money arrived on Ethereum', 'a withdrawal that is missing from both tables'],
  start: ({ accounts, findings, isWanted }) => {
    const matching = new AmountMatcher(findings, {
      onlyInTable: 'a withdrawal was accepted, but the ledger has no row for it',
      onlyInLedger: 'the ledger pays a withdrawal that the withdrawals do not have',
      otherAmount: 'a withdrawal was accepted with another amount than in the ledger',
      row: 'withdrawal',
    });
    return {
      row: row => {
        findings.read();
        if (row.table === 'withdrawals') {
          const { party, asset, amount } = row;
          if (!row.isMoving || !isEntityId(asset) || amount === 0n) return;
          const account = accounts.of({ asset, party, market: '', type: 'GENERAL' });
          if (isWanted?.(account) !== false) matching.inTable({ account, amount, of: { party, asset } });
        } else if (row.table === 'ledger' && row.type === 'WITHDRAW' && row.quantity !== 0n) {
          if (isWanted?.(row.from) !== false) matching.inLedger({ account: row.from, amount: row.quantity });
        }
      },
      endBlock: block => matching.endBlock(block),
    };
  },
};
