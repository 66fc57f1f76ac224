const WHOLE = '\u2501';
const HALF = '\u2578';

/**
 * A bar of at most `cells` for a part of a maximum: a heavy line, by half cells, that leaves room between two rows. A part
 * above 0 has at least half a cell; 0, and a maximum of 0, have no bar.
 */
export function bar(part: bigint, maximum: bigint, cells: number): string {
  if (part <= 0n || maximum <= 0n || cells <= 0) return '';
  const all = BigInt(Math.floor(cells)) * 2n;
  const rounded = (2n * (part > maximum ? maximum : part) * all + maximum) / (2n * maximum);
  const halves = Number(rounded === 0n ? 1n : rounded);
  return WHOLE.repeat(Math.floor(halves / 2)) + (halves % 2 === 0 ? '' : HALF);
}

/** One character per value, from low to high; `_` is nothing. */
export function sparkline(values: readonly bigint[]): string {
  const most = values.reduce((high, value) => (value > high ? value : high), 0n);
  return values.map(value => (value <= 0n ? '_' : (STEPS[Number((value * 7n) / most)] ?? ''))).join('');
}

const STEPS = '\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588';
