import { describe, expect, it } from 'vitest';
import type { Session } from '../../../src/explorer/app/session.ts';
import { nodeCommandText, recordCommandText } from '../../../src/explorer/services/copying/equal-commands.ts';
import { tabKey } from '../../support/tabs.ts';
import { answerPage, browserOf, FakeWorld, last, press, startSession, told } from '../support/fake-world.ts';
import { paintedLines, plain } from '../support/frame.ts';
import { overlayOf } from '../support/layers.ts';
import { run } from '../support/list-scenes.ts';
import { pageOf } from '../support/provision-pages.ts';

const TAKEN_MS = Date.UTC(2026, 9, 1, 12);
const then = (value: string) => [
  { key: 'a.b.c', value: '1' },
  { key: 'a.b.d', value },
];
const frame = (session: Session): readonly string[] => paintedLines(session.state()).map(line => plain(line).trimEnd());

async function connected(world: FakeWorld, id: number, beside: { before: number | null; after: number | null }) {
  const moment = { id, takenMs: TAKEN_MS + id * 60_000, flags: ['--demo'], ...beside };
  world.clockMs = moment.takenMs;
  const address = 'http://127.0.0.1:4000';
  last(world.connections).answer({ label: `snapshot ${id}`, address, preferences: {}, notice: null, moment });
  await told();
}

/** Two snapshots: the second row is selected, and then the one before is shown. */
async function stepped() {
  const { session, world } = await startSession({ columns: 100, rows: 14, tab: 'parameters', world: new FakeWorld() });
  await answerPage(world, pageOf(then('0.5')));
  press(session, ',');
  await told();
  expect(last(world.connections).asked).toEqual({
    kind: 'moment',
    at: '',
    of: { kind: 'start' },
    chainId: 'fake-chain-1',
  });
  await connected(world, 2, { before: 1, after: null });
  await answerPage(world, pageOf(then('0.5')));
  press(session, 'j', ',');
  await told();
  expect(last(world.connections).asked).toEqual({
    kind: 'moment',
    at: '1',
    of: { kind: 'start' },
    chainId: 'fake-chain-1',
  });
  await connected(world, 1, { before: null, after: 2 });
  return { session, world };
}

describe('Snapshot with an unknown name', () => {
  it('An unknown snapshot is reported in the command line, which keeps what was typed', async () => {
    const { session, world } = await startSession({ columns: 80, rows: 24, tab: 'parameters', world: new FakeWorld() });
    const connections = world.connections.length;
    run(session, 'at 31-12-2026');
    await told();
    const shown = frame(session).join('\n');
    expect(shown).toContain('at 31-12-2026');
    expect(shown).toContain('not "31-12-2026": yesterday, 2h, 2026-10-01, the id of a snapshot, or now');
    expect(overlayOf(session.state())?.kind).toBe('prompt');
    expect(world.connections).toHaveLength(connections);
  });
});

describe('Earlier snapshot', () => {
  it('A snapshot has no history to export, and the first step of the wizard says so', async () => {
    const { session } = await stepped();
    press(session, tabKey('history'), 'w');
    await told();
    expect(frame(session).join('\n')).not.toContain('enter go on');
    press(session, 'enter');
    await told();
    expect(frame(session).join('\n')).toContain('a snapshot has no history to export; :at now shows the node');
  });

  it('An earlier snapshot keeps the selected row and marks the cells that differ', async () => {
    const { session, world } = await stepped();
    await answerPage(world, pageOf(then('0.66')));
    const lines = frame(session);
    expect(lines[0]).toContain('2026-10-01 12:01 UTC offline');
    expect(lines.find(line => line.startsWith('>'))).toMatch(/d .*\*66 %|d .*\*0\.66/);
    expect(browserOf(session).isStepped).toBe(false);
    expect(nodeCommandText(session.state().node, 'list parameters', [])).toBe(
      'blockglass list parameters --demo --at 1',
    );
    expect(recordCommandText(session.state().node)).toBe('blockglass record --demo');
  });

  it('A snapshot offers to copy its rows while another is opened, but no request to a still unknown address', async () => {
    const { session, world } = await stepped();
    await answerPage(world, pageOf(then('0.66')));
    press(session, '.', 'y', 'end');
    expect(session.state().node).toMatchObject({ status: 'starting', address: '' });
    const shown = frame(session).join('\n');
    expect(shown).toContain('command for this page');
    expect(shown).not.toContain('curl');
  });

  it('A snapshot shows no rows of another when its list was not read', async () => {
    const { session, world } = await stepped();
    last(world.pages).fail(new Error('the list could not be read then'));
    await told();
    expect(frame(session).join('\n')).toContain('the list could not be read then');
    expect(frame(session).join('\n')).not.toContain('0.5');
  });

  it('An earlier snapshot is refused by the keys when there is none', async () => {
    const { session, world } = await stepped();
    await answerPage(world, pageOf(then('0.66')));
    const connections = world.connections.length;
    press(session, ',');
    await told();
    expect(world.connections).toHaveLength(connections);
    expect(frame(session).join('\n')).toContain('this is the oldest snapshot');
  });

  it('A snapshot that cannot be found leaves what was shown, with the reason', async () => {
    const { session, world } = await stepped();
    await answerPage(world, pageOf(then('0.66')));
    press(session, '.');
    await told();
    last(world.connections).fail(new Error('snapshot 2 not found'));
    await told();
    expect(frame(session).join('\n')).toContain('snapshot 2 not found');
    expect(last(world.connections).asked).toEqual({
      kind: 'moment',
      at: '1',
      of: { kind: 'start' },
      chainId: 'fake-chain-1',
    });
  });

  it('A snapshot is not retried forever when what was shown is gone too', async () => {
    const { session, world } = await stepped();
    await answerPage(world, pageOf(then('0.66')));
    press(session, '.');
    await told();
    last(world.connections).fail(new Error('snapshot 2 not found'));
    await told();
    last(world.connections).fail(new Error('snapshot 1 not found'));
    await told();
    const asked = world.connections.length;
    await told();
    expect(world.connections.length).toBe(asked);
    expect(frame(session).join('\n')).toMatch(/snapshot 2 not found[\s\S]*r try again/);
    // Another one can be named.
    press(session, ':');
    session.paste('at 7');
    press(session, 'enter');
    await told();
    expect(last(world.connections).asked).toEqual({
      kind: 'moment',
      at: '7',
      of: { kind: 'start' },
      chainId: 'fake-chain-1',
    });
  });
});
