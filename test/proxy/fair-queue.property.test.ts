import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairQueue } from '../../src/proxy/fair-queue.ts';
import { MOST_COST } from '../../src/proxy/proxied-request.ts';
import { runs } from '../support/runs.ts';

const ROOMY = { perClient: 1000, inAll: 10_000, runningPerClient: 1000 } as const;
const TRIES = { numRuns: runs(100, 2000) };
const costs = fc.array(fc.integer({ min: 1, max: MOST_COST }), { minLength: 60, maxLength: 120 });

describe('the queue of requests to the node', () => {
  it('gives clients that all have requests waiting the same cost, however many they have', () => {
    fc.assert(
      fc.property(fc.array(costs, { minLength: 2, maxLength: 6 }), lines => {
        const queue = new FairQueue(ROOMY);
        for (const [client, line] of lines.entries())
          for (const [index, cost] of line.entries()) queue.push(`${client}`, `${client}/${index}/${cost}`, cost);
        const spent = lines.map(() => 0);
        // Every line has at least 60 requests, so none is empty before this many turns.
        for (let turn = 0; turn < 50; turn++) {
          const { client, key } = queue.next() ?? { client: '0', key: '//0' };
          spent[Number(client)] = (spent[Number(client)] ?? 0) + Number(key.split('/')[2]);
          expect(Math.max(...spent) - Math.min(...spent)).toBeLessThanOrEqual(MOST_COST + 1);
        }
      }),
      TRIES,
    );
  });

  it('serves a client that comes with one request within a turn of each other client', () => {
    const queue = new FairQueue(ROOMY);
    for (let index = 0; index < 500; index++) queue.push('pager', `page ${index}`, 1);
    for (let turn = 0; turn < 20; turn++) queue.next();
    queue.push('reader', 'record', 1);
    expect([queue.next(), queue.next()].map(next => next?.client)).toContain('reader');
  });

  it('loses, repeats and invents nothing, whatever is pushed, removed, taken and ended', () => {
    const client = fc.constantFrom('a', 'b', 'c');
    const key = fc.integer({ min: 0, max: 9 }).map(String);
    const step = fc.oneof(
      fc.record({ kind: fc.constant('push' as const), client, key, cost: fc.integer({ min: 1, max: MOST_COST }) }),
      fc.record({ kind: fc.constant('remove' as const), client, key }),
      fc.record({ kind: fc.constant('next' as const) }),
      fc.record({ kind: fc.constant('ended' as const), client }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), steps => {
        const limits = { perClient: 4, inAll: 8, runningPerClient: 2 };
        const queue = new FairQueue(limits);
        const waiting = new Map<string, Set<string>>();
        const running = new Map<string, number>();
        const of = (name: string): Set<string> => waiting.get(name) ?? new Set();
        for (const one of steps) {
          if (one.kind === 'push') {
            const size = [...waiting.values()].reduce((sum, keys) => sum + keys.size, 0);
            const has = of(one.client).has(one.key);
            const fits = has || (size < limits.inAll && of(one.client).size < limits.perClient);
            expect(queue.push(one.client, one.key, one.cost)).toBe(fits);
            if (fits) waiting.set(one.client, of(one.client).add(one.key));
          } else if (one.kind === 'remove') {
            queue.remove(one.client, one.key);
            of(one.client).delete(one.key);
          } else if (one.kind === 'ended') {
            queue.ended(one.client);
            running.set(one.client, Math.max(0, (running.get(one.client) ?? 0) - 1));
          } else {
            const free = [...waiting].filter(([name, keys]) => keys.size > 0 && (running.get(name) ?? 0) < 2);
            const next = queue.next();
            expect(next === undefined).toBe(free.length === 0);
            if (next === undefined) continue;
            expect(free.some(([name, keys]) => name === next.client && keys.has(next.key))).toBe(true);
            for (const keys of waiting.values()) keys.delete(next.key);
            running.set(next.client, (running.get(next.client) ?? 0) + 1);
          }
          const lengths = [...waiting].flatMap(([name, keys]) => (keys.size > 0 ? [[name, keys.size]] : []));
          expect(Object.fromEntries(queue.lengths())).toEqual(Object.fromEntries(lengths));
        }
      }),
      TRIES,
    );
  });

  it('takes a request that two clients wait for at the turn of the first of them, once', () => {
    const queue = new FairQueue(ROOMY);
    for (let index = 0; index < 10; index++) queue.push('pager', `${index}`, 1);
    queue.push('pager', 'shared', 1);
    queue.push('reader', 'shared', 1);
    const order = Array.from({ length: 12 }, () => queue.next()?.key);
    expect(order.indexOf('shared')).toBeLessThan(3);
    expect(order.filter(key => key === 'shared')).toHaveLength(1);
    expect(order.at(-1)).toBeUndefined();
  });
});
