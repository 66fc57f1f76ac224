import { NETWORK_PARTY } from '../../../chain/directory/account-id.ts';
import { isEntityId } from '../account-names.ts';
import type { Check, CheckInput } from '../check.ts';
import type { TradeRow, TradeSide } from '../rows.ts';

/** Fees of trades and their payments in the ledger: one sum per block, payer and kind of fee. */
export const tradeFees: Check = {
  name: 'trade-fees',
  title: 'fees of trades are paid in the ledger',
  kind: 'look',
  tables: ['ledger', 'trades'],
  helpers: ['balances'],
  blindSpots: [
    'payers who also sent a transfer in that block: its fee is of the same type',
    'fees that an empty account paid only in part, and unpaid fees if balances are missing',
    'fees of the network, and of markets whose asset is unknown',
    'shares of referrers, discounts, rebates, and fees of the treasury',
  ],
  start: ground => {
    const fees = new BlockFees(ground);
    return {
      row: row => {
        ground.findings.read();
        if (row.table === 'trades') fees.takeTrade(row);
        else if (row.table === 'ledger') {
          if (row.type === 'TRANSFER_FUNDS_SEND') fees.takeTransfer(row.from);
          else if (row.quantity !== 0n) fees.takePayment(row.from, row.type, row.quantity);
        }
      },
      endBlock: block => {
        for (const { what, payer, asset, owed, paid } of fees.endBlock()) {
          ground.findings.compared(block, payer.general);
          if (what !== undefined)
            ground.findings.differs({
              what,
              party: payer.party,
              asset,
              account: payer.general,
              block,
              amount: paid - owed,
              amounts: { trades: owed, ledger: paid },
            });
        }
      },
    };
  },
};

/** Ledger types of fees, and the fee of a trade that each pays. */
const KINDS: { readonly [type: string]: (side: TradeSide) => bigint } = {
  MAKER_FEE_PAY: side => side.makerFee,
  INFRASTRUCTURE_FEE_PAY: side => side.infrastructureFee,
  LIQUIDITY_FEE_PAY: side => side.liquidityFee,
};

interface Payer {
  readonly party: string;
  readonly asset: string;
  readonly general: number;
}

interface FeeComparison {
  readonly what: string | undefined;
  readonly payer: Payer;
  readonly asset: string;
  readonly owed: bigint;
  readonly paid: bigint;
}

class BlockFees {
  readonly #ground: CheckInput;
  /** Who pays from an account, of parties that traded. */
  readonly #payers = new Map<number, Payer>();
  readonly #markets = new Map<string, string>();
  #owed = new Map<string, { readonly payer: Payer; readonly type: string; amount: bigint }>();
  #payments: { readonly from: number; readonly type: string; readonly quantity: bigint }[] = [];
  #trades: TradeRow[] = [];
  #senders = new Set<number>();

  constructor(ground: CheckInput) {
    this.#ground = ground;
  }

  takeTrade(trade: TradeRow): void {
    this.#trades.push(trade);
  }

  takeTransfer(from: number): void {
    this.#senders.add(from);
  }

  takePayment(from: number, type: string, quantity: bigint): void {
    if (Object.hasOwn(KINDS, type)) this.#payments.push({ from, type, quantity });
  }

  endBlock(): readonly FeeComparison[] {
    if (this.#trades.length === 0 && this.#payments.length === 0) return [];
    for (const trade of this.#trades) {
      const asset = this.#assetOf(trade.market);
      if (asset === '') continue;
      for (const side of [trade.buyer, trade.seller]) this.#owe(side, trade.market, asset);
    }
    const paid = new Map<string, { readonly payer: Payer; readonly type: string; amount: bigint }>();
    const isSender = new Set([...this.#senders].flatMap(from => this.#payers.get(from)?.general ?? []));
    for (const { from, type, quantity } of this.#payments) {
      const payer = this.#payers.get(from);
      if (payer !== undefined) addFee(paid, payer, type, quantity);
    }
    const compared = [...new Set([...this.#owed.keys(), ...paid.keys()])].flatMap(key => {
      const { payer, type } = this.#owed.get(key) ?? paid.get(key) ?? {};
      if (payer === undefined || type === undefined) return [];
      if (isSender.has(payer.general) || this.#ground.isWanted?.(payer.general) === false) return [];
      const [owes, pays] = [this.#owed.get(key)?.amount ?? 0n, paid.get(key)?.amount ?? 0n];
      if (pays < owes && !this.#canPay(payer)) return [];
      const what = pays === owes ? undefined : `${type}: the trades have another amount than the ledger`;
      return [{ what, payer, asset: payer.asset, owed: owes, paid: pays }];
    });
    this.#owed = new Map();
    this.#payments = [];
    this.#trades = [];
    this.#senders = new Set();
    return compared;
  }

  #owe(side: TradeSide, market: string, asset: string): void {
    if (!isEntityId(side.party)) return;
    const payer = this.#payerOf(side.party, market, asset);
    for (const [type, feeOf] of Object.entries(KINDS))
      if (feeOf(side) > 0n) addFee(this.#owed, payer, type, feeOf(side));
  }

  #payerOf(party: string, market: string, asset: string): Payer {
    const { accounts } = this.#ground;
    const general = accounts.of({ asset, party, market: '', type: 'GENERAL' });
    const payer = this.#payers.get(general) ?? { party, asset, general };
    this.#payers.set(general, payer);
    for (const type of ['MARGIN', 'ORDER_MARGIN']) this.#payers.set(accounts.of({ asset, party, market, type }), payer);
    return payer;
  }

  /** Whether a payer had money left after the block: one without is excused. */
  #canPay({ general }: Payer): boolean {
    const { book, has } = this.#ground;
    return has('balances') && (book.balanceOf(general) ?? 0n) > 0n;
  }

  /** The asset of a market by its name, or by the pool of its liquidity fees. */
  #assetOf(market: string): string {
    const known = this.#markets.get(market);
    if (known !== undefined) return known;
    const { names, accounts } = this.#ground;
    const isPoolOf = (asset: string): boolean =>
      accounts.isKnown({ asset, party: NETWORK_PARTY, market, type: 'FEES_LIQUIDITY' });
    const asset = names.assetOf(market) || ([...names.assets].find(isPoolOf) ?? '');
    if (asset === '') return '';
    this.#markets.set(market, asset);
    names.sawMarket(market, asset);
    return asset;
  }
}

function addFee(
  sums: Map<string, { readonly payer: Payer; readonly type: string; amount: bigint }>,
  payer: Payer,
  type: string,
  amount: bigint,
): void {
  const key = `${payer.general} ${type}`;
  const sum = sums.get(key);
  if (sum === undefined) sums.set(key, { payer, type, amount });
  else sum.amount += amount;
}
