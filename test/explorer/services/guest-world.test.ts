import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../../src/chain/api/client.ts';
import { baseAddress } from '../../../src/chain/api/request.ts';
import { guestWorld } from '../../../src/explorer/services/guest-world.ts';
import type { World } from '../../../src/explorer/services/world.ts';
import { type RunningNode, startNode } from '../../../src/node/index.ts';

let node: RunningNode;
let world: World;
let folder: string;
const { signal } = new AbortController();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-guest-'));
  node = await startNode({});
  world = guestWorld({
    connect: async () => ({
      ...{ label: '', preferences: {}, notice: null, firstByteMs: 60_000, idleMs: 60_000 },
      client: createClient({ base: baseAddress(node.url) }),
    }),
    clipboard: { mostBytes: 4, send: text => text },
    drawn: () => 'the screen',
    program: 'blockglass test',
  });
  await world.connect({ kind: 'start' }, signal);
});

afterAll(async () => {
  await node.close();
  await rm(folder, { recursive: true });
});

const text = (content: string) => ({ kind: 'text', text: content }) as const;

describe('Guest world', () => {
  it('The guest world has the node of the command line', async () => {
    expect((await world.node().chain(signal)).chainId).toBe('demo-chain-1');
  });

  it.each([
    { kind: 'demo' },
    { kind: 'profile', name: 'x' },
    { kind: 'address', address: 'http://127.0.0.1:1' },
    { kind: 'moment', at: 'yesterday', of: { kind: 'start' } },
  ] as const)('The guest world has no other node: $kind', async choice => {
    const other = guestWorld({
      connect: () => Promise.reject(new Error('it was connected to')),
      ...{ clipboard: { mostBytes: 4, send: () => '' }, drawn: () => '', program: '' },
    });
    await expect(other.connect(choice, signal)).rejects.toThrow('not for guests');
    await expect(world.probe(choice, signal)).rejects.toThrow('not for guests');
  });

  it('The guest world writes and reads no file', async () => {
    const path = join(folder, 'x.csv');
    const saving = { requestId: 1, content: text('abc'), what: 'rows', path, isAsked: false, mayReplace: true };
    await expect(world.save(saving, signal)).rejects.toThrow('not for guests');
    await expect(world.audit({ folder, nodeFlags: [] }, signal)).rejects.toThrow('not for guests');
    await expect(world.keepPreset('a', 'b', [])).rejects.toThrow('not for guests');
    await expect(
      world.versions('demo-chain-1', { resource: 'markets', key: 'a', scope: null } as never),
    ).rejects.toThrow('not for guests');
    await world.saveCommand('find me');
    expect(await world.history()).toEqual([]);
    expect(await world.recentChanges('demo-chain-1')).toBeNull();
    expect(await readdir(folder)).toEqual([]);
  });

  it('The guest world copies what fits the clipboard, and writes the rest nowhere', async () => {
    const copying = { requestId: 1, content: text('abc'), what: 'an id', file: 'x.txt' };
    expect(await world.copy(copying, signal)).toMatchObject({ message: 'abc' });
    await expect(world.copy({ ...copying, content: text('abcdef') }, signal)).rejects.toThrow('too large');
  });

  it('The guest world remembers marks until it ends, for each chain, and only a limited number', async () => {
    const marked = { entity: 'party', id: 'ab', isMine: true } as const;
    await world.saveMine('one', marked);
    expect((await world.readMine('one')).mine.party).toEqual(new Set(['ab']));
    expect((await world.readMine('two')).mine.party).toEqual(new Set());
    await world.saveMine('one', { ...marked, isMine: false });
    expect((await world.readMine('one')).mine.party).toEqual(new Set());
    for (let id = 0; id < 1000; id++) await world.saveMine('one', { ...marked, id: String(id) });
    await expect(world.saveMine('one', marked)).rejects.toThrow('1000 ids');
  });
});
