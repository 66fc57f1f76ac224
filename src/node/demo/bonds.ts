import type { DemoTable } from '../store.ts';
import { type Chain, type DemoScale, epochAtHeight, startHeight } from './chain.ts';
import { hashAccountId, marketAccount } from './history/accounts.ts';
import { ACCOUNTS_TABLE } from './history/bookkeeping.ts';
import { amendCommitments, type Commitment, createCommitments, findSlashedCommitment } from './liquidity-provisions.ts';
import { slashHeight } from './live-events.ts';

/** The bond accounts of a live chain, in the table behind `accounts`. */
export function bondsTable(chain: Chain, { provisions }: DemoScale): DemoTable {
  const bonds = new Bonds(chain, provisions);
  return {
    ...ACCOUNTS_TABLE,
    rows: () => bonds.changedBy(startHeight(chain)),
    changedBy: height => bonds.changedBy(height),
  };
}

/** Commitments are read some epochs ahead. */
const EPOCHS_AHEAD = 30;

class Bonds {
  readonly #chain: Chain;
  readonly #provisions: number;
  readonly #balances = new Map<string, bigint>();
  #commitments: readonly Commitment[] = [];
  #height = -1;
  #lastEpoch = -1;

  constructor(chain: Chain, provisions: number) {
    this.#chain = chain;
    this.#provisions = provisions;
  }

  /** The accounts whose balance is another one than at the last call. */
  *changedBy(height: number) {
    if (height <= this.#height) return;
    this.#height = height;
    const epoch = epochAtHeight(this.#chain, height);
    if (epoch > this.#lastEpoch) {
      this.#lastEpoch = epoch + EPOCHS_AHEAD;
      this.#commitments = amendCommitments(
        this.#chain,
        createCommitments(this.#chain, this.#provisions),
        this.#lastEpoch,
      );
    }
    for (const [id, { account, balance }] of this.#accountsAt(height)) {
      if (this.#balances.get(id) === balance) continue;
      this.#balances.set(id, balance);
      const { party, asset, market, type } = account;
      yield [id, party, asset, market, `ACCOUNT_TYPE_${type}`, String(balance)] as const;
    }
  }

  /** A party has one account a market, whatever it has committed there. */
  #accountsAt(height: number) {
    const slashed = this.#commitments[findSlashedCommitment(this.#chain, this.#commitments)];
    const accounts = new Map<
      string,
      { readonly account: ReturnType<typeof marketAccount>; readonly balance: bigint }
    >();
    for (const commitment of this.#commitments) {
      const { partyId, market, versions } = commitment;
      const version = versions.findLast(one => one.height <= height);
      if (version === undefined) continue;
      const isShort =
        commitment === slashed && height >= slashHeight(this.#chain) && version.height < slashHeight(this.#chain);
      const own = isShort ? (version.bond * 95n) / 100n : version.bond;
      const account = marketAccount('BOND', partyId, { id: market.id, asset: market.settlementAsset.id });
      const id = hashAccountId(account);
      accounts.set(id, { account, balance: (accounts.get(id)?.balance ?? 0n) + own });
    }
    return accounts;
  }
}
