import type { JsonObject } from '../api/json.ts';
import type { Entity } from '../directory/entity.ts';

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
  /** What a record says of it, all of which is among the values it was asked for with; not there where records say nothing. */
  readonly textsIn?: (row: JsonObject, values: FilterValues) => readonly string[];
  /** Id of the column whose largest values come first where an id has led to what this filter lists: the node's order says less. */
  readonly largestFirst?: string;
  /** What the node takes when this one is not set among the others: `any` unless said. */
  readonly unset?: (others: FilterValues) => string;
  /** What stands for a value, where its own word says little. */
  readonly words?: { readonly [value: string]: string };
}

export type FilterKind = 'id' | 'address' | 'epoch' | 'boolean' | 'text';

/** Filters in force: parameter name to its values, in order. A filter that is not in force has no entry. */
export type FilterValues = { readonly [name: string]: readonly string[] };

interface FilterRule {
  readonly check: (value: string) => boolean;
  /** What a valid value is, for the sentence after a wrong one. */
  readonly wants: string;
  readonly normal: (value: string) => string;
}

// Names that nodes accept where an id is due though they are no hex (node-behaviour.md section 1.5).
const NAMED_IDS = [
  'VOTE',
  'network',
  'XYZalpha',
  'XYZbeta',
  'XYZdelta',
  'XYZepsilon',
  'XYZgamma',
  'fBTC',
  'fDAI',
  'fEURO',
  'fUSDC',
];

const RULES: { readonly [kind in FilterKind]: FilterRule } = {
  id: {
    check: value => NAMED_IDS.includes(value) || /^(?:[0-9a-f]{2})+$/i.test(value),
    wants: 'hex digits, an even number of them (an id has 64)',
    // Party ids of paid fees are compared as lower-case text (section 6).
    normal: value => (NAMED_IDS.includes(value) ? value : value.toLowerCase()),
  },
  address: {
    check: value => /^0x(?:[0-9a-f]{2})+$/i.test(value),
    wants: '0x and hex digits (an Ethereum address has 40)',
    normal: value => value.toLowerCase(),
  },
  epoch: {
    check: value => /^\d{1,20}$/.test(value) && BigInt(value) < 2n ** 64n,
    wants: 'the digits of an epoch number',
    normal: value => value.replace(/^0+(?=\d)/, ''),
  },
  boolean: {
    check: value => value === 'true' || value === 'false',
    wants: 'true or false',
    normal: value => value,
  },
  text: { check: value => value !== '', wants: 'some text', normal: value => value },
};

/** The sentence that says what is wrong with a value, or undefined when it may be sent. */
export function filterProblem(filter: Filter, value: string): string | undefined {
  const rule = RULES[filter.kind];
  return rule.check(value) ? undefined : `${filter.title} needs ${rule.wants}, not "${value}"`;
}

/** The value in the form that every node understands. */
export const normalValue = (filter: Filter, value: string): string => RULES[filter.kind].normal(value);

/** Values that are shorter or longer than what they name, in words: nothing is listed for the beginning of an id. */
export const oddLengths = (filters: readonly Filter[], values: FilterValues): readonly string[] =>
  filters.flatMap(({ name, title, kind }) =>
    (values[name] ?? []).flatMap(value => {
      const [wanted, digits] = kind === 'address' ? [40, value.slice(2)] : [64, value];
      const isOdd = (kind === 'id' || kind === 'address') && /^[0-9a-f]+$/i.test(digits) && digits.length !== wanted;
      return isOdd ? [`${title} ${value} has ${digits.length} hex digits, a whole one has ${wanted}`] : [];
    }),
  );

/** What stands for a filter that is not set among the others. */
export const unsetWord = (filter: Filter, others: FilterValues): string => filter.unset?.(others) ?? 'any';

/** What stands for a value of a filter. */
export const valueWord = ({ words }: Filter, value: string): string =>
  (words !== undefined && Object.hasOwn(words, value) ? words[value] : undefined) ?? value;

/** Whether a filter is in force. */
export const isInForce = (filters: FilterValues, name: string): boolean => (filters[name] ?? []).length > 0;

/** The command-line flag of a filter: `marketId` is `--market-id`. */
export const flagOf = (filter: Filter): string => filter.name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
