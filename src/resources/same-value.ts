import { isJsonArray, isJsonObject, isRawNumber, type Json, jsonText } from '../api/json.ts';
import { plainDecimal } from '../insight/decimal.ts';
import { readDuration } from '../insight/duration.ts';
import type { Kind } from '../insight/kind.ts';
import { embeddedJson } from './tree.ts';

/** Whether two values of a kind mean the same: 24h and 24h0m0s, 0.5 and 0.50, documents with the same content. */
export function isSameValue(kind: Kind, one: string, other: string): boolean {
  if (one === other) return true;
  if (typeof kind !== 'string') return false;
  switch (kind) {
    case 'integer':
    case 'count':
    case 'ordinal':
    case 'amount':
    case 'factor':
    case 'share':
    case 'seconds':
    case 'time':
    case 'unix-time':
      return isSame(plainDecimal(one), plainDecimal(other));
    // Parameters have values of any type under one kind.
    case 'json':
      return isSameSetting(one, other);
    // The case of an address is only its checksum.
    case 'address':
      return one.toLowerCase() === other.toLowerCase();
    case 'id':
    case 'text':
    case 'name':
    case 'quantity':
    case 'boolean':
    case 'argument':
      return false;
  }
}

/** Whether two documents have the same content: members in any order, elements in the same order, numbers by value. */
export function isSameJson(one: Json, other: Json): boolean {
  if (one === other) return true;
  if (isNumber(one) && isNumber(other)) return isSameNumber(jsonText(one), jsonText(other));
  if (isJsonArray(one) && isJsonArray(other))
    return one.length === other.length && one.every((item, index) => isSameJson(item, other[index] ?? null));
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const members = Object.entries(one);
  if (members.length !== Object.keys(other).length) return false;
  return members.every(([name, item]) => Object.hasOwn(other, name) && isSameJson(item, other[name] ?? null));
}

function isSameSetting(one: string, other: string): boolean {
  if (isSame(readDuration(one), readDuration(other)) || isSame(plainDecimal(one), plainDecimal(other))) return true;
  const [document, otherDocument] = [embeddedJson(one), embeddedJson(other)];
  return document !== undefined && otherDocument !== undefined && isSameJson(document, otherDocument);
}

const isNumber = (value: Json): boolean => typeof value === 'number' || isRawNumber(value);

const isSameNumber = (one: string, other: string): boolean =>
  one === other || isSame(plainDecimal(one), plainDecimal(other));

/** Whether both are readable and equal. */
const isSame = <Value extends string | bigint>(one: Value | undefined, other: Value | undefined): boolean =>
  one !== undefined && one === other;
