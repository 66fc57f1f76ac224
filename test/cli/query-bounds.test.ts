import { describe, expect, it } from 'vitest';
import { runWithinBounds, stopwatch } from '../../src/cli/query/work-bounds.ts';
import { run } from './run-command.ts';

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });
const bounds = { seconds: 1 };

/** A clock that stands still until it is set. */
function clock() {
  let now = 5;
  return {
    nowMs: () => now,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

const { signal } = new AbortController();

it('A query that ends in time returns its answer', async () => {
  expect(await runWithinBounds(bounds, { signal }, async () => 7)).toBe(7);
});

it('The query time counts from the start, except for time spent waiting elsewhere, even if that fails', async () => {
  const { nowMs, pass } = clock();
  const watch = stopwatch(nowMs);
  pass(1000);
  expect(watch.elapsedMs()).toBe(0);
  watch.begin();
  pass(30);
  expect(watch.elapsedMs()).toBe(30);
  const { promise: written, resolve } = Promise.withResolvers<string>();
  const waiting = watch.elsewhere(written);
  pass(1000);
  expect(watch.elapsedMs()).toBe(30);
  resolve('written');
  expect(await waiting).toBe('written');
  pass(4);
  await expect(watch.elsewhere(Promise.reject(new Error('closed')))).rejects.toThrow('closed');
  pass(2);
  expect(watch.elapsedMs()).toBe(36);
});

it('A query that is not done in time ends with a clear message', async () => {
  const { nowMs, pass } = clock();
  const late = runWithinBounds(bounds, { signal, nowMs }, async ({ begin, signal: bound }) => {
    pass(5000);
    begin();
    pass(1001);
    return untilAborted(bound);
  });
  await expect(late).rejects.toThrow('no answer after 1 s');
});

it('A query is interrupted by its caller, whether before it begins or after', async () => {
  const control = new AbortController();
  const heard = runWithinBounds(bounds, { signal: control.signal }, async bounded => {
    control.abort(new Error('enough'));
    return untilAborted(bounded.signal);
  });
  await expect(heard).rejects.toThrow('enough');
  await expect(
    runWithinBounds(bounds, { signal: control.signal }, ({ signal }) => untilAborted(signal)),
  ).rejects.toThrow('enough');
});

describe.each([[['query', 'SELECT 1']], [['answer', 'trades']]])('Limits of %j', words => {
  it.each([
    [['--memory', '63'], '--memory must be a whole number from 64 to 1048576, not "63"'],
    [['--memory', 'all'], '--memory must be a whole number from 64 to 1048576, not "all"'],
    [['--timeout', '0'], '--timeout must be a whole number from 1 to 86400, not "0"'],
    [['--timeout', '1h'], '--timeout must be a whole number from 1 to 86400, not "1h"'],
  ])('An invalid limit is refused with the same message: %j', async (flags, told) => {
    const { code, err } = await run([...words, 'nowhere.zip', ...flags]);
    expect([code, err]).toEqual([2, expect.stringContaining(told)]);
  });
});
