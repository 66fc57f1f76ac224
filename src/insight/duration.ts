/**
 * Nanoseconds of a Go duration such as `8760h0m0s`, `1.5h`, `500ms` or `-1h`, as Go's time.ParseDuration reads it: units
 * in any order and as often as one likes, a fraction at each. Undefined for what Go refuses.
 */
export function readDuration(text: string): bigint | undefined {
  const [, sign = '', rest = ''] = /^([-+]?)(.*)$/s.exec(text) ?? [];
  if (rest === '0') return 0n;
  if (rest.length > LONGEST || !DURATION.test(rest)) return undefined;
  let sum = 0n;
  for (const [, integer = '', fraction = '', unit = ''] of rest.matchAll(PARTS)) {
    const part = partOf(integer, fraction, UNITS.get(unit) ?? 0n);
    if (part > FARTHEST) return undefined;
    sum += part;
    if (sum > FARTHEST) return undefined;
  }
  if (sign === '-') return -sum;
  return sum === FARTHEST ? undefined : sum;
}

/** A length of time with every digit kept: `365 d`, `1 h 30 min`, `500 ms`, `1 min 0.5 s`, `-1 h`. */
export function durationInWords(ns: bigint): string {
  if (ns < 0n) return `-${durationInWords(-ns)}`;
  if (ns < SECOND) return belowASecond(ns);
  const parts: string[] = [];
  let rest = ns / SECOND;
  for (const [word, seconds] of LARGE) {
    if (rest >= seconds) parts.push(`${rest / seconds} ${word}`);
    rest %= seconds;
  }
  const fraction = ns % SECOND;
  if (rest > 0n || fraction > 0n) parts.push(`${rest}${behindPoint(fraction, 9)} s`);
  return parts.join(' ');
}

const SECOND = 1_000_000_000n;

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1000n],
  ['\u00b5s', 1000n],
  ['\u03bcs', 1000n],
  ['ms', 1_000_000n],
  ['s', SECOND],
  ['m', 60n * SECOND],
  ['h', 3600n * SECOND],
]);

const PARTS = /(\d*)(?:\.(\d*))?([a-z\u00b5\u03bc]+)/g;

const DURATION = /^(?:(?:\d+\.?\d*|\.\d+)(?:ns|[u\u00b5\u03bc]s|ms|s|m|h))+$/;

/** What a negative one may be in 64 bits; a positive one is shorter. */
const FARTHEST = 1n << 63n;

// Nobody writes more; Go would read zeros for ever.
const LONGEST = 1000;

// Go multiplies the fraction in floating point, and so must who would have what it has.
function partOf(integer: string, fraction: string, unit: bigint): bigint {
  const whole = BigInt(integer) * unit;
  const [digits, scale] = leadingFraction(fraction);
  return digits === 0n ? whole : whole + BigInt(Math.trunc(Number(digits) * (Number(unit) / scale)));
}

/** The digits of a fraction that fit in 64 bits, and what they are divided by; Go reads no more of it. */
function leadingFraction(fraction: string): readonly [digits: bigint, scale: number] {
  let digits = 0n;
  let scale = 1;
  for (const digit of fraction) {
    if (digits > (FARTHEST - 1n) / 10n) break;
    const next = digits * 10n + BigInt(digit);
    if (next > FARTHEST) break;
    digits = next;
    scale *= 10;
  }
  return [digits, scale];
}

const LARGE = [
  ['d', 86_400n],
  ['h', 3600n],
  ['min', 60n],
] as const;

function belowASecond(ns: bigint): string {
  if (ns === 0n) return '0 s';
  if (ns < 1000n) return `${ns} ns`;
  return ns < 1_000_000n ? inUnit(ns, 3, 'us') : inUnit(ns, 6, 'ms');
}

const inUnit = (ns: bigint, places: number, word: string): string => {
  const unit = 10n ** BigInt(places);
  return `${ns / unit}${behindPoint(ns % unit, places)} ${word}`;
};

const behindPoint = (digits: bigint, places: number): string =>
  digits === 0n ? '' : `.${String(digits).padStart(places, '0').replace(/0+$/, '')}`;
