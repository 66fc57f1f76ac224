/** Runs tasks one after another. A task that is aborted while it waits does not run. */
export function oneAtATime() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    const next = last.then(() => {
      signal.throwIfAborted();
      return work();
    });
    last = next.catch(() => {});
    return next;
  };
}
