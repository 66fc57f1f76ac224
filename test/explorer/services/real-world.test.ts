import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient } from '../../../src/chain/api/client.ts';
import { baseAddress } from '../../../src/chain/api/request.ts';
import { archiveNamesPath, readNamesFile, slicesNamesPath } from '../../../src/chain/directory/names-file.ts';
import { epochTimes, fetchEpoch } from '../../../src/chain/range/epoch.ts';
import { resourceById } from '../../../src/chain/resources/registry.ts';
import type { Resource } from '../../../src/chain/resources/resource.ts';
import { createSession } from '../../../src/explorer/app/session.ts';
import { exportCommandText } from '../../../src/explorer/services/copying/equal-commands.ts';
import { realWorld } from '../../../src/explorer/services/real-world.ts';
import type { World } from '../../../src/explorer/services/world.ts';
import { findExportTable } from '../../../src/history/plan/export-tables.ts';
import { type RunningNode, startNode } from '../../../src/node/index.ts';
import { wizardOf } from '../support/export-scenes.ts';
import { press } from '../support/fake-world.ts';
import { type } from '../support/list-scenes.ts';

let folder: string;
let node: RunningNode;
let world: World;
const { signal } = new AbortController();
const copied: string[] = [];

const NO_TERMINAL = { clipboard: { mostBytes: 0, send: () => '' }, folders: [], drawn: () => '' };

const worldOf = (login = '', label = 'mine', takenMs?: number) =>
  realWorld({
    connect: async () => ({
      ...(takenMs !== undefined && { moment: { id: 1, takenMs, flags: [], before: null, after: null } }),
      ...{ label, preferences: { pageSize: 7 }, notice: null, firstByteMs: 60_000, idleMs: 60_000 },
      client: createClient({ base: baseAddress(node.url.replace('//', `//${login}`)) }),
    }),
    clientOf: async () => createClient({ base: baseAddress(node.url) }),
    profiles: async () => ({ profiles: [], problem: null }),
    clipboard: {
      mostBytes: 10,
      send: (text, what) => {
        copied.push(text);
        return what;
      },
    },
    folders: [folder],
    drawn: () => 'the screen',
    namesFolder: join(folder, 'names'),
    stateFolder: join(folder, 'state'),
    program: 'blockglass test',
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-world-'));
  node = await startNode({});
  world = worldOf();
});

afterAll(async () => {
  await node.close();
  await rm(folder, { recursive: true });
});

const first = { filters: {}, size: 3, newestFirst: true, position: { kind: 'first' } } as const;

function listNamed(id: string): Resource {
  const resource = resourceById(id);
  if (resource === undefined) throw new Error(`no resource ${id}`);
  return resource;
}

async function epochOf(id: string) {
  const answer = await fetchEpoch(createClient({ base: baseAddress(node.url) }), id, signal);
  return answer.kind === 'epoch' ? epochTimes(answer.epoch) : undefined;
}

function plan() {
  const table = findExportTable('ledger');
  if (table === undefined) throw new Error('no such table');
  const range = { fromBlock: 13001n, toBlock: 14500n, chainId: 'demo-chain-1' };
  return { table, ...range, destination: folder, mayOverwrite: false, keepsIncomplete: false } as const;
}

describe('Real world', () => {
  it('The real world sends no request to a node before it is connected', async () => {
    await expect((async () => world.node().page(listNamed('parameters'), first, signal))()).rejects.toThrow(
      'not connected',
    );
    await expect((async () => world.node().chain(signal))()).rejects.toThrow('not connected');
  });

  it('The real world returns what is known of a node, and its address without the login', async () => {
    const known = { label: 'mine', preferences: { pageSize: 7 }, notice: null, address: node.url };
    expect(await worldOf('me:secret@').connect({ kind: 'start' }, signal)).toEqual({ ...known, hasLogin: true });
    expect(await world.connect({ kind: 'start' }, signal)).toEqual({ ...known, hasLogin: false });
  });

  it('The real world requests the chain, pages, segments and block heights from the node', async () => {
    expect(await world.node().chain(signal)).toMatchObject({ chainId: 'demo-chain-1', core: { version: 'v0.74.10' } });
    expect(await world.node().version(signal)).toBe('v0.74.10');
    const { page, size } = await world.node().page(listNamed('parameters'), first, signal);
    expect([page.rows.length, size]).toEqual([3, 3]);
    const { boundaries, hint } = await world.node().boundaries(signal);
    expect([boundaries.kind, hint]).toEqual(['listed', null]);
    expect(await world.node().locate('e1', 'from', signal)).toMatchObject({ height: 1n });
  });

  it('The real world explains a record by what is known of the node, or returns nothing without an explainer', async () => {
    const { page } = await world.node().page(listNamed('markets'), first, signal);
    const [row = {}] = page.rows;
    const explanation = await world.node().explain('markets', row, { filters: {}, rows: page.rows }, signal);
    expect(explanation?.json.id).toBe(row.id);
    expect(await world.node().explain('nothing', row, { filters: {}, rows: [] }, signal)).toBe(undefined);
  });

  it('The real world caches names per chain as the node reports them, and none without a chain name', async () => {
    const asked = { from: 'cache', chainId: 'demo-chain-1' } as const;
    expect(await world.node().directory(asked, signal)).toEqual({ names: {}, isOld: true });
    const said = await world.node().directory({ ...asked, from: 'node' }, signal);
    expect(said.names.markets?.size).toBeGreaterThan(3);
    expect(await world.node().directory(asked, signal)).toEqual(said);
    expect(await world.node().directory({ ...asked, chainId: 'x' }, signal)).toEqual({ names: {}, isOld: true });
    await world.node().directory({ from: 'node', chainId: '' }, signal);
    expect(await readdir(join(folder, 'names'))).toHaveLength(1);
  });

  it('The real world explains a record of a snapshot as of that time', async () => {
    const page = await world.node().page(listNamed('oracles'), { ...first, size: 40 }, signal);
    const { rows } = page.page;
    const inDays = async (at: World): Promise<readonly string[]> => {
      const told: string[] = [];
      for (const row of rows)
        told.push(JSON.stringify(await at.node().explain('oracles', row, { filters: {}, rows }, signal)));
      return [...new Set(told.join().match(/in \d+ d \d+ h/g) ?? [])].toSorted();
    };
    expect(await inDays(world)).toContain('in 29 d 23 h');
    const before = worldOf('', 'mine', Date.now() - 10 * 86_400_000);
    await before.connect({ kind: 'start' }, signal);
    expect(await inDays(before)).toContain('in 39 d 23 h');
  });

  it('The real world explains nothing with the names of a chain that the node has left', async () => {
    const { page } = await world.node().page(listNamed('fees'), first, signal);
    const [row = {}] = page.rows;
    const told = async () =>
      JSON.stringify(await world.node().explain('fees', row, { filters: {}, rows: page.rows }, signal));
    const symbol = /"symbol":"[A-Z]/;
    await world.node().directory({ from: 'node', chainId: 'one' }, signal);
    expect(await told()).toMatch(symbol);
    await world.node().directory({ from: 'cache', chainId: 'two' }, signal);
    expect(await told()).not.toMatch(symbol);
  });

  it('The real world does not cache names of the embedded node', async () => {
    const demo = worldOf('', 'demo');
    await demo.connect({ kind: 'start' }, signal);
    const names = await demo.node().directory({ from: 'node', chainId: 'demo-chain-2' }, signal);
    expect(names.names.assets?.size).toBeGreaterThan(1);
    expect(await demo.node().directory({ from: 'cache', chainId: 'demo-chain-2' }, signal)).toEqual({
      names: {},
      isOld: true,
    });
  });

  it('The real world finishes requests at the node where they began, and forgets its data at the next node', async () => {
    const asked: string[] = [];
    const clientAt = (name: string): Client => {
      const client = createClient({ base: baseAddress(node.url.replace('127.0.0.1', name)) });
      return {
        ...client,
        get: (...request) => {
          asked.push(name);
          return client.get(...request);
        },
      };
    };
    const clients = ['127.0.0.1', 'localhost'].map(clientAt);
    const options = { preferences: {}, notice: null, firstByteMs: 1, idleMs: 1 };
    const switched = realWorld({
      connect: async () => ({ ...options, label: 'x', client: clients.shift() ?? clientAt('none') }),
      clientOf: async () => undefined,
      profiles: async () => ({ profiles: [], problem: null }),
      ...NO_TERMINAL,
      namesFolder: join(folder, 'switched'),
      stateFolder: null,
      program: 'blockglass test',
    });
    await switched.connect({ kind: 'start' }, signal);
    const { page } = await switched.node().page(listNamed('fees'), first, signal);
    const [row = {}] = page.rows;
    const told = async () =>
      JSON.stringify(await switched.node().explain('fees', row, { filters: {}, rows: page.rows }, signal));
    // It loads a library before it asks.
    const names = switched.node().directory({ from: 'node', chainId: 'chain-of-one' }, signal);
    await switched.connect({ kind: 'demo' }, signal);
    expect((await names).names.markets?.size).toBeGreaterThan(0);
    expect(new Set(asked)).toEqual(new Set(['127.0.0.1']));
    expect(await told()).not.toMatch(/"symbol":"[A-Z]/);
    await switched.node().directory({ from: 'node', chainId: 'chain-of-two' }, signal);
    expect(await told()).toMatch(/"symbol":"[A-Z]/);
    expect(asked.at(-1)).toBe('localhost');
  });

  it('The real world is not connected while it switches nodes, nor to a node whose connection was aborted', async () => {
    const gate = Promise.withResolvers<void>();
    const abort = new AbortController();
    const late = realWorld({
      connect: async () => {
        await gate.promise;
        const client = createClient({ base: baseAddress(node.url) });
        return { label: '', preferences: {}, notice: null, firstByteMs: 1, idleMs: 1, client };
      },
      clientOf: async () => undefined,
      profiles: async () => ({ profiles: [], problem: null }),
      ...NO_TERMINAL,
      namesFolder: null,
      stateFolder: null,
      program: 'blockglass test',
    });
    const connecting = late.connect({ kind: 'start' }, abort.signal);
    expect(() => late.node()).toThrow('not connected');
    abort.abort();
    gate.resolve();
    await expect(connecting).rejects.toThrow();
    expect(() => late.node()).toThrow('not connected');
  });

  it('The real world waits no longer than the given time, or until it is aborted', async () => {
    await world.wait(1, signal);
    const abort = new AbortController();
    const waiting = world.wait(60_000, abort.signal);
    abort.abort();
    await expect(waiting).rejects.toThrow();
    expect(Math.abs(world.nowMs() - Date.now())).toBeLessThan(60_000);
  });

  it('The real world copies with the clipboard that it was given', async () => {
    const copying = { requestId: 1, what: 'id', file: 'id.txt' };
    const copy = (text: string) => world.copy({ ...copying, content: { kind: 'text', text } }, signal);
    expect(await copy('text')).toEqual({ message: 'id', isDone: true });
    const path = join(folder, 'id.txt');
    expect(await copy('longer than ten')).toEqual({
      message: `saved to ${path}: too large for the clipboard`,
      isDone: true,
    });
    expect([await readFile(path, 'utf8'), copied]).toEqual(['longer than ten', ['text']]);
  });

  it('The real world writes a file with the requested content', async () => {
    const path = join(folder, 'screen.txt');
    const saving = { requestId: 1, what: '', path, isAsked: false, mayReplace: false };
    expect(await world.save({ ...saving, content: { kind: 'screen' } }, signal)).toEqual({ kind: 'saved', path });
    expect(await readFile(path, 'utf8')).toBe('the screen');
  });

  it('The real world exports one file, and checks its destination before and after', async () => {
    expect(await world.checkDestination(plan())).toMatchObject({ exists: false, problem: null });
    const phases = new Set<string>();
    const result = await world.node().export(plan(), ({ phase }) => phases.add(phase), signal);
    expect(result).toMatchObject({ kind: 'saved', verdict: { kind: 'complete' } });
    expect(phases.size).toBeGreaterThan(0);
    expect(await world.checkDestination(plan())).toMatchObject({ exists: true });
    expect(await world.preview(result)).toContain('vega_time');
    const kept = readNamesFile(archiveNamesPath(result.kind === 'saved' ? result.path : ''));
    expect([kept?.chainId, kept?.names.assets.size, kept?.names.markets.size]).toEqual(['demo-chain-1', 5, 14]);
  });

  it('The real world exports the epochs typed into the wizard, and records them as the requested range', async () => {
    const start = { screen: { columns: 80, rows: 24 }, tab: 'history', label: 'mine', nowMs: 0 } as const;
    const session = createSession({ ...start, destination: folder }, world);
    const reached = (isReached: () => boolean): Promise<void> =>
      new Promise(resolve => {
        const look = (): void => (isReached() ? resolve() : undefined);
        session.subscribe(look);
        look();
      });
    press(session, 'w');
    const wizard = () => wizardOf(session);
    await reached(() => wizard().boundaries !== null);
    press(session, 'enter');
    type(session, 'e20..e25');
    press(session, 'enter');
    await reached(() => wizard().rangeWords === 'e20..e25');
    press(session, 'enter', 'enter');
    await reached(() => wizard().check !== null);
    if (wizard().step === 'destination') press(session, 'enter');
    press(session, 'enter');
    await reached(() => session.state().job?.status === 'ended');
    const { job } = session.state();
    if (job?.status !== 'ended' || job.result.kind !== 'saved') throw new Error(JSON.stringify(job?.status));
    expect(exportCommandText(session.state().node, job.request)).toContain(' --table ledger --from e20 --to e25 ');
    const kept = readNamesFile(archiveNamesPath(job.result.path));
    const [from, until] = [await epochOf('20'), await epochOf('25')];
    const { fromBlock, toBlock } = job.request;
    expect(kept?.ranges).toEqual([
      {
        ...{ table: 'ledger', fromBlock: String(fromBlock), toBlock: String(toBlock), name: 'e20..e25' },
        from: { time: from?.start, epoch: '20' },
        until: { time: until?.end, epoch: '25' },
        segments: { before: expect.stringMatching(/^Qm/), last: expect.stringMatching(/^Qm/) },
      },
    ]);
    expect(kept?.epochs).toEqual(expect.arrayContaining([from, until]));
    expect(kept?.epochs.map(({ seq }) => seq)).toEqual(expect.arrayContaining(['20', '21', '22', '23', '24', '25']));
    await session.close();
  });

  it('The real world exports one file whose names cannot be saved, and states the consequence', async () => {
    const { path } = await world.checkDestination(plan());
    await writeFile(archiveNamesPath(path), 'notes');
    const result = await world.node().export({ ...plan(), mayOverwrite: true }, () => {}, signal);
    expect(result).toMatchObject({ kind: 'saved', ofNames: expect.stringMatching(/^answers from it need --node URL/) });
  });

  it('The real world exports in slices by the given segments', async () => {
    const slices = { segmentsPerSlice: 1, parallel: 1 };
    const counts = new Set<number>();
    const result = await world
      .node()
      .export({ ...plan(), slices }, progress => counts.add(progress.slices?.total ?? 0), signal);
    expect(result).toMatchObject({
      kind: 'saved-slices',
      manifest: { program: 'blockglass test', segmentsPerSlice: 1 },
    });
    expect(Math.max(...counts)).toBeGreaterThan(1);
    const kept = readNamesFile(slicesNamesPath(result.kind === 'saved-slices' ? result.folder : ''));
    expect(kept?.names.assets.size).toBe(5);
  });
});
