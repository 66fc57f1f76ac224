import { describe, expect, test } from 'vitest';
import { decodeNodeError, findErrorAtEnd, nodeErrorText } from '../../../src/history/check/node-error.ts';
import { nodeError } from './samples.ts';

const decoded = {
  code: 13,
  message: 'Internal error',
  details: [
    {
      type: 'type.googleapis.com/vega.ErrorDetail',
      code: '10000',
      message: 'failed to extract data from network history segment file',
      inner: "table file 'X' not found in segment",
      json: JSON.stringify(nodeError.details[0]),
    },
  ],
};

describe('Node error text', () => {
  test('A node error text is parsed in both of its shapes', () => {
    expect(decodeNodeError(JSON.stringify({ error: nodeError }))).toEqual(decoded);
    expect(decodeNodeError(JSON.stringify(nodeError, null, 2))).toEqual(decoded);
    expect(decodeNodeError(JSON.stringify({ error: null, ...nodeError }))).toEqual(decoded);
  });

  test.each([
    '',
    '{',
    'null',
    '13',
    '"error"',
    '[{"code":13,"message":"m"}]',
    '{}',
    '{"code":13}',
    '{"message":"m"}',
    '{"code":"13","message":"m"}',
    '{"code":13,"message":null}',
    '{"error":{"code":13}}',
    '{"error":[],"code":13}',
    '{"code":13,"message":"m"} more',
  ])('A text that is not a node error is not parsed as one: %j', text => {
    expect(decodeNodeError(text)).toBeUndefined();
  });

  test('A node error text needs no details, and may have odd ones', () => {
    const empty = { type: '', code: '', message: '', inner: '' };
    expect(decodeNodeError('{"code":13,"message":""}')).toEqual({ code: 13, message: '', details: [] });
    expect(decodeNodeError('{"code":13,"message":"m","details":{}}')?.details).toEqual([]);
    const details = [null, [], 7, 'text', { message: null, inner: {}, code: true }, { code: 'A1', inner: 5 }];
    expect(decodeNodeError(JSON.stringify({ code: 1, message: 'm', details }))?.details).toEqual([
      { ...empty, json: 'null' },
      { ...empty, json: '[]' },
      { ...empty, json: '7' },
      { ...empty, json: '"text"' },
      { ...empty, json: '{"message":null,"inner":{},"code":true}' },
      { ...empty, code: 'A1', inner: '5', json: '{"code":"A1","inner":5}' },
    ]);
  });

  test('A node error text has at most twenty details, and one that nests too deep has no text', () => {
    const error = (details: string) => decodeNodeError(`{"code":1,"message":"m","details":[${details}]}`);
    expect(error(Array(50).fill('{"code":1}').join())?.details).toHaveLength(20);
    expect(error(`{"inner":"i","more":${'['.repeat(20_000)}${']'.repeat(20_000)}}`)?.details).toMatchObject([
      { inner: 'i', json: '' },
    ]);
  });

  test('A node error text becomes one sentence with all that it contains', () => {
    expect(nodeErrorText(decoded)).toBe(
      "Internal error (code 13): failed to extract data from network history segment file: table file 'X' not found in segment",
    );
    const [detail] = decoded.details;
    const details = detail ? [{ ...detail, message: '' }, detail, { ...detail, message: '', inner: '' }] : [];
    expect(nodeErrorText({ ...decoded, details })).toBe(
      "Internal error (code 13): table file 'X' not found in segment: failed to extract data from network history segment file: table file 'X' not found in segment",
    );
    expect(nodeErrorText({ code: 5, message: 'Not Found', details: [] })).toBe('Not Found (code 5)');
  });
});

describe('Node error at the end of a tail', () => {
  const text = JSON.stringify({ error: nodeError });

  test.each([
    ['alone', '', ''],
    ['behind bytes', 'PK\u0001\u0002\u00ff{"', ''],
    ['before a line end', 'rows,', '\r\n'],
    ['behind what is only like one', '{"code":[{"error":', ''],
    ['behind another that is whole', '{"code":1,"message":"m"}', ''],
  ])('A node error %s is found at the end of a tail, with its position', (_how, before, after) => {
    const tail = Buffer.concat([Buffer.from(before, 'latin1'), Buffer.from(text + after)]);
    expect(findErrorAtEnd(tail)).toEqual({ error: decoded, from: before.length });
  });

  test('A node error at the end of a tail is taken whole, with any white space and names in any script', () => {
    const spaced = JSON.stringify({ error: { ...nodeError, message: 'Ошибка' } }, null, 4);
    expect(findErrorAtEnd(Buffer.from(`PK${spaced}`))).toEqual({ error: { ...decoded, message: 'Ошибка' }, from: 2 });
  });

  test.each(['', '}', text.slice(0, -2), `${text}rows`, '{"error":{"code":13}}', `{"rows":[${text}]}`])(
    'A tail does not end with a node error: %j',
    tail => {
      expect(findErrorAtEnd(Buffer.from(tail))).toBeUndefined();
    },
  );
});
