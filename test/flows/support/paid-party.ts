import { fetchAll, type WireRecord } from './wire.ts';

/** A party that was paid, and so has moved money. */
export async function paidParty(url: string): Promise<string> {
  const fees: readonly WireRecord[] = await fetchAll(url, 'fees', {});
  const [party] = fees.flatMap(({ feesPaidPerParty }) =>
    Array.isArray(feesPaidPerParty) ? feesPaidPerParty.map(paid => String(paid.party)) : [],
  );
  return party ?? '';
}
