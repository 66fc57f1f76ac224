import type { CheckFindings, Disagreement } from './check.ts';
import type { BlockPlace } from './check-interface.ts';

/** An amount that one of two tables has for an account, in the block that is being read. */
interface MatchedAmount {
  readonly account: number;
  readonly amount: bigint;
  /** For the difference: who it is about. */
  readonly of?: Pick<Disagreement, 'party' | 'asset' | 'account'>;
}

/** Messages for an amount that only one side has. */
interface UnmatchedTexts {
  readonly onlyInTable: string;
  readonly onlyInLedger: string;
  readonly otherAmount: string;
  /** What the other table has: `deposit`. */
  readonly row: string;
}

/** Compares the amounts of two tables in a block; repeated amounts count as often as they occur. */
export class AmountMatcher {
  readonly #findings: CheckFindings;
  readonly #words: UnmatchedTexts;
  #table: MatchedAmount[] = [];
  #ledger: MatchedAmount[] = [];

  constructor(findings: CheckFindings, words: UnmatchedTexts) {
    this.#findings = findings;
    this.#words = words;
  }

  inTable(matched: MatchedAmount): void {
    this.#table.push(matched);
  }

  inLedger(matched: MatchedAmount): void {
    this.#ledger.push(matched);
  }

  /** Compares the amounts received since the last block. `keyOf` maps accounts that count as the same one. */
  endBlock(block: BlockPlace, keyOf: (account: number) => number = account => account): void {
    if (this.#table.length === 0 && this.#ledger.length === 0) return;
    const [table, ledger] = [this.#table, this.#ledger];
    this.#table = [];
    this.#ledger = [];
    const left = Map.groupBy(ledger, ({ account, amount }) => `${keyOf(account)} ${amount}`);
    const alone: MatchedAmount[] = [];
    for (const matched of table) {
      const found = left.get(`${keyOf(matched.account)} ${matched.amount}`)?.pop();
      if (found === undefined) alone.push(matched);
      else this.#findings.compared(block, matched.account);
    }
    this.#report(
      block,
      alone,
      Map.groupBy([...left.values()].flat(), ({ account }) => keyOf(account)),
      keyOf,
    );
  }

  /** An amount on each side for one account is one difference. */
  #report(
    block: BlockPlace,
    alone: readonly MatchedAmount[],
    left: Map<number, MatchedAmount[]>,
    keyOf: (account: number) => number,
  ): void {
    const { onlyInTable, onlyInLedger, otherAmount, row } = this.#words;
    for (const { account, amount, of } of alone) {
      const other = left.get(keyOf(account))?.pop();
      this.#findings.compared(block, account);
      this.#findings.differs({
        ...{ what: onlyInTable, account, block, amount, ...of },
        ...(other !== undefined && {
          what: otherAmount,
          account: other.account,
          amounts: { [row]: amount, ledger: other.amount },
        }),
      });
    }
    for (const { account, amount } of [...left.values()].flat()) {
      this.#findings.compared(block, account);
      this.#findings.differs({ what: onlyInLedger, account, block, amount });
    }
  }
}
