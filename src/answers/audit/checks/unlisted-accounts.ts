import type { Check } from '../check.ts';

/** The ledger moves money on accounts whose balances are not known. */
export const unlistedAccounts: Check = {
  name: 'unlisted-accounts',
  title: 'accounts of the ledger have balance rows',
  kind: 'look',
  tables: ['ledger', 'balances'],
  blindSpots: ['whether the first balance of such an account is right'],
  start: ({ book, findings, isWanted }) => {
    book.listen({
      onBlock: (block, steps) => {
        for (const { account, before, net, rows } of steps) {
          if (before !== undefined || net === 0n || isWanted?.(account) === false) continue;
          findings.compared(block, account);
          if (rows === 0)
            findings.differs({ what: 'the ledger moved money, but balances has no row', account, block, amount: net });
        }
      },
    });
    return { row: () => findings.read(), endBlock: () => {} };
  },
};
