import { describe, expect, it } from 'vitest';
import {
  DamagedAnswerError,
  errorSentence,
  faultLines,
  NetworkError,
  NodeError,
  PageTooLargeError,
  RateLimitedError,
  RefusedError,
  readFault,
  TimeoutError,
  UndecodableError,
} from '../../../src/chain/api/errors.ts';
import { parseJson } from '../../../src/chain/api/json.ts';

const at = { url: 'http://h/x', hint: 'try again' };
const fault = { code: 5, message: 'Not Found', details: [] };

describe('Node error', () => {
  it.each<readonly [string, string, () => NodeError]>([
    ['NetworkError', 'network', () => new NetworkError('m', at)],
    ['TimeoutError', 'timeout', () => new TimeoutError('m', at)],
    ['UndecodableError', 'undecodable', () => new UndecodableError('m', at)],
    ['DamagedAnswerError', 'undecodable', () => new DamagedAnswerError('m', at)],
    ['RefusedError', 'refused', () => new RefusedError(404, fault, at)],
    ['PageTooLargeError', 'refused', () => new PageTooLargeError(429, fault, at)],
  ])('The error %s has the kind %s, its address and a hint', (name, kind, made) => {
    expect(made()).toBeInstanceOf(NodeError);
    expect(made()).toMatchObject({ kind, name, ...at });
  });

  it('A rate limiting error has the time of the next attempt and the reason', () => {
    const error = new RateLimitedError('m', { url: at.url, retryAtMs: 7 });
    expect(error).toMatchObject({ kind: 'rate-limited', retryAtMs: 7, hint: expect.stringContaining('bans') });
  });

  it('A node error keeps its cause', () => {
    const cause = new Error('why');
    expect(new NetworkError('m', { ...at, cause }).cause).toBe(cause);
  });

  it('A refusal error has the status and the fault, also in its message', () => {
    expect(new RefusedError(404, fault, at)).toMatchObject({ status: 404, fault, message: 'HTTP 404: Not Found' });
  });
});

describe('Fault in a response', () => {
  const read = (json: string) => readFault(parseJson(json));

  it.each([
    ['{"code":5,"message":"m","details":[]}', { code: 5, message: 'm', details: [] }],
    ['{"error":{"code":5,"message":"m","details":[]}}', { code: 5, message: 'm', details: [] }],
    ['{"error":"text","code":5}', { code: 5, message: 'no message', details: [] }],
    ['{"message":"m"}', { message: 'm', details: [] }],
    ['{"code":"5","message":"m"}', { code: 5, message: 'm', details: [] }],
    ['{"code":"five","message":"m","details":"none"}', { message: 'm', details: [] }],
    ['{"code":1.5,"message":""}', { message: 'no message', details: [] }],
  ])('A fault is read from %s', (json, expected) => expect(read(json)).toEqual(expected));

  it.each(['{}', '[]', '7', 'null', '{"error":{}}', '{"edges":[]}'])('No fault is read from %s', json => {
    expect(read(json)).toBeUndefined();
  });

  it('A fault has every detail, and unusual ones as their text', () => {
    const detail =
      '{"@type":"type.example/a/vega.ErrorDetail","code":10028,"message":"m","inner":"i","n":9007199254740993}';
    expect(read(`{"code":3,"message":"m","details":[${detail},"words",{}]}`)?.details).toEqual([
      {
        type: 'vega.ErrorDetail',
        code: '10028',
        message: 'm',
        inner: 'i',
        rest: { n: parseJson('9007199254740993') },
      },
      { type: '', code: '', message: 'words', inner: '', rest: {} },
      { type: '', code: '', message: '', inner: '', rest: {} },
    ]);
  });

  it.each([
    ['{"message":"m"}', ['m']],
    ['{"code":13,"message":"m"}', ['m (code 13)']],
    [
      '{"code":13,"message":"m","details":[{"code":10028,"message":"failed to get X","inner":"why"}]}',
      ['failed to get X: why (code 10028)', 'm (code 13)'],
    ],
    ['{"message":"m","details":[{"message":"","inner":"why"},{"message":"failed"}]}', ['why', 'failed', 'm']],
    ['{"message":"m","details":[{"@type":"a/b.C","more":[1.0]}]}', ['b.C {"more":[1.0]}', 'm']],
  ])('A fault reads as sentences, the most informative first: %s', (json, lines) => {
    expect(faultLines(read(json) ?? { message: '', details: [] })).toEqual(lines);
  });

  it.each([
    ['{"code":5,"message":"Not Found","details":[]}', 'HTTP 404: Not Found'],
    ['{"code":13,"message":"Internal","details":[{"message":"no such epoch"}]}', 'HTTP 404: Internal: no such epoch'],
  ])('A fault reads as one sentence without repetition: %s', (json, sentence) => {
    const fault = read(json) ?? { message: '', details: [] };
    expect(errorSentence(new RefusedError(404, fault, at))).toBe(sentence);
  });
});
