import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { NetworkError, RateLimitedError } from '../../src/api/errors.ts';
import { baseAddress } from '../../src/api/request.ts';
import { askChain } from '../../src/directory/ask-chain.ts';
import { isArchive } from '../../src/directory/chain-state.ts';
import { answer, serve } from '../api/loopback-server.ts';
import { hasRealNode, recordedNode } from '../support/recorded-node.ts';

const { signal } = new AbortController();
const clientOf = (url: string) => createClient({ base: baseAddress(url) });

describe('asking a node for its chain', () => {
  it('takes one request where its core answers', async () => {
    const { url, seen } = await serve((_, response) =>
      answer(response, 200, '{"statistics":{"chainId":"a","epochSeq":"7"}}'),
    );
    const state = await askChain(clientOf(url), ['name', 'epoch'], signal);
    expect(state).toMatchObject({ chainId: 'a', epoch: { seq: 7n } });
    expect(seen).toEqual(['/statistics']);
  });

  it('asks only for what is wanted, and throws where all of it is refused', async () => {
    const { url, seen } = await serve((_, response) => answer(response, 404, '{"code":5,"message":"Not Found"}'));
    await expect(askChain(clientOf(url), ['name'], signal)).rejects.toThrow('HTTP 404');
    expect(seen).toEqual(['/statistics', '/api/v2/networkhistory/segments']);
  });

  it('sends nothing more to a node that had too many requests', async () => {
    const { url, seen } = await serve((_, response) => answer(response, 429, '{}'));
    await expect(askChain(clientOf(url), ['name', 'epoch'], signal)).rejects.toThrow(RateLimitedError);
    expect(seen).toEqual(['/statistics']);
  });

  it('throws for a node that is not there', async () => {
    const { url, close } = await serve(() => {});
    close();
    await expect(askChain(clientOf(url), ['name'], signal)).rejects.toThrow(NetworkError);
  });

  it.skipIf(!hasRealNode)('knows an archive by its history, newest epoch and headers', async () => {
    await using node = await recordedNode();
    const state = await askChain(clientOf(node.url), ['name', 'epoch'], signal);
    expect(state).toMatchObject({ chainId: 'testnet-001', epoch: { seq: 280n }, block: { height: 5002n } });
    expect(isArchive(state)).toBe(true);
    expect(node.missing).toEqual([]);
  });
});
