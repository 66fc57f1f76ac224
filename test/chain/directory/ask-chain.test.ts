import { describe, expect, it } from 'vitest';
import { createClient } from '../../../src/chain/api/client.ts';
import { NetworkError, RateLimitedError } from '../../../src/chain/api/errors.ts';
import { baseAddress } from '../../../src/chain/api/request.ts';
import { askChain } from '../../../src/chain/directory/ask-chain.ts';
import { isArchive } from '../../../src/chain/directory/chain-state.ts';
import { hasRealNode, recordedNode } from '../../support/recorded-node.ts';
import { answer, serve } from '../api/loopback-server.ts';

const { signal } = new AbortController();
const clientOf = (url: string) => createClient({ base: baseAddress(url) });

describe('askChain', () => {
  it('`askChain` sends one request when the core answers', async () => {
    const { url, seen } = await serve((_, response) =>
      answer(response, 200, '{"statistics":{"chainId":"a","epochSeq":"7"}}'),
    );
    const state = await askChain(clientOf(url), ['name', 'epoch'], signal);
    expect(state).toMatchObject({ chainId: 'a', epoch: { seq: 7n } });
    expect(seen).toEqual(['/statistics']);
  });

  it('`askChain` requests only what is wanted, and throws when all of it is refused', async () => {
    const { url, seen } = await serve((_, response) => answer(response, 404, '{"code":5,"message":"Not Found"}'));
    await expect(askChain(clientOf(url), ['name'], signal)).rejects.toThrow('HTTP 404');
    expect(seen).toEqual(['/statistics', '/api/v2/networkhistory/segments']);
  });

  it('`askChain` reads the newest block from a list when only lists are served', async () => {
    const { url, seen } = await serve((request, response) => {
      const isList = request.url?.startsWith('/api/v2/network/parameters') === true;
      response.setHeader('x-block-height', '7');
      response.setHeader('x-block-timestamp', '1674005926000000000');
      answer(response, isList ? 200 : 404, isList ? '{"networkParameters":{"edges":[]}}' : '<html>');
    });
    const state = await askChain(clientOf(url), ['block'], signal);
    expect(state).toMatchObject({ chainId: null, block: { height: 7n, timeMs: 1_674_005_926_000 } });
    expect(seen).toEqual(['/statistics', '/api/v2/vega/time', '/api/v2/network/parameters?pagination.first=1']);
  });

  it('`askChain` sends nothing more to a node that reports too many requests', async () => {
    const { url, seen } = await serve((_, response) => answer(response, 429, '{}'));
    await expect(askChain(clientOf(url), ['name', 'epoch'], signal)).rejects.toThrow(RateLimitedError);
    expect(seen).toEqual(['/statistics']);
  });

  it('`askChain` throws for a node that is not there', async () => {
    const { url, close } = await serve(() => {});
    close();
    await expect(askChain(clientOf(url), ['name'], signal)).rejects.toThrow(NetworkError);
  });

  it.skipIf(!hasRealNode)('`askChain` recognises an archive by its history, newest epoch and headers', async () => {
    await using node = await recordedNode();
    const state = await askChain(clientOf(node.url), ['name', 'epoch'], signal);
    expect(state).toMatchObject({ chainId: 'testnet-001', epoch: { seq: 280n }, block: { height: 5002n } });
    expect(isArchive(state)).toBe(true);
    expect(node.missing).toEqual([]);
  });
});
