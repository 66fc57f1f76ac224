import { describe, expect, it } from 'vitest';
import {
  NetworkError,
  RateLimitedError,
  RefusedError,
  TimeoutError,
  UndecodableError,
} from '../../../src/chain/api/errors.ts';
import type { Fault, Verdict } from '../../../src/history/check/verdict.ts';
import type { ExportResult } from '../../../src/history/download/export-result.ts';
import { retryPause } from '../../../src/history/download/slice-run.ts';

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

describe('Retry of a slice', () => {
  it.each([
    ['no connection', failed(new NetworkError('m', at))],
    ['silence', failed(new TimeoutError('m', at))],
    ['502', failed(refused(502))],
    ['503', failed(refused(503))],
    ['504', failed(refused(504))],
    ['an archive that is cut', notComplete('cut')],
    ['an end that nobody confirmed', notComplete('unconfirmed-end')],
    ['an empty body', notComplete('empty-body', 'missing-range')],
  ])('A slice is retried after %s, three times, with waits that double', (_what, result) => {
    for (const times of [1, 2, 3]) {
      const pause = retryPause(result, { ...first, times });
      expect(pause?.reason).toBe('broken-line');
      expect(pause?.leftMs).toBeGreaterThanOrEqual(750 * 2 ** (times - 1));
      expect(pause?.leftMs).toBeLessThan(1250 * 2 ** (times - 1));
    }
    expect(retryPause(result, { ...first, times: 4 })).toBeUndefined();
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
  ])('A slice is not retried after %s', (_what, result) => {
    expect(retryPause(result, first)).toBeUndefined();
  });

  it('A slice waits as long as the node says, and never less than after a broken connection', () => {
    const limited = (retryAtMs: number) => failed(new RateLimitedError('m', { url: '', retryAtMs }));
    expect(retryPause(limited(80_000), first)).toEqual({ reason: 'rate-limit', leftMs: 30_000 });
    const pause = retryPause(limited(50_001), first);
    expect(pause?.reason).toBe('rate-limit');
    expect(pause?.leftMs).toBeGreaterThanOrEqual(750);
  });

  it('A slice waits a varying time, so that many clients do not return at once', () => {
    const waits = Array.from({ length: 20 }, () => retryPause(notComplete('cut'), first)?.leftMs);
    expect(new Set(waits).size).toBeGreaterThan(1);
  });
});
