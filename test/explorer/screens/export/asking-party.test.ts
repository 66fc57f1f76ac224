import { describe, expect, it } from 'vitest';
import { copyItems } from '../../../../src/explorer/app/copying.ts';
import { focusedField } from '../../../../src/explorer/app/focus.ts';
import type { Session } from '../../../../src/explorer/app/session.ts';
import { end, exporting } from '../../support/export-scenes.ts';
import { fakeTables } from '../../support/fake-tables.ts';
import { FakeWorld, press, told } from '../../support/fake-world.ts';
import { overlayOf } from '../../support/layers.ts';
import { insert, type } from '../../support/list-scenes.ts';
import { tableOf, viewerOf, viewing } from '../../support/viewer-scenes.ts';

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
  world.offerFor = async () => ({ hasEngine: true, questions });
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

const fieldOf = (session: Session): string => focusedField(session.state()).text;

const askedOf = (session: Session): string | undefined => viewerOf(session)?.opening.question?.party;

describe('Party of a query', () => {
  it('The party of a query is proposed the next time, and accepted by Enter', async () => {
    const session = await ended();
    await pressed(session, 'a', 'enter');
    expect(fieldOf(session)).toBe('');
    session.paste(PARTY);
    await pressed(session, 'enter');
    expect(askedOf(session)).toBe(PARTY);
    await pressed(session, 'esc', 'a', 'j', 'enter');
    expect(fieldOf(session)).toBe(PARTY);
    await pressed(session, 'enter');
    expect(viewerOf(session)?.opening.question).toMatchObject({ name: 'balance', party: PARTY });
  });

  it('The party of a query is also proposed when it was pasted onto the result', async () => {
    const session = await ended();
    session.paste(PARTY);
    await told();
    await pressed(session, 'esc', 'a', 'enter');
    expect(fieldOf(session)).toBe(PARTY);
  });

  it('The proposed party of a query is replaced by a paste, or by what is typed', async () => {
    const session = await ended();
    session.paste(PARTY);
    await told();
    await pressed(session, 'esc', 'a', 'enter');
    session.paste(OTHER);
    expect(fieldOf(session)).toBe(OTHER);
    await pressed(session, 'enter');
    expect(askedOf(session)).toBe(OTHER);
    await pressed(session, 'esc', 'a', 'enter');
    insert(session, 'x');
    expect(fieldOf(session)).toBe('x');
    await pressed(session, 'enter');
    expect(askedOf(session)).toBeUndefined();
    await pressed(session, 'esc', 'a', 'enter');
    expect(fieldOf(session)).toBe(OTHER);
  });
});

describe('Queries on a table in the viewer', () => {
  const questions = [
    { name: 'fills', title: 'the trades of a party', needsParty: true },
    { name: 'trades', title: 'trades by market', needsParty: false },
  ];

  it('A table in the viewer is queried by a, and Esc from the answer opens it again', async () => {
    const { session } = await viewing({ table: { questions, tables: ['ledger', 'trades'] } });
    await pressed(session, 'T', 'j', 'enter', 'a', 'enter');
    session.paste(PARTY);
    await pressed(session, 'enter');
    expect(viewerOf(session)?.opening).toMatchObject({
      paths: ['/out/ledger.zip'],
      question: { name: 'fills', party: PARTY },
    });
    await pressed(session, ':');
    type(session, 'range e20..e25');
    await pressed(session, 'enter');
    expect(viewerOf(session)?.opening.question).toMatchObject({ name: 'fills', party: PARTY, range: 'e20..e25' });
    await pressed(session, 'a', 'j', 'enter');
    expect(viewerOf(session)?.opening.question).toMatchObject({ party: PARTY, range: 'all' });
    await pressed(session, 'a', 'j', 'j', 'enter');
    type(session, 'e22');
    await pressed(session, 'enter');
    expect(viewerOf(session)?.opening.question).toMatchObject({ party: PARTY, range: 'e22..e22' });
    await pressed(session, 'a', 'j', 'j', 'enter');
    expect(fieldOf(session)).toBe('e22..e22');
    await pressed(session, 'esc', 'a', 'enter');
    expect(viewerOf(session)?.opening.question?.range).toBeUndefined();
    expect(viewerOf(session)?.opening.question?.party).toBe(PARTY);
    await pressed(session, 'esc');
    expect(viewerOf(session)?.opening).toMatchObject({ question: null });
    expect(tableOf(session).table.name).toBe('trades');
    await pressed(session, 'a', 'enter');
    expect(fieldOf(session)).toBe(PARTY);
    await pressed(session, 'esc', 'esc');
    expect(viewerOf(session)).toBeNull();
  });

  it('A table in the viewer is as it was left when the answer over it is closed: files open, same row and order', async () => {
    const { session, source, world } = await viewing({ table: { questions } });
    await pressed(session, 's', 'enter');
    await pressed(session, 'j', 'j', 'j');
    const answer = fakeTables();
    world.source = answer;
    const left = viewerOf(session);
    await pressed(session, 'a', 'j', 'enter');
    expect(viewerOf(session)?.opening.question?.name).toBe('trades');
    expect([source.isClosed, answer.isClosed]).toEqual([false, false]);
    await pressed(session, 'esc');
    expect([source.isClosed, answer.isClosed]).toEqual([false, true]);
    expect(viewerOf(session)).toBe(left);
    expect(tableOf(session).view).toMatchObject({ row: 3, shown: { look: { sort: { isDescending: false } } } });
  });

  it('The query for what was received is split by reason and summed again, and its equal command says so', async () => {
    const received = { name: 'received', title: 'what a party received', needsParty: true };
    const { session } = await viewing({ table: { questions: [received], tables: ['ledger'] } });
    await pressed(session, 'a', 'enter');
    session.paste(PARTY);
    await pressed(session, 'enter');
    await pressed(session, 'a', 'enter');
    expect(viewerOf(session)?.opening.question).toMatchObject({ name: 'received', party: PARTY, isSplit: true });
    await pressed(session, ':');
    type(session, 'range e20..e21');
    await pressed(session, 'enter');
    const command = copyItems(session.state()).find(({ label }) => label === 'equal command')?.detail;
    expect(command).toBe(`blockglass answer received /out/ledger.zip --party ${PARTY} --from e20 --to e21 --types`);
    await pressed(session, 'a', 'enter');
    expect(viewerOf(session)?.opening.question).toMatchObject({ isSplit: false, range: 'e20..e21' });
    await pressed(session, ':');
    type(session, 'range e21..');
    await pressed(session, 'enter');
    const overlay = overlayOf(session.state());
    expect(overlay?.kind === 'prompt' && overlay.problem).toContain('range needs e20..e25');
  });

  it('A table in the viewer returns also without a node, from an answer that fails or is cancelled', async () => {
    for (const opens of [() => Promise.reject(new Error('no')), () => new Promise<never>(() => {})]) {
      const { session, world } = await viewing({ table: { questions } });
      const usual = world.opens;
      world.opens = opens;
      await pressed(session, 'a', 'j', 'enter');
      expect(viewerOf(session)?.files.status).not.toBe('open');
      world.opens = usual;
      await pressed(session, 'esc');
      expect(viewerOf(session)).toMatchObject({ opening: { question: null }, files: { status: 'open' } });
    }
  });

  it('A table in the viewer keeps the previous answer when another range is refused, and says why', async () => {
    const { session, world } = await viewing({ table: { questions } });
    await pressed(session, 'a', 'j', 'enter');
    const usual = world.opens;
    world.opens = (request, ...rest) =>
      request.question?.range === undefined
        ? usual(request, ...rest)
        : Promise.reject(Object.assign(new Error('epoch 22 is not known'), { hint: 'give a date' }));
    await pressed(session, ':');
    type(session, 'range e22..e23');
    await pressed(session, 'enter');
    await told();
    expect(viewerOf(session)).toMatchObject({ opening: { question: { name: 'trades' } }, files: { status: 'open' } });
    expect(viewerOf(session)?.opening.question?.range).toBeUndefined();
    expect(session.state().notice?.text).toBe('epoch 22 is not known; give a date');
  });

  it('A query on a table in the viewer says so when no ready question fits the table', async () => {
    const { session } = await viewing();
    await pressed(session, 'a');
    expect(session.state().notice?.text).toBe('no ready question uses these tables');
  });
});
