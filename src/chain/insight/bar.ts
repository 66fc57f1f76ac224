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

/** The heights of bars in eighths of a row, above and below the zero line. */
interface BarHeights {
  readonly rowsUp: number;
  readonly rowsDown: number;
  /** Negative below the zero line; null without a value. Anything but zero has at least an eighth. */
  readonly eighths: readonly (number | null)[];
}

/** Bars of exact decimal values at one scale; the highest or lowest fills the rows on its side. */
export function barHeights(values: readonly (string | null)[], rows: number): BarHeights {
  const numbers = atOneScale(values);
  const known = numbers.filter(value => value !== null);
  const up = known.reduce((most, value) => (value > most ? value : most), 0n);
  const down = known.reduce((most, value) => (-value > most ? -value : most), 0n);
  const rowsDown = rowsBelow(up, down, rows);
  const rowsUp = rows - rowsDown;
  const [part, of] = commonScale([up, BigInt(8 * rowsUp)], [down, BigInt(8 * rowsDown)]);
  const height = (value: bigint): number => {
    if (value === 0n || of === 0n) return 0;
    const size = value < 0n ? -value : value;
    const eighths = Number((2n * size * part + of) / (2n * of));
    return (value < 0n ? -1 : 1) * Math.max(1, eighths);
  };
  return { rowsUp, rowsDown, eighths: numbers.map(value => (value === null ? null : height(value))) };
}

function rowsBelow(up: bigint, down: bigint, rows: number): number {
  if (down === 0n) return 0;
  if (up === 0n) return rows;
  const below = Number((BigInt(rows) * down + (up + down) / 2n) / (up + down));
  return Math.max(1, Math.min(rows - 1, below));
}

/** The smaller of two scales, so that both sides fit. */
function commonScale([up, roomUp]: readonly [bigint, bigint], [down, roomDown]: readonly [bigint, bigint]) {
  if (down === 0n || (up !== 0n && roomUp * down <= roomDown * up)) return [roomUp, up] as const;
  return [roomDown, down] as const;
}

/** All values as whole numbers at the smallest decimal place that occurs. */
function atOneScale(values: readonly (string | null)[]): readonly (bigint | null)[] {
  const parts = values.map(value => (value === null ? null : /^(-?)(\d+)(?:\.(\d+))?$/.exec(value)));
  const places = parts.reduce((most, found) => Math.max(most, found?.[3]?.length ?? 0), 0);
  return parts.map(found => {
    if (found === null) return null;
    const [, sign = '', integer = '', fraction = ''] = found;
    return BigInt(`${sign}${integer}${fraction.padEnd(places, '0')}`);
  });
}

/** One character per value, from low to high; `_` is nothing. */
export function sparkline(values: readonly bigint[]): string {
  const most = values.reduce((high, value) => (value > high ? value : high), 0n);
  return values.map(value => (value <= 0n ? '_' : (STEPS[Number((value * 7n) / most)] ?? ''))).join('');
}

const STEPS = '\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588';
