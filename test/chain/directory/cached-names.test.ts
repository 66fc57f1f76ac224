import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClient } from '../../../src/chain/api/client.ts';
import { baseAddress } from '../../../src/chain/api/request.ts';
import { cachedNames, fetchNames } from '../../../src/chain/directory/cached-names.ts';
import { answer, serve } from '../api/loopback-server.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-known-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const NOW = 1_800_000_000_000;
const DAY = 86_400_000;
const { signal } = new AbortController();

/** A node that lists one thing of each kind; of those named it says so instead. */
async function nodeWith(statuses: { readonly [part: string]: number } = {}) {
  const { url, seen } = await serve(({ url: path = '' }, response) => {
    const part = /v2\/(\w+)/.exec(path)?.[1] ?? '';
    if (part === 'network' && statuses[part] === undefined)
      return answer(response, 200, '{"networkParameter":{"key":"reward.asset","value":"02"}}');
    const status = statuses[part] ?? 200;
    const record = `{"id":"0${seen.length}","name":"V","details":{"symbol":"S","decimals":"6"}}`;
    answer(
      response,
      status,
      status === 200 ? `{"${part}":{"edges":[{"node":${record}}]}}` : '{"code":5,"message":"no"}',
    );
  });
  const place = { folder, chainId: 'chain-1', node: url };
  const ask = (nowMs = NOW) => fetchNames(createClient({ base: baseAddress(url) }), place, { nowMs, signal });
  const kept = (nowMs: number) => cachedNames(place, nowMs);
  return { seen, ask, kept, place };
}

const sizes = ({ names }: Awaited<ReturnType<typeof fetchNames>>) =>
  [names.markets, names.assets, names.validators].map(part => part?.size);

describe('Cached names', () => {
  it('Cached names are kept for a day', async () => {
    const { ask, kept } = await nodeWith();
    expect(await kept(NOW)).toEqual({ names: {}, isOld: true });
    const said = await ask();
    expect(sizes(said)).toEqual([1, 1, 1]);
    expect(await kept(NOW + DAY)).toEqual(said);
    expect(await kept(NOW + DAY + 1)).toEqual({ ...said, isOld: true });
  });

  it('Cached names include the staking asset, and are stale when the node could not report it', async () => {
    const refusals: Record<string, number> = { network: 503 };
    const { ask, kept, seen } = await nodeWith(refusals);
    expect((await ask()).names.rewardAsset).toBeUndefined();
    expect((await kept(NOW)).isOld).toBe(true);
    delete refusals.network;
    expect((await ask()).names.rewardAsset).toBe('02');
    expect(await kept(NOW)).toMatchObject({ names: { rewardAsset: '02' }, isOld: false });
    expect(seen).toHaveLength(8);
  });

  it('Cached names are stale when the clock says that they were stored tomorrow', async () => {
    const { ask, kept } = await nodeWith();
    await ask();
    expect((await kept(NOW - 1)).isOld).toBe(true);
  });

  it('Cached names survive when the node no longer serves a part, and are stale when it only fails', async () => {
    const refusals: Record<string, number> = {};
    const { ask, kept } = await nodeWith(refusals);
    await ask();
    refusals.assets = 404;
    expect(sizes(await ask())).toEqual([1, 0, 1]);
    expect([sizes(await kept(NOW)), (await kept(NOW)).isOld]).toEqual([[1, 1, 1], false]);
    refusals.nodes = 400;
    expect(sizes(await ask())).toEqual([1, 0, undefined]);
    expect([sizes(await kept(NOW)), (await kept(NOW)).isOld]).toEqual([[1, 1, 1], true]);
  });

  it('Cached names of a node that serves none are requested once a day', async () => {
    const { ask, kept, seen } = await nodeWith({ markets: 404, assets: 501, nodes: 404 });
    expect(sizes(await ask())).toEqual([0, 0, 0]);
    expect(await kept(NOW + DAY)).toMatchObject({ isOld: false });
    expect(seen).toHaveLength(3);
  });

  it('Cached names are not stored without a folder, or when the node sent too many', async () => {
    const { place, kept } = await nodeWith();
    expect(await cachedNames({ ...place, folder: null }, NOW)).toEqual({ names: {}, isOld: true });
    const { ask: refused } = await nodeWith({ markets: 429 });
    expect(sizes(await refused())).toEqual([undefined, undefined, undefined]);
    expect([await readdir(folder), (await kept(NOW)).isOld]).toEqual([[], true]);
  });
});
