import { describe, expect, it } from 'vitest';
import { liquidityProvisions } from '../../../../../src/chain/resources/liquidity-provisions.ts';
import type { Row } from '../../../../../src/chain/resources/resource.ts';
import type { Session } from '../../../../../src/explorer/app/session.ts';
import { availableRows, selectedRow } from '../../../../../src/explorer/screens/browse/list/visible-rows.ts';
import { tell } from '../../../support/browse-scenes.ts';
import { answerPage, browserOf, last, press, told } from '../../../support/fake-world.ts';
import { LIVE, onFirstPage, onOnlyPage, type } from '../../../support/list-scenes.ts';
import { provisionPage } from '../../../support/provision-pages.ts';
import { answerWhole, gathered, onWholeList } from '../../../support/whole-scenes.ts';

const selected = (session: Session): Row | undefined => selectedRow(liquidityProvisions, browserOf(session));
const atHand = (session: Session) => availableRows(liquidityProvisions, browserOf(session));
const first = (session: Session, count: number) =>
  atHand(session)
    .rows.slice(0, count)
    .map(({ reference }) => reference);

async function find(session: Session, text: string): Promise<void> {
  press(session, '/');
  type(session, text);
  press(session, 'enter');
  await session.idle();
}

async function sortBy(session: Session, column: string, isDescending: boolean): Promise<void> {
  tell(session, { type: 'sort-by', column, isDescending });
  await session.idle();
}

describe('S key on a list', () => {
  it('The S key loads every row of the list as it is filtered and ordered, and shows them as one', async () => {
    const { session, world } = await onFirstPage();
    press(session, 'o');
    await answerPage(world, provisionPage(1));
    press(session, 'S');
    expect(last(world.wholes).asked).toMatchObject({
      resource: 'provisions',
      request: { filters: LIVE, newestFirst: false },
    });
    expect(atHand(session)).toMatchObject({ loaded: 50, isWhole: false });
    await answerWhole(session, world);
    expect(atHand(session)).toMatchObject({ loaded: 6000, isWhole: true });
    expect(atHand(session).rows.length).toBe(6000);
    press(session, 'G');
    expect(selected(session)?.reference).toBe('reference-5999');
  });

  it('The S key keeps the page, its keys and its cursor until everything is loaded', async () => {
    const { session, world } = await onFirstPage();
    press(session, 'j', 'j', 'S', 'j');
    const { onProgress } = last(world.wholes).asked;
    onProgress({ rows: 4000, pages: 8, waitMs: 0 });
    expect(browserOf(session).whole).toMatchObject({ status: 'gathering', rows: 4000, pages: 8 });
    expect(atHand(session).rows.length).toBe(50);
    await answerWhole(session, world);
    expect(selected(session)?.reference).toBe('reference-3');
  });

  it('The S key stays on the same record when rows were added before it meanwhile', async () => {
    const { session, world } = await onFirstPage();
    press(session, 'j', 'j', 'S');
    const list = gathered(6000, null, -4);
    await answerWhole(session, world, list);
    expect(selected(session)?.reference).toBe('reference-2');
    expect(browserOf(session).view.row).toBe(6);
  });

  it('The S key is undone by Esc or by S again, and late results change nothing', async () => {
    for (const key of ['esc', 'S']) {
      const { session, world } = await onFirstPage();
      const { page } = browserOf(session);
      press(session, 'S', key);
      const { signal, asked } = last(world.wholes);
      expect(signal.aborted).toBe(true);
      asked.onProgress({ rows: 1, pages: 1, waitMs: 0 });
      await answerWhole(session, world);
      expect(browserOf(session)).toMatchObject({ whole: null, page });
      expect(session.state().notice?.text).toBe('cancelled: the page is unchanged');
    }
  });

  it('The S key is undone to the very page, row and window where it was pressed', async () => {
    const { session, world } = await onFirstPage();
    press(session, 'n');
    await answerPage(world, provisionPage(2));
    press(session, 'j', 'j');
    const { page, view, behind } = browserOf(session);
    press(session, 'S');
    await answerWhole(session, world);
    press(session, 'G', 'S');
    expect(browserOf(session)).toMatchObject({ page, view, behind, whole: null });
    expect(world.pages.length).toBe(2);
  });

  it('The S key is undone to the record where it was pressed, wherever a newly chosen order has put it', async () => {
    const { session, world } = await onFirstPage();
    press(session, 'j', 'j', 'S');
    await answerWhole(session, world);
    await sortBy(session, 'commitment', true);
    press(session, 'home', 'S');
    expect(selected(session)?.reference).toBe('reference-2');
    expect(browserOf(session).view.row).toBe(47);
  });

  it('The S key explains why it does nothing: all rows are there, there are none, or a page is loading', async () => {
    const only = await onOnlyPage();
    press(only.session, 'S');
    expect(only.session.state().notice?.text).toBe('the whole list is loaded: s sorts');
    const { session, world } = await onFirstPage();
    press(session, 'n', 'S');
    expect(session.state().notice?.text).toBe('a page is loading');
    expect([...world.wholes, ...only.world.wholes]).toEqual([]);
  });

  it('The S key waits as long as the node says, and no other page is requested meanwhile', async () => {
    const { session, world } = await onFirstPage();
    press(session, 'S');
    last(world.wholes).asked.onProgress({ rows: 2000, pages: 2, waitMs: 4000 });
    expect(session.state().node.blockedUntilMs).toBe(world.clockMs + 4000);
    expect(browserOf(session).whole).toMatchObject({ waitUntilMs: world.clockMs + 4000 });
    press(session, 'G');
    expect(world.pages.length).toBe(1);
  });

  it('The S key does not shorten a wait that the node requested elsewhere', async () => {
    const { session, world } = await onFirstPage();
    press(session, 'S');
    const untilMs = world.clockMs + 9000;
    session.dispatch({ type: 'node-blocked', untilMs, atMs: world.clockMs });
    last(world.wholes).asked.onProgress({ rows: 2000, pages: 2, waitMs: 4000 });
    expect(session.state().node.blockedUntilMs).toBe(untilMs);
  });

  it('The S key reports when nothing arrived, and leaves the page as it is', async () => {
    const { session, world } = await onFirstPage();
    const { page } = browserOf(session);
    press(session, 'S');
    last(world.wholes).fail(new Error('connection reset'));
    await told();
    expect(session.state().notice).toEqual({
      text: 'the whole list could not be loaded: connection reset',
      tone: 'bad',
    });
    expect(browserOf(session)).toMatchObject({ page, whole: null });
  });

  it('The S key shows what arrived of a list that ended early or changed, and does not call it complete', async () => {
    const { session } = await onWholeList(gathered(5500, 'all rows of its first page have moved or gone'));
    expect(atHand(session)).toMatchObject({ loaded: 5500, isWhole: false });
    expect(browserOf(session).page?.flaws).toEqual(['all rows of its first page have moved or gone']);
  });

  it('The S key stops watching, and a whole list is not watched', async () => {
    const { session } = await onFirstPage();
    press(session, 'w', 'S', 'w');
    expect(browserOf(session).watchS).toBe(0);
    expect(session.state().notice?.text).toContain('a whole list is not watched');
  });

  it('The S key keeps one list whole at a time: another one goes back to its pages', async () => {
    const { session, world } = await onWholeList();
    session.dispatch({ type: 'go-to-resource', resource: 'bundles' });
    await answerPage(world, { ...provisionPage(1) });
    expect(browserOf(session, 'provisions').whole?.status).toBe('known');
    press(session, 'S');
    expect(browserOf(session, 'provisions')).toMatchObject({ whole: null, page: { number: 1 } });
  });
});

describe('Whole list', () => {
  it.each([
    ['r', 'reload', { position: { kind: 'first' }, size: 50 }],
    ['o', 'another order', { newestFirst: false, size: 50 }],
    ['a', 'another filter', { filters: {}, size: 50 }],
  ])('The whole list goes back to its pages by %s, %s', async (key, _, request) => {
    const { session, world } = await onWholeList();
    press(session, key);
    expect(browserOf(session).whole).toBeNull();
    expect(last(world.pages).asked.request).toMatchObject(request);
    await answerPage(world, provisionPage(2));
    expect(atHand(session)).toMatchObject({ loaded: 50, isWhole: false });
  });

  it.each(['n', ']', 'p', '[', '<', '>'])('The whole list has no pages, so that it is not lost by %s', async key => {
    const { session, world } = await onWholeList();
    const { whole, page } = browserOf(session);
    press(session, key);
    expect(browserOf(session)).toMatchObject({ whole, page });
    expect(session.state().notice?.text).toBe('a whole list has no pages: S goes back to them');
    expect(world.pages.length).toBe(1);
  });

  it('The whole list is sorted over all its rows, and the cursor stays on its record, in its line', async () => {
    const { session } = await onWholeList();
    for (let line = 0; line < 30; line++) press(session, 'j');
    const before = browserOf(session).view;
    await sortBy(session, 'commitment', true);
    const { view } = browserOf(session);
    expect(selected(session)?.reference).toBe('reference-30');
    expect(view.row - view.top).toBe(before.row - before.top);
    const amounts = atHand(session)
      .rows.slice()
      .map(({ commitmentAmount }) => Number(commitmentAmount));
    expect(amounts).toEqual(amounts.toSorted((one, other) => other - one));
    await sortBy(session, '', false);
    expect(selected(session)?.reference).toBe('reference-30');
    expect(first(session, 2)).toEqual(['reference-0', 'reference-1']);
  });

  it('The whole list is searched over all its rows, at each letter, and Esc shows all of them again', async () => {
    const { session } = await onWholeList();
    await find(session, 'reference-599');
    expect(atHand(session).rows.length).toBe(11);
    expect(selected(session)?.reference).toBe('reference-599');
    press(session, 'j', 'esc');
    await session.idle();
    expect(atHand(session).rows.length).toBe(6000);
    expect(selected(session)?.reference).toBe('reference-5990');
  });

  it('The whole list shows its rows as last found and sorted until that is done again', async () => {
    const { session, world } = await onWholeList();
    await find(session, 'reference-599');
    world.arrange = () => new Promise(() => {});
    tell(session, { type: 'sort-by', column: 'commitment' });
    expect(browserOf(session).whole).toMatchObject({ arranging: { step: 'find', find: 'reference-599' } });
    expect(first(session, 2)).toEqual(['reference-599', 'reference-5990']);
    tell(session, { type: 'sort-by', column: '' });
    expect(browserOf(session).whole).toMatchObject({ arranging: null });
  });

  it('The whole list is arranged as requested last: work for an earlier request is aborted', async () => {
    const { session, world } = await onWholeList();
    const signals: AbortSignal[] = [];
    const { arrange } = world;
    world.arrange = (question, onProgress, signal) => {
      signals.push(signal);
      return arrange(question, onProgress, signal);
    };
    tell(session, { type: 'sort-by', column: 'reference' });
    tell(session, { type: 'sort-by', column: 'fee' });
    tell(session, { type: 'sort-by', column: 'commitment', isDescending: false });
    await session.idle();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, false]);
    expect(Number(atHand(session).rows.at(0)?.commitmentAmount)).toBe(0);
  });

  it('The whole list is sorted and searched like the page before it', async () => {
    const { session, world } = await onFirstPage();
    tell(session, { type: 'sort-by', column: 'commitment' });
    press(session, '/');
    type(session, 'reference-1');
    press(session, 'enter', 'S');
    await answerWhole(session, world);
    expect(atHand(session).rows.length).toBe(1111);
    const amounts = atHand(session)
      .rows.slice()
      .map(({ commitmentAmount }) => Number(commitmentAmount));
    expect(amounts).toEqual(amounts.toSorted((one, other) => other - one));
  });

  it('The whole list has records that can be inspected one after the other, in its order', async () => {
    const { session } = await onWholeList();
    await sortBy(session, 'commitment', true);
    press(session, 'home', 'enter', 'J');
    expect(browserOf(session).inspector?.row).toEqual(atHand(session).rows.at(1));
    press(session, 'K', 'K');
    expect(browserOf(session).inspector?.row).toEqual(atHand(session).rows.at(0));
  });

  it('The whole list is restored with its row and order after following one of its IDs and coming back', async () => {
    const { session, world } = await onWholeList();
    await sortBy(session, 'commitment', true);
    press(session, 'j', 'j', 'j');
    const before = selected(session);
    press(session, 'g', 'enter');
    await answerPage(world, provisionPage(1));
    press(session, 'backspace');
    await session.idle();
    expect(selected(session)).toEqual(before);
    expect(atHand(session)).toMatchObject({ loaded: 6000, isWhole: true });
  });
});

describe('Cursor of a page', () => {
  it('The cursor of a page stays on its record when the rows are sorted, searched, and shown again', async () => {
    const { session } = await onOnlyPage();
    for (let line = 0; line < 13; line++) press(session, 'j');
    const { top } = browserOf(session).view;
    tell(session, { type: 'sort-by', column: 'commitment' });
    expect(selected(session)?.reference).toBe('reference-13');
    tell(session, { type: 'sort-by', column: '' });
    expect(browserOf(session).view).toMatchObject({ row: 13, top });
    await find(session, 'reference-1');
    expect(selected(session)?.reference).toBe('reference-13');
    press(session, 'esc');
    expect(selected(session)?.reference).toBe('reference-13');
    await find(session, 'reference-2');
    expect(browserOf(session).view).toMatchObject({ row: 0, top: 0 });
  });
});
