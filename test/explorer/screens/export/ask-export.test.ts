import { describe, expect, it } from 'vitest';
import { NO_NAMES } from '../../../../src/chain/directory/directory.ts';
import { NOTHING_MINE } from '../../../../src/chain/directory/mine.ts';
import type { Session } from '../../../../src/explorer/app/session.ts';
import { parseParty, proposedParty } from '../../../../src/explorer/services/names/party.ts';
import { end, exporting, wizardOf } from '../../support/export-scenes.ts';
import { FakeWorld, press, startSession, told } from '../../support/fake-world.ts';
import { overlayOf } from '../../support/layers.ts';
import { run, type } from '../../support/list-scenes.ts';
import { viewerOf } from '../../support/viewer-scenes.ts';

const PARTY = 'ab'.repeat(32);

async function exported(world = new FakeWorld()) {
  const { session } = await exporting(world);
  await end(world);
  await told();
  return { session, world };
}

/** What was opened to be looked at. */
const askedOf = (session: Session) => viewerOf(session)?.opening;

const received = { name: 'received', title: 'what a party received and sent', party: PARTY };

describe('Complete export in the explorer', () => {
  it('The o key opens a complete export in the viewer', async () => {
    const { session } = await exported();
    press(session, 'o');
    expect(askedOf(session)).toEqual({ paths: ['/out/x.zip'], isEvenIncomplete: false, question: null });
  });

  it('Pasting a party on a complete export shows what it received at once', async () => {
    const { session } = await exported();
    session.paste(`${PARTY.toUpperCase()}\n`);
    expect(askedOf(session)?.question).toEqual(received);
    await told();
    press(session, 'esc');
    expect(wizardOf(session).step).toBe('result');
  });

  it('The a key asks for a party when a query needs one, and runs the other queries at once', async () => {
    const { session } = await exported();
    press(session, 'a', 'enter');
    type(session, PARTY);
    press(session, 'enter');
    expect(askedOf(session)?.question).toEqual(received);
    press(session, 'esc');
    await told();
    press(session, 'a', 'j', 'enter');
    expect(askedOf(session)?.question).toMatchObject({ name: 'trades', party: '' });
  });

  it('Pasting something that is not a party on a complete export runs no query', async () => {
    const { session } = await exported();
    session.paste('hello');
    expect(askedOf(session)).toBeUndefined();
    expect(session.state().notice?.text).toContain('64 hexadecimal digits');
  });

  it('The party field keeps text that is not a party, and explains what a party is', async () => {
    const { session } = await exported();
    press(session, 'a', 'enter');
    type(session, PARTY.slice(1));
    press(session, 'enter');
    expect(askedOf(session)).toBeUndefined();
    const problem = expect.stringContaining('64 hexadecimal digits');
    expect(overlayOf(session.state())).toMatchObject({ kind: 'prompt', value: PARTY.slice(1), problem });
    type(session, PARTY);
    press(session, 'enter');
    expect(askedOf(session)?.question).toEqual(received);
  });

  it('The party field accepts the name that the user gave to a party', async () => {
    const { session } = await exported();
    const { directory } = session.state();
    const state = { ...session.state(), directory: { ...directory, aliases: new Map([[PARTY, 'mine']]) } };
    expect([' mine ', '@mine', 'theirs'].map(typed => parseParty(state, typed))).toEqual([PARTY, PARTY, undefined]);
  });

  it('The party field proposes my party until another was asked for', () => {
    const party = 'b2'.repeat(32);
    const directory = { ...NO_NAMES, mine: { ...NOTHING_MINE, party: new Set([party]) } };
    expect(proposedParty({ directory, partyRequest: { party: '' } })).toBe(party);
    expect(proposedParty({ directory, partyRequest: { party: PARTY } })).toBe(PARTY);
    expect(proposedParty({ directory: NO_NAMES, partyRequest: { party: '' } })).toBe('');
  });

  it('A complete export explains in one sentence how to install the SQL engine when it is missing', async () => {
    const world = new FakeWorld();
    world.offerFor = async () => ({ hasEngine: false, questions: [] });
    const { session } = await exported(world);
    for (const key of ['o', 'a']) {
      press(session, key);
      expect(askedOf(session)).toBeUndefined();
      expect(session.state().notice?.text).toContain('npm install -g @duckdb/node-api');
    }
    session.paste(PARTY);
    expect(session.state().notice?.text).toContain('npm install -g @duckdb/node-api');
  });

  it('An export that broke off offers neither the viewer nor queries', async () => {
    const { session, world } = await exporting();
    await end(world, { kind: 'cancelled', partPath: '/tmp/x.part', elapsedMs: 1 });
    await told();
    press(session, 'o');
    session.paste(PARTY);
    expect(askedOf(session)).toBeUndefined();
    expect(session.state().offers).toBeNull();
  });
});

describe(':view command', () => {
  it('The :view command opens a path on the disk from any tab, and sends no request to the node', async () => {
    const { session, world } = await startSession();
    run(session, 'view /data/my exports');
    expect(askedOf(session)).toEqual({ paths: ['/data/my exports'], isEvenIncomplete: false, question: null });
    expect(world.segments).toHaveLength(0);
    await told();
    press(session, 'esc');
    run(session, 'view --even-incomplete x.part');
    expect(askedOf(session)).toMatchObject({ paths: ['x.part'], isEvenIncomplete: true });
  });
});
