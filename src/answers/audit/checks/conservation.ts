import type { BalanceStep } from '../balance-book.ts';
import type { Check, CheckInput, CheckKind } from '../check.ts';
import type { RunningCheck } from '../check-interface.ts';
import type { LedgerRow } from '../rows.ts';

const COMMON_MEMBERS = {
  title: 'money of an asset comes and goes only as deposits, withdrawals and restored balances',
  tables: ['ledger', 'balances'],
  isMoney: true,
  isOfWholeChain: true,
} as const;

/** The money of each asset, in ranges that begin at block 1, where every opening balance is 0. */
export const conservation: Check = {
  ...COMMON_MEMBERS,
  name: 'conservation',
  kind: 'differs',
  blindSpots: [
    'ranges that do not begin at block 1: they are in conservation-partial',
    'errors that cancel out within one asset',
  ],
  start: ground => checkConservation(ground, 'differs'),
};

/** The same in other ranges, where an opening balance is taken from the first row of an account. */
export const conservationPartial: Check = {
  ...COMMON_MEMBERS,
  name: 'conservation-partial',
  kind: 'look',
  blindSpots: ['errors in the first row of an account', 'accounts without a balance row'],
  start: ground => checkConservation(ground, 'look'),
};

/**
 * Balances do not include their asset, but ledger rows join accounts of one asset. So accounts are grouped by the rows
 * that join them, and these groups by their asset if an account in the group is known. Groups of unknown assets are
 * judged as one: an error path of the node moves money between two such groups without a ledger row.
 */
function checkConservation(ground: CheckInput, kind: CheckKind): RunningCheck {
  const { book, findings } = ground;
  let money = new MoneyTotals(kind);
  let isMine = false;
  book.listen({
    onRangeBegin: isFromFirstBlock => {
      money = new MoneyTotals(kind);
      isMine = isFromFirstBlock === (kind === 'differs');
    },
    onLedger: row => {
      if (isMine) money.takeLedger(row);
    },
    onBlock: (_block, steps) => {
      if (isMine) for (const step of steps) money.takeStep(step);
    },
    onRangeEnd: () => {
      if (isMine) for (const [asset, sum] of money.byAsset(ground)) judge(asset, sum);
    },
  });
  const judge = (asset: string, sum: bigint): void => {
    findings.compared();
    if (sum === 0n) return;
    const owners = asset === '' ? 'accounts whose asset is unknown' : 'an asset';
    const what = `the balances of ${owners} gained more or less than came from outside`;
    findings.differs({ what, amount: sum, ...(asset !== '' && { asset }) });
  };
  return { row: () => findings.read(), endBlock: () => {} };
}

class MoneyTotals {
  readonly #kind: CheckKind;
  readonly #groups = new AccountGroups();
  /** The gain of each account by its balances, less the amounts from outside. */
  readonly #surplus = new Map<number, bigint>();
  readonly #last = new Map<number, bigint>();

  constructor(kind: CheckKind) {
    this.#kind = kind;
  }

  takeLedger({ from, to, quantity, type }: LedgerRow): void {
    if (type === 'DEPOSIT' || type === 'CHECKPOINT_BALANCE_RESTORE') this.#add(to, -quantity);
    else if (type === 'WITHDRAW') this.#add(from, quantity);
    else this.#groups.join(from, to);
  }

  takeStep({ account, net, after }: BalanceStep): void {
    const last = this.#last.get(account);
    if (after !== undefined) {
      const opening = this.#kind === 'differs' ? 0n : after - net;
      this.#add(account, after - (last ?? opening));
      this.#last.set(account, after);
    } else if (last === undefined && this.#kind === 'look') this.#add(account, net);
  }

  byAsset({ accounts, names }: CheckInput): ReadonlyMap<string, bigint> {
    const sums = new Map<number, bigint>();
    for (const [account, amount] of this.#surplus) {
      const group = this.#groups.of(account);
      sums.set(group, (sums.get(group) ?? 0n) + amount);
    }
    const assets = this.#assetsOf(new Set(sums.keys()), { accounts, names });
    const byAsset = new Map<string, bigint>();
    for (const [group, sum] of sums) {
      const asset = assets.get(group) ?? '';
      byAsset.set(asset, (byAsset.get(asset) ?? 0n) + sum);
    }
    return byAsset;
  }

  /** The asset of each group with an account whose id can be computed from its parts. */
  #assetsOf(
    groups: Set<number>,
    { accounts, names }: Pick<CheckInput, 'accounts' | 'names'>,
  ): ReadonlyMap<number, string> {
    const found = new Map<number, string>();
    for (const [id, { asset }] of names.everyAccount()) {
      const account = accounts.known(id);
      const group = account === undefined ? undefined : this.#groups.of(account);
      if (group === undefined || !groups.delete(group)) continue;
      found.set(group, asset);
      if (groups.size === 0) break;
    }
    return found;
  }

  #add(account: number, amount: bigint): void {
    this.#surplus.set(account, (this.#surplus.get(account) ?? 0n) + amount);
  }
}

/** Numbers that belong together, joined pair by pair (a disjoint-set forest). */
class AccountGroups {
  readonly #parents: number[] = [];

  join(one: number, other: number): void {
    const [a, b] = [this.of(one), this.of(other)];
    if (a !== b) this.#parents[Math.max(a, b)] = Math.min(a, b);
  }

  /** The smallest number of the group. */
  of(number: number): number {
    while (this.#parents.length <= number) this.#parents.push(this.#parents.length);
    let at = number;
    for (let parent = this.#parents[at] ?? at; parent !== at; parent = this.#parents[at] ?? at) {
      const above = this.#parents[parent] ?? parent;
      this.#parents[at] = above;
      at = above;
    }
    return at;
  }
}
