import { describe, expect, it } from 'vitest';
import { decodeBody, readStatusError } from '../../../src/chain/api/decode-answer.ts';
import {
  DamagedAnswerError,
  PageTooLargeError,
  RateLimitedError,
  RefusedError,
  UndecodableError,
} from '../../../src/chain/api/errors.ts';
import { RateBudget } from '../../../src/chain/api/rate-budget.ts';

const url = 'http://h/x';
const thrown = (body: string | Uint8Array): unknown => {
  try {
    return decodeBody(url, Buffer.from(body));
  } catch (error) {
    return error;
  }
};

describe('Response body', () => {
  it('A response body is decoded in place, with or without a byte order mark', () => {
    const bytes = Buffer.from('xx\ufeff{"n":1}xx');
    expect(decodeBody(url, bytes.subarray(2, bytes.length - 2))).toEqual({ n: 1 });
    expect(decodeBody(url, Buffer.from('"a\ufeffb"'))).toBe('a\ufeffb');
  });

  it.each([
    ['', 'the answer is empty, not JSON'],
    [' \n', 'the answer is empty, not JSON'],
    ['<html></html>', 'the answer is an HTML page, not JSON'],
    [' <!doctype HTML><TITLE lang="en"> Hello </TITLE>', 'the answer is an HTML page titled "Hello", not JSON'],
    [`<html><title>${'x'.repeat(200)}</title>`, `the answer is an HTML page titled "${'x'.repeat(120)}", not JSON`],
    ['see <html>', 'the answer is "see <html>", not JSON'],
    [` busy ${'x'.repeat(90)}`, `the answer is "busy ${'x'.repeat(55)}", not JSON`],
    ['[7', 'the answer is broken or cut-off JSON'],
    ['\n{"a":', 'the answer is broken or cut-off JSON'],
    ['a [7]', 'the answer is "a [7]", not JSON'],
    [Buffer.from('{"n":1}', 'utf16le'), 'the answer is UTF-16'],
    [Buffer.from('\ufeff{"n":1}', 'utf16le').swap16(), 'the answer is UTF-16'],
    [Buffer.from([0x22, 0xff, 0x22]), 'the answer is not UTF-8: some of its text cannot be read'],
    [
      '['.repeat(1001) + ']'.repeat(1001),
      'the answer cannot be read: lists and objects are nested more than 1000 levels deep',
    ],
  ])('The response body %j is rejected: %s', (body, message) => {
    const error = thrown(body);
    expect(error).toBeInstanceOf(UndecodableError);
    expect(error).toMatchObject({ message, url, hint: expect.stringMatching(/\w{4}/) });
  });

  it('A response body is requested again only if it looks truncated', () => {
    for (const body of ['[7', '{"a":}']) expect(thrown(body)).toBeInstanceOf(DamagedAnswerError);
    for (const body of ['busy', '', '<html>']) expect(thrown(body)).not.toBeInstanceOf(DamagedAnswerError);
  });
});

describe('Response status', () => {
  const refused = (status: number, body = '{"code":2,"message":"why","details":[]}', headers = {}) => {
    const budget = new RateBudget(() => 1000);
    return { error: readStatusError(url, { status, headers }, Buffer.from(body), budget), budget };
  };

  it.each([200, 204, 299])('The status %d is not a refusal', status => expect(refused(status).error).toBeUndefined());

  it.each([
    [199, 'if it keeps failing'],
    [300, 'redirects are not followed'],
    [399, 'redirects are not followed'],
    [400, 'the filters or the range'],
    [401, 'requires a login'],
    [403, 'requires a login'],
    [404, 'REST root'],
    [500, 'if it keeps failing'],
    [421, 'does not answer for this host name'],
    [501, 'does not offer'],
    [502, 'its proxy cannot reach it'],
    [503, 'its proxy cannot reach it'],
    [504, 'its proxy cannot reach it'],
    [505, 'if it keeps failing'],
  ])('The status %d is a refusal with the hint: %s', (status, hint) => {
    const { error, budget } = refused(status);
    expect(error).toBeInstanceOf(RefusedError);
    expect(error).toMatchObject({
      message: `HTTP ${status}: why`,
      url,
      status,
      fault: { code: 2, message: 'why' },
      hint: expect.stringContaining(hint),
    });
    expect(budget.blockedUntilMs).toBe(0);
  });

  it('The error for a proxy response describes the body, and the redirect target without the login', () => {
    expect(refused(500, '<html>').error?.message).toBe('HTTP 500: the body is an HTML page');
    expect(refused(500, '{"odd":').error?.message).toBe('HTTP 500: the body is broken or cut-off JSON');
    expect(refused(502, '').error).toMatchObject({ fault: { message: 'the body is empty', details: [] } });
    const { error } = refused(302, '', { location: 'http://user:word@other/' });
    expect(error).toMatchObject({ fault: { message: 'redirected to http://***@other/', details: [] } });
  });

  it('The status 429 means rate limiting and blocks requests for a second', () => {
    const { error, budget } = refused(429);
    expect(error).toBeInstanceOf(RateLimitedError);
    expect(error).toMatchObject({ message: 'HTTP 429: why', url, retryAtMs: 2000 });
    expect(budget.blockedUntilMs).toBe(2000);
  });

  it.each([
    ['{"error":"rate limit"}', 'HTTP 429: too many requests (rate limit)'],
    ['{"reason":1}', 'HTTP 429: too many requests (the body is JSON that a data node does not send)'],
    ['<html><title>Slow down</title>', 'HTTP 429: too many requests (the body is an HTML page titled "Slow down")'],
    ['{"error":', 'HTTP 429: too many requests (the body is broken or cut-off JSON)'],
    ['', 'HTTP 429: too many requests (the body is empty)'],
  ])('The status 429 with the body %j blocks requests for as long as the body says', (body, message) => {
    const { error, budget } = refused(429, body, { 'retry-after': '5' });
    expect(error).toBeInstanceOf(RateLimitedError);
    expect(error).toMatchObject({ message, retryAtMs: 6000 });
    expect(budget.blockedUntilMs).toBe(6000);
  });

  it('The status 429 for a page too large for the node is reported as that and blocks no requests', () => {
    const { error, budget } = refused(429, '{"code":8,"message":"grpc: received message larger than max (2 vs. 1)"}');
    expect(error).toBeInstanceOf(PageTooLargeError);
    expect(error).toMatchObject({ url, status: 429, hint: 'ask for a smaller page' });
    expect(budget.blockedUntilMs).toBe(0);
  });

  it('The status 403 is a ban only by its header or its code, and no other status is a ban', () => {
    const header = { 'ratelimit-retry-after': '600' };
    const banned = '{"code":7,"message":"banned"}';
    expect(refused(403, '{}', header).error).toMatchObject({ kind: 'rate-limited', retryAtMs: 601_000 });
    expect(refused(403, banned, header).error).toMatchObject({ message: 'HTTP 403: banned', retryAtMs: 601_000 });
    expect(refused(403, banned).error).toMatchObject({
      message: 'HTTP 403: banned; duration not reported',
      retryAtMs: 61_000,
    });
    expect(refused(500, banned, header).error).toMatchObject({ kind: 'refused' });
    expect(refused(429, banned, header).error).toMatchObject({ message: 'HTTP 429: banned', retryAtMs: 2000 });
  });
});
