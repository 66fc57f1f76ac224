import { describe, expect, it } from 'vitest';
import { fieldText } from '../../src/session/model/mode.ts';
import type { Session } from '../../src/session/session.ts';
import { end, exporting } from './export-scenes.ts';
import { fakeTables } from './fake-tables.ts';
import { FakeWorld, press, told } from './fake-world.ts';
import { type } from './list-scenes.ts';

const PARTY = 'a1'.repeat(32);
const OTHER = 'b2'.repeat(32);

/** An export has ended that answers two questions, the first of which is asked of a party. */
async function ended(): Promise<Session> {
  const world = new FakeWorld();
  world.source = fakeTables();
  const questions = [
    { name: 'received', title: 'what a party received', needsParty: true },
    { name: 'balance', title: 'what lay there', needsParty: true },
  ];
  world.offersFor = async () => ({ hasEngine: true, questions });
  const { session } = await exporting(world);
  await end(world);
  await told();
  return session;
}

async function pressed(session: Session, ...keys: readonly string[]): Promise<void> {
  press(session, ...keys);
  await told();
  await told();
}

const askedOf = (session: Session): string | undefined => session.state().viewer?.asked.question?.party;

describe('whom a question is asked of', () => {
  it('is proposed the next time, and taken by Enter', async () => {
    const session = await ended();
    await pressed(session, 'a', 'enter');
    expect(fieldText(session.state())).toBe('');
    session.paste(PARTY);
    await pressed(session, 'enter');
    expect(askedOf(session)).toBe(PARTY);
    await pressed(session, 'esc', 'a', 'j', 'enter');
    expect(fieldText(session.state())).toBe(PARTY);
    await pressed(session, 'enter');
    expect(session.state().viewer?.asked.question).toMatchObject({ name: 'balance', party: PARTY });
  });

  it('is proposed when it was pasted onto the result, too', async () => {
    const session = await ended();
    session.paste(PARTY);
    await told();
    await pressed(session, 'esc', 'a', 'enter');
    expect(fieldText(session.state())).toBe(PARTY);
  });

  it('is another by a paste in the place of the proposed one, or by what is typed', async () => {
    const session = await ended();
    session.paste(PARTY);
    await told();
    await pressed(session, 'esc', 'a', 'enter');
    session.paste(OTHER);
    expect(fieldText(session.state())).toBe(OTHER);
    await pressed(session, 'enter');
    expect(askedOf(session)).toBe(OTHER);
    await pressed(session, 'esc', 'a', 'enter');
    type(session, `${fieldText(session.state())}x`);
    expect(fieldText(session.state())).toBe('x');
    await pressed(session, 'enter');
    expect(askedOf(session)).toBeUndefined();
    await pressed(session, 'esc', 'a', 'enter');
    expect(fieldText(session.state())).toBe(OTHER);
  });
});
