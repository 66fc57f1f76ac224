import { compareHex, isHexDigits } from '../base/text/ids.ts';
import { didYouMean } from '../base/text/nearest-word.ts';
import { joinSafe, safeLine } from '../base/text/safe-text.ts';
import { type Directory, NO_NAMES, nameOf } from '../chain/directory/directory.ts';
import { findIds } from '../chain/directory/find-ids.ts';
import { keyPattern, MIN_KEY_PART_LENGTH } from '../chain/directory/key-pattern.ts';
import { isMineEntity } from '../chain/directory/mine.ts';
import { countOf } from '../chain/insight/count-of.ts';
import { cellIds, hasNames } from '../chain/resources/columns.ts';
import { filterFlag } from '../chain/resources/filter.ts';
import type { PageRequest } from '../chain/resources/page-request.ts';
import { isNameColumn } from '../chain/resources/record-key.ts';
import type { Column, RecordContext, Resource, Row, RowPage } from '../chain/resources/resource.ts';
import { fetchFlawlessPage, type WalkOptions } from '../chain/resources/walk-pages.ts';
import { walkRows } from '../chain/resources/walk-rows.ts';
import { lazyConnection, nodeFlag } from './connect-to-node.ts';
import type { Connection, Context } from './context.ts';
import type { Flag, ParsedFlags } from './flags.ts';
import { type NamesSource, nodeNamesSource, resolveIdFlags } from './resolve-id-flags.ts';
import {
  FILTER_FLAGS,
  listIdFlags,
  PAGE_FLAGS,
  PAGE_SIZE,
  readPageRequest,
  requireListResource,
  WALK_PAGE_SIZE,
  withListFlagNames,
} from './resource-flags.ts';
import { UsageError } from './usage-error.ts';
import { createWalkProgress } from './walk-progress.ts';

/** Flags that choose the part of the list to search. */
export const RECORD_FLAGS: readonly Flag[] = [...PAGE_FLAGS, ...FILTER_FLAGS];

/** One record, by its key or as the Nth row of a page, with the rows of its page. */
export interface FoundRecord extends Connection {
  readonly resource: Resource;
  readonly row: Row;
  readonly around: RecordContext;
}

/** The record that `<resource> <key>` names; undefined, with a message on stderr, if it is not found. */
export async function findRecord(
  { resource, key }: RecordQuery,
  given: ParsedFlags,
  context: Context,
): Promise<FoundRecord | undefined> {
  const isNumber = /^\d{1,4}$/.test(key);
  const usualSize = resource.paging.pageSize ?? (isNumber ? PAGE_SIZE : WALK_PAGE_SIZE);
  const connected = lazyConnection(given, context);
  const asked = nodeNamesSource(connected, context);
  const flags = await resolveIdFlags(withListFlagNames(resource, given), listIdFlags(resource), asked);
  const request = readPageRequest(flags, resource, usualSize);
  const connection = await connected();
  const options: WalkOptions = {
    client: connection.client,
    resource,
    signal: context.signal,
    ...createWalkProgress(context),
  };
  const found = isNumber
    ? nthRow(await fetchFlawlessPage(options, request), Number(key))
    : await findRow(options, request, { key, directory: await namesForKey(resource, key, asked) });
  if ('row' in found) {
    const { row, rows } = found;
    if (found.note !== undefined) await context.stderr.safe(safeLine(`blockglass: ${found.note}`));
    return { ...connection, resource, row, around: { filters: request.filters, rows } };
  }
  const where = searchedPartText(request, isNumber);
  const near = nearKeys(key, found.near);
  const missing = isNumber
    ? `blockglass: no row ${key}${where}. Row 0 is the first.`
    : `blockglass: no ${resource.singular} matches "${key}" in the ${countOf(found.searched, 'row')} searched${where}${near}`;
  const caveats = resource.caveats?.(request.filters) ?? [];
  const listed =
    isNumber || near !== ''
      ? []
      : [
          `list them with: blockglass list ${[resource.id, ...filterFlags(resource, request)].join(' ')}${nodeFlag(given)}`,
        ];
  await context.stderr.safe(joinSafe([missing, ...[...listed, ...caveats].map(line => `  ${line}`)].map(safeLine)));
  return undefined;
}

/** What `<resource> <key>` names. */
interface RecordQuery {
  readonly resource: Resource;
  readonly key: string;
}

/** The names that a key may be one of. */
async function namesForKey({ columns }: Resource, key: string, { names }: NamesSource): Promise<Directory> {
  const canBeNamed = hasNames(columns) || columns.some(({ isOwn, entity }) => isOwn === true && isMineEntity(entity));
  return canBeNamed && !AN_ID.test(key) ? names() : NO_NAMES;
}

/** An id, an address, or a key composed of these. */
const AN_ID = /^(?:(?:0x)?[0-9a-f]{40,64}(?:\/|$))+/i;

/** Throws a usage error if one of the two words is missing or wrong. */
export function readRecordQuery({ words }: ParsedFlags): RecordQuery {
  const resource = requireListResource(words[0]);
  const key = words[1];
  if (key === undefined)
    throw new UsageError(
      `missing argument <key>: the key of a ${resource.singular}, or a row number (0 = first row). Usage: blockglass show ${resource.id} <key>`,
    );
  return { resource, key };
}

const filterFlags = ({ filters }: Resource, request: PageRequest): readonly string[] =>
  filters.flatMap(filter => (request.filters[filter.name] ?? []).map(value => filterFlag(filter, value)));

/** The part that was searched, if it is not the whole list. */
function searchedPartText({ position, filters }: PageRequest, isOnePage: boolean): string {
  const matching = Object.keys(filters).length > 0 ? ' with these filters' : '';
  if (isOnePage) return ` on this page${matching}`;
  switch (position.kind) {
    case 'first':
      return matching;
    case 'after':
      return `${matching} after this cursor`;
    case 'before':
      return `${matching} on the page before this cursor or after it`;
    case 'last':
      return `${matching} on the last page`;
  }
}

interface FoundRow {
  readonly row: Row;
  readonly rows: readonly Row[];
  /** A note on how it was found. */
  readonly note?: string;
}

/** No match. */
interface RowNotFound {
  /** Keys to compare a typo with. */
  readonly near: readonly string[];
  readonly searched: number;
}

/** Keys that a typo is compared with. Longer lists have ids, which people paste. */
const MAX_NEAR_KEYS = 1000;

async function findRow(
  options: WalkOptions,
  request: PageRequest,
  { key, directory }: { readonly key: string; readonly directory: Directory },
): Promise<FoundRow | RowNotFound> {
  const wanted = keyPattern(key);
  const { keyOf, singular } = options.resource;
  const named = new RowNameSearch(options.resource, key, directory);
  const begun = { part: new Matches(), beginning: new Matches() };
  const near: string[] = [];
  let searched = 0;
  for await (const { rows, flaws = [] } of walkRows(options, request)) {
    searched += rows.length;
    for (const row of rows) {
      const match = wanted.match(keyOf(row));
      if (match === 'whole') return { row, rows, ...(flaws.length > 0 && { note: flaws.join('; ') }) };
      if (match === undefined) {
        if (near.length < MAX_NEAR_KEYS) near.push(keyOf(row));
        named.look(row, rows);
        continue;
      }
      begun[match].add(keyOf(row), { row, rows });
    }
  }
  // The record may be in a part of the list that was not searched.
  const scope = `of the ${countOf(searched, 'row')} searched`;
  const { keys, first } = begun.part.first === undefined ? begun.beginning : begun.part;
  if (first === undefined)
    return named.only(scope) ?? { near: request.position.kind === 'first' ? near : [], searched };
  if (keys.size > 1) throw ambiguousKey(key, scope, [...keys]);
  return { ...first, note: `${keyOf(first.row)} is the only ${singular} ${scope} that matches ${key}` };
}

/** The matching keys, and the row of the first. */
class Matches {
  readonly keys = new Set<string>();
  first: FoundRow | undefined;

  add(key: string, found: FoundRow): void {
    this.first ??= found;
    this.keys.add(key);
  }
}

/** The nearest key, else keys that contain the text. */
function nearKeys(typed: string, keys: readonly string[]): string {
  const meant = didYouMean(typed, keys);
  if (meant !== '' || typed.length < MIN_KEY_PART_LENGTH) return meant;
  const holding = keys.filter(key => key.toLowerCase().includes(typed.toLowerCase()));
  const [only, ...others] = holding;
  if (only === undefined) return '';
  if (others.length === 0) return `; did you mean "${only}"?`;
  const more = holding.length - MAX_SUGGESTED_KEYS;
  return `; it is part of ${holding.slice(0, MAX_SUGGESTED_KEYS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const MAX_SUGGESTED_KEYS = 4;

function nthRow({ rows }: RowPage, index: number): FoundRow | RowNotFound {
  const row = rows[index];
  return row === undefined ? { near: [], searched: rows.length } : { row, rows };
}

/** A record, the rows of its page, and a note on how it was found. */
interface RowFoundByName {
  readonly row: Row;
  readonly rows: readonly Row[];
  readonly note: string;
}

/** Finds records by a name or an id that tables show: the code of a market, the party of a provision, a validator's name. */
export class RowNameSearch {
  readonly #columns: readonly NamingColumn[];
  readonly #resource: Resource;
  readonly #name: string;
  readonly #isPartOfId: (value: string) => boolean;
  readonly #directory: Directory;
  /** With the names in the record, which tell records apart. */
  readonly #keys = new Map<string, string>();
  #first: (Omit<RowFoundByName, 'note'> & { readonly title: string }) | undefined;

  constructor(resource: Resource, name: string, directory: Directory = NO_NAMES) {
    this.#resource = resource;
    this.#name = name;
    const { match } = keyPattern(name);
    this.#isPartOfId = value => isPartOfId(name) && match(value) !== undefined;
    this.#directory = directory;
    this.#columns = resource.columns.flatMap(column => {
      const { entity } = column;
      const texts = isNameColumn(column) || entity !== undefined ? [compareHex(name).toLowerCase()] : [];
      const ids = entity === undefined || entity === 'epoch' ? [] : findIds(directory, entity, name);
      const wanted = new Set([...texts, ...ids.map(compareHex)]);
      return entity === 'epoch' || wanted.size === 0 ? [] : [{ column, wanted }];
    });
  }

  look(row: Row, rows: readonly Row[]): void {
    const isWanted = ({ column, wanted }: NamingColumn): boolean =>
      cellIds(column, row).some(
        value =>
          wanted.has(compareHex(value).toLowerCase()) || (column.entity !== undefined && this.#isPartOfId(value)),
      );
    const found = this.#columns.find(isWanted)?.column;
    if (found === undefined) return;
    this.#first ??= { row, rows, title: found.title };
    this.#keys.set(this.#resource.keyOf(row), this.#namesIn(row));
  }

  #namesIn(row: Row): string {
    const names = this.#resource.columns.flatMap(column => {
      const { entity } = column;
      if (entity === undefined || column.isOwn === true) return [];
      return cellIds(column, row).flatMap(id => nameOf(this.#directory, entity, id) ?? []);
    });
    return [...new Set(names)].slice(0, MAX_SUGGESTED_KEYS).join(', ');
  }

  /** Undefined without a match; throws on several. */
  only(scope: string): RowFoundByName | undefined {
    if (this.#first === undefined) return undefined;
    if (this.#keys.size > 1) {
      const lines = [...this.#keys].map(([key, names]) => (names === '' ? key : `${key} (${names})`));
      throw ambiguousKey(this.#name, scope, lines, 'hold');
    }
    const { row, rows, title } = this.#first;
    const { keyOf, singular } = this.#resource;
    return { row, rows, note: `${keyOf(row)} is the only ${singular} ${scope} whose ${title} is ${this.#name}` };
  }
}

/** Whether a word is hex digits, or the ends of some (`8a2f..01be`), and no number. */
const isPartOfId = (word: string): boolean => !/^\d+$/.test(word) && word.split(/\.{2,3}|\u2026/, 2).every(isHexDigits);

/** A column, and its values in a matching record. */
interface NamingColumn {
  readonly column: Column;
  readonly wanted: ReadonlySet<string>;
}

/** The error for text that matches several keys. */
function ambiguousKey(typed: string, scope: string, keys: readonly string[], are = 'match'): UsageError {
  const more = keys.length - MAX_AMBIGUOUS_KEYS;
  return new UsageError(`${keys.length} ${scope} ${are} "${typed}". Choose one:`, [
    ...keys.slice(0, MAX_AMBIGUOUS_KEYS),
    ...(more > 0 ? [`and ${more} more`] : []),
  ]);
}

const MAX_AMBIGUOUS_KEYS = 12;
