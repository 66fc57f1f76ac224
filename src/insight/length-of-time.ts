/**
 * Nanoseconds of a length of time as people and nodes write it: `2h`, `1h30m0s`, `365 d`, `1 h 30 min`, `1.5h`, `500 ms`.
 * Undefined for what is none; a number without a unit is none.
 */
export function lengthOfTime(text: string): bigint | undefined {
  if (text.length > LONGEST || !LENGTH.test(text)) return undefined;
  let sum = 0n;
  for (const [, integer = '', fraction = '', unit = ''] of text.matchAll(PART)) {
    const unitNs = UNITS.get(unit.toLowerCase()) ?? 0n;
    sum += BigInt(integer) * unitNs + (BigInt(`0${fraction}`) * unitNs) / 10n ** BigInt(fraction.length);
  }
  return text.trim().startsWith('-') ? -sum : sum;
}

// Nobody writes more, and each digit costs time.
const LONGEST = 80;

const LENGTH = /^\s*-?(?:\s*\d+(?:\.\d+)?\s*(?:ns|us|\u00b5s|ms|s|min|m|h|d|w))+\s*$/i;

const PART = /(\d+)(?:\.(\d+))?\s*(ns|us|\u00b5s|ms|s|min|m|h|d|w)/gi;

const SECOND = 1_000_000_000n;

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1000n],
  ['\u00b5s', 1000n],
  ['ms', 1_000_000n],
  ['s', SECOND],
  ['m', 60n * SECOND],
  ['min', 60n * SECOND],
  ['h', 3600n * SECOND],
  ['d', 86_400n * SECOND],
  ['w', 604_800n * SECOND],
]);
