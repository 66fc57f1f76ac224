import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../../src/chain/api/client.ts';
import { baseAddress } from '../../../src/chain/api/request.ts';
import { createAsk } from '../../../src/chain/explain/ask.ts';
import { listening } from '../../support/loopback.ts';

/** A node that counts what it is asked; `/busy` it answers the second time and `/banned` never, `/absent` it does not have, `/odd` is no JSON, `/slow` never ends. */
async function node() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    if (path.startsWith('/slow')) return;
    const isFirst = asked.filter(one => one === path).length === 1;
    if (path.startsWith('/busy') && isFirst) response.writeHead(429).end('{"code":8,"message":"too many"}');
    else if (path.startsWith('/banned')) response.writeHead(429, { 'retry-after': '60' }).end();
    else if (path.startsWith('/absent')) response.writeHead(404).end('{"code":5,"message":"Not Found","details":[]}');
    else response.end(path.startsWith('/odd') ? 'no json' : '{"n":1}');
  });
  const { url, [Symbol.asyncDispose]: dispose } = await listening(server);
  const clock = { ms: 1_800_000_000_000 };
  const wait = async (ms: number) => {
    clock.ms += ms;
  };
  const client = createClient({ base: baseAddress(url), nowMs: () => clock.ms, wait });
  return { asked, clock, ask: createAsk(client, () => clock.ms), [Symbol.asyncDispose]: dispose };
}

const to = (path: string) => ({ path, query: [] });
const never = new AbortController().signal;

describe('Requests of an explainer', () => {
  it('An explainer request is sent once for callers at the same time and for the next record', async () => {
    await using one = await node();
    const ask = one.ask(never);
    expect(await Promise.all([ask(to('a')), ask(to('a')), ask(to('b'))])).toEqual([{ n: 1 }, { n: 1 }, { n: 1 }]);
    expect(await one.ask(never)(to('a'))).toEqual({ n: 1 });
    expect(one.asked).toEqual(['/a', '/b']);
  });

  it('An explainer request is sent again when the response is old', async () => {
    await using one = await node();
    await one.ask(never)(to('a'));
    one.clock.ms += 10_000;
    await one.ask(never)(to('a'));
    expect(one.asked).toEqual(['/a', '/a']);
  });

  it('An explainer request gives nothing when the node refuses, or when its response cannot be read', async () => {
    await using one = await node();
    const ask = one.ask(never);
    expect(await Promise.all([ask(to('absent')), ask(to('odd'))])).toEqual([undefined, undefined]);
    const before = one.asked.length;
    expect(await ask(to('absent'))).toBe(undefined);
    expect(one.asked.length).toBe(before);
  });

  it('An explainer request is retried after a 429: at once if the pause is short, else by the next explanation', async () => {
    await using one = await node();
    expect(await one.ask(never)(to('busy'))).toEqual({ n: 1 });
    expect(one.asked).toEqual(['/busy', '/busy']);
    const failures: string[] = [];
    for (let turn = 0; turn < 2; turn++) {
      expect(await one.ask(never)(to('banned'), ({ kind }) => failures.push(kind))).toBe(undefined);
      one.clock.ms += 60_000;
    }
    expect(failures).toEqual(['rate-limited', 'rate-limited']);
    expect(one.asked.slice(2)).toEqual(['/banned', '/banned']);
  });

  it('An explainer request throws the reason when it is aborted, and leaves nothing behind for the next', async () => {
    await using one = await node();
    const abort = new AbortController();
    const waiting = one.ask(abort.signal)(to('slow'));
    abort.abort(new Error('another record'));
    await expect(waiting).rejects.toThrow('another record');
    await expect(one.ask(abort.signal)(to('a'))).rejects.toThrow('another record');
    expect(await one.ask(never)(to('a'))).toEqual({ n: 1 });
  });
});
