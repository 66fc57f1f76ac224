import type { Entry } from './statement-entry.ts';
import type { EpochRange, FeeList, GapLine } from './statement-line.ts';

export interface Gappy {
  readonly list: FeeList;
  readonly entries: readonly Entry[];
  readonly epochs: readonly bigint[];
  readonly hasStray: boolean;
  /** Null: from the first payment of the list to `newest`. */
  readonly range: EpochRange | null;
  /** The newest epoch with a payment in any of the lists. */
  readonly newest: bigint;
}

/**
 * The epochs without a payment, in one piece as long as they follow each other. A row is only written when something
 * was paid (node-behaviour.md section 6), so that no row means no payment as far as the list is known.
 */
export function gapsOf({ list, entries, epochs, hasStray, range, newest }: Gappy): readonly GapLine[] {
  const paid = entries.map(({ epoch }) => epoch).toSorted(byNumber);
  const first = paid[0];
  const asked = range ?? (first === undefined ? null : { from: first, to: newest });
  if (asked === null) return [];
  const known = knownOf(list, epochs, hasStray);
  return holes(paid, asked)
    .flatMap(hole => split(hole, known))
    .map(({ from, to, kind }) => ({
      kind,
      market: list.market,
      asset: list.asset,
      epoch: String(from),
      toEpoch: String(to),
    }));
}

const byNumber = (one: bigint, other: bigint): number => (one < other ? -1 : one > other ? 1 : 0);

/**
 * The epochs of which it is known whether there is a row; null: all of them. Of a list that was cut those between its
 * ends, if it is in order: rows in any order can leave others out anywhere.
 */
function knownOf({ isCut }: FeeList, epochs: readonly bigint[], hasStray: boolean): EpochRange | null {
  if (hasStray) return NONE;
  if (!isCut) return null;
  const sorted = epochs.toSorted(byNumber);
  const isInOrder = [sorted, sorted.toReversed()].some(order => order.every((epoch, at) => epoch === epochs[at]));
  if (!isInOrder) return NONE;
  const [from, to] = [sorted[0], sorted.at(-1)];
  return from === undefined || to === undefined ? NONE : { from, to };
}

const NONE: EpochRange = { from: 1n, to: 0n };

function holes(paid: readonly bigint[], { from, to }: EpochRange): readonly EpochRange[] {
  const found: EpochRange[] = [];
  let next = from;
  for (const epoch of paid) {
    if (epoch > next) found.push({ from: next, to: epoch - 1n });
    if (epoch >= next) next = epoch + 1n;
  }
  return next > to ? found : [...found, { from: next, to }];
}

interface Part extends EpochRange {
  readonly kind: GapLine['kind'];
}

function split({ from, to }: EpochRange, known: EpochRange | null): readonly Part[] {
  if (known === null) return [{ from, to, kind: 'no-payment' }];
  if (known.from > known.to) return [{ from, to, kind: 'not-known' }];
  const parts: readonly Part[] = [
    { from, to: least(to, known.from - 1n), kind: 'not-known' },
    { from: most(from, known.from), to: least(to, known.to), kind: 'no-payment' },
    { from: most(from, known.to + 1n), to, kind: 'not-known' },
  ];
  return parts.filter(part => part.from <= part.to);
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);
const most = (one: bigint, other: bigint): bigint => (one > other ? one : other);
