import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** `cut`: the node broke it off, as told to; `abandoned`: the client went before the answer was out. */
  readonly outcome: 'open' | 'answered' | 'cut' | 'abandoned';
}

export interface RequestWait {
  /** How many of the first requests not to look at. */
  readonly from?: number;
  readonly deadlineMs?: number;
}

/** Every request that arrived, in order. */
export class StrictNodeRequests {
  readonly list: RecordedRequest[] = [];
  readonly #watchers = new Set<() => void>();

  /** Records a request as open; the function returned gives it its outcome. */
  add({ method = '', headers }: IncomingMessage, url: URL): (outcome: RecordedRequest['outcome']) => void {
    const place = this.list.length;
    const request = {
      method,
      path: url.pathname,
      query: url.searchParams,
      headers,
      outcome: 'open',
    } as const;
    this.list.push(request);
    this.#notify();
    return outcome => {
      this.list[place] = { ...request, outcome };
      this.#notify();
    };
  }

  /** The first request that meets the condition, as soon as there is one. */
  waitFor(
    condition: (request: RecordedRequest) => boolean,
    { from = 0, deadlineMs = 20_000 }: RequestWait = {},
  ): Promise<RecordedRequest> {
    const { promise, resolve, reject } = Promise.withResolvers<RecordedRequest>();
    const look = () => {
      const found = this.list.slice(from).find(condition);
      if (found) resolve(found);
    };
    const timer = setTimeout(() => {
      const seen = this.list.map(({ method, path, query, outcome }) => `${method} ${path}?${query} ${outcome}`);
      reject(new Error(`After ${deadlineMs} ms no request was like ${condition}\n${seen.join('\n')}`));
    }, deadlineMs);
    this.#watchers.add(look);
    look();
    return promise.finally(() => {
      clearTimeout(timer);
      this.#watchers.delete(look);
    });
  }

  #notify(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }
}
