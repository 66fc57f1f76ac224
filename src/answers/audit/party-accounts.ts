import type { AccountNames } from './account-names.ts';
import type { AccountNumbering } from './account-numbering.ts';

/** The accounts of one party, computed from the assets and markets that are known so far. */
export class PartyAccounts {
  readonly #party: string;
  readonly #names: AccountNames;
  readonly #accounts: AccountNumbering;
  readonly #own = new Set<number>();
  #version = -1;

  constructor(party: string, names: AccountNames, accounts: AccountNumbering) {
    this.#party = party;
    this.#names = names;
    this.#accounts = accounts;
  }

  has(account: number): boolean {
    if (this.#version !== this.#names.version) {
      this.#version = this.#names.version;
      for (const parts of this.#names.accountsOf(this.#party)) this.#own.add(this.#accounts.of(parts));
    }
    return this.#own.has(account);
  }

  note(): string {
    const { assets, markets } = this.#names.counts;
    return `the accounts of the party were computed from ${assets} assets and ${markets} markets; others are not included`;
  }
}
