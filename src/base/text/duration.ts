/**
 * Nanoseconds of a duration. `go` reads what Go's time.ParseDuration reads and refuses the rest: `8760h0m0s`, `1.5h`,
 * `500ms`, `-1h`, in 64 bits. `typed` reads what people write: also spaces, any case, `min`, `d` and `w`, and no plain 0.
 */
export function readDuration(text: string, style: 'go' | 'typed' = 'go'): bigint | undefined {
  if (text.length > MAX_TEXT_LENGTH) return undefined;
  const isGo = style === 'go';
  const [, sign = '', rest = ''] = /^([-+]?)(.*)$/s.exec(isGo ? text : withoutSpaces(text)) ?? [];
  if (rest === '0') return isGo ? 0n : undefined;
  if (!(isGo ? GO : TYPED).test(rest)) return undefined;
  let ns = 0n;
  for (const [, integer = '', fraction = '', unit = ''] of rest.matchAll(PARTS))
    ns += durationPart(integer, fraction, UNITS.get(unit) ?? 0n);
  if (sign === '-') ns = -ns;
  return isGo && BigInt.asIntN(64, ns) !== ns ? undefined : ns;
}

/** A duration with every digit: `365 d`, `1 h 30 min`, `500 ms`, `1 min 0.5 s`, `-1 h`. */
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
  if (rest > 0n || fraction > 0n) parts.push(`${rest}${fractionDigits(fraction, 9)} s`);
  return parts.join(' ');
}

/** The same rounded down to its largest unit: `450 ms`, `6 s`, `12 min`, `47 h`, `40 d`. */
export function shortDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = BigInt(Math.floor(ms / 1000));
  // Up to two days, hours are more informative.
  const [word, size] = LARGE.find(([, unit]) => seconds >= (unit === DAY ? 2n * DAY : unit)) ?? (['s', 1n] as const);
  return `${seconds / size} ${word}`;
}

/** Whole seconds with every digit: `5400` is `1 h 30 min`; other text is not changed. */
export const secondsInWords = (text: string): string =>
  /^\d{1,15}$/.test(text) ? durationInWords(BigInt(text) * SECOND) : text;

const SECOND = 1_000_000_000n;

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1000n],
  ['\u00b5s', 1000n],
  ['\u03bcs', 1000n],
  ['ms', 1_000_000n],
  ['s', SECOND],
  ['m', 60n * SECOND],
  ['min', 60n * SECOND],
  ['h', 3600n * SECOND],
  ['d', 86_400n * SECOND],
  ['w', 604_800n * SECOND],
]);

const PARTS = /(\d*)(?:\.(\d*))?([a-z\u00b5\u03bc]+)/g;

const GO = /^(?:(?:\d+\.?\d*|\.\d+)(?:ns|[u\u00b5\u03bc]s|ms|s|m|h))+$/;

const TYPED = /^(?:(?:\d+\.?\d*|\.\d+)(?:ns|[u\u00b5\u03bc]s|ms|min|s|m|h|d|w))+$/;

/** Between a number and its unit, between two parts, and behind the sign. */
const withoutSpaces = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/(?<=\d)\s+(?=[a-z\u00b5\u03bc])|(?<=[a-z])\s+(?=\d)|(?<=^-)\s+/g, '');

// No one writes more; Go would read zeros indefinitely.
const MAX_TEXT_LENGTH = 1000;

// Go multiplies the fraction in floating point, so this must too, to get the same result.
function durationPart(integer: string, fraction: string, unit: bigint): bigint {
  const whole = BigInt(integer) * unit;
  const [digits, scale] = leadingFraction(fraction);
  return digits === 0n ? whole : whole + BigInt(Math.trunc(Number(digits) * (Number(unit) / scale)));
}

const MAX_MAGNITUDE = 1n << 63n;

/** The digits of a fraction that fit in 64 bits, and their divisor; Go ignores the other digits. */
function leadingFraction(fraction: string): readonly [digits: bigint, scale: number] {
  let digits = 0n;
  let scale = 1;
  for (const digit of fraction) {
    if (digits > (MAX_MAGNITUDE - 1n) / 10n) break;
    const next = digits * 10n + BigInt(digit);
    if (next > MAX_MAGNITUDE) break;
    digits = next;
    scale *= 10;
  }
  return [digits, scale];
}

const DAY = 86_400n;

const LARGE = [
  ['d', DAY],
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
  return `${ns / unit}${fractionDigits(ns % unit, places)} ${word}`;
};

const fractionDigits = (digits: bigint, places: number): string =>
  digits === 0n ? '' : `.${String(digits).padStart(places, '0').replace(/0+$/, '')}`;
