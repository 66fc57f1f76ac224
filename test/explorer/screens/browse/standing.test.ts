import { describe, expect, it } from 'vitest';
import { RefusedError } from '../../../../src/chain/api/errors.ts';
import type { JsonObject } from '../../../../src/chain/api/json.ts';
import { tell } from '../../support/browse-scenes.ts';
import { answerPage, browserOf, last, press, startSession, told } from '../../support/fake-world.ts';
import { paintedLines, plain } from '../../support/frame.ts';
import { showing } from '../../support/list-scenes.ts';
import { hexId, pageOf, provision } from '../../support/provision-pages.ts';

async function provisions(rows: readonly JsonObject[], filters: readonly string[] = []) {
  const { session, world } = await showing(pageOf([provision(1)]), { columns: 140, rows: 40 });
  if (filters.length > 0) {
    session.dispatch({ type: 'open-prompt', id: 'command' });
    session.dispatch({ type: 'type-text', value: `provisions ${filters.join(' ')}` });
    press(session, 'enter');
    await answerPage(world, pageOf(rows));
  } else {
    press(session, 'r');
    await answerPage(world, pageOf(rows));
  }
  return session;
}

const screen = (session: Awaited<ReturnType<typeof provisions>>): string =>
  paintedLines(session.state()).map(plain).join('\n');
const [MARKET, PARTY] = [hexId(77), hexId(78)];
const pending = { status: 'STATUS_PENDING', updatedAt: '1799999800000000000' };

describe('Status of a provision', () => {
  it('A provision version that a later row of the page replaces is marked, with the version that replaces it', async () => {
    const rows = [provision(1, { version: '2' }), provision(1, { ...pending, version: '2' }), provision(2)];
    const session = await provisions(rows);
    expect(screen(session).match(/was PENDING/g)?.length).toBe(1);
    expect(screen(session)).not.toContain('was ACTIVE');
    press(session, 'j', 'enter');
    await told();
    expect(screen(session)).toContain('superseded: version 2 on this page is STATUS_ACTIVE');
    expect(screen(session)).not.toContain('pending:');
  });

  it.each([
    ['a first version has none in force before it', [], { version: '1' }, /none is active before it/],
    [
      'the live list shows it instead of the current version',
      ['market=ab', 'live=true'],
      { version: '2' },
      /instead of the current version/,
    ],
    [
      'every version is listed, so nothing stands in place of another',
      ['market=ab', 'live='],
      { version: '2' },
      /no row on this page shows that it took effect/,
    ],
    [
      'a commitment of nothing is a cancellation',
      ['market=ab', 'live='],
      { version: '2', commitmentAmount: '0' },
      /is a cancellation/,
    ],
  ])('A pending provision row is described: %s', async (_, filters, members, sentence) => {
    const session = await provisions([provision(1, { ...pending, ...members })], filters);
    press(session, 'enter');
    await told();
    expect(screen(session)).toMatch(sentence);
    expect((screen(session).match(/in place of/g) ?? []).length).toBe(/in place of/.test(sentence.source) ? 1 : 0);
  });
});

describe('Versions of provisions', () => {
  it('All versions of provisions are shown by one key, and the current ones by the same key again', async () => {
    const { session, world } = await showing(pageOf([provision(1)]));
    tell(session, { type: 'set-filter', name: 'marketId', value: hexId(5) });
    await answerPage(world, pageOf([provision(1)]));
    press(session, 'a');
    expect(last(world.pages).asked.request).toMatchObject({
      filters: { marketId: [hexId(5)] },
      position: { kind: 'first' },
    });
    await answerPage(world, pageOf([provision(1, { version: '3' }), provision(1, { version: '2' })]));
    expect(screen(session)).toContain('live: every version');
    expect(screen(session)).toContain('was ACTIVE (now 3)');
    press(session, 'a');
    expect(last(world.pages).asked.request.filters).toEqual({ marketId: [hexId(5)], live: ['true'] });
  });

  it('Versions exist only for provisions, and the key says so in other lists', async () => {
    const { session } = await showing(pageOf([]), { tab: 'oracles' });
    press(session, 'a');
    expect(session.state().notice?.text).toBe('this list has no versions');
  });

  it('A list that lacks versions because the node has only one list comes with a note', async () => {
    const { session, world } = await startSession();
    last(world.pages).answer({ page: pageOf([]), facts: { rate: {} }, size: 50, note: 'the pending one alone' });
    await told();
    expect(session.state().notice?.text).toBe('the pending one alone');
  });
});

describe('Provisions and fees of parties', () => {
  const version = (members: JsonObject) => provision(1, { partyId: PARTY, marketId: MARKET, ...members });
  const leaving = {
    ...version({ commitmentAmount: '300', version: '2' }),
    pending: version({ ...pending, commitmentAmount: '0', version: '3' }),
  };
  const other = { ...provision(2, { marketId: MARKET, commitmentAmount: '700' }), pending: null };
  const inner = 'partyID: , marketID: , reference: : market or party filters are required';
  const detail = { type: 'vega.ErrorDetail', code: '280001', message: 'failed', inner, rest: {} };
  const fault = { code: 13, message: 'Internal error', details: [detail] };

  it('Finding the provisions of a party takes four keys, and the other providers on that market two more', async () => {
    const { session, world } = await startSession({ tab: 'parameters', columns: 100 });
    press(session, '2');
    last(world.pages).fail(new RefusedError(500, fault, { url: 'http://n/', hint: '' }));
    await told();
    await answerPage(world, pageOf([]));
    press(session, 'f', 'tab');
    session.paste(PARTY);
    press(session, 'enter');
    expect(last(world.pages).asked.request.filters).toEqual({ partyId: [PARTY], live: ['true'] });
    await answerPage(world, pageOf([leaving]));
    const mine = screen(session);
    for (const title of ['MARKET', 'STATUS', 'COMMITMENT', 'FEE']) expect(mine).toContain(title);
    expect(mine).toMatch(/ACTIVE -> 0 +300 +0\.1 %/);
    press(session, 'g', 'enter');
    expect(last(world.pages).asked.request.filters).toEqual({ marketId: [MARKET], live: ['true'] });
    await answerPage(world, pageOf([leaving, other]));
    expect(screen(session)).toMatch(/ACTIVE -> 0 +300 .* 30\.0 %/);
    expect(screen(session)).toMatch(/ACTIVE +700 .* 70\.0 %/);
  });
});

describe('Paid fees', () => {
  const fee = {
    market: hexId(1),
    asset: hexId(2),
    epochSeq: '4',
    totalFeesPaid: '10',
    feesPaidPerParty: [{ party: hexId(3), amount: '4' }],
  };

  it('The order of paid fees can be chosen only within a market and asset, and is lost with them', async () => {
    const { session, world } = await showing(pageOf([fee]), { tab: 'fees' });
    press(session, 'o');
    expect(session.state().notice?.text).toMatch(/same epoch/);
    press(session, '=', 'tab', 'tab', 'ctrl-u', 'enter');
    await answerPage(world, pageOf([fee]));
    press(session, 'o');
    expect(last(world.pages).asked.request.newestFirst).toBe(false);
    await answerPage(world, pageOf([fee]));
    press(session, 'x');
    expect(last(world.pages).asked.request.newestFirst).toBe(true);
    expect(browserOf(session).newestFirst).toBe(true);
  });

  it('Fees filtered by parties state in table and inspector what is counted', async () => {
    const { session, world } = await showing(pageOf([fee]), { tab: 'fees', columns: 140, rows: 30 });
    expect(screen(session)).toMatch(/EPOCH +MARKET .* TOTAL, .* +PARTIES +TOP PARTY/);
    press(session, 'f', 'shift-tab');
    session.dispatch({ type: 'type-text', value: `${hexId(3)} ${hexId(9)}` });
    press(session, 'enter');
    await answerPage(world, pageOf([fee]));
    expect(screen(session)).toMatch(/AMOUNT, .* +SHARE +MARKET TOTAL, .* +MATCHING/);
    press(session, 'enter', 'j', 'space');
    expect(screen(session)).toContain('the total covers the whole market; below: 1 of the 2 requested');
  });
});
