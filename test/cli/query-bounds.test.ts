import { describe, expect, it } from 'vitest';
import { stopwatch, withinBounds } from '../../src/cli/query/bounds.ts';
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

it('what ends in time has its answer', async () => {
  expect(await withinBounds(bounds, { signal }, async () => 7)).toBe(7);
});

it('time counts from the beginning, but for what is waited for elsewhere, also where that fails', async () => {
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

it('what is not done in time ends in words', async () => {
  const { nowMs, pass } = clock();
  const late = withinBounds(bounds, { signal, nowMs }, async ({ begin, signal: bound }) => {
    pass(5000);
    begin();
    pass(1001);
    return untilAborted(bound);
  });
  await expect(late).rejects.toThrow('no answer after 1 s');
});

it('who interrupts it is heard, before it begins and after', async () => {
  const control = new AbortController();
  const heard = withinBounds(bounds, { signal: control.signal }, async bounded => {
    control.abort(new Error('enough'));
    return untilAborted(bounded.signal);
  });
  await expect(heard).rejects.toThrow('enough');
  await expect(withinBounds(bounds, { signal: control.signal }, ({ signal }) => untilAborted(signal))).rejects.toThrow(
    'enough',
  );
});

describe.each([[['query', 'SELECT 1']], [['answer', 'trades']]])('%j', words => {
  it.each([
    [['--memory', '63'], '--memory must be a number from 64 to 1048576, not "63"'],
    [['--memory', 'all'], '--memory must be a number from 64 to 1048576, not "all"'],
    [['--timeout', '0'], '--timeout must be a number from 1 to 86400, not "0"'],
    [['--timeout', '1h'], '--timeout must be a number from 1 to 86400, not "1h"'],
  ])('has bounds that are refused in the same words: %j', async (flags, told) => {
    const { code, err } = await run([...words, 'nowhere.zip', ...flags]);
    expect([code, err]).toEqual([2, expect.stringContaining(told)]);
  });
});
