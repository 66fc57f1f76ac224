import { WORD_IDS } from '../../chain/directory/word-ids.ts';

/** Values as the node writes them into CSV (export-behaviour.md section 3.0). A parser returns undefined for anything else. */

const TIME = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?$/;

/** Microseconds since 1970 of a time in any time zone, exact until the year 2255. */
export function parseTimeUs(text: string | undefined): number | undefined {
  const parts = TIME.exec(text ?? '');
  if (parts === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', sign, ...offset] = parts;
  const [hours = 0, minutes = 0, seconds = 0] = offset.map(part => Number(part ?? 0));
  const ms = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  const offsetMs = (sign === '-' ? -1 : 1) * ((hours * 60 + minutes) * 60 + seconds) * 1000;
  const timeUs = (ms - offsetMs) * 1000 + Number(fraction.padEnd(6, '0'));
  return Number.isSafeInteger(timeUs) ? timeUs : undefined;
}

/** `2026-10-01 12:00:00.123456 UTC`, fraction trimmed */
export function rowTimeText(timeUs: number): string {
  const seconds = Math.floor(timeUs / 1e6);
  const iso = new Date(seconds * 1000).toISOString();
  const fraction = String(timeUs - seconds * 1e6)
    .padStart(6, '0')
    .replace(/0+$/, '');
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}${fraction === '' ? '' : `.${fraction}`} UTC`;
}

/** `2026-10` */
export const utcMonth = (timeUs: number): string => new Date(Math.floor(timeUs / 1000)).toISOString().slice(0, 7);

/** The widest number of a node has 1,000 digits. */
const AMOUNT = /^(-?\d{1,1000})(?:\.0*)?$/;

/** An integer of any size. Nodes write some integers as decimals without a fraction. */
export function parseAmount(text: string | undefined): bigint | undefined {
  const whole = AMOUNT.exec(text ?? '')?.[1];
  return whole === undefined ? undefined : BigInt(whole);
}

const ID = /^\\x((?:[0-9a-f]{2}){0,64})$/i;

/** The hexadecimal digits of an id in lower case; '' for the empty id. */
export const idDigits = (text: string | undefined): string | undefined => ID.exec(text ?? '')?.[1]?.toLowerCase();

/** The text that a node hashes for an id. */
export const hashInput = (hex: string): string => WORD_IDS.get(hex) ?? hex;

/** A copy that does not keep the text alive that it was cut from. */
export const detachText = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');
