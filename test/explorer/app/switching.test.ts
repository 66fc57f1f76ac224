import { describe, expect, it } from 'vitest';
import { NetworkError } from '../../../src/chain/api/errors.ts';
import type { Session } from '../../../src/explorer/app/session.ts';
import { INITIAL_CHOICE_LIST } from '../../../src/explorer/core/choices.ts';
import { type NodePicker, nodeChoices } from '../../../src/explorer/screens/nodes/state.ts';
import type { ProbeAnswer } from '../../../src/explorer/services/node/offered-node.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { chanceOf, randomInputs } from '../../torture/random-keys.ts';
import { end, exporting, wizardOf } from '../support/export-scenes.ts';
import { answerPage, browserOf, FakeWorld, last, press, startSession, told } from '../support/fake-world.ts';
import { layersOf, openState, overlayOf, withOverlayOf } from '../support/layers.ts';
import { onFirstPage, run, showing } from '../support/list-scenes.ts';
import { answered, answerNode, inPicker, OFFERED, offered, StubbornWorld } from '../support/node-scenes.ts';
import { hexId, pageOf, provision, provisionPage } from '../support/provision-pages.ts';
import { perform } from '../support/random-session.ts';

const noticeOf = (session: Awaited<ReturnType<typeof onFirstPage>>['session']) => session.state().notice?.text;

const pickerOf = (session: Session): NodePicker => openState<NodePicker>(session, 'nodes');

describe('Node picker', () => {
  it('The node picker asks nothing before it is opened, then each node once, and stops when it closes', async () => {
    const { session, world } = await onFirstPage();
    world.offered = OFFERED;
    expect(world.probes).toEqual([]);
    press(session, 'N');
    await told();
    expect(world.probes.map(({ asked }) => asked)).toEqual([...OFFERED.map(({ choice }) => choice), { kind: 'start' }]);
    press(session, 'j', '/', 'esc');
    expect(world.probes).toHaveLength(3);
    press(session, 'esc');
    expect(world.probes.every(({ signal }) => signal.aborted)).toBe(true);
    press(session, 'N');
    await told();
    expect(world.probes).toHaveLength(6);
  });

  it('The node picker takes answers as they come, and none of an earlier opening', async () => {
    const { session, world } = await inPicker(new StubbornWorld());
    world.probes[1]?.answer(answered('chain-b', '20'));
    await told();
    expect(pickerOf(session).answers).toEqual([null, answered('chain-b', '20'), null]);
    press(session, 'esc', 'N');
    world.probes[0]?.answer(answered('late', '1'));
    await told();
    expect(pickerOf(session).answers).toEqual([null, null, null]);
  });

  it('The node picker has the answer of each node in words, for a search and for screen readers', async () => {
    const { session, world } = await inPicker();
    world.probes[0]?.answer(answered('chain-b', '20'));
    world.probes[1]?.answer({ kind: 'failed', problem: 'no answer within 4 s' });
    await told();
    const details = () => nodeChoices(pickerOf(session)).map(({ detail }) => detail);
    expect(details()).toEqual([
      'http://main, chain-b, block 20, 12 ms, v0.74.10',
      'http://backup, no answer within 4 s',
      'http://127.0.0.1:3008, asking',
    ]);
    world.probes[2]?.answer({ kind: 'not-started' });
    await told();
    expect(details()[2]).toBe('http://127.0.0.1:3008, starts when it is chosen');
  });

  it('The node picker works without settings that cannot be read, and says so', async () => {
    const { session, world } = await onFirstPage();
    world.profiles = () => Promise.reject(new Error('config.json is not used'));
    press(session, 'N');
    await told();
    expect(pickerOf(session)).toMatchObject({ problem: 'config.json is not used' });
    expect(pickerOf(session).offered?.map(({ name }) => name)).toEqual(['demo']);
  });

  it('The node picker offers each name once: profiles, the address in use, earlier ones, the embedded node', async () => {
    const { session, world } = await startSession();
    const names = async () => {
      press(session, 'N');
      await told();
      const shown = pickerOf(session).offered?.map(({ name }) => name);
      press(session, 'esc');
      return shown;
    };
    world.offered = [offered('demo'), offered('main')];
    expect(await names()).toEqual(['demo', 'main']);
    run(session, 'node http://me:secret@127.0.0.1:9/');
    await answerNode(world, { label: '', address: 'http://127.0.0.1:9' });
    await answerPage(world, provisionPage(1));
    expect(await names()).toEqual(['demo', 'main', 'http://127.0.0.1:9']);
    run(session, 'node main');
    await answerNode(world, { label: 'main', address: 'http://main' });
    expect(await names()).toEqual(['demo', 'main', 'http://127.0.0.1:9']);
    expect(last(world.connections).asked).toEqual({ kind: 'profile', name: 'main' });
    run(session, 'node -');
    expect(last(world.connections).asked).toEqual({ kind: 'address', address: 'http://me:secret@127.0.0.1:9/' });
  });

  it('The node picker asks each of three hundred nodes, a few at a time, and keeps drawing', async () => {
    const fake = new FakeWorld();
    const { session, world } = await showing(provisionPage(1), { world: fake });
    fake.offered = Array.from({ length: 299 }, (_, index) => offered(`node ${index}`));
    const startedMs = cpuMs();
    press(session, 'N');
    await told();
    for (let index = 0; index < 300; index++) {
      expect(world.probes.length - index).toBeLessThanOrEqual(24);
      world.probes[index]?.answer(answered('chain-a', String(1000 + index)));
      await told();
      if (index % 20 === 0) nodeChoices(pickerOf(session));
    }
    expect(pickerOf(session).answers.filter(answer => answer === null)).toEqual([]);
    expect(nodeChoices(pickerOf(session))[0]?.detail).toContain('299 behind');
    expect(cpuMs() - startedMs).toBeLessThan(5000);
  });

  it('The node picker lists a few of the nodes when a name matches none', async () => {
    const { session, world } = await showing(provisionPage(1), { world: new FakeWorld() });
    world.offered = Array.from({ length: 100 }, (_, index) => offered(`node ${index}`));
    press(session, 'N');
    await told();
    press(session, 'esc');
    run(session, 'node nosuch');
    expect(overlayOf(session.state())).toMatchObject({
      problem: expect.stringMatching(/^no node "nosuch": there are node 0, .*, node 7 and 93 more \(N lists them\)/),
    });
  });

  it('The node picker counts blocks behind the best on the same chain, and on no other', () => {
    const failed: ProbeAnswer = { kind: 'failed', problem: 'x' };
    const answers = [
      ...[answered('a', '100'), answered('a', '90'), answered('b', '7'), answered('a', null), null, failed],
      ...[answered('', '9'), answered('', '5')],
    ];
    const details = nodeChoices({
      ...{ list: INITIAL_CHOICE_LIST, askedAtMs: 0, problem: null, answers },
      offered: answers.map((_, index) => offered(`node ${index}`)),
    }).map(({ detail }) => / (\d+ behind)/.exec(detail)?.[1]);
    expect(details.slice(0, 2)).toEqual(['0 behind', '10 behind']);
    expect(details.slice(2).filter(detail => detail !== undefined)).toEqual([]);
  });
});

/** The state as JSON, block heights and all. */
const written = (state: object): string =>
  JSON.stringify(state, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));

describe('Switch to another node', () => {
  it('A switch leaves nothing of the previous node, and connects in the background on the same tab', async () => {
    const { session, world } = await onFirstPage();
    press(session, 'g', 'enter');
    await answerPage(world, provisionPage(1));
    press(session, 'enter', 'w');
    const before = session.state();
    const lastOfBefore = browserOf(session).lastRequestId;
    run(session, 'node http://127.0.0.1:9');
    const { node, knownNodes, lastId, ...state } = session.state();
    expect(node).toMatchObject({
      status: 'starting',
      label: '',
      address: 'http://127.0.0.1:9',
      chainId: null,
      height: null,
    });
    expect(JSON.stringify([state, node.height, knownNodes.compared])).not.toMatch(/reference-\d|fake-chain/);
    expect(state).toMatchObject({ tab: before.tab, trail: [], seen: {}, job: null });
    expect(layersOf(session)).toEqual([]);
    expect(lastId).toBeGreaterThan(before.lastId);
    const asked = world.pages.length;
    await answerNode(world, { label: '', address: 'http://127.0.0.1:9' });
    expect(world.pages).toHaveLength(asked + 1);
    expect(browserOf(session)).toMatchObject({ page: null, loading: { requestId: lastOfBefore + 1 } });
  });

  it.each([1, 2, 3, 4, 5, 6])(
    'A switch never shows a row below the name of another node, for any keys and late answers: %i',
    async seed => {
      const chance = chanceOf(seed);
      const world = new StubbornWorld();
      const { session } = await startSession({ world });
      const shown = new Set<string>();
      const check = () => {
        // What is being copied or saved is still of the node before, and is not drawn.
        const { node, knownNodes: _nodes, copying: _copying, saving: _saving, ...state } = session.state();
        for (const [, name = ''] of written(state).matchAll(/row-of-([\w.]+)/g)) {
          expect(name).toBe(node.label);
          shown.add(name);
        }
      };
      session.subscribe(check);
      let steps = 0;
      for (const input of randomInputs(chance)) {
        if (steps++ > 400) break;
        perform(session, input);
        if (chance() < 0.04) session.dispatch({ type: 'choose-node', to: offered(`n${Math.floor(chance() * 4)}`) });
        if (chance() < 0.5) for (const call of world.connections.splice(0, 1)) call.answer(connectedTo(call.asked));
        if (chance() < 0.6) answerLate(world, chance);
        await told();
      }
      expect(shown.size).toBeGreaterThan(1);
    },
  );

  it('A switch gives the first connection up when another is chosen meanwhile, however late it comes', async () => {
    const { session, world } = await startSession({ world: new StubbornWorld() });
    run(session, 'node http://127.0.0.1:8');
    run(session, 'node http://127.0.0.1:9');
    expect(world.connections.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    world.connections[1]?.answer({ label: '', address: 'http://127.0.0.1:9', preferences: {}, notice: null });
    world.connections[0]?.answer({ label: '', address: 'http://127.0.0.1:8', preferences: {}, notice: null });
    await told();
    expect(session.state().node.address).toBe('http://127.0.0.1:9');
  });

  it('A switch that cannot connect says so; r tries again, Backspace goes back, N works', async () => {
    const { session, world } = await onFirstPage();
    world.offered = OFFERED;
    press(session, 'N');
    await told();
    press(session, 'enter');
    last(world.connections).fail(new Error('there is no such profile'));
    await told();
    expect(session.state().node).toMatchObject({ status: 'failed', label: 'main' });
    press(session, 'r');
    expect(world.connections).toHaveLength(2);
    last(world.connections).fail(new Error('again'));
    await told();
    press(session, 'N');
    await told();
    expect(world.probes.length).toBeGreaterThan(3);
    press(session, 'esc', 'backspace');
    await told();
    expect(session.state().node).toMatchObject({ status: 'ready', label: 'demo', choice: { kind: 'start' } });
  });

  it('A switch to a silent node goes back with Backspace to the last that answered, and else does not', async () => {
    const { session, world } = await onFirstPage();
    const connect = async (name: string) => {
      session.dispatch({ type: 'choose-node', to: offered(name) });
      await answerNode(world, { label: name, address: `http://${name}` });
    };
    await connect('one');
    last(world.pages).fail(new NetworkError('refused', { url: 'http://one/', hint: '' }));
    await told();
    await connect('two');
    last(world.pages).fail(new NetworkError('refused', { url: 'http://two/', hint: '' }));
    await told();
    press(session, 'backspace');
    await told();
    expect(session.state().node.label).toBe('demo');
    await connect('three');
    await answerPage(world, provisionPage(1));
    press(session, 'backspace');
    expect(session.state().node.label).toBe('three');
    expect(noticeOf(session)).toContain('g was not pressed yet');
  });

  it('A switch can go back to a node of which only the overview was answered', async () => {
    const { session, world } = await onFirstPage();
    const connect = async (name: string) => {
      session.dispatch({ type: 'choose-node', to: offered(name) });
      await answerNode(world, { label: name, address: `http://${name}` });
    };
    await connect('one');
    const heard = { atMs: world.clockMs, height: null, core: null, chainId: '' };
    session.dispatch({ type: 'node-answered', heard });
    await connect('two');
    expect(session.state().node.cameFrom?.name).toBe('one');
    run(session, 'node -');
    expect(session.state().node.label).toBe('one');
  });

  it('A switch during an export asks first, cancels it and says what is left of it', async () => {
    const { session, world } = await exporting();
    run(session, 'node http://127.0.0.1:9');
    expect(overlayOf(session.state())).toMatchObject({ kind: 'confirm', id: 'switch-node' });
    press(session, 'n');
    expect(session.state().job?.status).toBe('running');
    run(session, 'node http://127.0.0.1:9');
    press(session, 'y');
    expect(last(world.exports).signal.aborted).toBe(true);
    await told();
    expect(noticeOf(session)).toBe('the export from demo was cancelled; what arrived is saved as /tmp/x.zip.part');
    expect(session.state()).toMatchObject({ job: null, leftJob: null });
    expect(wizardOf(session).boundaries).toBe(null);
  });

  it('A switch asks nothing about an export that has ended', async () => {
    const { session, world } = await exporting();
    await end(world);
    run(session, 'node http://127.0.0.1:9');
    expect(withOverlayOf(session.state())).toMatchObject({
      overlay: null,
      job: null,
      node: { address: 'http://127.0.0.1:9' },
    });
  });

  it('A switch reads names, addresses and - on the command line, and says what is wrong with another word', async () => {
    const { session, world } = await onFirstPage();
    const problem = (line: string) => {
      run(session, line);
      const overlay = overlayOf(session.state());
      press(session, 'esc');
      return overlay?.kind === 'prompt' ? overlay.problem : null;
    };
    expect(problem('node nowhere')).toBe('no node "nowhere": there are demo, or an address');
    expect(problem('node -')).toBe('no previous node to go back to');
    expect(problem('node http://me:secret@x:y')).not.toContain('secret');
    run(session, 'node demo');
    expect(noticeOf(session)).toBe('demo is in use');
    expect(world.connections).toEqual([]);
    run(session, 'node');
    expect(layersOf(session)).toEqual(['nodes']);
  });

  it('A switch keeps a login out of everything that is drawn', async () => {
    const { session, world } = await startSession();
    run(session, 'node http://me:secret@127.0.0.1:9');
    await answerNode(world, { label: '', address: 'http://127.0.0.1:9' });
    run(session, 'node demo');
    const { node, knownNodes, ...state } = session.state();
    const drawn = [state, node.label, node.address, node.cameFrom?.name, node.cameFrom?.address];
    const visited = knownNodes.visited.map(({ name, address }) => [name, address]);
    expect(JSON.stringify([drawn, visited])).not.toContain('secret');
  });
});

function connectedTo(choice: { readonly kind: string; readonly name?: string }) {
  const label = choice.name ?? choice.kind;
  return { label, address: `http://${label}`, preferences: {}, notice: null };
}

/** Answers something that was asked at any time, of whichever node: nobody listened to its end. */
function answerLate(world: StubbornWorld, chance: () => number): void {
  const index = Math.floor(chance() * world.asked.length);
  const [call] = world.asked.splice(index, 1);
  if (call === undefined) return;
  const row = provision(index, { id: hexId(index), reference: `row-of-${call.node}`, key: `row-of-${call.node}` });
  call.answer({ page: pageOf([row], { hasNextPage: chance() < 0.5, endCursor: 'x' }), facts: { rate: {} }, size: 1 });
}
