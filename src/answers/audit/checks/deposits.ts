import { NETWORK_PARTY } from '../../../chain/directory/account-id.ts';
import { isEntityId } from '../account-names.ts';
import { AmountMatcher } from '../amount-matcher.ts';
import type { Check } from '../check.ts';
import type { DepositRow } from '../rows.ts';

/** Credited deposits are in the ledger, in the same block and with the same amount. */
export const deposits: Check = {
  name: 'deposits',
  title: 'credited deposits are in the ledger',
  kind: 'differs',
  isMoney: true,
  tables: ['ledger', 'deposits'],
  blindSpots: ['deposits that are still open', 'a deposit that is missing from both tables'],
  start: ({ accounts, findings, isWanted }) => {
    const matching = new AmountMatcher(findings, {
      onlyInTable: 'a deposit was credited, but the ledger has no row for it',
      onlyInLedger: 'the ledger credits a deposit that the deposits do not have',
      otherAmount: 'a deposit was credited with another amount than in the ledger',
      row: 'deposit',
    });
    return {
      row: row => {
        findings.read();
        if (row.table === 'deposits') {
          if (!row.isMoving || !isEntityId(row.asset) || row.amount === 0n) return;
          const account = accounts.of(creditedAccount(row));
          if (isWanted?.(account) !== false)
            matching.inTable({ account, amount: row.amount, of: { party: row.party, asset: row.asset } });
        } else if (row.table === 'ledger' && row.type === 'DEPOSIT' && row.quantity !== 0n) {
          if (isWanted?.(row.to) !== false) matching.inLedger({ account: row.to, amount: row.quantity });
        }
      },
      endBlock: block => matching.endBlock(block),
    };
  },
};

/** A deposit without a party goes to the rewards. */
const NO_PARTY = '0'.repeat(64);

const creditedAccount = ({ party, asset }: DepositRow) =>
  party === NO_PARTY
    ? { asset, party: NETWORK_PARTY, market: '', type: 'GLOBAL_REWARD' }
    : { asset, party, market: '', type: 'GENERAL' };
