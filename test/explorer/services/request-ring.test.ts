import { describe, expect, it } from 'vitest';
import type { SentRequest } from '../../../src/chain/api/sent-request.ts';
import { RequestRing } from '../../../src/explorer/services/request-ring.ts';
import { last } from '../support/fake-world.ts';
import { requestsTold } from '../support/requests-told.ts';

const never = new AbortController().signal;
const [FACTS] = requestsTold(1);
if (FACTS === undefined) throw new Error('no request');
const numbered = (id: number, rest: Partial<SentRequest> = {}): SentRequest => ({ ...FACTS, id, ...rest });

describe('Request ring', () => {
  it('The request ring keeps the last 500 requests, newest first', async () => {
    const ring = new RequestRing();
    for (let id = 1; id <= 1200; id++) ring.record(numbered(id));
    const { requests, version } = await ring.after(-1, never);
    expect([requests.length, requests[0]?.id, last(requests).id, version]).toEqual([500, 1200, 701, 1200]);
  });

  it('The request ring reports a new request as soon as it is there, and not before', async () => {
    const ring = new RequestRing();
    expect(await ring.after(-1, never)).toEqual({ version: 0, requests: [] });
    const tolds: number[] = [];
    const waiting = ring.after(0, never).then(({ version }) => tolds.push(version));
    await new Promise(resolve => setImmediate(resolve));
    expect(tolds).toEqual([]);
    ring.record(numbered(1));
    await waiting;
    expect(tolds).toEqual([1]);
  });

  it('The request ring stops waiting once the wait is aborted', async () => {
    const ring = new RequestRing();
    const abort = new AbortController();
    const waiting = ring.after(0, abort.signal);
    abort.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    ring.record(numbered(1));
    expect((await ring.after(0, never)).requests.length).toBe(1);
  });

  it('The request ring keeps a download once: its end replaces its beginning, but not that of another client', async () => {
    const ring = new RequestRing();
    const begun = numbered(7, { outcome: { kind: 'streaming' } });
    ring.record(begun);
    ring.record(numbered(8));
    ring.record(numbered(7, { sentAtMs: 5 }));
    ring.record(numbered(7));
    const { requests } = await ring.after(0, never);
    expect(requests.map(({ id, outcome, sentAtMs }) => [id, outcome.kind, sentAtMs === begun.sentAtMs])).toEqual([
      [7, 'answered', false],
      [8, 'answered', true],
      [7, 'answered', true],
    ]);
  });
});
