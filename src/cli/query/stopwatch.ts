/** Time spent working, without the time spent waiting for somebody else. */
export interface Stopwatch {
  /** From here on time counts. */
  readonly begin: () => void;
  readonly elapsedMs: () => number;
  /** Waits for somebody else, whose time does not count. */
  readonly elsewhere: <T>(waiting: Promise<T>) => Promise<T>;
}

export function stopwatch(nowMs: () => number): Stopwatch {
  let countedMs = 0;
  let sinceMs: number | undefined;
  const begin = (): void => {
    sinceMs = nowMs();
  };
  const elapsedMs = (): number => countedMs + (sinceMs === undefined ? 0 : nowMs() - sinceMs);
  const elsewhere = async <T>(waiting: Promise<T>): Promise<T> => {
    countedMs = elapsedMs();
    sinceMs = undefined;
    try {
      return await waiting;
    } finally {
      begin();
    }
  };
  return { begin, elapsedMs, elsewhere };
}
