import { textAt, throughList } from './in-lists.ts';
import type { LookUp, Role } from './look-up.ts';

const LONGEST_SHOWN = 80;

/** Parameters with this key, with keys that begin with, contain or resemble it, and with this value. */
export const amongParameters = (value: string): LookUp =>
  throughList('parameters', records =>
    records.flatMap((record): readonly Role[] => {
      const [key, set] = [textAt(record, 'key'), textAt(record, 'value')];
      const lead = { entity: 'parameter', id: key } as const;
      const role = roleOf(key.toLowerCase(), value.toLowerCase());
      if (role !== undefined) return [{ role, text: `${key} = ${shortened(set)}`, lead }];
      return set.toLowerCase() === value.toLowerCase()
        ? [{ role: 'value of a network parameter', text: key, lead }]
        : [];
    }),
  );

function roleOf(key: string, wanted: string): string | undefined {
  if (wanted === '') return undefined;
  if (key === wanted) return 'network parameter';
  if (wanted.length < 3) return undefined;
  if (key.startsWith(wanted)) return 'prefix of network parameters';
  if (key.includes(wanted)) return 'part of the names of network parameters';
  return isNearly(key, wanted) ? 'nearly the name of a network parameter' : undefined;
}

const shortened = (text: string): string =>
  text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN - 1).toWellFormed()}\u2026` : text;

/** Letters that may be wrong, missing or extra in a similar name. */
const MOST_SLIPS = 2;
const LONGEST_COMPARED = 200;

function isNearly(key: string, wanted: string): boolean {
  if (wanted.length < 6 || key.length > LONGEST_COMPARED || Math.abs(key.length - wanted.length) > MOST_SLIPS)
    return false;
  let row = Array.from({ length: wanted.length + 1 }, (_, index) => index);
  for (let at = 1; at <= key.length; at++) {
    const above = row;
    row = [at];
    for (let index = 1; index <= wanted.length; index++) {
      const isOther = key[at - 1] === wanted[index - 1] ? 0 : 1;
      const slips = Math.min((above[index] ?? 0) + 1, (row[index - 1] ?? 0) + 1, (above[index - 1] ?? 0) + isOther);
      row.push(slips);
    }
    if (Math.min(...row) > MOST_SLIPS) return false;
  }
  return (row.at(-1) ?? MOST_SLIPS + 1) <= MOST_SLIPS;
}
