import { PAGE_SIZES } from '../base/settings/preferences.ts';
import { didYouMean } from '../base/text/nearest-word.ts';
import { type FilterValues, filterProblem, flagName, normalizeValue } from '../chain/resources/filter.ts';
import { MAX_PAGE_SIZE, orderProblem, type PageRequest, type Position } from '../chain/resources/page-request.ts';
import { RESOURCES, resourceById } from '../chain/resources/registry.ts';
import type { Resource } from '../chain/resources/resource.ts';
import { aliasesOf, type Flag, type ParsedFlags } from './flags.ts';
import type { IdFlags } from './resolve-id-flags.ts';
import { UsageError } from './usage-error.ts';

/** Rows of a single page, unless a flag or the list sets another number. */
export const PAGE_SIZE = PAGE_SIZES.usual;

/** Rows of each page of a list that is read from page to page. */
export const WALK_PAGE_SIZE = 1000;

/** For commands that print names and units. */
export const EXACT_FLAG: Flag = {
  name: 'exact',
  kind: 'switch',
  group: 'Output',
  about: 'ids and amounts as sent, in a table or csv, without names and units',
};

/** The words of an example for a list; provisions of all markets and parties at once are refused. */
export const exampleList = (name: string, ...words: readonly string[]): string =>
  [name, ...words, ...(name === 'provisions' ? ['--market-id', MARKET_OF_DEMO] : [])].join(' ');

const MARKET_OF_DEMO = 'af2bd6213e8170c9642000b854a876d818c04ec04e6d24bcd3b3c6a755c5a279';

export const PAGE_FLAGS: readonly Flag[] = [
  {
    name: 'page-size',
    kind: 'number',
    group: 'Rows and pages',
    least: 1,
    most: MAX_PAGE_SIZE,
    value: 'ROWS',
    about: 'rows per page, 1-5000 (50)',
  },
  { name: 'after', kind: 'text', group: 'Rows and pages', value: 'CURSOR', about: 'the page after this cursor' },
  { name: 'before', kind: 'text', group: 'Rows and pages', value: 'CURSOR', about: 'the page before this cursor' },
  {
    name: 'last',
    kind: 'number',
    group: 'Rows and pages',
    least: 1,
    most: MAX_PAGE_SIZE,
    value: 'ROWS',
    about: 'the last rows of the list',
  },
  { name: 'oldest-first', kind: 'switch', group: 'Rows and pages', about: 'oldest rows first' },
];

/** One flag per filter of any resource; which resource takes which is checked when read. */
export const FILTER_FLAGS: readonly Flag[] = [
  ...Map.groupBy(
    RESOURCES.flatMap(({ id, filters }) => filters.map(filter => ({ id, filter }))),
    ({ filter }) => flagName(filter),
  ),
].flatMap(([name, taken]) => {
  const [first] = taken;
  if (first === undefined) return [];
  const lists = Object.fromEntries(taken.map(({ id, filter }) => [id, filter.meaning]));
  return {
    name,
    kind: first.filter.kind === 'boolean' ? ('boolean' as const) : ('text' as const),
    ...(first.filter.kind !== 'boolean' && { value: first.filter.kind.toUpperCase() }),
    about: Object.entries(lists)
      .map(([id, meaning]) => `${id}: ${meaning}`)
      .join('; '),
    group: 'Filters' as const,
    lists,
    ...(first.filter.repeats === true && { repeats: true as const }),
  };
});

/** The filter flags of a list. */
export const listIdFlags = ({ filters }: Resource): IdFlags =>
  new Map(filters.map(filter => [flagName(filter), filter]));

/** The flags under the names that the list has for them: it may take `--party-ids` where another one takes `--party-id`. */
export function withListFlagNames({ filters }: Resource, given: ParsedFlags): ParsedFlags {
  const own = new Set(filters.map(flagName));
  const others = (flag: string): readonly string[] =>
    own.has(flag) ? aliasesOf(flag).filter(name => !own.has(name)) : [];
  const isOther = (flag: string): boolean => !own.has(flag) && aliasesOf(flag).some(name => own.has(name));
  const texts = (flag: string): readonly string[] =>
    isOther(flag) ? [] : [flag, ...others(flag)].flatMap(name => given.texts(name));
  return {
    ...given,
    texts,
    text: flag => texts(flag)[0],
    has: flag => (own.has(flag) || isOther(flag) ? texts(flag).length > 0 : given.has(flag)),
  };
}

/** The resource that a command's first word names. */
export function requireListResource(word: string | undefined): Resource {
  const names = RESOURCES.map(({ id }) => id).join(', ');
  if (word === undefined) throw new UsageError(`missing argument <resource>: one of ${names}`);
  const resource = resourceById(word);
  if (resource === undefined)
    throw new UsageError(
      `unknown resource "${word}". Resources: ${names}${didYouMean(
        word,
        RESOURCES.map(({ id }) => id),
      )}`,
    );
  return resource;
}

function readFilterFlags(given: ParsedFlags, resource: Resource): FilterValues {
  const filters: Record<string, readonly string[]> = {};
  for (const flag of FILTER_FLAGS) {
    if (!given.has(flag.name)) continue;
    const filter = resource.filters.find(candidate => flagName(candidate) === flag.name);
    if (filter === undefined) throw new UsageError(`${resource.id} does not accept --${flag.name}`);
    const values = given.texts(flag.name);
    for (const value of values) {
      const problem = filterProblem(filter, value, `--${flag.name}`);
      if (problem !== undefined) throw new UsageError(problem);
    }
    filters[filter.name] = values.map(value => normalizeValue(filter, value));
  }
  return filters;
}

/** The page requested by the flags; `size` is the default. */
export function readPageRequest(given: ParsedFlags, resource: Resource, size: number): PageRequest {
  const last = given.number('last');
  const position = readPosition(given, last !== undefined);
  const isOldestFirst = given.has('oldest-first');
  const filters = readFilterFlags(given, resource);
  const order = isOldestFirst ? orderProblem(resource, filters) : undefined;
  if (order !== undefined) throw new UsageError(`--oldest-first: ${order}`);
  if (position.kind === 'after' && resource.paging.byCursor !== true)
    throw new UsageError(`--after: ${resource.paging.byCursor}`);
  if ((position.kind === 'before' || position.kind === 'last') && resource.paging.backward !== true) {
    throw new UsageError(`--${position.kind}: ${resource.paging.backward}`);
  }
  return {
    filters,
    size: last ?? given.number('page-size') ?? size,
    newestFirst: !isOldestFirst,
    position,
  };
}

function readPosition(given: ParsedFlags, isLast: boolean): Position {
  const after = given.text('after');
  const before = given.text('before');
  if (after !== undefined && (before !== undefined || isLast))
    throw new UsageError('--after cannot be used with --before or --last');
  if (after !== undefined) return { kind: 'after', cursor: after };
  if (before !== undefined) return { kind: 'before', cursor: before };
  return { kind: isLast ? 'last' : 'first' };
}
