import { quotient } from './decimal.ts';

/**
 * The fees an epoch allocated on a market, as the node sent them, before penalties and bonuses (protocol.md section
 * 1.1); amounts in smallest units.
 */
export interface FeeRow {
  readonly market: string;
  readonly asset: string;
  readonly epochSeq: string;
  /** Of the whole market, even if only some parties were requested. */
  readonly totalFeesPaid: string;
  readonly feesPaidPerParty: readonly PartyFee[];
}

export interface PartyFee {
  readonly party: string;
  readonly amount: string;
}

/** An amount that can be added up; undefined for anything but a whole number of plausible size. */
export const wholeAmount = (text: string): bigint | undefined => (/^\d{1,300}$/.test(text) ? BigInt(text) : undefined);

/** An epoch number; undefined for other text. */
export function epochNumber(text: string): bigint | undefined {
  const epoch = /^\d{1,20}$/.test(text) ? BigInt(text) : undefined;
  return epoch !== undefined && epoch < 2n ** 64n ? epoch : undefined;
}

/** An amount as a percentage of the total, to one place: `27.0`; undefined if either cannot be read. */
export function sharePercent(amount: string, total: string): string | undefined {
  const [part, whole] = [wholeAmount(amount), wholeAmount(total)];
  return part === undefined || whole === undefined ? undefined : quotient(`${part * 100n}`, `${whole}`, 1);
}

/** The same for people: never `0.0` for more than nothing. */
export function shareText(amount: string, total: string): string | undefined {
  const percent = sharePercent(amount, total);
  return percent === '0.0' && wholeAmount(amount) !== 0n ? '<0.1' : percent;
}

/** The party with the most; undefined if there is none, several have as much, or an amount cannot be read. */
export function topParty({ feesPaidPerParty: paid }: FeeRow): PartyFee | undefined {
  if (paid.some(({ amount }) => wholeAmount(amount) === undefined)) return undefined;
  const [top, next] = paid.toSorted(compareFees);
  const isShared = top !== undefined && next !== undefined && wholeAmount(top.amount) === wholeAmount(next.amount);
  return isShared ? undefined : top;
}

/** The sum of all parties in a row; undefined if it names none or an amount cannot be read. */
export const sumPaid = ({ feesPaidPerParty: paid }: FeeRow): string | undefined =>
  paid.length === 0 ? undefined : sumAmounts(paid.map(({ amount }) => amount));

/** Largest first; ties by party id. */
export function compareFees(one: PartyFee, other: PartyFee): number {
  const [left, right] = [wholeAmount(one.amount) ?? -1n, wholeAmount(other.amount) ?? -1n];
  if (left !== right) return left < right ? 1 : -1;
  return one.party < other.party ? -1 : one.party > other.party ? 1 : 0;
}

/** The sum; undefined if any amount cannot be read, since a partial sum would be misleading. */
export function sumAmounts(amounts: readonly string[]): string | undefined {
  const numbers = amounts.map(wholeAmount);
  let sum = 0n;
  for (const number of numbers) {
    if (number === undefined) return undefined;
    sum += number;
  }
  return String(sum);
}
