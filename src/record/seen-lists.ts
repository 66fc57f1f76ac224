import { INFO_REQUEST, SEGMENTS_REQUEST, STATISTICS_REQUEST } from '../api/core-status.ts';
import { isNotServed, WebPageError } from '../api/errors.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject, jsonText, member } from '../api/json.ts';
import type { Reply, ReplyFacts } from '../api/reply.ts';
import type { NodeRequest } from '../api/request.ts';
import { segmentsFlaw } from '../export/range/history.ts';
import type { FilterValues } from '../resources/filter.ts';
import { matchesFilters } from '../resources/filter-check.ts';
import { hasBetter } from '../resources/page-request.ts';
import type { Resource, RowPage } from '../resources/resource.ts';
import { readId } from '../text/ids.ts';
import { EPOCH_LIST, MARKET_LISTS, WHOLE_LISTS } from './recorded-lists.ts';

/** A list that was read to its end. */
export interface SeenList {
  /** Its id; `scope` is the market or epoch that it is of, or ''. */
  readonly list: string;
  readonly scope: string;
  /** Oldest first. */
  readonly rows: readonly JsonObject[];
  /** From its first page to its last (Unix milliseconds). */
  readonly takenMs: number;
  readonly endedMs: number;
  /** Of its first page. */
  readonly facts: ReplyFacts;
}

/** Every list that is recorded, by its id. */
export const RECORDED_LISTS: readonly string[] = [
  ...WHOLE_LISTS.map(({ id }) => id),
  ...MARKET_LISTS.map(({ resource }) => resource.id),
  EPOCH_LIST.id,
  ...(['segments', 'status', 'info'] as const),
];

/** They say what the node is rather than what is on the chain. */
export const DOCUMENTS: ReadonlySet<string> = new Set(['segments', 'status', 'info']);

const MOST_ROWS = 100_000;
const MOST_BYTES = 64 * 1024 * 1024;
/** A list that is given up half-way must not stay in memory for ever. */
const MOST_OPEN = 4;

/** A list with some pages seen. */
interface OpenList {
  readonly rows: readonly JsonObject[];
  readonly takenMs: number;
  readonly facts: ReplyFacts;
  readonly bytes: number;
  readonly cursor: string;
}

/**
 * Recognises, in the answers of a node, the lists that `record` stores. It sends nothing. A list of several pages counts if its
 * rows cannot move between them.
 */
export class SeenLists {
  readonly #open = new Map<string, OpenList>();
  /** Paths that this node does not serve. */
  readonly #missing = new Set<string>();

  /** Takes note of a request that came to nothing. */
  missing({ path }: NodeRequest, error: unknown): void {
    if (isNotServed(error) || error instanceof WebPageError) this.#missing.add(path);
  }

  /** The list that this answer completes. */
  seen(request: NodeRequest, reply: Reply, endedMs: number): SeenList | undefined {
    const document = documentIn(request, reply.json);
    if (document !== undefined) return { ...document, takenMs: endedMs, endedMs, facts: reply.facts };
    const page = pageOf(request, this.#missing);
    if (page === undefined) return undefined;
    const { resource, scope, filters, isNewestFirst, after } = page;
    const found = resource.page(reply.json);
    const name = `${resource.id} ${scope} ${isNewestFirst}`;
    const before = this.#open.get(name);
    this.#open.delete(name);
    if (found === undefined || isUnsound(found, page)) return undefined;
    const begun = after === undefined ? { rows: [], takenMs: endedMs, facts: reply.facts, bytes: 0 } : before;
    if (begun === undefined || (after !== undefined && before?.cursor !== after)) return undefined;
    const rows = [...begun.rows, ...found.rows];
    const bytes = begun.bytes + reply.bytes;
    if (rows.length > MOST_ROWS || bytes > MOST_BYTES) return undefined;
    const { takenMs, facts } = begun;
    if (!found.hasNextPage)
      return { list: resource.id, scope, rows: isNewestFirst ? rows.toReversed() : rows, takenMs, endedMs, facts };
    if (resource.paging.byCursor !== true || resource.paging.rowsMove?.(filters) === true) return undefined;
    this.#open.set(name, { rows, takenMs, facts, bytes, cursor: found.endCursor });
    for (const oldest of [...this.#open.keys()].slice(0, -MOST_OPEN)) this.#open.delete(oldest);
    return undefined;
  }
}

function documentIn({ path }: NodeRequest, json: Json): Pick<SeenList, 'list' | 'scope' | 'rows'> | undefined {
  const one = (list: string, found: Json | undefined) =>
    isJsonObject(found) ? { list, scope: '', rows: [found] } : undefined;
  if (path === STATISTICS_REQUEST.path) return one('status', member(json, 'statistics'));
  if (path === INFO_REQUEST.path) return one('info', json);
  if (path !== SEGMENTS_REQUEST.path || segmentsFlaw(json) !== undefined) return undefined;
  const items = member(json, 'segments');
  return isJsonArray(items) && items.every(isJsonObject)
    ? { list: 'segments', scope: '', rows: items.filter(isJsonObject).toReversed() }
    : undefined;
}

interface AskedPage {
  readonly resource: Resource;
  readonly scope: string;
  readonly filters: FilterValues;
  readonly isNewestFirst: boolean;
  /** Its cursor; undefined for the first page. */
  readonly after: string | undefined;
}

/** What a request asks for, if it is a page of a list as `record` reads it. */
function pageOf({ path, query }: NodeRequest, missing: ReadonlySet<string>): AskedPage | undefined {
  const asked = Map.groupBy(query, ([name]) => name);
  const text = (name: string): string | undefined => asked.get(name)?.[0]?.[1];
  if ([...asked.values()].some(({ length }) => length > 1)) return undefined;
  const filters = Object.fromEntries(
    query.flatMap(([name, value]) => (name.startsWith('pagination.') ? [] : [[name, [value]] as const])),
  );
  const list = recordedAs(path, filters, missing);
  if (list === undefined || asked.has('pagination.last') || asked.has('pagination.before')) return undefined;
  const { resource, scope } = list;
  const isReversed = resource.paging.isReversed?.(filters) ?? false;
  const isNewestFirst = (text('pagination.newestFirst') !== 'false') !== isReversed;
  return { resource, scope, filters, isNewestFirst, after: text('pagination.after') };
}

function recordedAs(
  path: string,
  filters: FilterValues,
  missing: ReadonlySet<string>,
): { readonly resource: Resource; readonly scope: string } | undefined {
  const names = Object.keys(filters);
  const isOf = (resource: Resource): boolean => path === pathOf(resource, filters, missing);
  const whole = WHOLE_LISTS.find(isOf);
  if (whole !== undefined) return names.length === 0 ? { resource: whole, scope: '' } : undefined;
  const [marketId = ''] = filters.marketId ?? [];
  const market = MARKET_LISTS.find(({ resource }) => isOf(resource));
  if (market !== undefined)
    return readId(marketId) !== undefined && isSame(filters, market.filters(marketId))
      ? { resource: market.resource, scope: marketId.toLowerCase() }
      : undefined;
  const [epoch = ''] = filters.epochSeq ?? [];
  return isOf(EPOCH_LIST) && names.length === 1 && /^\d{1,15}$/.test(epoch)
    ? { resource: EPOCH_LIST, scope: String(Number(epoch)) }
    : undefined;
}

/** Where the node serves this list: the other path only where it lacks the better one. */
function pathOf(resource: Resource, filters: FilterValues, missing: ReadonlySet<string>): string {
  const { better, path } = resource;
  return better !== undefined && hasBetter(resource, filters) && !missing.has(better.path) ? better.path : path;
}

const isSame = (one: FilterValues, other: FilterValues): boolean => {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every(name => one[name]?.[0] === other[name]?.[0]);
};

/** A page that contradicts itself or its request. */
function isUnsound(page: RowPage, { resource, filters, after }: AskedPage): boolean {
  return (
    page.flaws.length > 0 ||
    (after === undefined && page.hasPreviousPage) ||
    (page.hasNextPage && page.endCursor === '') ||
    !page.rows.every(row => matchesFilters(resource.filters, filters, row))
  );
}

/** The chain that a status is of; '' if it does not say. */
export const chainOfStatus = ({ rows: [status] }: SeenList): string => jsonText(status?.chainId);

/** When that chain began; null if it does not say. */
export function genesisOfStatus({ rows: [status] }: SeenList): string | null {
  const genesis = jsonText(status?.genesisTime).slice(0, 300).toWellFormed();
  return genesis === '' ? null : genesis;
}
