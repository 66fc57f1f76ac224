import { describe, expect, it } from 'vitest';
import { RefusedError } from '../../../../../src/chain/api/errors.ts';
import { liquidityProvisions } from '../../../../../src/chain/resources/liquidity-provisions.ts';
import { pageRequest } from '../../../../../src/chain/resources/page-request.ts';
import { listCommandText } from '../../../../../src/explorer/services/copying/equal-commands.ts';
import { tell } from '../../../support/browse-scenes.ts';
import { answerPage, browserOf, keysShown, last, press, startSession, told } from '../../../support/fake-world.ts';
import { LIVE, onFirstPage, showing } from '../../../support/list-scenes.ts';
import { pageOf, provision, provisionPage } from '../../../support/provision-pages.ts';

const refused = new RefusedError(500, { message: 'Internal error', details: [] }, { url: 'http://n/', hint: 'wait' });

describe('List paging', () => {
  it('A list requests the first page of its tab as soon as the node is there', async () => {
    const { world } = await startSession();
    expect(world.pages.map(({ asked }) => asked)).toEqual([
      {
        resource: 'provisions',
        request: { filters: LIVE, size: 50, newestFirst: true, position: { kind: 'first' } },
      },
    ]);
  });

  it('The next page continues after the last cursor, and its row numbers continue', async () => {
    const { session, world } = await onFirstPage();
    press(session, 'n');
    expect(last(world.pages).asked.request.position).toEqual({ kind: 'after', cursor: 'end-1' });
    await answerPage(world, provisionPage(2));
    expect(browserOf(session).page).toMatchObject({ number: 2, offset: 50 });
    expect(keysShown(session)[0]).toBe('reference-50');
  });

  it('Going back shows the very page that was left, with its window, without a request', async () => {
    const { session, world } = await onFirstPage();
    press(session, ...Array.from({ length: 30 }, () => 'j'));
    const left = browserOf(session);
    press(session, 'n');
    await answerPage(world, provisionPage(2));
    const asked = world.pages.length;
    press(session, 'p');
    expect(browserOf(session).page?.rows).toBe(left.page?.rows);
    expect(browserOf(session).view).toEqual(left.view);
    expect(world.pages.length).toBe(asked);
  });

  it('Going forwards again shows the page that was left backwards from memory', async () => {
    const { session, world } = await onFirstPage();
    press(session, 'n');
    await answerPage(world, provisionPage(2));
    press(session, 'j', 'j', 'p', 'n');
    expect(keysShown(session)[0]).toBe('reference-50');
    expect(browserOf(session).view.row).toBe(2);
    expect(world.pages.length).toBe(2);
  });

  it('The next page is prefetched when the row nears the end, and n takes over that very request', async () => {
    const { session, world } = await onFirstPage();
    press(session, 'G');
    expect(world.pages.length).toBe(2);
    expect(browserOf(session).prefetching?.request.position).toEqual({ kind: 'after', cursor: 'end-1' });
    press(session, 'n');
    expect(world.pages.length).toBe(2);
    expect(last(world.pages).signal.aborted).toBe(false);
    expect(browserOf(session).loading?.isSlow).toBe(false);
    await answerPage(world, provisionPage(2));
    expect(browserOf(session).page?.number).toBe(2);
  });

  it('A prefetched page is shown at once', async () => {
    const { session, world } = await onFirstPage();
    press(session, 'G');
    await answerPage(world, provisionPage(2));
    expect(browserOf(session).page?.number).toBe(1);
    press(session, 'k', 'k', 'n');
    expect(browserOf(session).page?.number).toBe(2);
    expect(browserOf(session).loading).toBeNull();
    press(session, 'p');
    expect([browserOf(session).page?.number, world.pages.length]).toEqual([1, 2]);
  });

  it('The page after a short one is prefetched at once', async () => {
    const { world } = await showing(provisionPage(1, 15));
    expect(world.pages.length).toBe(2);
  });

  it('The next page is not prefetched far from the end', async () => {
    const { session, world } = await onFirstPage();
    press(session, ...Array.from({ length: 34 }, () => 'j'));
    expect(world.pages.length).toBe(1);
    press(session, 'j');
    expect(world.pages.length).toBe(2);
  });

  it('Paging goes to the last page, and from there back by cursor', async () => {
    const { session, world } = await onFirstPage();
    press(session, '>');
    expect(last(world.pages).asked.request.position).toEqual({ kind: 'last' });
    await answerPage(world, { ...provisionPage(9), hasNextPage: false });
    expect(browserOf(session).page).toMatchObject({ number: null, offset: null });
    press(session, 'p');
    expect(last(world.pages).asked.request.position).toEqual({ kind: 'before', cursor: 'start-9' });
    await answerPage(world, provisionPage(8));
    expect(browserOf(session).page).toMatchObject({ number: null, offset: null });
    press(session, 'n');
    expect(keysShown(session)[0]).toBe('reference-400');
    press(session, '<');
    await answerPage(world, provisionPage(1));
    expect(browserOf(session)).toMatchObject({ page: { number: 1, offset: 0 }, behind: [], view: { row: 0 } });
  });

  it('A reload keeps the record selected, wherever it is then', async () => {
    const { session, world } = await onFirstPage();
    press(session, 'j', 'j', 'j', 'r');
    const rows = [provision(900), provision(901), ...provisionPage(1).rows];
    await answerPage(world, { ...provisionPage(1), rows });
    expect(browserOf(session).view.row).toBe(5);
    expect(browserOf(session).page?.number).toBe(1);
    press(session, 'r');
    await answerPage(world, pageOf([provision(3), ...provisionPage(2).rows]));
    expect(browserOf(session).view.row).toBe(0);
  });

  it('A reload keeps the version selected when a record is listed in several versions', async () => {
    const { session, world } = await startSession();
    const rows = [provision(1, { version: '3' }), provision(1, { version: '2' }), provision(1)];
    await answerPage(world, pageOf(rows));
    press(session, 'j', 'enter', 'r');
    await answerPage(world, pageOf([provision(1, { version: '4' }), ...rows]));
    expect(browserOf(session).view.row).toBe(2);
    expect(browserOf(session).inspector?.row.version).toBe('2');
    press(session, 'r');
    await answerPage(world, pageOf(rows.slice(0, 2)));
    expect(browserOf(session).view.row).toBe(1);
  });

  it('A reload updates the record in the open inspector', async () => {
    const { session, world } = await onFirstPage();
    press(session, 'enter', 'r');
    await answerPage(world, pageOf([provision(5), provision(0, { status: 'STATUS_STOPPED' })]));
    expect(browserOf(session).inspector?.row.status).toBe('STATUS_STOPPED');
  });

  it('A list ignores a second answer, and an answer to a cancelled request', async () => {
    const { session, world } = await onFirstPage();
    const fact = {
      type: 'page-arrived',
      requestId: browserOf(session).loading?.requestId ?? 1,
      page: provisionPage(7),
      size: 50,
      facts: { rate: {} },
      atMs: 5,
    } as const;
    const before = session.state();
    for (let requestId = 0; requestId <= browserOf(session).lastRequestId; requestId++)
      tell(session, { ...fact, requestId });
    expect(session.state()).toBe(before);
    press(session, 'n', 'esc');
    expect(last(world.pages).signal.aborted).toBe(true);
    last(world.pages).answer({ page: provisionPage(2), facts: { rate: {} }, size: 50 });
    await told();
    expect(browserOf(session).page?.number).toBe(1);
  });

  it('A paging key explains why it is off where the list ends', async () => {
    const { session } = await showing(pageOf([provision(1)]));
    press(session, 'n');
    expect(session.state().notice?.text).toBe('this is the last page');
    tell(session, { type: 'next-page' });
    expect(browserOf(session).loading).toBeNull();
    press(session, 'p');
    expect(session.state().notice?.text).toBe('this is the first page');
  });

  it('The next-page key reports that a page is loading instead of requesting it twice', async () => {
    const { session, world } = await onFirstPage();
    press(session, 'n', 'n');
    expect(session.state().notice?.text).toBe('a page is loading');
    expect(world.pages.length).toBe(2);
  });

  it.each([
    ['oracles', '>', /oldest version of (a spec|specs)/],
    ['oracles', 'o', /oldest version of (a spec|specs)/],
    ['fees', 'n', /nodes fail on its cursors/],
    ['fees', '>', /nodes fail on its cursors/],
    ['parameters', 'o', /always sorts parameters by key/],
  ])('The list of %s explains why %s is off', async (tab, key, reason) => {
    const { session, world } = await showing(pageOf([{}], { hasNextPage: true }), { tab });
    const asked = world.pages.length;
    press(session, key);
    expect(session.state().notice?.text).toMatch(reason);
    expect(world.pages.length).toBe(asked);
  });

  it('The opposite order is requested from the first page on', async () => {
    const { session, world } = await onFirstPage();
    press(session, 'n');
    await answerPage(world, provisionPage(2));
    press(session, 'o');
    expect(last(world.pages).asked.request).toMatchObject({ newestFirst: false, position: { kind: 'first' } });
  });

  it('A page that fails keeps the rows of the list, and Esc shows them again', async () => {
    const { session, world } = await onFirstPage();
    press(session, 'n');
    last(world.pages).fail(refused);
    await told();
    expect(browserOf(session).failure?.title).toBe('The node answered HTTP 500');
    press(session, 'esc');
    expect(browserOf(session)).toMatchObject({ failure: null, page: { number: 1 } });
  });

  it('A prefetch that fails shows no error', async () => {
    const { session, world } = await onFirstPage();
    press(session, 'G');
    last(world.pages).fail(refused);
    await told();
    expect(browserOf(session).failure).toBeNull();
    press(session, 'n');
    expect(world.pages.length).toBe(3);
  });

  it('A prefetch that fails is not repeated at every line', async () => {
    const { session, world } = await onFirstPage();
    press(session, 'G');
    last(world.pages).fail(refused);
    await told();
    press(session, 'k', 'k', 'k');
    expect(world.pages.length).toBe(2);
  });

  it('The reload of a page is dropped when the page is left meanwhile', async () => {
    const { session, world } = await onFirstPage();
    press(session, 'G');
    await answerPage(world, provisionPage(2));
    press(session, 'r', 'n');
    expect(last(world.pages).signal.aborted).toBe(true);
    last(world.pages).answer({ page: provisionPage(1), facts: { rate: {} }, size: 50 });
    await told();
    expect(keysShown(session)[0]).toBe('reference-50');
  });
});

describe('Paging through rows that move', () => {
  const cursors = Array.from({ length: 50 }, (_, index) => `c${index}`);

  async function onLivePage(move: string) {
    const { session, world } = await startSession();
    tell(session, { type: 'set-filter', name: 'live', value: 'true' });
    await answerPage(world, { ...provisionPage(1), cursors });
    press(session, move);
    return { session, world, asked: last(world.pages).asked.request };
  }

  it('The next page is requested from ten rows further back', async () => {
    const { asked } = await onLivePage('n');
    expect(asked.position).toEqual({
      kind: 'after',
      cursor: 'end-1',
      overlap: { cursor: 'c39', known: cursors.slice(40) },
    });
    expect(pageRequest(liquidityProvisions, asked).query).toEqual([
      ['live', 'true'],
      ['pagination.first', '60'],
      ['pagination.after', 'c39'],
    ]);
  });

  it('The previous page is requested from ten rows further on', async () => {
    const { session, world } = await startSession();
    tell(session, { type: 'set-filter', name: 'live', value: 'true' });
    press(session, '>');
    await answerPage(world, { ...provisionPage(9), cursors, hasNextPage: false });
    press(session, 'p');
    expect(pageRequest(liquidityProvisions, last(world.pages).asked.request).query).toEqual([
      ['live', 'true'],
      ['pagination.last', '60'],
      ['pagination.before', 'c10'],
    ]);
  });

  it('The copied command uses the cursor at the border', async () => {
    const { asked, session } = await onLivePage('n');
    const command = listCommandText(session.state().node, liquidityProvisions, asked);
    expect(command).toContain('--page-size 50 --after end-1');
  });
});
