import { describe, expect, it } from 'vitest';
import { createChain, headAtTime } from '../../src/node/demo/chain.ts';
import { SERVED_LISTS } from '../../src/node/registry.ts';
import { Store } from '../../src/node/store.ts';
import { ask, refusal, withNode } from './wire.ts';

// What holds for whatever the node serves, so that an operation that comes has it too.

const chain = createChain({ seed: 'paths', startedMs: 0 });
const store = new Store([]);
const paths = SERVED_LISTS.flatMap(({ operations }) => operations(store, () => headAtTime(chain, 0))).map(({ path }) =>
  path.replace(/:\w+$/, 'ab'.repeat(32)),
);
store.close();
const asked = [
  ...new Set([...paths, '/api/v2/epoch', '/api/v2/info', '/statistics', '/api/v2/networkhistory/segments']),
];

const sound = withNode();

describe.each(asked)('Operation %s', path => {
  it('The operation returns an answer, or its handler refuses the request', async () => {
    const { status, headers } = await ask(sound.url + path);
    expect([200, 404, 500]).toContain(status);
    expect(headers.has('x-block-height')).toBe(true);
  });

  it('The operation is read-only', async () => {
    expect(await refusal(sound.url + path, { method: 'POST' })).toEqual([501, 12, 'Method Not Allowed']);
  });

  it('The operation exceeds the deadline when the caller allows no time', async () => {
    const told = await refusal(sound.url + path, { headers: { 'Grpc-Timeout': '0n' } });
    const { status } = await ask(sound.url + path);
    if (status === 200) expect(told).toEqual([504, 4, 'context deadline exceeded']);
  });
});

describe.each([
  ['too-many', 429],
  ['html', 502],
  ['message-limit:10', 429],
] as const)('Operations with the fault %s', (fault, status) => {
  const node = withNode({ faults: [fault] });

  it.each(asked)('The fault affects %s', async path => {
    const before = (await ask(sound.url + path)).status;
    const answer = await ask(node.url + path);
    // What is refused before it is made has no body to be too large.
    expect(answer.status).toBe(fault.startsWith('message-limit') && before !== 200 ? before : status);
  });
});

describe('Operations with the fault down', () => {
  const node = withNode({ faults: ['down'] });

  it.each(asked)('The fault down affects %s', async path => {
    await expect(ask(node.url + path)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});
