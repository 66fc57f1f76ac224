import type { Client } from '../api/client.ts';
import {
  DamagedAnswerError,
  isNotServed,
  MissingListError,
  NotInSnapshotError,
  PageTooLargeError,
  RefusedError,
  UndecodableError,
} from '../api/errors.ts';
import type { ReplyHeaders } from '../api/reply.ts';
import { type NodeRequest, requestUrl } from '../api/request.ts';
import { loadAddressSpelling } from '../insight/address.ts';
import { countOf } from '../insight/count-of.ts';
import { isFilterActive } from './filter.ts';
import { matchesFilters } from './filter-check.ts';
import { dropKnownRows } from './page-overlap.ts';
import { type PageRequest, pageRequest, prefersBetterPath, requestedSize } from './page-request.ts';
import type { Resource, RowPage } from './resource.ts';

export interface FetchedPage {
  readonly page: RowPage;
  readonly facts: ReplyHeaders;
  /** Final number of rows requested: smaller than the original number if the node cannot send that many at once. */
  readonly size: number;
  /** What the page lacks because of the node; given once per client, with the first such page. */
  readonly note?: string;
}

/**
 * Fetches one page. A page too large for the node is requested again at half the size, if the list has cursors; one that
 * may be missing at the better path, at the usual one. Throws a NodeError.
 */
export async function fetchPage(
  client: Client,
  resource: Resource,
  request: PageRequest,
  signal?: AbortSignal,
): Promise<FetchedPage> {
  let { size } = request;
  let isBetter = mayHaveBetter(client, resource, request);
  for (;;) {
    const sent = pageRequest(resource, { ...request, size }, isBetter);
    try {
      const [{ json, facts }] = await Promise.all([client.get(sent, signal), readyToShow(resource)]);
      const isNews = !isBetter && mayHaveBetter(client, resource, request);
      const note = isNews ? withoutBetter(client, resource) : undefined;
      const page = resource.page(json, requestedCursor(sent));
      if (page === undefined) throw noList(client, resource, sent);
      return {
        page: checked(page, resource, { ...request, size }, sent),
        facts,
        size,
        ...(note !== undefined && { note }),
      };
    } catch (error) {
      const isHalved = error instanceof PageTooLargeError && size > 1 && resource.paging.byCursor === true;
      if (isHalved) size = Math.ceil(size / 2);
      else if (!isBetter || !mayBeMissing(resource, error)) throw ofList(resource, error);
      isBetter = isHalved && mayHaveBetter(client, resource, request);
    }
  }
}

/** Loads the data needed to show addresses while the request runs, only for lists with addresses. */
async function readyToShow({ columns, kinds }: Resource): Promise<void> {
  const hasAddresses = columns.some(({ kind }) => kind === 'address') || Object.values(kinds).includes('address');
  if (hasAddresses) await loadAddressSpelling();
}

/** Better paths that a node lacks, each announced with the first page that came without it. */
const missing = new WeakMap<Client, Set<string>>();

const mayHaveBetter = (client: Client, resource: Resource, { filters }: PageRequest): boolean =>
  prefersBetterPath(resource, filters) && missing.get(client)?.has(resource.better?.path ?? '') !== true;

/** What the pages of a node lack that has no better path, as is known from now on. */
function withoutBetter(client: Client, { better }: Resource): string | undefined {
  if (better === undefined) return undefined;
  missing.set(client, new Set(missing.get(client)).add(better.path));
  return better.without;
}

/**
 * Whether a node without the better path may have answered so. A node that refuses the filters or everybody refuses the
 * usual path too, and then its reply to that is shown.
 */
const mayBeMissing = ({ demandsFilters }: Resource, error: unknown): boolean =>
  error instanceof RefusedError
    ? !(error instanceof NotInSnapshotError) &&
      !(error instanceof PageTooLargeError) &&
      demandsFilters?.(error.fault) === undefined &&
      (error.status < 500 || isNotServed(error))
    : error instanceof UndecodableError && !(error instanceof DamagedAnswerError);

const noList = ({ base }: Client, { wrapperKey }: Resource, sent: NodeRequest): UndecodableError =>
  new UndecodableError(`the answer has no "${wrapperKey}" with a list of edges`, {
    url: requestUrl(base, sent),
    hint: 'is this the REST address of a v2 data node?',
  });

/** The error, in words of the list where the node does not have it. */
const ofList = ({ title }: Resource, error: unknown): unknown =>
  isNotServed(error) && !(error instanceof NotInSnapshotError)
    ? new MissingListError(title.toLowerCase(), error)
    : error;

/** The page with its flaws, and without the rows that are known already. */
function checked(page: RowPage, resource: Resource, request: PageRequest, { path }: NodeRequest): RowPage {
  const flaws = [...page.flaws, ...contradictions(resource, request, page), ...strays(resource, request, page)];
  const known = dropKnownRows({ ...page, flaws }, request.position);
  // Cursors are cached only if rows can move.
  const cursors = resource.paging.rowsMove?.(request.filters) === true ? known.cursors : [];
  const rows = resource.paging.inOrder?.(known.rows, request) ?? known.rows;
  return { ...known, rows, cursors, ...(resource.better !== undefined && { path }) };
}

/** The cursor that a page was asked for with; '' without one. */
const requestedCursor = ({ query }: NodeRequest): string =>
  query.find(([name]) => name === 'pagination.after' || name === 'pagination.before')?.[1] ?? '';

/** Where the page contradicts the request (node-behaviour.md section 3.2). */
function contradictions({ paging }: Resource, request: PageRequest, page: RowPage): readonly string[] {
  const { rows, cursors, endCursor, hasNextPage, hasPreviousPage } = page;
  const most = requestedSize(request);
  const count = countOf(rows.length, 'row');
  const { kind } = request.position;
  return [
    ...(rows.length > most ? [`${rows.length} rows came, only ${most} were requested`] : []),
    ...(kind === 'first' && hasPreviousPage ? [`the first page, of ${count}, claims that rows come before it`] : []),
    ...(kind === 'last' && hasNextPage ? [`the last page, of ${count}, claims that more follow`] : []),
    ...(paging.byCursor === true && hasNextPage && endCursor !== '' && cursors.at(-1) === ''
      ? [`the last row of this page of ${count} has no cursor: rows may be missing between this page and the next`]
      : []),
  ];
}

/** Rows that do not match the filters: the node ignores one. */
function strays({ filters }: Resource, request: PageRequest, { rows }: RowPage): readonly string[] {
  const count = rows.filter(row => !matchesFilters(filters, request.filters, row)).length;
  if (count === 0) return [];
  const names = filters.filter(({ name }) => isFilterActive(request.filters, name)).map(({ title }) => title);
  const fit = count === 1 ? 'does' : 'do';
  return [
    `${countOf(count, 'row')} of ${rows.length} ${fit} not match: the node ignores a filter (${names.join(', ')})`,
  ];
}
