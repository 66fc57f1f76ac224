import { describe, expect, it } from 'vitest';
import { open } from '../../../../src/explorer/openings.ts';
import { tabKey } from '../../../support/tabs.ts';
import { FakeWorld, last, press, told } from '../../support/fake-world.ts';
import { renderFrame } from '../../support/frame.ts';
import {
  ANSWERS,
  ESTIMATE,
  earned,
  endFetch,
  NOTHING_FETCHED,
  onEarned,
  PARTY,
  STORED,
  storedTable,
} from '../../support/history-scenes.ts';
import { overlayOf } from '../../support/layers.ts';
import { insert, run, showing } from '../../support/list-scenes.ts';
import { feesOf } from '../../support/paid-fees.ts';
import { pageOf, provision } from '../../support/provision-pages.ts';

type Session = Awaited<ReturnType<typeof onEarned>>['session'];

const frame = (session: Session) => renderFrame(session.state());
const topOf = (session: Session) => session.state().layers.at(-1);

const WHOLE = ['ledger', 'balances', 'rewards', 'trades'].map(table => storedTable(table, 5000));

describe('What a party earned', () => {
  it('What a party earned is shown with its range and the ends of it', async () => {
    const { session } = await earned();
    const text = frame(session);
    expect(text).toMatch(/What it earned .* party ababa\.\.babab .* range all on disk/);
    expect(text).toContain('on disk: ledger; blocks 1-5000, rows of 2023-01-18 01:08 to 2023-01-18 01:38');
    expect(text).toMatch(/Received and sent\n +asset +received\n +HUSD +1 234\.50/);
    expect(text).toMatch(/Fees\n +nothing in this range/);
    expect(text).toContain('These exports have no table rewards.');
  });

  it('What a party earned says what is not on disk, and F fetches it', async () => {
    const { session, world } = await onEarned({ stored: NOTHING_FETCHED });
    expect(frame(session)).toContain('Nothing is on disk yet');
    expect(frame(session)).toContain('not on disk: ledger, balances, rewards, trades; F fetches it: 7 segments');
    expect(world.earnings).toHaveLength(0);
    press(session, 'F');
    await told();
    expect(last(world.fetches).asked.request.tables).toEqual(['ledger', 'balances', 'rewards', 'trades']);
  });

  it('What a party earned in a range is fetched for that range alone, which is said', async () => {
    const { session, world } = await onEarned({ stored: NOTHING_FETCHED });
    const estimates = world.estimates.length;
    press(session, 'e');
    insert(session, '2026');
    press(session, 'enter');
    await told();
    expect(world.estimates.slice(estimates).map(({ asked }) => asked)).toEqual(['2026']);
    last(world.estimates).answer(ESTIMATE);
    await told();
    expect(frame(session)).toContain('not on disk: ledger, balances, rewards, trades of 2026; F fetches it: 7');
    press(session, 'F');
    await told();
    expect(last(world.fetches).asked.request).toMatchObject({ range: '2026', title: 'what a party earned of 2026' });
  });

  it('What a party earned is answered by itself once the fetch has ended', async () => {
    const { session, world } = await onEarned({ stored: NOTHING_FETCHED });
    press(session, 'F');
    await told();
    world.stored = { ...STORED, tables: WHOLE };
    await endFetch(session, world);
    await told();
    expect(last(world.earnings).asked).toEqual({ folder: '/data/fake-chain-1', party: PARTY, range: 'all' });
    last(world.earnings).answer(ANSWERS);
    await told();
    expect(frame(session)).toContain('1 234.50');
  });

  it('What a party received in a range of epochs takes four keys from a party, not counting the epochs', async () => {
    const world = new FakeWorld();
    world.stored = STORED;
    const { session } = await showing(pageOf([provision(1)]), { world });
    let keys = 0;
    const key = (name: string): void => {
      keys++;
      press(session, name);
    };
    key('g');
    key('E');
    await told();
    last(world.earnings).answer(ANSWERS);
    await told();
    key('e');
    insert(session, 'e20..e25');
    key('enter');
    await told();
    expect(last(world.earnings).asked.range).toBe('e20..e25');
    expect(keys).toBeLessThanOrEqual(4);
  });

  it('A page for the accountant takes four keys from a party, not counting the year', async () => {
    const world = new FakeWorld();
    world.stored = STORED;
    const { session } = await showing(pageOf([provision(1)]), { world });
    press(session, 'g', 'E');
    await told();
    last(world.earnings).answer(ANSWERS);
    await told();
    press(session, 'R');
    insert(session, '2026');
    press(session, 'enter');
    await told();
    expect(overlayOf(session.state())).toMatchObject({ kind: 'value' });
    expect(frame(session)).toMatch(/2026/);
  });

  it('What a party earned is opened by E on a statement, by :earned, and not for a market', async () => {
    const { session, world } = await onEarned();
    session.dispatch(open('statement', { party: PARTY, market: '', asset: '' }));
    await told();
    last(world.statements).answer(feesOf(last(world.statements).asked.question, 3));
    await told();
    press(session, 'E');
    expect(topOf(session)?.screen).toBe('earned');
    session.dispatch(open('statement', { party: '', market: PARTY, asset: '' }));
    press(session, 'E');
    expect(session.state().notice?.text).toBe('this statement is not about a party');
    run(session, `earned ${PARTY}`);
    expect(topOf(session)).toMatchObject({ screen: 'earned', state: { party: PARTY } });
  });

  it('The page of what a party earned can be asked for before the answer, and is written after it', async () => {
    const { session, world } = await onEarned();
    press(session, 'R', 'enter');
    await told();
    expect(topOf(session)?.screen).toBe('earned');
    last(world.earnings).answer(ANSWERS);
    await told();
    expect(overlayOf(session.state())).toMatchObject({ kind: 'value', title: 'Report' });
  });

  it('The party of what it earned is proposed by the report on the History tab', async () => {
    const { session } = await earned();
    press(session, 'esc', tabKey('history'));
    await told();
    press(session, 'R');
    expect(frame(session)).toMatch(/report on party .*: …(?:ab){15}/);
  });

  it('What a party earned refuses a range that it does not know', async () => {
    const { session, world } = await earned();
    press(session, 'e');
    insert(session, 'next year');
    press(session, 'enter');
    expect(overlayOf(session.state())).toMatchObject({ kind: 'prompt' });
    expect(world.earnings).toHaveLength(1);
  });

  it('What a party earned opens the rows of an answer with its party and range', async () => {
    const { session } = await earned();
    press(session, 'enter', 'enter');
    expect(topOf(session)).toMatchObject({
      screen: 'viewer',
      state: { opening: { question: { name: 'received', party: PARTY, range: 'all' } } },
    });
  });

  it('What a party earned says how to have an engine', async () => {
    const { session, world } = await onEarned({ stored: { ...STORED, hasEngine: false } });
    expect(frame(session)).toContain('npm install -g @duckdb/node-api');
    expect(world.earnings).toHaveLength(0);
  });

  it('What a party earned says why it cannot be answered, and r asks again', async () => {
    const { session, world } = await onEarned();
    last(world.earnings).fail(new Error('ledger has changed'));
    await told();
    expect(frame(session)).toContain('ledger has changed');
    press(session, 'r');
    await told();
    expect(world.earnings).toHaveLength(2);
  });
});
