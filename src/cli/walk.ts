import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '../api/client.ts';
import { RateLimitedError, RefusedError, UndecodableError } from '../api/errors.ts';
import { requestUrl } from '../api/request.ts';
import { flagOf } from '../resources/filter.ts';
import { type PageRequest, pageRequest } from '../resources/page-request.ts';
import type { Resource, RowPage } from '../resources/resource.ts';

export interface WalkOptions {
  readonly client: Client;
  readonly resource: Resource;
  readonly signal: AbortSignal;
  /** Told before a wait that the node asked for. */
  readonly onWait: (ms: number) => void;
}

/** How often a node may say too many requests during one walk. */
const MOST_WAITS = 5;

/** One page. Throws UndecodableError when the answer is no page of this list. */
export async function fetchPage({ client, resource, signal }: WalkOptions, request: PageRequest): Promise<RowPage> {
  const asked = pageRequest(resource, request);
  const { json } = await client.get(asked, signal).catch((error: unknown) => {
    throw explained(resource, request, error);
  });
  const page = resource.page(json);
  if (page !== undefined) return page;
  throw new UndecodableError(`the answer has no "${resource.wrapperKey}"`, {
    url: requestUrl(client.base, asked),
    hint: 'is this the REST address of a v2 data node?',
  });
}

/** Every page from this one on, forwards; one at a time, so that memory does not grow with the list. */
export async function* walkPages(options: WalkOptions, first: PageRequest): AsyncGenerator<RowPage> {
  let request = first;
  const fetch = patiently(options);
  const seen = new Set(first.position.kind === 'after' ? [first.position.cursor] : []);
  for (;;) {
    const page = await fetch(request);
    if (seen.has(page.endCursor)) {
      throw new UndecodableError('the node gives the same cursor again and again', {
        url: requestUrl(options.client.base, pageRequest(options.resource, request)),
        hint: 'the rows so far are right, the rest cannot be reached',
      });
    }
    yield page;
    if (!page.hasNextPage || page.endCursor === '') return;
    seen.add(page.endCursor);
    request = { ...request, position: { kind: 'after', cursor: page.endCursor } };
  }
}

/** Fetches the pages of one walk, one after the other, and waits when the node says so. */
export function patiently(options: WalkOptions): (request: PageRequest) => Promise<RowPage> {
  let waits = 0;
  return async request => {
    for (;;) {
      try {
        return await fetchPage(options, request);
      } catch (error) {
        if (!(error instanceof RateLimitedError) || waits === MOST_WAITS) throw error;
        waits++;
        await pause(options, error.retryAtMs - Date.now());
      }
    }
  };
}

async function pause({ onWait, signal }: WalkOptions, ms: number): Promise<void> {
  onWait(Math.max(0, ms));
  await wait(Math.max(0, ms) + 50, undefined, { signal });
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
