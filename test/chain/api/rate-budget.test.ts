import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RateBudget } from '../../../src/chain/api/rate-budget.ts';

function budget(perSecond?: number) {
  const clock = { ms: 1_000_000 };
  return { clock, budget: new RateBudget(() => clock.ms, perSecond) };
}

const takes = (from: RateBudget, count: number): readonly number[] => Array.from({ length: count }, () => from.take());

describe('Rate budget', () => {
  it('The rate budget lets one second of requests through at once and spaces the following ones', () => {
    const { budget: limited } = budget(4);
    expect(takes(limited, 7)).toEqual([0, 0, 0, 0, 250, 500, 750]);
  });

  it('The rate budget refills over time and never exceeds one second of requests', () => {
    const { budget: limited, clock } = budget(4);
    takes(limited, 4);
    clock.ms += 500;
    expect(takes(limited, 3)).toEqual([0, 0, 250]);
    clock.ms += 3_600_000;
    expect(takes(limited, 5)).toEqual([0, 0, 0, 0, 250]);
  });

  it('The rate budget starts at 20 requests a second and adopts the rate that the node reports', () => {
    const { budget: limited, clock } = budget();
    expect(takes(limited, 21).at(-1)).toBe(50);
    clock.ms += 10_000;
    limited.served({ limitPerSecond: 2 });
    expect(takes(limited, 3)).toEqual([0, 0, 500]);
  });

  it('The rate budget counts what other clients took from the shared bucket', () => {
    const { budget: limited } = budget(20);
    limited.served({ remaining: 1 });
    expect(takes(limited, 2)).toEqual([0, 50]);
  });

  it('The rate budget does not count the time before a response twice', () => {
    const { budget: limited, clock } = budget();
    limited.take();
    clock.ms += 1000;
    limited.served({ limitPerSecond: 5, remaining: 4 });
    expect(takes(limited, 6)).toEqual([0, 0, 0, 0, 200, 400]);
  });

  it('The rate budget ignores a limit of 0', () => {
    const { budget: limited } = budget(4);
    limited.served({ limitPerSecond: 0 });
    expect(takes(limited, 5).at(-1)).toBe(250);
  });

  it('The rate budget keeps running when the clock is set back', () => {
    const { budget: limited, clock } = budget(4);
    takes(limited, 4);
    clock.ms -= 3_600_000;
    expect(limited.take()).toBe(250);
  });

  it('The rate budget blocks requests for as long as the node says, and longer after each refusal in a row', () => {
    const { budget: limited, clock } = budget();
    expect(limited.blockedUntilMs).toBe(0);
    const refusedAgain = (): number => {
      clock.ms = Math.max(clock.ms, limited.blockedUntilMs);
      return limited.refused() - clock.ms;
    };
    const waits = Array.from({ length: 9 }, refusedAgain);
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 64_000, 64_000]);
    limited.served({});
    clock.ms += 64_000;
    expect(limited.refused() - clock.ms).toBe(1000);
    expect(limited.refused(600_000) - clock.ms).toBe(600_000);
    clock.ms += 599_999;
    expect(limited.blockedUntilMs).toBe(clock.ms + 1);
    clock.ms += 1;
    expect(limited.blockedUntilMs).toBe(0);
  });

  it('The rate budget counts requests refused together as one refusal', () => {
    const { budget: limited, clock } = budget();
    expect([limited.refused(), limited.refused(), limited.refused()].map(ms => ms - clock.ms)).toEqual([
      1000, 1000, 1000,
    ]);
    expect(limited.refused(5000) - clock.ms).toBe(5000);
    expect(limited.refused() - clock.ms).toBe(5000);
  });

  it('The rate budget waits a second after a response with no requests left', () => {
    const { budget: limited, clock } = budget();
    limited.served({ limitPerSecond: 5, remaining: 0 });
    expect(limited.take()).toBe(1000);
    clock.ms += 1000;
    expect(takes(limited, 5)).toEqual([0, 0, 0, 0, 200]);
    limited.served({ remaining: 0 });
    clock.ms -= 60_000;
    expect(limited.take()).toBe(1000);
  });

  it('The rate budget never admits more in any second than twice what the node refills', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 50, maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), gaps, (perSecond, times) => {
        const { budget: limited, clock } = budget(perSecond);
        const sent = times.map(gapMs => {
          clock.ms += gapMs;
          clock.ms += limited.take();
          return clock.ms;
        });
        for (const from of sent) {
          const within = sent.filter(at => at >= from && at < from + 1000).length;
          expect(within).toBeLessThanOrEqual(2 * perSecond + 1);
        }
      }),
    );
  });
});
