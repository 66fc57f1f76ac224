import type { Client } from '../api/client.ts';
import { MissingListError, PageTooLargeError, RefusedError, UndecodableError } from '../api/errors.ts';
import type { ReplyFacts } from '../api/reply.ts';
import { requestUrl } from '../api/request.ts';
import { learnToSpell } from '../insight/address-spelling.ts';
import { withoutKnown } from './overlap.ts';
import { askedSize, type PageRequest, pageRequest } from './page-request.ts';
import type { Resource, RowPage } from './resource.ts';

export interface FetchedPage {
  readonly page: RowPage;
  readonly facts: ReplyFacts;
  /** Rows that were asked for in the end: fewer than wished where the node cannot send so many at once. */
  readonly size: number;
}

/**
 * One page; of half the size, and half of that, while it is too large for the node, where a cursor leads on from it.
 * Throws a NodeError.
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

/** What it takes to show addresses is loaded while the node is asked, and for lists without any not at all. */
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
  const asked = pageRequest(resource, request);
  const { json, facts } = await client.get(asked, signal).catch((error: unknown) => {
    throw isMissing(error) ? new MissingListError(resource.title.toLowerCase(), error) : error;
  });
  const page = resource.page(json);
  if (page === undefined) {
    throw new UndecodableError(`the answer has no "${resource.wrapperKey}" with a list of edges`, {
      url: requestUrl(client.base, asked),
      hint: 'is this the REST address of a v2 data node?',
    });
  }
  const most = askedSize(request);
  const excess = page.rows.length > most ? [`${page.rows.length} rows came where ${most} were asked for`] : [];
  const checked = withoutKnown({ ...page, flaws: [...page.flaws, ...excess] }, request.position);
  // Cursors are kept only where they tell whether a row has moved.
  const cursors = resource.paging.rowsMove?.(request.filters) === true ? checked.cursors : [];
  const rows = resource.paging.inOrder?.(checked.rows, request) ?? checked.rows;
  return { page: { ...checked, rows, cursors }, facts };
}

/** No such operation, in the words of the gateway itself (node-behaviour.md section 1.2): a service says what it misses. */
const isMissing = (error: unknown): error is RefusedError =>
  error instanceof RefusedError &&
  (error.status === 404 || error.status === 501) &&
  error.fault.code !== undefined &&
  error.fault.details.length === 0;
