import { isId } from '../../../base/text/ids.ts';
import { EMPTY, type SafeText, safeText, sanitize } from '../../../base/text/safe-text.ts';
import {
  type AccountParts,
  accountId,
  NETWORK_PARTY,
  networkAccounts,
  partyAccounts,
} from '../../../chain/directory/account-id.ts';
import { type Directory, nameOrEnds, ownIds } from '../../../chain/directory/directory.ts';

/** Names, and parties that the tables name. */
export interface TableNames extends Directory {
  readonly parties?: readonly string[];
}

const byDirectory = new WeakMap<Directory, ReadonlyMap<string, AccountParts>>();

/**
 * The parts of account ids: for accounts of the network, of validators, of the user's own parties, and of parties in the
 * tables. An id itself does not contain its parts, so accounts of other parties stay unknown.
 */
export function accountParts(directory: TableNames): ReadonlyMap<string, AccountParts> {
  const known = byDirectory.get(directory) ?? new Map(everyAccount(directory));
  byDirectory.set(directory, known);
  return known;
}

function* everyAccount(directory: TableNames): Iterable<readonly [id: string, parts: AccountParts]> {
  const sources = {
    assets: new Set([...directory.assets.keys()].filter(isId)),
    markets: new Map(
      [...directory.markets].flatMap(([id, { asset }]) => (isId(id) ? [[id, asset.toLowerCase()] as const] : [])),
    ),
  };
  const keys = [...directory.validators.values()].map(({ publicKey }) => publicKey.toLowerCase());
  const own = [...ownIds(directory, 'party'), ...keys, ...directory.aliases.keys()];
  const parties = new Set([...own, ...(directory.parties ?? [])].filter(isId));
  let left = MAX_ACCOUNTS;
  for (const accounts of [networkAccounts(sources), ...[...parties].map(party => partyAccounts(party, sources))])
    for (const parts of accounts) {
      if (left-- === 0) return;
      yield [accountId(parts), parts];
    }
}

/** They take some 50 ms, once. */
const MAX_ACCOUNTS = 40_000;

/** `margin, you, HELDA/HUSD`; `settlement, HELDA/HUSD`. The asset stands with the amount. */
export function accountText({ party, market, type }: AccountParts, directory: Directory): SafeText {
  const owner = party === NETWORK_PARTY ? EMPTY : safeText`, ${nameOrEnds(directory, 'party', party)}`;
  const of = market === '' ? EMPTY : safeText`, ${nameOrEnds(directory, 'market', market)}`;
  return safeText`${sanitize(type.toLowerCase().replaceAll('_', ' '))}${owner}${of}`;
}
