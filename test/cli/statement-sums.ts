/** A row of paid fees, as the node sends it. */
export interface Fee {
  readonly market: string;
  readonly asset: string;
  readonly epochSeq: string;
  readonly totalFeesPaid: string;
  readonly feesPaidPerParty: readonly { readonly party: string; readonly amount: string }[];
}

/** What the node has for a party in these epochs, each asset by itself, added up from its raw rows. */
export function sumsOf(rows: readonly Fee[], party: string, [from, to]: readonly [number, number]) {
  const sums = new Map<string, bigint>();
  for (const { asset, epochSeq, feesPaidPerParty } of rows)
    for (const paid of feesPaidPerParty)
      if (paid.party === party && Number(epochSeq) >= from && Number(epochSeq) <= to)
        sums.set(asset, (sums.get(asset) ?? 0n) + BigInt(paid.amount));
  return Object.fromEntries([...sums].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** What is used of a statement as JSON. */
export interface Made {
  readonly totals: readonly { readonly asset: string; readonly amount: { readonly raw: string } }[];
  readonly epochs: { readonly from: string; readonly to: string };
}

/** What a statement adds up to, each asset by itself. */
export const totalsIn = ({ totals }: Made) =>
  Object.fromEntries(totals.map(({ asset, amount }) => [asset, BigInt(amount.raw)]));
