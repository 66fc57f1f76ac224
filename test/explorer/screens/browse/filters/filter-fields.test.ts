import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../src/chain/api/json.ts';
import { focusedField } from '../../../../../src/explorer/app/focus.ts';
import { directoryWith, market } from '../../../../chain/directory/directories.ts';
import { tell } from '../../../support/browse-scenes.ts';
import { answerPage, browserOf, last, press, startSession } from '../../../support/fake-world.ts';
import { overlayOf } from '../../../support/layers.ts';
import { barTexts, insert, LIVE, onFirstPage, run, showing, type } from '../../../support/list-scenes.ts';
import { hexId, pageOf, provision, provisionPage } from '../../../support/provision-pages.ts';

const fee = (...parties: readonly string[]): JsonObject => ({
  market: hexId(1),
  asset: 'no hex',
  epochSeq: '4',
  totalFeesPaid: '10',
  feesPaidPerParty: parties.map(party => ({ party, amount: '1' })),
});

describe('Fields of the filter bar', () => {
  it('The fields of the filter bar are entered after their text, wherever the cursor was before', async () => {
    const { session } = await onFirstPage();
    press(session, 'f');
    insert(session, 'abc');
    press(session, 'left', 'left', 'tab', 'shift-tab');
    insert(session, 'd');
    expect(barTexts(session)?.[0]).toBe('abcd');
  });

  it('The fields of the filter bar hold the filters in force', async () => {
    const { session, world } = await onFirstPage();
    run(session, `provisions market=${hexId(5)} live=yes`);
    await answerPage(world, provisionPage(1));
    press(session, 'f');
    expect(barTexts(session)).toEqual([hexId(5), '', '', 'true']);
    expect(browserOf(session).filterBar).toMatchObject({
      field: 0,
      problem: null,
      suggestion: -1,
      typed: '',
      isOffered: false,
    });
  });

  it('The fields of the filter bar take a word for yes as text where text is wanted', async () => {
    const { session, world } = await onFirstPage();
    run(session, 'provisions reference=yes');
    expect(last(world.pages).asked.request.filters).toEqual({ ...LIVE, reference: ['yes'] });
    await answerPage(world, provisionPage(1));
    press(session, 'f', 'tab', 'tab');
    type(session, 'no');
    press(session, 'enter');
    expect(last(world.pages).asked.request.filters).toEqual({ ...LIVE, reference: ['no'] });
  });

  it('The fields of the filter bar take a name for the one ID that has it', async () => {
    const { session, world } = await startSession();
    await answerPage(world, provisionPage(1));
    const names = directoryWith({ markets: [[hexId(5), market({ code: 'HELDA/HUSD 05' })]] });
    session.dispatch({ type: 'directory-known', from: 'node', atMs: 0, names, isOld: false });
    press(session, 'f');
    type(session, 'helda/husd 05');
    press(session, 'enter');
    expect(last(world.pages).asked.request.filters).toEqual({ ...LIVE, marketId: [hexId(5)] });
  });

  it('The fields of the filter bar accept the beginning of the only name offered, and else report the problem', async () => {
    const { session, world } = await startSession();
    await answerPage(world, pageOf([provision(1)]));
    const names = directoryWith({
      markets: [
        [hexId(5), market({ code: 'HELDA/HUSD 05' })],
        [hexId(6), market({ code: 'HELDB/HUSD 05' })],
      ],
    });
    session.dispatch({ type: 'directory-known', from: 'node', atMs: 0, names, isOld: false });
    for (const several of ['he', 'held', 'nothing']) {
      press(session, 'f');
      type(session, several);
      press(session, 'enter');
      expect(browserOf(session).filterBar?.problem).toContain('market must be a market ID');
      press(session, 'esc');
    }
    press(session, 'f');
    type(session, 'heldb');
    press(session, 'tab', 'enter');
    expect(last(world.pages).asked.request.filters).toEqual({ ...LIVE, marketId: [hexId(6)] });
  });

  it('The fields of the filter bar offer true and false for a switch, and nothing when no ID is expected', async () => {
    const { session } = await onFirstPage();
    press(session, 'f', 'shift-tab', 'down');
    expect(focusedField(session.state()).text).toBe('true');
    press(session, 'down', 'down');
    expect(focusedField(session.state()).text).toBe('false');
    press(session, 'shift-tab', 'down');
    expect(focusedField(session.state()).text).toBe('');
    press(session, 'tab', 'tab', 'tab', 'tab', 'tab');
    expect(browserOf(session).filterBar).toMatchObject({ field: 3, suggestion: -1 });
  });

  it('The fields of the filter bar remember two hundred IDs of each kind, the last seen first, and no empty one', async () => {
    const { session, world } = await startSession();
    const rows = Array.from({ length: 300 }, (_, at) => provision(at, { partyId: at === 0 ? '' : hexId(at) }));
    await answerPage(world, pageOf(rows));
    const { seen } = session.state();
    expect(Object.keys(seen).toSorted()).toEqual(['market', 'party']);
    expect([seen.party?.length, seen.party?.[0]]).toEqual([200, hexId(1)]);
  });

  it('The fields of the filter bar are filled from the row, one ID each that the filter takes, and keep the rest', async () => {
    const { session, world } = await showing(pageOf([fee(hexId(7), hexId(8)), fee(hexId(7))]), { tab: 'fees' });
    press(session, '=');
    expect(barTexts(session)).toEqual([hexId(1), '', '4', '']);
    press(session, 'esc', 'j', '=');
    expect(barTexts(session)).toEqual([hexId(1), '', '4', hexId(7)]);
    press(session, 'esc');
    tell(session, { type: 'set-filter', name: 'epochSeq', value: '3' });
    await answerPage(world, pageOf([fee(hexId(7), hexId(8))]));
    press(session, '=');
    expect(barTexts(session)).toEqual([hexId(1), '', '3', '']);
  });

  it('The fields of the filter bar are filled from the column of their name, if another holds the same kind of ID', async () => {
    const [removed, submitter] = [`0x${'ab'.repeat(20)}`, `0x${'cd'.repeat(20)}`];
    const bundle = { oldSigner: removed, submitter, signatures: '0x', epochSeq: '1' };
    const { session } = await showing(pageOf([bundle]), { tab: 'bundles' });
    press(session, '=');
    expect(barTexts(session)).toEqual(['', submitter, '1']);
  });

  it('The fields of the filter bar are not filled from a row without an ID that a filter takes', async () => {
    const { session } = await showing(pageOf([{ id: hexId(1) }]), { tab: 'markets' });
    press(session, '=');
    expect(barTexts(session)).toBeUndefined();
    expect(session.state().notice?.text).toBe('no filter takes an id of this row');
  });

  it('The fields of the filter bar keep the filters in force when there is no row to take IDs from', async () => {
    const { session } = await showing(pageOf([]));
    press(session, '=');
    expect(barTexts(session)).toEqual(['', '', '', 'true']);
  });
});

describe('Clearing filters and search', () => {
  it('A cleared search without filters sends no request', async () => {
    const { session, world } = await onFirstPage();
    press(session, '/');
    type(session, 'reference-49');
    press(session, 'enter');
    const asked = world.pages.length;
    press(session, 'x');
    expect([browserOf(session).find, world.pages.length]).toEqual(['', asked]);
    expect(session.state().notice).toBeNull();
  });
});

describe('Command line of a list', () => {
  it.each([
    ['size 12x', 'a page has 1 to 5000 rows, not "12x"'],
    ['size x12', 'a page has 1 to 5000 rows, not "x12"'],
    ['  nxet  page ', 'no command "nxet  page": did you mean next page?'],
  ])('The command line reports what is wrong with %j', async (line, problem) => {
    const { session } = await onFirstPage();
    run(session, line);
    expect(overlayOf(session.state())).toMatchObject({ problem });
  });

  it.each([
    ['size 1', 1],
    ['size 1 000', 1000],
  ])('The command line accepts %j', async (line, pageSize) => {
    const { session } = await onFirstPage();
    run(session, line);
    expect(browserOf(session).pageSize).toBe(pageSize);
  });

  it('The command line has no column to sort by when there is no list', async () => {
    const { session } = await startSession({ tab: 'history' });
    run(session, 'sort fee');
    expect(overlayOf(session.state())).toMatchObject({ problem: 'no rows to sort here' });
  });

  it('The command line runs a key that is never off', async () => {
    const { session } = await onFirstPage();
    run(session, 'columns');
    expect(overlayOf(session.state())).toMatchObject({ kind: 'menu', id: 'columns' });
  });
});

describe('Copy requests', () => {
  it('A copy has an ID that nothing had before', async () => {
    const { session } = await onFirstPage();
    const before = session.state().lastId;
    session.dispatch({ type: 'copy', what: 'id', content: { kind: 'text', text: 'ab' } });
    expect(session.state()).toMatchObject({
      lastId: before + 1,
      copying: { requestId: before + 1, content: { kind: 'text', text: 'ab' }, what: 'id' },
    });
    await session.idle();
  });
});

describe('Disabled keys', () => {
  it('A disabled key is on again in the very millisecond that the node gave', async () => {
    const { session, world } = await onFirstPage();
    const { node } = session.state();
    session.dispatch({ type: 'ticked', nowMs: node.blockedUntilMs });
    press(session, 'r');
    expect(world.pages.length).toBe(2);
  });
});
