import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { urlOf } from '../support/loopback.ts';
import { run } from './run-command.ts';

const segment = (from: number, databaseVersion: unknown) => ({
  fromHeight: String(from),
  toHeight: String(from + 999),
  historySegmentId: `Qm${from}`,
  previousHistorySegmentId: '',
  databaseVersion,
  chainId: 'test-chain',
});

const server = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ segments: [segment(2001, '93'), segment(1001, 'ninety'), segment(1, '93')] }));
});
let url = '';

beforeAll(async () => {
  url = await urlOf(server);
});
afterAll(() => server.close());

const said = '1 of the 3 segments cannot be read';

test('A segment list with junk in it is counted and not shown as if it were complete', async () => {
  const { code, out, err } = await run(['segments', '--node', url, '-o', 'ndjson']);
  expect(code).toBe(5);
  expect(out).toBe('');
  expect(err).toContain(said);
});

test('An export over a junk segment is not requested', async () => {
  const words = ['--table', 'blocks', '--from', '1', '--to', '3000', '--out', '/tmp'];
  const { code, out, err } = await run(['export', '--node', url, ...words]);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain(said);
});
