import { isJsonArray, isJsonObject, type Json, type JsonObject, jsonText, member } from '../api/json.ts';
import { type Directory, nameOf } from '../directory/directory.ts';
import type { Entity } from '../directory/entity.ts';
import { resourceById } from '../resources/registry.ts';
import { isAskedFor } from '../resources/strays.ts';
import { inList, type LookUp, MOST_ROWS, type Role } from './look-up.ts';

/** How each list is requested and named. */
const LISTS = {
  markets: { path: 'api/v2/markets', wrapper: 'markets', name: 'markets', first: 5000 },
  assets: { path: 'api/v2/assets', wrapper: 'assets', name: 'assets', first: 5000 },
  validators: { path: 'api/v2/nodes', wrapper: 'nodes', name: 'validators', first: 5000 },
  specs: { path: 'api/v2/oracle/specs', wrapper: 'oracleSpecs', name: 'oracle specs', first: MOST_ROWS },
  parameters: {
    path: 'api/v2/network/parameters',
    wrapper: 'networkParameters',
    name: 'network parameters',
    first: MOST_ROWS,
  },
  bundles: {
    path: 'api/v2/erc20/multisigcontrol/signer/removed/bundles',
    wrapper: 'bundles',
    name: 'signer bundles',
    first: MOST_ROWS,
  },
  provisions: {
    path: 'api/v2/liquidity/provisions',
    wrapper: 'liquidityProvisions',
    name: 'liquidity provisions',
    first: MOST_ROWS,
  },
  fees: {
    path: 'api/v2/liquidity/paidfees',
    wrapper: 'paidLiquidityFees',
    name: 'paid fees',
    first: 5000,
  },
} as const;

export type ListName = keyof typeof LISTS;

/** `isCut`: the list has more records. */
type Reader = (records: readonly JsonObject[], directory: Directory, isCut: boolean) => readonly Role[];

interface Narrowed {
  readonly filter: readonly [name: string, value: string];
  /** Whether a record matches the value, if the list's own filter check cannot tell. */
  readonly isOf?: (record: JsonObject, directory: Directory) => boolean;
  /** The sentence if nothing matches. */
  readonly empty: string;
  /** The sentence about records that do not match. */
  readonly stray?: (directory: Directory) => string;
}

/** A lookup in a list, with or without a filter. Records that do not match the filter are ignored. */
export function throughList(list: ListName, read: Reader, narrowed?: Narrowed): LookUp {
  const { path, wrapper, name, first } = LISTS[list];
  const query = [...(narrowed === undefined ? [] : [narrowed.filter]), ['pagination.first', String(first)] as const];
  const asked = { wrapper, name, ...(narrowed !== undefined && { empty: narrowed.empty }) };
  return {
    where: name,
    request: { path, query },
    read: (answer, directory) => {
      let strays = 0;
      const found = inList(answer, asked, (records, isCut) => {
        const own =
          narrowed === undefined ? records : records.filter(record => isOf(list, narrowed, { record, directory }));
        strays = records.length - own.length;
        return read(own, directory, isCut);
      });
      if (strays === 0) return found;
      const otherwise = narrowed?.stray?.(directory) ?? `the node ignores the filter ${narrowed?.filter[0]}`;
      return { ...found, otherwise: `${name}: ${otherwise}` };
    },
  };
}

interface Found {
  readonly record: JsonObject;
  readonly directory: Directory;
}

function isOf(list: ListName, { filter: [name, value], isOf: own }: Narrowed, { record, directory }: Found): boolean {
  if (own !== undefined) return own(record, directory);
  const { filters = [] } = resourceById(list) ?? {};
  const isSeen = filters.some(filter => filter.name === name && filter.textsIn !== undefined);
  return isSeen && isAskedFor(filters, { [name]: [value] }, record);
}

export const textAt = (value: Json | undefined, ...path: readonly string[]): string => {
  const found = path.reduce<Json | undefined>(member, value);
  return isJsonArray(found) || isJsonObject(found) ? '' : jsonText(found);
};

/** Equal ignoring case, as ids and addresses are. */
export const isSame = (text: string, value: string): boolean => text.toLowerCase() === value.toLowerCase();

/** The name of an id, or both ends of it. */
export function called(directory: Directory, entity: Entity, id: string): string {
  return nameOf(directory, entity, id) ?? (id.length > 20 ? `${id.slice(0, 4)}..${id.slice(-4)}` : id);
}

/** Shorter text occurs somewhere in almost every record. */
const LEAST_PART = 4;

/** Whether a text in the record equals or contains the value; very short values must be equal. */
export function holds(value: Json, wanted: string): boolean {
  const isHeld = (text: string): boolean => (wanted.length < LEAST_PART ? text === wanted : text.includes(wanted));
  const left: Json[] = [value];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (isJsonArray(next)) for (const item of next) left.push(item);
    else if (isJsonObject(next)) for (const item of Object.values(next)) left.push(item);
    else if (isHeld(jsonText(next).toLowerCase())) return true;
  }
  return false;
}

/** `ACTIVE` of `STATUS_ACTIVE`, `TENDERMINT` of `VALIDATOR_NODE_STATUS_TENDERMINT`. */
export const statusWord = (status: string): string => status.replace(/^(?:VALIDATOR_NODE_STATUS_|STATUS_|STATE_)/, '');
