import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnswerCache } from '../../src/proxy/answer-cache.ts';
import { runs } from '../support/runs.ts';

const answer = (bytes: number) => ({ status: 200, headers: [], body: new Uint8Array(bytes) });

describe('the cache of answers', () => {
  it('never grows over its limit, never gives a stale or a wrong answer, and says how old it is', () => {
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('set' as const),
        key: fc.integer({ min: 0, max: 12 }).map(String),
        bytes: fc.integer({ min: 0, max: 20_000 }),
        freshMs: fc.integer({ min: 0, max: 100 }),
        ageMs: fc.integer({ min: 0, max: 50 }),
      }),
      fc.record({ kind: fc.constant('get' as const), key: fc.integer({ min: 0, max: 12 }).map(String) }),
      fc.record({ kind: fc.constant('later' as const), ms: fc.integer({ min: 0, max: 60 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), steps => {
        let now = 0;
        const cache = new AnswerCache(50_000, () => now);
        const last = new Map<string, { answer: ReturnType<typeof answer>; bornMs: number; freshMs: number }>();
        for (const one of steps) {
          if (one.kind === 'later') now += one.ms;
          else if (one.kind === 'set') {
            const stored = answer(one.bytes);
            cache.set(one.key, stored, one);
            last.set(one.key, { answer: stored, bornMs: now - one.ageMs, freshMs: one.freshMs });
          } else {
            const got = cache.get(one.key);
            const set = last.get(one.key);
            if (got !== undefined) {
              expect(got.answer).toBe(set?.answer);
              expect(got.ageMs).toBe(now - (set?.bornMs ?? 0));
              expect(got.ageMs).toBeLessThan(set?.freshMs ?? 0);
            }
          }
          expect(cache.bytes).toBeGreaterThanOrEqual(0);
          expect(cache.bytes).toBeLessThanOrEqual(50_000);
        }
      }),
      { numRuns: runs(100, 2000) },
    );
  });

  it('keeps what is used, and lets go of what was used longest ago', () => {
    const cache = new AnswerCache(4 * 11_000, () => 0);
    const set = (key: string) => cache.set(key, answer(9_000), { freshMs: 1, ageMs: 0 });
    for (const key of ['a', 'b', 'c', 'd']) set(key);
    cache.get('a');
    set('e');
    expect(['a', 'b', 'c', 'd', 'e'].filter(key => cache.get(key) !== undefined)).toEqual(['a', 'c', 'd', 'e']);
  });

  it('does not store an answer larger than a quarter of it', () => {
    const cache = new AnswerCache(40_000, () => 0);
    cache.set('large', answer(12_000), { freshMs: 1, ageMs: 0 });
    expect(cache.get('large')).toBeUndefined();
    expect(cache.bytes).toBe(0);
  });
});
