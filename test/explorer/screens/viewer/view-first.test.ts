import { describe, expect, it } from 'vitest';
import { createSession } from '../../../../src/explorer/app/session.ts';
import { HISTORY_KEY } from '../../../../src/explorer/tabs.ts';
import { fakeTables } from '../../support/fake-tables.ts';
import { FakeWorld, press, told } from '../../support/fake-world.ts';
import { layersOf } from '../../support/layers.ts';
import { type } from '../../support/list-scenes.ts';
import { viewerOf } from '../../support/viewer-scenes.ts';

const FILES = { paths: ['/out/ledger.zip'], isEvenIncomplete: false, question: null };

/** Opened on files; no node was named unless it is said. */
async function opened({ table, isNamed = false }: { readonly table?: string; readonly isNamed?: boolean } = {}) {
  const world = new FakeWorld();
  world.source = fakeTables({
    tables: ['ledger', 'rewards'],
    questions: [{ name: 'rewards', title: 'what parties were rewarded', needsParty: false }],
  });
  const session = createSession(
    {
      screen: { columns: 80, rows: 24 },
      tab: 'history',
      label: isNamed ? 'demo' : '',
      destination: '.',
      nowMs: world.clockMs,
      files: { ...FILES, ...(table !== undefined && { table }) },
      isNodeUnasked: !isNamed,
    },
    world,
  );
  for (let turn = 0; turn < 4; turn++) await told();
  return { session, world };
}

describe('Explorer opened on a table', () => {
  it('The explorer opened on a table returns to it by Esc from an answer, and ends by Esc from the table', async () => {
    const { session } = await opened();
    const pressed = async (...keys: readonly string[]): Promise<void> => {
      press(session, ...keys);
      for (let turn = 0; turn < 4; turn++) await told();
    };
    await pressed('a', 'enter');
    expect(viewerOf(session)?.opening.question?.name).toBe('rewards');
    await pressed('esc');
    expect(session.state().isEnded).toBe(false);
    expect(viewerOf(session)?.opening.question).toBeNull();
    await pressed('esc');
    expect(session.state().isEnded).toBe(true);
  });

  it('The explorer opened on a table shows it, and contacts no node whatever is done with the table', async () => {
    const { session, world } = await opened();
    const pressed = async (...keys: readonly string[]): Promise<void> => {
      for (const key of keys) {
        press(session, key);
        await told();
        await told();
      }
    };
    await pressed(
      'j',
      'G',
      's',
      'enter',
      'F',
      'enter',
      'esc',
      'C',
      'enter',
      'esc',
      '=',
      'enter',
      'x',
      'T',
      'j',
      'enter',
    );
    await pressed('enter', 'esc', 'y', 'esc', '?', 'esc', 'L', 'esc', ':');
    type(session, 'find 1000111');
    await pressed('enter', 'r', HISTORY_KEY);
    for (let turn = 0; turn < 4; turn++) await told();
    expect(viewerOf(session)?.files.status).toBe('open');
    expect(session.state().node.status).toBe('unasked');
    expect(world.connections).toHaveLength(0);
    expect(world.segments).toHaveLength(0);
  });

  it('The explorer opened on a table ends by Esc, also while it is being opened and when it cannot be opened', async () => {
    const { session } = await opened();
    press(session, 'F', 'enter', 'esc');
    expect(session.state().isEnded).toBe(false);
    press(session, 'esc');
    expect(session.state().isEnded).toBe(true);
    const opening = await opened();
    press(opening.session, 'r', 'esc');
    expect(opening.session.state().isEnded).toBe(true);
    const failed = await opened({ table: 'nonsense' });
    expect(viewerOf(failed.session)?.files).toMatchObject({
      status: 'failed',
      problem: 'it contains no table "nonsense"',
      hint: 'the tables are ledger, rewards',
    });
    press(failed.session, 'esc');
    expect(failed.session.state().isEnded).toBe(true);
  });

  it.each([['1'], ['tab'], [':', 'what 5', 'enter'], [':', 'fees', 'enter'], [':', 'node demo', 'enter']])(
    'The explorer opened on a table contacts a node on demand, and keeps the table: %s %s',
    async (...keys) => {
      const { session } = await opened();
      for (const key of keys) {
        if (key.length > 1 && key !== 'tab' && key !== 'enter') type(session, key);
        else press(session, key);
        await told();
      }
      for (let turn = 0; turn < 4; turn++) await told();
      expect(session.state().node.status).not.toBe('unasked');
      expect(viewerOf(session)).not.toBeNull();
    },
  );

  it('The explorer opened on a table uses a node that was given, and closes to its export tab', async () => {
    const { session } = await opened({ isNamed: true });
    expect(session.state().node.status).toBe('ready');
    press(session, 'esc');
    expect(session.state()).toMatchObject({ isEnded: false, tab: 'history' });
    expect(layersOf(session)).toEqual([]);
  });

  it('The explorer opened on a table begins with the table that was given', async () => {
    const { session } = await opened({ table: 'rewards' });
    const files = viewerOf(session)?.files;
    expect(files?.status === 'open' && files.view.table).toBe(1);
  });
});
