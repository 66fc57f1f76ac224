import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '../api/client.ts';
import { RateLimitedError, RefusedError, UndecodableError } from '../api/errors.ts';
import { requestUrl } from '../api/request.ts';
import { type FetchedPage, fetchPage } from './fetch-page.ts';
import { flagOf } from './filter.ts';
import { positionAfter } from './overlap.ts';
import { pageMark } from './page-mark.ts';
import { type PageRequest, pageRequest } from './page-request.ts';
import type { Resource, RowPage } from './resource.ts';

export interface WalkOptions {
  readonly client: Client;
  readonly resource: Resource;
  readonly signal: AbortSignal;
  /** Told before a wait that the node asked for, and in which words. */
  readonly onWait: (ms: number, why: string) => void;
  /** Told when the node cannot send so many rows at once: what was asked for, and what is asked for now. */
  readonly onSmaller: (size: number, smaller: number) => void;
  /** Told what the pages lack because of the node. */
  readonly onNote: (note: string) => void;
  /** How many rows to ask for next, after a page of so many. As many unless said. */
  readonly nextSize?: (size: number) => number;
}

/** How often a node may say too many requests during one walk. */
const MOST_WAITS = 5;

/** One page. Throws UndecodableError when it is no page of this list, or one with anything in it that cannot be read. */
export async function fetchSoundPage(options: WalkOptions, request: PageRequest): Promise<RowPage> {
  const { page } = await fetchAny(options, request);
  return sound(options, request, page, 0);
}

/**
 * Every page from this one on, forwards, up to so many rows; one at a time, so that memory does not grow with the list.
 * Throws when a row may have been lost on the way: what was handed out until then is right.
 */
export async function* walkPages(
  options: WalkOptions,
  first: PageRequest,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<RowPage> {
  const seen = new Set(first.position.kind === 'after' ? [first.position.cursor] : []);
  const patient = patiently(options);
  let request = first;
  let top: RowPage | undefined;
  for (let rows = 0; ; ) {
    const fetched = await patient(() => fetchAny(options, request));
    const page = sound(options, request, fetched.page, rows);
    const again = repeated(seen, page);
    if (again !== undefined) throw broken(options, request, again, hintAfter(rows));
    yield rows + page.rows.length > limit ? { ...page, rows: page.rows.slice(0, limit - rows) } : page;
    rows += page.rows.length;
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

/** The page, when nothing about it is wrong. */
function sound(options: WalkOptions, request: PageRequest, page: RowPage, rowsBefore: number): RowPage {
  if (page.flaws.length === 0) return page;
  throw broken(options, request, page.flaws.join('; '), hintAfter(rowsBefore));
}

const broken = ({ client, resource }: WalkOptions, request: PageRequest, what: string, hint: string) =>
  new UndecodableError(what, { url: requestUrl(client.base, pageRequest(resource, request)), hint });

function hintAfter(rows: number): string {
  if (rows === 0) return 'nothing of this list was taken: try again, or another node';
  const before =
    rows === 1
      ? 'the row before was read as the node sent it'
      : `the ${rows} rows before were read as the node sent them`;
  return `${before}, the rest of the list was not: try again`;
}

/** What of the page came before on this walk; takes note of it otherwise. */
function repeated(seen: Set<string>, { endCursor, rows }: RowPage): string | undefined {
  const mark = rows.length === 0 ? '' : pageMark(rows);
  if (endCursor !== '' && seen.has(endCursor)) return 'the node gives the same cursor again and again';
  if (mark !== '' && seen.has(mark)) return 'the node gives the same rows again under another cursor';
  seen.add(endCursor).add(mark);
  return undefined;
}

/**
 * What was amended during the walk has moved to the top, out of its way. Read newest first, such a list is whole only
 * when the rows on top of it are still those it began with.
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
    `while the list was read, ${change}: some may be missing or stand in their older version`,
    'each row was read as the node sent it, but not all of them at one time: list them again',
  );
}

/** Does the steps of one walk, one after the other, and waits when the node says so. */
export function patiently(options: WalkOptions): <Found>(step: () => Promise<Found>) => Promise<Found> {
  let waits = 0;
  return async step => {
    for (;;) {
      try {
        return await step();
      } catch (error) {
        if (!(error instanceof RateLimitedError) || waits === MOST_WAITS) throw error;
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

// A refusal at a cursor that the descriptor knows of is not the person's fault.
function explained(resource: Resource, request: PageRequest, error: unknown): unknown {
  const { byCursor } = resource.paging;
  if (error instanceof RefusedError) {
    const demand = resource.demandsFilters?.(error.fault);
    const flags = resource.filters
      .slice(0, 2)
      .map(filter => `--${flagOf(filter)}`)
      .join(' or ');
    if (demand !== undefined)
      return new RefusedError(error.status, error.fault, { url: error.url, hint: `${demand} (${flags})` });
  }
  if (!(error instanceof RefusedError) || request.position.kind === 'first' || byCursor === true) return error;
  return new RefusedError(error.status, error.fault, {
    url: error.url,
    hint: `${byCursor}; the rows so far are only the first page`,
  });
}
