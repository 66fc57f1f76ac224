import { describe, expect, it } from 'vitest';
import { withinBounds } from '../../src/cli/query/bounds.ts';
import { stopwatch } from '../../src/cli/query/stopwatch.ts';
import { run } from './run-command.ts';

const world = () => {
  const control = new AbortController();
  let abandoned = 0;
  return { control, signal: control.signal, abandon: () => abandoned++, count: () => abandoned };
};

const never = () => new Promise<never>(() => {});
const bounds = { memoryMiB: 1_000_000, seconds: 1 };

/** A clock that stands until it is told how late it is. */
function clock() {
  let now = 5;
  return {
    nowMs: () => now,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

it('what ends in time has its answer, and nothing is left behind', async () => {
  const { signal, abandon, count } = world();
  expect(await withinBounds(bounds, { signal, abandon }, async () => 7)).toBe(7);
  expect(count()).toBe(0);
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

it('what is not done in time ends in words, and what does not hear of it is left behind', async () => {
  const { signal, abandon, count } = world();
  const { nowMs, pass } = clock();
  const late = withinBounds(bounds, { signal, abandon, nowMs }, async ({ begin }) => {
    pass(5000);
    begin();
    pass(1001);
    return never();
  });
  await expect(late).rejects.toThrow('the question is not done after 1 s');
  expect(count()).toBe(1);
});

it('more memory than there may be ends it, and what does not hear of it is left behind', async () => {
  const { signal, abandon, count } = world();
  const held = withinBounds({ ...bounds, memoryMiB: -2000 }, { signal, abandon }, never);
  await expect(held).rejects.toThrow('the question needs more memory than it may have');
  expect(count()).toBe(1);
});

it('who interrupts it is heard, before it begins and after', async () => {
  const { control, signal, abandon } = world();
  const heard = withinBounds(bounds, { signal, abandon }, async bounded => {
    control.abort(new Error('enough'));
    bounded.signal.throwIfAborted();
  });
  await expect(heard).rejects.toThrow('enough');
  await expect(
    withinBounds(bounds, { signal, abandon }, async bounded => bounded.signal.throwIfAborted()),
  ).rejects.toThrow('enough');
});

describe.each([[['query', 'SELECT 1']], [['answer', 'trades']]])('%j', words => {
  it.each([
    [['--memory', '63'], '--memory wants a number from 64 to 1048576, not "63"'],
    [['--memory', 'all'], '--memory wants a number from 64 to 1048576, not "all"'],
    [['--timeout', '0'], '--timeout wants a number from 1 to 86400, not "0"'],
    [['--timeout', '1h'], '--timeout wants a number from 1 to 86400, not "1h"'],
  ])('has bounds that are refused in the same words: %j', async (flags, told) => {
    const { code, err } = await run([...words, 'nowhere.zip', ...flags]);
    expect([code, err]).toEqual([2, expect.stringContaining(told)]);
  });
});
