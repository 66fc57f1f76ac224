import {
  type AccountParts,
  type AccountSources,
  AMM_MARKET_ACCOUNT_TYPES,
  accountId,
  NETWORK_PARTY,
  networkAccounts,
  partyAccounts,
} from '../../chain/directory/account-id.ts';
import { WORD_IDS } from '../../chain/directory/word-ids.ts';
import { derivedParty } from '../../chain/insight/derived-party.ts';
import type { AuditRow } from './rows.ts';

/** Ids that were saved with the exports. */
export interface SavedIds {
  readonly assets: readonly string[];
  /** With their settlement asset; '' if unknown. */
  readonly markets: readonly { readonly id: string; readonly asset: string }[];
}

/** The parties, assets and markets that rows name, from which the ids of accounts are computed. */
export class AccountNames {
  readonly #parties = new Set<string>();
  readonly #assets = new Set<string>();
  readonly #markets = new Map<string, string>();
  #version = 0;

  constructor({ assets, markets }: SavedIds) {
    for (const asset of assets) this.sawAsset(asset);
    for (const { id, asset } of markets) this.sawMarket(id, asset);
  }

  get assets(): ReadonlySet<string> {
    return this.#assets;
  }

  /** The settlement asset of a market; '' if unknown. */
  assetOf(market: string): string {
    return this.#markets.get(market) ?? '';
  }

  /** Takes the ids of a row. */
  see(row: AuditRow): void {
    if (row.table === 'deposits' || row.table === 'withdrawals' || row.table === 'rewards') {
      this.sawParty(row.party);
      this.sawAsset(row.asset);
    } else if (row.table === 'trades') {
      this.sawMarket(row.market);
      this.sawParty(row.buyer.party);
      this.sawParty(row.seller.party);
    } else if (row.table === 'positions' || row.table === 'orders') {
      this.sawMarket(row.market);
      this.sawParty(row.party);
    }
  }

  /** Changes with the known assets and markets. */
  get version(): number {
    return this.#version;
  }

  get counts() {
    return { assets: this.#assets.size, markets: this.#markets.size };
  }

  sawParty(id: string): void {
    if (!this.#parties.has(id) && isEntityId(id) && this.#parties.size < MAX_NAMES) this.#parties.add(id);
  }

  sawAsset(id: string): void {
    if (this.#assets.has(id) || !isEntityId(id) || this.#assets.size >= MAX_NAMES) return;
    this.#assets.add(id);
    this.#version++;
  }

  sawMarket(id: string, asset = ''): void {
    const known = this.#markets.get(id);
    if (known !== undefined && (known !== '' || asset === '')) return;
    if (!isEntityId(id) || this.#markets.size >= MAX_NAMES) return;
    this.#markets.set(id, isEntityId(asset) ? asset : '');
    this.sawAsset(asset);
    this.#version++;
  }

  /** What the ids of accounts are made of, where it is known. */
  partsOf(ids: ReadonlySet<string>): ReadonlyMap<string, AccountParts> {
    const found = new Map<string, AccountParts>();
    if (ids.size === 0) return found;
    for (const [id, parts] of this.everyAccount()) {
      if (ids.has(id)) found.set(id, parts);
      if (found.size === ids.size) break;
    }
    return found;
  }

  /** Every account of the known parties, assets and markets with its id; stops after some seconds of work. */
  *everyAccount(): Iterable<readonly [id: string, parts: AccountParts]> {
    let tried = 0;
    for (const parts of this.#accounts()) {
      if (++tried > MAX_TRIED_IDS) return;
      yield [accountId(parts), parts];
    }
  }

  /** Every account that a party can have, with those of its market makers. */
  *accountsOf(party: string): Iterable<AccountParts> {
    yield* partyAccounts(party, this.#known);
    for (const [market, settled] of this.#markets)
      for (const asset of settled === '' ? this.#assets : [settled]) {
        const maker = derivedParty(party, market);
        yield { asset, party: maker, market: '', type: 'GENERAL' };
        for (const type of AMM_MARKET_ACCOUNT_TYPES) yield { asset, party: maker, market, type };
      }
  }

  *#accounts(): Iterable<AccountParts> {
    yield* networkAccounts(this.#known);
    for (const party of this.#parties) yield* partyAccounts(party, this.#known);
  }

  get #known(): AccountSources {
    return { assets: this.#assets, markets: this.#markets };
  }
}

/** An id of a party, an asset or a market. The network has accounts of its own. */
export const isEntityId = (id: string): boolean =>
  id !== NETWORK_PARTY && (/^(?:[0-9a-f]{2}){1,64}$/.test(id) || WORDS.has(id));

const WORDS: ReadonlySet<string> = new Set(WORD_IDS.values());

const MAX_NAMES = 200_000;
const MAX_TRIED_IDS = 2_000_000;
