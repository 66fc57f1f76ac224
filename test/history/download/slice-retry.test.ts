import { describe, expect, it } from 'vitest';
import {
  NetworkError,
  RateLimitedError,
  RefusedError,
  TimeoutError,
  UndecodableError,
} from '../../../src/chain/api/errors.ts';
import type { Fault, Verdict } from '../../../src/history/check/verdict.ts';
import type { ExportResult } from '../../../src/history/download/result.ts';
import { pauseAfter } from '../../../src/history/download/slice-export.ts';

const at = { url: 'http://node/', hint: '' };
const failed = (error: unknown): ExportResult => ({ kind: 'failed', error, partPath: null, elapsedMs: 1 });
const refused = (status: number) => new RefusedError(status, { code: 1, message: 'm', details: [] }, at);

function notComplete(...faults: readonly Fault[]): ExportResult {
  const checked = { reason: '', notes: [], entries: [], bytes: 1, sha256: '' };
  const verdict: Verdict = {
    ...checked,
    kind: 'incomplete',
    findings: faults.map(fault => ({ fault, reason: '' })),
  };
  return { kind: 'not-complete', partPath: 'p', verdict, brokenBy: null, elapsedMs: 1 };
}

const first = { times: 1, baseMs: 1000, nowMs: 50_000 };

describe('a slice', () => {
  it.each([
    ['no connection', failed(new NetworkError('m', at))],
    ['silence', failed(new TimeoutError('m', at))],
    ['502', failed(refused(502))],
    ['503', failed(refused(503))],
    ['504', failed(refused(504))],
    ['an archive that is cut', notComplete('cut')],
    ['an end that nobody confirmed', notComplete('unconfirmed-end')],
    ['an empty body', notComplete('empty-body', 'missing-range')],
  ])('is tried again after %s, three times, with waits that double', (_what, result) => {
    for (const times of [1, 2, 3]) {
      const pause = pauseAfter(result, { ...first, times });
      expect(pause?.reason).toBe('broken-line');
      expect(pause?.leftMs).toBeGreaterThanOrEqual(750 * 2 ** (times - 1));
      expect(pause?.leftMs).toBeLessThan(1250 * 2 ** (times - 1));
    }
    expect(pauseAfter(result, { ...first, times: 4 })).toBeUndefined();
  });

  it.each([
    ['an error of the node', failed(refused(500))],
    ['a refusal', failed(refused(400))],
    ['an answer that nobody can read', failed(new UndecodableError('m', at))],
    ['an error of this program', failed(new Error('m'))],
    ['the error that the node wrote behind the archive', notComplete('node-error', 'cut')],
    ['damage', notComplete('crc', 'cut')],
    ['a verdict without a finding', notComplete()],
    ['being cancelled', { kind: 'cancelled', partPath: null, elapsedMs: 1 } satisfies ExportResult],
  ])('is not tried again after %s', (_what, result) => {
    expect(pauseAfter(result, first)).toBeUndefined();
  });

  it('waits as long as the node says, and never less than after a broken line', () => {
    const limited = (retryAtMs: number) => failed(new RateLimitedError('m', { url: '', retryAtMs }));
    expect(pauseAfter(limited(80_000), first)).toEqual({ reason: 'rate-limit', leftMs: 30_000 });
    const pause = pauseAfter(limited(50_001), first);
    expect(pause?.reason).toBe('rate-limit');
    expect(pause?.leftMs).toBeGreaterThanOrEqual(750);
  });

  it('waits not just as long each time, so that many do not come back at once', () => {
    const waits = Array.from({ length: 20 }, () => pauseAfter(notComplete('cut'), first)?.leftMs);
    expect(new Set(waits).size).toBeGreaterThan(1);
  });
});
