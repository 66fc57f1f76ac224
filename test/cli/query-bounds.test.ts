import { expect, it } from 'vitest';
import { withinBounds } from '../../src/cli/query/bounds.ts';

const world = () => {
  const control = new AbortController();
  let abandoned = 0;
  return { control, signal: control.signal, abandon: () => abandoned++, count: () => abandoned };
};

const never = () => new Promise<never>(() => {});
const bounds = { memoryMiB: 1_000_000, seconds: 1 };

it('what ends in time has its answer, and nothing is left behind', async () => {
  const { signal, abandon, count } = world();
  expect(await withinBounds(bounds, { signal, abandon }, async () => 7)).toBe(7);
  expect(count()).toBe(0);
});

it('time counts from the beginning, but for what is waited for elsewhere', async () => {
  const { signal, abandon } = world();
  const past = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));
  const answered = withinBounds({ ...bounds, seconds: 0.2 }, { signal, abandon }, async ({ begin, elsewhere }) => {
    await past(300);
    begin();
    await elsewhere(past(300));
    return 'done';
  });
  expect(await answered).toBe('done');
  const late = withinBounds({ ...bounds, seconds: 0.1 }, { signal, abandon }, async ({ begin }) => {
    begin();
    return never();
  });
  await expect(late).rejects.toThrow('the query is not done after 0.1 s');
});

it('more memory than there may be ends it, and what does not hear of it is left behind', async () => {
  const { signal, abandon, count } = world();
  const held = withinBounds({ ...bounds, memoryMiB: -2000 }, { signal, abandon }, never);
  await expect(held).rejects.toThrow('the query needs more memory than it may have');
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
