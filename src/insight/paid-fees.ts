import { quotient } from './decimal.ts';

/**
 * What an epoch allocated on a market, and to whom, as the node sent it, before penalties and without bonuses
 * (docs/protocol.md section 1.1); amounts in smallest units.
 */
export interface FeeRow {
  readonly market: string;
  readonly asset: string;
  readonly epochSeq: string;
  /** Of the whole market, also where only some parties were asked for. */
  readonly totalFeesPaid: string;
  readonly feesPaidPerParty: readonly PartyFee[];
}

export interface PartyFee {
  readonly party: string;
  readonly amount: string;
}

/** An amount that can be added up; undefined for what is no whole number of a size that amounts have. */
export const wholeAmount = (text: string): bigint | undefined => (/^\d{1,300}$/.test(text) ? BigInt(text) : undefined);

/** The number of an epoch; undefined for what is none. */
export function epochNumber(text: string): bigint | undefined {
  const epoch = /^\d{1,20}$/.test(text) ? BigInt(text) : undefined;
  return epoch !== undefined && epoch < 2n ** 64n ? epoch : undefined;
}

/** How much of the total that is, in percent, half to even to one place: `27.0`; undefined where it cannot be said. */
export function sharePercent(amount: string, total: string): string | undefined {
  const [part, whole] = [wholeAmount(amount), wholeAmount(total)];
  return part === undefined || whole === undefined ? undefined : quotient(`${part * 100n}`, `${whole}`, 1);
}

/** The same for people: of more than nothing it is never `0.0`. */
export function shareShown(amount: string, total: string): string | undefined {
  const percent = sharePercent(amount, total);
  return percent === '0.0' && wholeAmount(amount) !== 0n ? '<0.1' : percent;
}

/** Who has most; undefined when nobody has any, several have as much, or an amount that cannot be read may be the larger one. */
export function topParty({ feesPaidPerParty: paid }: FeeRow): PartyFee | undefined {
  if (paid.some(({ amount }) => wholeAmount(amount) === undefined)) return undefined;
  const [top, next] = paid.toSorted(byAmount);
  const isShared = top !== undefined && next !== undefined && wholeAmount(top.amount) === wholeAmount(next.amount);
  return isShared ? undefined : top;
}

/** What the parties of a row have together; undefined where it names none, or an amount that is none. */
export const paidTogether = ({ feesPaidPerParty: paid }: FeeRow): string | undefined =>
  paid.length === 0 ? undefined : sumOf(paid.map(({ amount }) => amount));

/** The largest first; parties with the same in the order of their ids. */
export function byAmount(one: PartyFee, other: PartyFee): number {
  const [left, right] = [wholeAmount(one.amount) ?? -1n, wholeAmount(other.amount) ?? -1n];
  if (left !== right) return left < right ? 1 : -1;
  return one.party < other.party ? -1 : one.party > other.party ? 1 : 0;
}

/** The sum of them; undefined when one of them is no amount: a part of a sum would pass for it. */
export function sumOf(amounts: readonly string[]): string | undefined {
  const numbers = amounts.map(wholeAmount);
  let sum = 0n;
  for (const number of numbers) {
    if (number === undefined) return undefined;
    sum += number;
  }
  return String(sum);
}
