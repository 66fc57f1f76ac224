import { isHexBytes, isHexDigits } from '../../base/text/ids.ts';
import { shellWord } from '../../base/text/shell-word.ts';
import type { JsonObject } from '../api/json.ts';
import type { Entity } from '../directory/entity.ts';
import { readWholeId } from '../directory/find-ids.ts';

/** A server-side filter of a list. */
export interface Filter {
  /** Name of the query parameter. */
  readonly name: string;
  readonly title: string;
  readonly kind: FilterKind;
  /** May be given more than once. */
  readonly repeats?: true;
  readonly entity?: Entity;
  readonly meaning: string;
  /** Values in a record, to check the answer: each must be among the requested ones. Unset if records lack them. */
  readonly textsIn?: (row: JsonObject, values: FilterValues) => readonly string[];
  /** Id of the column to sort by, largest first, when a link opens the list with this filter. */
  readonly largestFirst?: string;
  /** What an unset filter means to the node, given the others; `any` by default. */
  readonly unset?: (others: FilterValues) => string;
  /** Words shown for values that do not speak for themselves. */
  readonly words?: { readonly [value: string]: string };
}

type FilterKind = 'id' | 'address' | 'epoch' | 'boolean' | 'text';

/** The active filters: parameter name to its values, in order. An inactive filter has no entry. */
export type FilterValues = { readonly [name: string]: readonly string[] };

interface FilterRule {
  readonly check: (value: string) => boolean;
  /** What a valid value is, for the error message. */
  readonly wants: (filter: Filter) => string;
  readonly normal: (value: string) => string;
}

const RULES: { readonly [kind in FilterKind]: FilterRule } = {
  id: {
    check: value => readWholeId('id', value) !== undefined || isHexBytes(value),
    wants: ({ entity }) =>
      `${entity === 'asset' ? 'an' : 'a'} ${entity === undefined ? '' : `${entity} `}ID (64 hex digits)`,
    // Party ids of paid fees are compared as lower-case text (section 6).
    normal: value => readWholeId('id', value) ?? value.toLowerCase(),
  },
  address: {
    check: value => readWholeId('address', value) !== undefined || (/^0x/i.test(value) && isHexBytes(value.slice(2))),
    wants: () => 'an Ethereum address (0x and 40 hex digits)',
    normal: value => readWholeId('address', value) ?? value.toLowerCase(),
  },
  epoch: {
    check: value => /^\d{1,20}$/.test(value) && BigInt(value) < 2n ** 64n,
    wants: () => 'an epoch number',
    normal: value => value.replace(/^0+(?=\d)/, ''),
  },
  boolean: {
    check: value => value === 'true' || value === 'false',
    wants: () => 'true or false',
    normal: value => value,
  },
  text: { check: value => value !== '', wants: () => 'some text', normal: value => value },
};

/** The problem with a value, or undefined if it can be sent. `name` is the user's word for the filter. */
export function filterProblem(filter: Filter, value: string, name = filter.title): string | undefined {
  const rule = RULES[filter.kind];
  return rule.check(value) ? undefined : `${name} must be ${rule.wants(filter)}, not "${value}"`;
}

/** Whether a value is an id by its length, too, so that it cannot be a name. */
export const isWholeId = ({ kind }: Pick<Filter, 'kind'>, value: string): boolean =>
  readWholeId(kind === 'address' ? 'address' : 'id', value) !== undefined;

/** The value in a form that every node understands. */
export const normalizeValue = (filter: Filter, value: string): string => RULES[filter.kind].normal(value);

/** Warnings about ids of the wrong length, since the beginning of an id finds nothing. */
export const lengthWarnings = (filters: readonly Filter[], values: FilterValues): readonly string[] =>
  filters.flatMap(({ name, title, kind }) =>
    (values[name] ?? []).flatMap(value => {
      const [wanted, digits] = kind === 'address' ? [40, value.slice(2)] : [64, value];
      const isOdd = (kind === 'id' || kind === 'address') && isHexDigits(digits) && digits.length !== wanted;
      return isOdd ? [`${title} ${value} has ${digits.length} hex digits instead of ${wanted}`] : [];
    }),
  );

/** The word shown for an unset filter. */
export const unsetWord = (filter: Filter, others: FilterValues): string => filter.unset?.(others) ?? 'any';

/** The word shown for a value of a filter. */
export const valueWord = ({ words }: Filter, value: string): string =>
  (words !== undefined && Object.hasOwn(words, value) ? words[value] : undefined) ?? value;

/** Whether a filter is active. */
export const isFilterActive = (filters: FilterValues, name: string): boolean => (filters[name] ?? []).length > 0;

/** The command-line flag of a filter: `marketId` is `--market-id`. */
export const flagName = (filter: Filter): string => filter.name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);

/** A filter and its value as command-line flags: `--market-id ab`, `--live`. */
export const filterFlag = (filter: Filter, value: string): string =>
  filter.kind === 'boolean'
    ? `--${flagName(filter)}${value === 'true' ? '' : '=false'}`
    : `--${flagName(filter)} ${shellWord(value)}`;
