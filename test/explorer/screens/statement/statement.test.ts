import { describe, expect, it } from 'vitest';
import { RateLimitedError, RefusedError } from '../../../../src/chain/api/errors.ts';
import type { Session } from '../../../../src/explorer/app/session.ts';
import { prepareStatement, type ShownStatement } from '../../../../src/explorer/screens/statement/state.ts';
import { answerPage, type FakeWorld, last, press, startSession, told } from '../../support/fake-world.ts';
import { listsOf, menuItems, overlayOf, topState } from '../../support/layers.ts';
import { run, showing } from '../../support/list-scenes.ts';
import { feesOf } from '../../support/paid-fees.ts';
import { hexId, pageOf, provision } from '../../support/provision-pages.ts';

const MARKET = hexId(1);
const PARTY = hexId(3);

const fee = {
  market: MARKET,
  asset: hexId(2),
  epochSeq: '4',
  totalFeesPaid: '10',
  feesPaidPerParty: [
    { party: PARTY, amount: '4' },
    { party: hexId(4), amount: '6' },
  ],
};

const onFees = (row: object = fee) => showing(pageOf([JSON.parse(JSON.stringify(row))]), { tab: 'fees' });

const asked = (world: FakeWorld) => last(world.statements).asked.question;

async function opened(epochs = 30) {
  const scene = await onFees();
  press(scene.session, 'T');
  last(scene.world.statements).answer(feesOf(asked(scene.world), epochs));
  await told();
  return scene;
}

const viewOf = (session: Session): ShownStatement | null => topState(session.state(), 'statement') ?? null;

function madeOf(session: Session) {
  const view = viewOf(session);
  const made = view === null ? undefined : prepareStatement(view, session.state().directory);
  if (made === undefined) throw new Error('no statement is made');
  return made;
}

describe('T key', () => {
  it('The T key on a paid fee requests the statement of its market, once', async () => {
    const { session, world } = await onFees();
    press(session, 'T');
    expect(asked(world)).toEqual({
      party: '',
      market: MARKET,
      asset: '',
      epochs: { kind: 'last', count: 10 },
    });
    expect(world.statements.length).toBe(1);
    expect(viewOf(session)).toMatchObject({ status: 'asking', progress: null });
    last(world.statements).asked.onProgress({ request: 2, of: 5 });
    expect(viewOf(session)).toMatchObject({ status: 'asking', progress: { request: 2, of: 5 } });
    expect(world.statements.length).toBe(1);
  });

  it('The T key on fees of a party requests the statement of the party, on the filtered market', async () => {
    const { session, world } = await onFees();
    run(session, `fees parties=${PARTY} market=${MARKET}`);
    await answerPage(world, pageOf([JSON.parse(JSON.stringify(fee))]));
    press(session, 'T');
    expect(asked(world)).toMatchObject({ party: PARTY, market: MARKET, asset: '' });
  });

  it('The T key on a party in the record requests the statement of the party', async () => {
    const { session, world } = await onFees();
    press(session, 'enter', '/');
    session.dispatch({ type: 'type-text', value: PARTY.slice(-8) });
    press(session, 'enter', 'G', 'T');
    expect(asked(world)).toMatchObject({ party: PARTY, market: '' });
  });

  it('The T key on a provision requests the statement of its party', async () => {
    const { session, world } = await showing(pageOf([provision(7)]));
    press(session, 'T');
    expect(asked(world)).toMatchObject({ party: String(provision(7).partyId), market: '' });
  });

  it.each(['parameters', 'bundles', 'oracles', 'markets'])('The T key on %s says what it is for', async tab => {
    const { session, world } = await showing(pageOf([{ id: '0a', key: 'k' }]), { tab });
    press(session, 'T');
    expect(session.state().notice?.text).toMatch(/T works only on paid fees and provisions/);
    expect(world.statements).toEqual([]);
  });

  it('The T key sends no request for an invalid ID', async () => {
    const { session, world } = await onFees({ ...fee, market: '../../secret' });
    press(session, 'T');
    expect(session.state().notice?.text).toBe('this row has no party and no market');
    expect(world.statements).toEqual([]);
  });
});

describe('Statement', () => {
  it('The statement shows the last ten epochs, requests all by a key, and goes back without a request', async () => {
    const { session, world } = await opened();
    expect(madeOf(session).statement.lines.length).toBe(10);
    expect(madeOf(session).statement.totals).toMatchObject([{ amount: '510', allocations: 10 }]);
    press(session, 'a');
    expect(viewOf(session)).toMatchObject({ status: 'asking', isAll: true });
    expect(asked(world).epochs).toEqual({ kind: 'all' });
    last(world.statements).answer(feesOf(asked(world), 30));
    await told();
    expect(madeOf(session).statement.lines.length).toBe(31);
    expect(viewOf(session)?.top).toBeGreaterThan(0);
    press(session, 'a');
    expect(madeOf(session).statement.lines.length).toBe(10);
    press(session, 'a');
    expect(madeOf(session).statement.lines.length).toBe(31);
    expect(world.statements.length).toBe(2);
  });

  it('The statement is closed by Esc to the very row, and a late answer changes nothing', async () => {
    const { session, world } = await onFees();
    const before = listsOf(session.state());
    press(session, 'T');
    const { signal, answer } = last(world.statements);
    press(session, 'esc');
    expect(signal.aborted).toBe(true);
    answer(feesOf(asked(world), 3));
    await told();
    expect(viewOf(session)).toBeNull();
    expect(listsOf(session.state())).toEqual(before);
  });

  it('The statement ignores the progress of a request for another one', async () => {
    const { session, world } = await onFees();
    press(session, 'T');
    const { onProgress } = last(world.statements).asked;
    session.paste(PARTY);
    onProgress({ request: 9, of: 9 });
    expect(viewOf(session)).toMatchObject({ question: { party: PARTY }, status: 'asking', progress: null });
  });

  it('The statement is closed by going to another tab', async () => {
    const { session } = await opened();
    press(session, '1');
    expect(viewOf(session)).toBeNull();
  });

  it('The statement is requested again by r, for the same epochs', async () => {
    const { session, world } = await opened();
    press(session, 'a');
    last(world.statements).answer(feesOf(asked(world), 30));
    await told();
    press(session, 'r');
    expect(world.statements.length).toBe(3);
    last(world.statements).answer(feesOf(asked(world), 40));
    await told();
    expect(madeOf(session).statement.lines.length).toBe(41);
  });

  it('The statement shows why it failed, and can be requested again', async () => {
    const { session, world } = await onFees();
    press(session, 'T');
    const fault = { message: 'no', details: [] };
    last(world.statements).fail(new RefusedError(500, fault, { url: 'http://n/x', hint: 'try again' }));
    await told();
    expect(viewOf(session)).toMatchObject({ status: 'failed', failure: { title: 'The node answered HTTP 500' } });
    press(session, 'r');
    expect(viewOf(session)?.status).toBe('asking');
  });

  it('The statement waits when the node reported too many requests', async () => {
    const { session, world } = await onFees();
    press(session, 'T');
    const retryAtMs = world.clockMs + 5000;
    last(world.statements).fail(new RateLimitedError('too many', { url: 'http://n/x', retryAtMs }));
    await told();
    expect(session.state().node.blockedUntilMs).toBe(retryAtMs);
    press(session, 'r');
    expect(session.state().notice?.text).toContain('5 s to wait');
    expect(world.statements.length).toBe(1);
  });

  it('The statement switches to a party whose ID is pasted', async () => {
    const { session, world } = await opened();
    session.paste(` ${PARTY.toUpperCase()}\n`);
    expect(asked(world)).toMatchObject({ party: PARTY, market: '' });
    session.paste('what is this?');
    expect(session.state().notice?.text).toContain('hex digits');
    expect(world.statements.length).toBe(2);
  });

  it('The statement is also opened by the command line, for a market when the ID is known as one', async () => {
    const { session, world } = await onFees();
    run(session, `statement ${MARKET}`);
    expect(asked(world)).toMatchObject({ party: '', market: MARKET });
    press(session, 'esc');
    run(session, `statement ${hexId(99)}`);
    expect(asked(world)).toMatchObject({ party: hexId(99), market: '' });
  });

  it('The statement is copied as CSV and JSON with every line, and as the command that makes it', async () => {
    const { session, world } = await opened();
    for (const name of ['CSV', 'TSV', 'Markdown', 'JSON', 'equal command']) {
      run(session, `copy ${name}`);
      await session.idle();
    }
    const [csv = '', tsv = '', markdown = '', json = '', equal] = world.copies.map(({ text }) => text);
    expect([csv, tsv].map(text => text.split('\r\n').length)).toEqual([12, 12]);
    expect(tsv.split('\t').length).toBe(csv.split(',').length);
    expect(markdown.trimEnd().split('\n').length).toBe(12);
    expect(JSON.parse(json).lines.length).toBe(10);
    expect(equal).toBe(`blockglass statement --demo --market ${MARKET} --last 10`);
    press(session, 'a');
    last(world.statements).answer(feesOf(asked(world), 30));
    await told();
    press(session, 'y');
    const all = overlayOf(session.state());
    const command =
      all?.kind === 'menu' ? menuItems(session.state(), all).find(({ label }) => label === 'equal command') : undefined;
    expect(command?.detail).toBe(`blockglass statement --demo --market ${MARKET}`);
  });

  it('The statement keeps its scroll position within its lines when the screen changes', async () => {
    const { session, world } = await opened(60);
    press(session, 'a');
    last(world.statements).answer(feesOf(asked(world), 60));
    await told();
    press(session, 'G');
    const bottom = viewOf(session)?.top ?? 0;
    session.dispatch({ type: 'resized', screen: { columns: 200, rows: 60 } });
    expect(viewOf(session)?.top).toBeLessThan(bottom);
    press(session, 'home');
    expect(viewOf(session)?.top).toBe(0);
  });
});

it('A statement cannot be opened on a list that was never loaded, which has no party or market', async () => {
  const { session, world } = await startSession({ tab: 'fees' });
  press(session, 'T');
  expect(session.state().notice?.text).toBe('this row has no party and no market');
  expect(world.statements).toEqual([]);
});
