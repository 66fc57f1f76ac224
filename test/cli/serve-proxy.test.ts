import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { runCommandLine } from '../../src/cli/run.ts';
import { listening } from '../support/loopback.ts';
import { contextWith, run } from './run-command.ts';

it('serve --proxy says where it listens, passes answers on, and ends as interrupted', async () => {
  await using node = await listening(createServer((_, response) => void response.end('{"a":1.0}')));
  const stop = new AbortController();
  const { context, stdout, stderr } = contextWith({ signal: stop.signal });
  const command = runCommandLine(['serve', '--proxy', node.url, '--port', '0'], context);
  await expect.poll(() => stdout.text).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
  const answer = await fetch(`${stdout.text.trim()}/statistics?a=secret`);
  expect(await answer.text()).toBe('{"a":1.0}');
  stop.abort();
  expect(await command).toBe(130);
  expect(JSON.parse(stderr.text)).toMatchObject({ path: '/statistics', status: 200, outcome: 'miss' });
  expect(stderr.text).not.toContain('secret');
});

it.each([
  [['--rate', '5'], '--rate needs --proxy URL'],
  [['--log-filters'], '--log-filters needs --proxy URL'],
  [['--proxy', 'node.example', '--live'], '--live is for the embedded node'],
  [['--proxy', 'node.example', '--rate', '0'], '--rate must be a number from 1'],
  [['--proxy', 'ftp://node.example'], 'neither http nor https'],
])('serve %j is a usage error', async (words, problem) => {
  const { code, err } = await run(['serve', ...words]);
  expect([code, err]).toEqual([2, expect.stringContaining(problem)]);
});
