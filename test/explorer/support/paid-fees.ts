import type { FeeQuery } from '../../../src/chain/explain/statement/fee-node.ts';
import type { FetchedFees } from '../../../src/chain/explain/statement/fetch-fees.ts';

const PARTY = '0f';

/** What a node has for a statement of market `aa` and asset `bb`: so many epochs, each paid one more than the one before. */
export function feesOf(question: FeeQuery, epochs: number): FetchedFees {
  const rows = Array.from({ length: epochs }, (_, index) => ({
    market: 'aa',
    asset: 'bb',
    epochSeq: String(index + 1),
    totalFeesPaid: String(2 * (index + 1)),
    feesPaidPerParty: [{ party: question.party || PARTY, amount: String(index + 1) }],
  }));
  const from = question.epochs.kind === 'all' ? 0n : BigInt(Math.max(0, epochs - 9));
  return {
    query: question,
    head: { open: BigInt(epochs + 1), newest: undefined, version: 'v0.74.10' },
    rows,
    spans: [{ kind: 'known', from, to: BigInt(epochs) }],
    ammIncome: question.party === '' ? 'all' : 'not-offered',
    requests: 3,
    problems: [],
  };
}
