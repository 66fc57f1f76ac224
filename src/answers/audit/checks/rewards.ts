import { isEntityId } from '../account-names.ts';
import { AmountMatcher } from '../amount-matcher.ts';
import type { Check } from '../check.ts';

/** Rewards and their payouts in the ledger: the same amounts for the same parties in the same blocks. */
export const rewardPayouts: Check = {
  name: 'rewards',
  title: 'rewards are paid out in the ledger',
  kind: 'look',
  tables: ['ledger', 'rewards'],
  blindSpots: [
    'why a reward has this amount',
    'rewards that the node could not pay: it stores the reward, but no ledger row',
  ],
  start: ({ accounts, findings, isWanted }) => {
    const matching = new AmountMatcher(findings, {
      onlyInTable: 'a reward has no payout in the ledger: the transfer failed, or a row is missing',
      onlyInLedger: 'the ledger pays a reward that the rewards do not have',
      otherAmount: 'a reward has another amount than its payout in the ledger',
      row: 'reward',
    });
    /** Rewards are locked; the share of infrastructure fees is not. Both count as paid to the party. */
    const lockedBesides = new Map<number, number>();
    return {
      row: row => {
        findings.read();
        if (row.table === 'rewards') {
          const { party, asset, amount } = row;
          if (!isEntityId(asset) || amount === 0n) return;
          const [account, locked] = (['GENERAL', 'VESTING_REWARDS'] as const).map(type =>
            accounts.of({ asset, party, market: '', type }),
          );
          if (account === undefined || locked === undefined) return;
          lockedBesides.set(locked, account);
          // Only the ledger shows which of the two accounts received it.
          if (isWanted?.(account) !== false)
            matching.inTable({ account, amount, of: { party, asset, account: undefined } });
        } else if (row.table === 'ledger' && row.type === 'REWARD_PAYOUT' && row.quantity !== 0n) {
          if (isWanted?.(row.to) !== false) matching.inLedger({ account: row.to, amount: row.quantity });
        }
      },
      endBlock: block => matching.endBlock(block, account => lockedBesides.get(account) ?? account),
    };
  },
};
