import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '../api/client.ts';
import { MissingFilterError, RateLimitedError, RefusedError, UndecodableError } from '../api/errors.ts';
import { requestUrl } from '../api/request.ts';
import { type FetchedPage, fetchPage } from './fetch-page.ts';
import { flagName } from './filter.ts';
import { positionAfter, SeenPages } from './page-overlap.ts';
import { type PageRequest, pageRequest } from './page-request.ts';
import type { Resource, RowPage } from './resource.ts';

export interface WalkOptions {
  readonly client: Client;
  readonly resource: Resource;
  readonly signal: AbortSignal;
  /** Called before a wait that the node asked for, with its message. */
  readonly onWait: (ms: number, why: string) => void;
  /** Called when the node cannot send that many rows at once, with the old and the new page size. */
  readonly onSmaller: (size: number, smaller: number) => void;
  /** Called with a sentence about what the pages lack because of the node. */
  readonly onNote: (note: string) => void;
  /** The next page size after a page of `size`; the same by default. */
  readonly nextSize?: (size: number) => number;
}

/** How many times a node may answer 429 during one walk. */
const MAX_WAITS = 5;

/** Fetches one page. Throws UndecodableError if it is not a page of this list, or has a flaw. */
export async function fetchFlawlessPage(options: WalkOptions, request: PageRequest): Promise<RowPage> {
  const page = await fetchAnyPage(options, request);
  assertNoFlaws(options, request, page);
  return page;
}

/** The same, with its flaws: the rows on it are right, but others may be missing. */
export const fetchAnyPage = async (options: WalkOptions, request: PageRequest): Promise<RowPage> =>
  (await fetchAny(options, request)).page;

/** Throws UndecodableError after a page with flaws. `rows`: how many were used, with those on it. */
export function assertNoFlaws(options: WalkOptions, request: PageRequest, page: RowPage, rows = 0): void {
  if (page.flaws.length > 0) throw broken(options, request, page.flaws.join('; '), retryHint(rows));
}

/**
 * Every page from this one on, up to `limit` rows; one at a time, so that memory does not grow with the list. Throws if a
 * row may have been lost; the rows yielded before are right.
 */
export async function* walkPages(
  options: WalkOptions,
  first: PageRequest,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<RowPage> {
  const seen = new SeenPages(first.position.kind === 'after' ? [first.position.cursor] : []);
  const patient = withRateLimitWaits(options);
  let request = first;
  let top: RowPage | undefined;
  for (let rows = 0; ; ) {
    const fetched = await patient(() => fetchAny(options, request));
    const { page } = fetched;
    const again = seen.repeats(page);
    if (again !== undefined) throw broken(options, request, again, retryHint(rows));
    yield rows + page.rows.length > limit ? { ...page, rows: page.rows.slice(0, limit - rows) } : page;
    rows += page.rows.length;
    assertNoFlaws(options, request, page, Math.min(rows, limit));
    if (!page.hasNextPage || rows >= limit) {
      const began = top;
      if (began !== undefined) await patient(() => compareTop(options, first, began));
      return;
    }
    top ??= page;
    request = {
      ...request,
      size: options.nextSize?.(fetched.size) ?? fetched.size,
      position: positionAfter(options.resource, request.filters, page),
    };
  }
}

async function fetchAny(options: WalkOptions, request: PageRequest): Promise<FetchedPage> {
  const { client, resource, signal } = options;
  const fetched = await fetchPage(client, resource, request, signal).catch((error: unknown) => {
    throw explained(resource, request, error);
  });
  if (fetched.note !== undefined) options.onNote(fetched.note);
  if (fetched.size < request.size) options.onSmaller(request.size, fetched.size);
  return fetched;
}

const broken = ({ client, resource }: WalkOptions, request: PageRequest, what: string, hint: string) =>
  new UndecodableError(what, { url: requestUrl(client.base, pageRequest(resource, request)), hint });

function retryHint(rows: number): string {
  if (rows === 0) return 'no row of this list was used. Try again, or use another node';
  const before = rows === 1 ? 'one row was read as the node sent it' : `${rows} rows were read as the node sent them`;
  return `${before}, others may be missing: try again`;
}

/**
 * Rows amended during the walk move to the top, where the walk has already been. A list read newest first is complete only
 * if its first page still begins with the same rows.
 */
async function compareTop(options: WalkOptions, first: PageRequest, top: RowPage): Promise<void> {
  const isWatched = top.cursors.length > 0 && first.newestFirst && first.position.kind === 'first';
  if (!isWatched) return;
  const { page } = await fetchAny(options, first);
  const known = new Set(top.cursors);
  const moved = page.cursors.findIndex(cursor => known.has(cursor));
  if (moved === 0) return;
  const change =
    moved < 0 ? 'all rows of its first page have moved or gone' : `${moved} of its rows were added or amended`;
  throw broken(
    options,
    first,
    `while the list was read, ${change}: some may be missing or out of date`,
    'each row is as the node sent it, but they are not from one moment: list them again',
  );
}

/** Runs the steps of one walk, and waits when the node answers 429. */
export function withRateLimitWaits(options: WalkOptions): <Found>(step: () => Promise<Found>) => Promise<Found> {
  let waits = 0;
  return async step => {
    for (;;) {
      try {
        return await step();
      } catch (error) {
        if (!(error instanceof RateLimitedError) || waits === MAX_WAITS) throw error;
        waits++;
        await pause(options, error);
      }
    }
  };
}

async function pause({ onWait, signal }: WalkOptions, { message, retryAtMs }: RateLimitedError): Promise<void> {
  const ms = Math.max(0, retryAtMs - Date.now());
  onWait(ms, message);
  await wait(ms + 50, undefined, { signal });
}

// The resource describes known refusals of cursors, which are not the user's fault.
function explained(resource: Resource, request: PageRequest, error: unknown): unknown {
  const { byCursor } = resource.paging;
  if (error instanceof RefusedError) {
    const flags = resource.filters.slice(0, 2).map(filter => `--${flagName(filter)}`);
    if (resource.demandsFilters?.(error.fault) !== undefined)
      return new MissingFilterError(
        `${resource.id} need ${flags.join(' or ')} on this node`,
        `add ${flags[0]} ID to this command; blockglass list markets has the ids`,
        error,
      );
  }
  if (!(error instanceof RefusedError) || request.position.kind === 'first' || byCursor === true) return error;
  return new RefusedError(error.status, error.fault, {
    url: error.url,
    hint: `${byCursor}; only the first page was read`,
  });
}
