import { expect, it } from 'vitest';
import { banSeconds, readReplyHeaders, retryAfterMs } from '../../../src/chain/api/reply.ts';

it('The reply metadata has the block, its time and the rate limit, with exact digits', () => {
  expect(
    readReplyHeaders({
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

it.each(['', '0x1', '-1', '1.5', ' 1', '1 or so', '123456789012345678901'])(
  'The reply metadata ignores the header %j',
  value => {
    const headers = {
      'x-block-height': value,
      'x-block-timestamp': value,
      'ratelimit-limit': value,
      'ratelimit-remaining': value,
      'ratelimit-retry-after': value,
    };
    expect(readReplyHeaders(headers)).toStrictEqual({ rate: {} });
    expect(banSeconds(headers)).toBeUndefined();
  },
);

it('The reply metadata leaves out missing headers, and a block of 0, which means unknown', () => {
  expect(readReplyHeaders({})).toStrictEqual({ rate: {} });
  expect(readReplyHeaders({ 'x-block-height': '0', 'x-block-timestamp': '0' })).toStrictEqual({ rate: {} });
});

it('The reply metadata uses the first of a repeated header', () => {
  expect(readReplyHeaders({ 'x-block-height': ['7', '8'] })).toStrictEqual({ blockHeight: '7', rate: {} });
});

it.each([
  ['5', 5000],
  ['0', 1000],
  ['999999999', 3_600_000],
  ['Thu, 01 Oct 2026 00:00:07 GMT', 7000],
  ['Thu, 01 Oct 2020 00:00:07 GMT', 1000],
  ['soon', undefined],
  ['-1', undefined],
])('The standard header %j sets the time to wait', (value, ms) => {
  expect(retryAfterMs({ 'retry-after': value }, Date.UTC(2026, 9, 1))).toBe(ms);
  expect(retryAfterMs({ 'retry-after': value, date: 'Thu, 01 Oct 2026 00:00:00 GMT' }, 0)).toBe(ms);
});

it('The reply metadata of a ban has its duration in seconds', () => {
  expect(banSeconds({ 'ratelimit-retry-after': '600' })).toBe(600);
  expect(banSeconds({ 'ratelimit-retry-after': '99999999999999999999' })).toBe(86_400);
  expect(banSeconds({})).toBeUndefined();
});
