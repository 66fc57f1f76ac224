import { expect, it } from 'vitest';
import { banSeconds, replyFacts, retryAfterMs } from '../../../src/chain/api/reply.ts';

it('an answer tells its block, its time and the limiter, digits as they are', () => {
  expect(
    replyFacts({
      'x-block-height': '12345678901234567890',
      'x-block-timestamp': '1700000000123456000',
      'ratelimit-limit': '20',
      'ratelimit-remaining': '0',
    }),
  ).toStrictEqual({
    blockHeight: '12345678901234567890',
    blockTimeNs: '1700000000123456000',
    rate: { limitPerSecond: 20, remaining: 0 },
  });
});

it.each(['', '0x1', '-1', '1.5', ' 1', '1 or so', '123456789012345678901'])('a header %j tells nothing', value => {
  const headers = {
    'x-block-height': value,
    'x-block-timestamp': value,
    'ratelimit-limit': value,
    'ratelimit-remaining': value,
    'ratelimit-retry-after': value,
  };
  expect(replyFacts(headers)).toStrictEqual({ rate: {} });
  expect(banSeconds(headers)).toBeUndefined();
});

it('missing headers say nothing, and neither does a block of 0, which is unknown', () => {
  expect(replyFacts({})).toStrictEqual({ rate: {} });
  expect(replyFacts({ 'x-block-height': '0', 'x-block-timestamp': '0' })).toStrictEqual({ rate: {} });
});

it('of a header that came twice the first counts', () => {
  expect(replyFacts({ 'x-block-height': ['7', '8'] })).toStrictEqual({ blockHeight: '7', rate: {} });
});

it.each([
  ['5', 5000],
  ['0', 1000],
  ['999999999', 3_600_000],
  ['Thu, 01 Oct 2026 00:00:07 GMT', 7000],
  ['Thu, 01 Oct 2020 00:00:07 GMT', 1000],
  ['soon', undefined],
  ['-1', undefined],
])('the standard header %j says how long to wait', (value, ms) => {
  expect(retryAfterMs({ 'retry-after': value }, Date.UTC(2026, 9, 1))).toBe(ms);
  expect(retryAfterMs({ 'retry-after': value, date: 'Thu, 01 Oct 2026 00:00:00 GMT' }, 0)).toBe(ms);
});

it('a ban tells its seconds', () => {
  expect(banSeconds({ 'ratelimit-retry-after': '600' })).toBe(600);
  expect(banSeconds({ 'ratelimit-retry-after': '99999999999999999999' })).toBe(86_400);
  expect(banSeconds({})).toBeUndefined();
});
