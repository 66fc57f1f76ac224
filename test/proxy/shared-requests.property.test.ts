import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SharedRequests, type Waiter } from '../../src/proxy/shared-requests.ts';
import { runs } from '../support/runs.ts';

const KEYS = ['k', 'l'] as const;

describe('identical requests', () => {
  it('are one request, whose answer reaches everyone, whoever comes and leaves', async () => {
    const key = fc.constantFrom(...KEYS);
    const step = fc.oneof(
      fc.record({ kind: fc.constant('join' as const), key, client: fc.constantFrom('a', 'b') }),
      fc.record({ kind: fc.constant('leave' as const), waiter: fc.nat(20) }),
      fc.record({ kind: fc.constant('send' as const), key }),
      fc.record({ kind: fc.constant('settle' as const), key }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async steps => {
        const shared = new SharedRequests<number>();
        const waiters: { waiter: Waiter<number>; round: string; isGone: boolean }[] = [];
        const rounds = { k: 0, l: 0 };
        const answers = new Map<string, number>();
        let answer = 0;
        const settle = (name: 'k' | 'l'): void => {
          const round = `${name}${rounds[name]}`;
          answer++;
          if (!answers.has(round)) answers.set(round, answer);
          shared.settle(name, answer);
        };
        for (const one of steps) {
          if (one.kind === 'join') {
            const waiter = shared.join(one.key, one.client);
            if (waiter.isFirst) rounds[one.key]++;
            waiters.push({ waiter, round: `${one.key}${rounds[one.key]}`, isGone: false });
          } else if (one.kind === 'leave') {
            const leaver = waiters[one.waiter];
            leaver?.waiter.leave();
            if (leaver !== undefined) leaver.isGone = true;
          } else if (one.kind === 'send') shared.sent(one.key);
          else settle(one.key);
        }
        for (const name of KEYS) settle(name);
        for (const { waiter, round, isGone } of waiters)
          if (!isGone) expect(await waiter.answer).toBe(answers.get(round));
      }),
      { numRuns: runs(100, 2000) },
    );
  });

  it('go on for the others when the one who asked first leaves', async () => {
    const shared = new SharedRequests<string>();
    const first = shared.join('key', 'a');
    const second = shared.join('key', 'b');
    expect([first.isFirst, second.isFirst]).toEqual([true, false]);
    expect(first.leave()).toBe(true);
    shared.settle('key', 'answer');
    expect(await second.answer).toBe('answer');
  });

  it('are forgotten when nobody waits, unless they were sent', () => {
    const shared = new SharedRequests<string>();
    shared.join('key', 'a').leave();
    expect(shared.join('key', 'a').isFirst).toBe(true);
    shared.sent('key');
    const other = shared.join('key', 'b');
    expect(other.leave()).toBe(false);
    expect(shared.join('key', 'b')).toMatchObject({ isFirst: false, isSent: true });
  });

  it('of one client are left together: it waits until its last one leaves', () => {
    const shared = new SharedRequests<string>();
    const [one, two] = [shared.join('key', 'a'), shared.join('key', 'a')];
    expect([one.leave(), one.leave(), two.leave()]).toEqual([false, false, true]);
  });
});
