import { hash } from 'node:crypto';

/** A row of a CSV by its header; the cells as they are in the file. */
export type CsvRow = Readonly<Record<string, string>>;

export interface Known {
  readonly assets: readonly string[];
  /** Each with its settlement asset. */
  readonly markets: readonly { readonly id: string; readonly asset: string }[];
}

/** What a party had of an asset, in smallest units. */
export interface Sums {
  received: bigint;
  sent: bigint;
  deposited: bigint;
  withdrawn: bigint;
  restored: bigint;
  allocated: bigint;
  withheld: bigint;
  bonus: bigint;
}

/**
 * A second reading of an export, written apart from the program: plain loops over the rows, ids of accounts made by hand, and
 * no SQL.
 */
export class SecondBook {
  readonly #party: string;
  /** The party, and its AMM on each market. */
  readonly #traders = new Set<string>();
  readonly #accounts = new Map<string, { readonly asset: string; readonly isFee: boolean }>();

  constructor(party: string, { assets, markets }: Known) {
    this.#party = party;
    this.#traders.add(`\\x${party}`);
    const add = (asset: string, owner: string, market: string, type: string): void => {
      const id = hash('sha256', `${asset}${owner}${market}ACCOUNT_TYPE_${type}`, 'hex');
      this.#accounts.set(`\\x${id}`, { asset, isFee: type === 'LP_LIQUIDITY_FEES' });
    };
    for (const asset of assets)
      for (const type of ['GENERAL', 'HOLDING', 'VESTING_REWARDS', 'VESTED_REWARDS', 'LOCKED_FOR_STAKING'])
        add(asset, party, '', type);
    for (const { id: market, asset } of markets) {
      for (const type of ['MARGIN', 'BOND', 'LP_LIQUIDITY_FEES', 'ORDER_MARGIN']) add(asset, party, market, type);
      const own = hash('sha3-256', `AMMv1${market}${party}0`, 'hex');
      this.#traders.add(`\\x${own}`);
      add(asset, own, '', 'GENERAL');
      for (const type of ['MARGIN', 'LP_LIQUIDITY_FEES']) add(asset, own, market, type);
    }
  }

  /** `all` has the other halves of transfers, too. */
  money(ledger: readonly CsvRow[], all: readonly CsvRow[] = ledger): ReadonlyMap<string, Sums> {
    const sums = new Map<string, Sums>();
    const own = this.#ownTransfers(all);
    for (const row of ledger) {
      const from = this.#accounts.get(row.account_from_id ?? '');
      const to = this.#accounts.get(row.account_to_id ?? '');
      const asset = (from ?? to)?.asset;
      if (asset === undefined) continue;
      const sum = sums.get(asset) ?? noSums();
      sums.set(asset, sum);
      const quantity = BigInt(row.quantity ?? '');
      const type = (row.type ?? '').replace('TRANSFER_TYPE_', '');
      if (from !== undefined && to !== undefined) {
        if (from.isFee && !to.isFee) sum.received += quantity;
      } else if (isHalf(type) && own.has(row.transfer_id ?? '')) continue;
      else if (to !== undefined) {
        if (to.isFee) sum.allocated += quantity;
        else if (type === 'CHECKPOINT_BALANCE_RESTORE') sum.restored += quantity;
        else if (type === 'DEPOSIT') sum.deposited += quantity;
        else {
          sum.received += quantity;
          if (type === 'SLA_PERFORMANCE_BONUS_DISTRIBUTE') sum.bonus += quantity;
        }
      } else if (from?.isFee) sum.withheld += quantity;
      else if (type === 'WITHDRAW') sum.withdrawn += quantity;
      else sum.sent += quantity;
    }
    return sums;
  }

  /** What fee accounts gained, and what transfers to oneself added or took while only one half of them is in these rows. */
  underWay(ledger: readonly CsvRow[], all: readonly CsvRow[]): ReadonlyMap<string, bigint> {
    const sums = new Map<string, bigint>();
    const own = this.#ownTransfers(all);
    for (const row of ledger) {
      const from = this.#accounts.get(row.account_from_id ?? '');
      const to = this.#accounts.get(row.account_to_id ?? '');
      const isHalfOfOwn = isHalf((row.type ?? '').replace('TRANSFER_TYPE_', '')) && own.has(row.transfer_id ?? '');
      const counts = (account: typeof from): boolean => account?.isFee === true || isHalfOfOwn;
      const asset = (from ?? to)?.asset ?? '';
      const gained = (to !== undefined && counts(to) ? 1n : 0n) - (from !== undefined && counts(from) ? 1n : 0n);
      sums.set(asset, (sums.get(asset) ?? 0n) + gained * BigInt(row.quantity ?? ''));
    }
    return sums;
  }

  /** Transfers of the party to itself: both halves are on its accounts. */
  #ownTransfers(ledger: readonly CsvRow[]): ReadonlySet<string> {
    const ids = (type: string, account: string): ReadonlySet<string> =>
      new Set(
        ledger
          .filter(row => row.type === `TRANSFER_TYPE_${type}` && this.#accounts.has(row[account] ?? ''))
          .map(row => row.transfer_id ?? '')
          .filter(id => id.length > 2),
      );
    const received = ids('TRANSFER_FUNDS_DISTRIBUTE', 'account_to_id');
    return new Set([...ids('TRANSFER_FUNDS_SEND', 'account_from_id')].filter(id => received.has(id)));
  }

  rewards(rows: readonly CsvRow[]): ReadonlyMap<string, bigint> {
    const sums = new Map<string, bigint>();
    for (const row of rows) {
      if (row.party_id !== `\\x${this.#party}`) continue;
      const asset = (row.asset_id ?? '').slice(2);
      sums.set(asset, (sums.get(asset) ?? 0n) + BigInt(row.amount ?? ''));
    }
    return sums;
  }

  trades(rows: readonly CsvRow[]): { readonly fills: number; readonly closeouts: number; readonly paid: bigint } {
    let [fills, closeouts, paid] = [0, 0, 0n];
    for (const row of rows)
      for (const side of ['buyer', 'seller']) {
        if (!this.#traders.has(row[side] ?? '')) continue;
        if (row.type === '3') closeouts++;
        else fills++;
        for (const kind of ['maker', 'infrastructure', 'liquidity']) paid += BigInt(row[`${side}_${kind}_fee`] ?? '');
      }
    return { fills, closeouts, paid };
  }

  /** The sum of the newest balances of its accounts, by asset. */
  held(balances: readonly CsvRow[]): ReadonlyMap<string, bigint> {
    const newest = new Map<string, bigint>();
    for (const row of balances)
      if (this.#accounts.has(row.account_id ?? '')) newest.set(row.account_id ?? '', BigInt(row.balance ?? ''));
    const sums = new Map<string, bigint>();
    for (const [id, balance] of newest) {
      const asset = this.#accounts.get(id)?.asset ?? '';
      sums.set(asset, (sums.get(asset) ?? 0n) + balance);
    }
    return sums;
  }
}

const isHalf = (type: string): boolean => type === 'TRANSFER_FUNDS_SEND' || type === 'TRANSFER_FUNDS_DISTRIBUTE';

const noSums = (): Sums => ({
  ...{ received: 0n, sent: 0n, deposited: 0n, withdrawn: 0n },
  ...{ restored: 0n, allocated: 0n, withheld: 0n, bonus: 0n },
});

/** The rows of a CSV without quoted cells. */
export function rowsOfCsv(header: string, lines: readonly string[]): readonly CsvRow[] {
  const names = header.split(',');
  return lines.map(line => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']));
  });
}
