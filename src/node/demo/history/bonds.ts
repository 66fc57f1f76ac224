import type { Commitment } from '../liquidity-provisions.ts';
import { type Account, onMarket } from './accounts.ts';

/** The balance that a bond account must have from a block on. */
export interface BondChange {
  readonly height: number;
  readonly account: Account;
  readonly target: bigint;
}

/** Sorted by block. A party has one account for all its commitments to a market. */
export function bondChangesOf(commitments: readonly Commitment[]): readonly BondChange[] {
  const owners = Map.groupBy(commitments, ({ partyId, market }) => `${partyId}/${market.id}`);
  return [...owners.values()].flatMap(accountChanges).toSorted((a, b) => a.height - b.height);
}

function accountChanges(commitments: readonly Commitment[]): readonly BondChange[] {
  const [first] = commitments;
  if (first === undefined) return [];
  const market = { id: first.market.id, asset: first.market.settlementAsset.id };
  const account = onMarket('BOND', first.partyId, market);
  const steps = commitments.flatMap(({ versions }) =>
    versions.map(({ height, bond }, index) => ({ height, change: bond - (versions[index - 1]?.bond ?? 0n) })),
  );
  const changes = Map.groupBy(steps, ({ height }) => height);
  let target = 0n;
  return [...changes.keys()]
    .toSorted((a, b) => a - b)
    .map(height => {
      for (const { change } of changes.get(height) ?? []) target += change;
      return { height, account, target };
    });
}
