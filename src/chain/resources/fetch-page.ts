import type { Client } from '../api/client.ts';
import {
  CutAnswerError,
  isNotServed,
  MissingListError,
  NotRecordedError,
  PageTooLargeError,
  RefusedError,
  UndecodableError,
} from '../api/errors.ts';
import type { Reply, ReplyFacts } from '../api/reply.ts';
import { type NodeRequest, requestUrl } from '../api/request.ts';
import { learnToSpell } from '../insight/address.ts';
import { countOf } from '../insight/count-of.ts';
import { isInForce } from './filter.ts';
import { matchesFilters } from './filter-check.ts';
import { withoutKnown } from './overlap.ts';
import { hasBetter, type PageRequest, pageRequest, requestedSize } from './page-request.ts';
import type { Resource, RowPage } from './resource.ts';

export interface FetchedPage {
  readonly page: RowPage;
  readonly facts: ReplyFacts;
  /** Rows requested in the end: fewer than requested if the node cannot send so many at once. */
  readonly size: number;
  /** What the page lacks because of the node; given once per client, with the first such page. */
  readonly note?: string;
}

/**
 * Fetches one page. A page too large for the node is requested again at half the size, if the list has cursors. Throws a
 * NodeError.
 */
export async function fetchPage(
  client: Client,
  resource: Resource,
  request: PageRequest,
  signal?: AbortSignal,
): Promise<FetchedPage> {
  const [fetched] = await Promise.all([fetchInHalves(client, resource, request, signal), readyToShow(resource)]);
  return fetched;
}

/** Loads what is needed to show addresses while the request runs, only for lists that have them. */
async function readyToShow({ columns, kinds }: Resource): Promise<void> {
  const hasAddresses = columns.some(({ kind }) => kind === 'address') || Object.values(kinds).includes('address');
  if (hasAddresses) await learnToSpell();
}

async function fetchInHalves(
  client: Client,
  resource: Resource,
  request: PageRequest,
  signal?: AbortSignal,
): Promise<FetchedPage> {
  for (let size = request.size; ; size = Math.ceil(size / 2)) {
    try {
      return { ...(await fetchOnce(client, resource, { ...request, size }, signal)), size };
    } catch (error) {
      if (!(error instanceof PageTooLargeError) || size === 1 || resource.paging.byCursor !== true) throw error;
    }
  }
}

async function fetchOnce(client: Client, resource: Resource, request: PageRequest, signal?: AbortSignal) {
  const { sent, reply, note } = await ask(client, resource, request, signal);
  const { json, facts } = reply;
  const page = resource.page(json, cursorIn(sent));
  if (page === undefined) {
    throw new UndecodableError(`the answer has no "${resource.wrapperKey}" with a list of edges`, {
      url: requestUrl(client.base, sent),
      hint: 'is this the REST address of a v2 data node?',
    });
  }
  const flaws = [...page.flaws, ...contradictions(resource, request, page), ...strays(resource, request, page)];
  const checked = withoutKnown({ ...page, flaws }, request.position);
  // Cursors are cached only if rows can move.
  const cursors = resource.paging.rowsMove?.(request.filters) === true ? checked.cursors : [];
  const rows = resource.paging.inOrder?.(checked.rows, request) ?? checked.rows;
  const path = resource.better === undefined ? {} : { path: sent.path };
  return { page: { ...checked, rows, cursors, ...path }, facts, ...(note !== undefined && { note }) };
}

/** The cursor that a page was asked for with; '' without one. */
const cursorIn = ({ query }: NodeRequest): string =>
  query.find(([name]) => name === 'pagination.after' || name === 'pagination.before')?.[1] ?? '';

/** Where the page contradicts the request (node-behaviour.md section 3.2). */
function contradictions({ paging }: Resource, request: PageRequest, page: RowPage): readonly string[] {
  const { rows, cursors, endCursor, hasNextPage, hasPreviousPage } = page;
  const most = requestedSize(request);
  const count = countOf(rows.length, 'row');
  const { kind } = request.position;
  return [
    ...(rows.length > most ? [`${rows.length} rows came, only ${most} were requested`] : []),
    ...(kind === 'first' && hasPreviousPage ? [`the first page, of ${count}, says that rows come before it`] : []),
    ...(kind === 'last' && hasNextPage ? [`the last page, of ${count}, says that more follow`] : []),
    ...(paging.byCursor === true && hasNextPage && endCursor !== '' && cursors.at(-1) === ''
      ? [`the last row of this page of ${count} has no cursor: rows may be missing between this page and the next`]
      : []),
  ];
}

/** Rows that do not match the filters: the node ignores one. */
function strays({ filters }: Resource, request: PageRequest, { rows }: RowPage): readonly string[] {
  const count = rows.filter(row => !matchesFilters(filters, request.filters, row)).length;
  if (count === 0) return [];
  const names = filters.filter(({ name }) => isInForce(request.filters, name)).map(({ title }) => title);
  const fit = count === 1 ? 'does' : 'do';
  return [
    `${countOf(count, 'row')} of ${rows.length} ${fit} not match: the node ignores a filter (${names.join(', ')})`,
  ];
}

interface Answered {
  readonly sent: NodeRequest;
  readonly reply: Reply;
  readonly note?: string;
}

/** Better paths that a node lacks, each announced with the first page that came without it. */
const missing = new WeakMap<Client, Set<string>>();

async function ask(client: Client, resource: Resource, request: PageRequest, signal?: AbortSignal): Promise<Answered> {
  const { better } = resource;
  const usual = pageRequest(resource, request, false);
  if (better === undefined || !hasBetter(resource, request.filters))
    return { sent: usual, reply: await get(client, resource, usual, signal) };
  const absent = missing.get(client) ?? new Set<string>();
  missing.set(client, absent);
  if (absent.has(better.path)) return { sent: usual, reply: await get(client, resource, usual, signal) };
  const sent = pageRequest(resource, request, true);
  const first = await get(client, resource, sent, signal).catch((error: unknown) => {
    if (!mayBeMissing(resource, error)) throw error;
    return undefined;
  });
  if (first !== undefined && resource.page(first.json) !== undefined) return { sent, reply: first };
  const reply = await get(client, resource, usual, signal);
  absent.add(better.path);
  return { sent: usual, reply, note: better.without };
}

/**
 * Whether a node without the better path may have answered so. A node that refuses the filters or everybody refuses the
 * usual path too, and then its reply to that is shown.
 */
const mayBeMissing = ({ demandsFilters }: Resource, error: unknown): boolean =>
  error instanceof RefusedError
    ? !(error instanceof NotRecordedError) &&
      !(error instanceof PageTooLargeError) &&
      demandsFilters?.(error.fault) === undefined &&
      (error.status < 500 || isNotServed(error))
    : error instanceof UndecodableError && !(error instanceof CutAnswerError);

async function get(client: Client, resource: Resource, sent: NodeRequest, signal?: AbortSignal): Promise<Reply> {
  try {
    return await client.get(sent, signal);
  } catch (error) {
    throw isNotServed(error) && !(error instanceof NotRecordedError)
      ? new MissingListError(resource.title.toLowerCase(), error)
      : error;
  }
}
