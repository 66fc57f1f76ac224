import { describe, expect, it } from 'vitest';
import { RefusedError } from '../../../../../src/chain/api/errors.ts';
import type { PageRequest } from '../../../../../src/chain/resources/page-request.ts';
import type { RowPage } from '../../../../../src/chain/resources/resource.ts';
import type { Session } from '../../../../../src/explorer/app/session.ts';
import { chanceOf } from '../../../../torture/random-keys.ts';
import { tell } from '../../../support/browse-scenes.ts';
import { browserOf, type FakeWorld, keysShown, last, press, startSession, told } from '../../../support/fake-world.ts';
import { pageOf, provision } from '../../../support/provision-pages.ts';

const COUNT = 113;
const SIZE = 20;
const NAMES = Array.from({ length: COUNT }, (_, index) => `reference-${index}`);
const KEYS = ['n', 'n', 'n', 'p', 'p', 'p', '<', '>', 'r', 'o', 'G', 'home', 'j', 'k', 'ctrl-d', 'esc'];
const refused = new RefusedError(500, { message: 'Internal error', details: [] }, { url: 'http://n/', hint: '' });

/** The rows of an honest node for one request, by index in the order that was asked for. */
function spanOf({ position, size }: PageRequest): readonly [from: number, to: number] {
  switch (position.kind) {
    case 'first':
      return [0, size];
    case 'after':
      return [Number(position.cursor) + 1, Math.min(COUNT, Number(position.cursor) + 1 + size)];
    case 'before':
      return [Math.max(0, Number(position.cursor) - size), Number(position.cursor)];
    case 'last':
      return [COUNT - size, COUNT];
  }
}

function answerOf(request: PageRequest): RowPage {
  const [from, to] = spanOf(request);
  const rows = Array.from({ length: to - from }, (_, at) =>
    provision(request.newestFirst ? from + at : COUNT - 1 - from - at),
  );
  const cursors = { startCursor: String(from), endCursor: String(to - 1) };
  return pageOf(rows, { ...cursors, hasNextPage: to < COUNT, hasPreviousPage: from > 0 });
}

async function answerAll(world: FakeWorld, isRefused: boolean): Promise<void> {
  for (const { asked, answer, fail } of world.pages.splice(0)) {
    if (isRefused) fail(refused);
    else answer({ page: answerOf(asked.request), facts: { rate: {} }, size: asked.request.size });
  }
  await told();
}

const inOrder = (session: Session): readonly string[] =>
  browserOf(session).page?.request.newestFirst === false ? NAMES.toReversed() : NAMES;

const names = (page: RowPage | null | undefined): readonly string[] =>
  (page?.rows ?? []).map(row => String(row.reference));

/** Where the shown page begins and ends in the list. */
function shownSpan(session: Session): readonly [from: number, to: number] {
  const shown = keysShown(session);
  const from = inOrder(session).indexOf(shown[0] ?? '');
  return [from, from + shown.length];
}

async function walking() {
  const { session, world } = await startSession();
  tell(session, { type: 'set-page-size', size: SIZE });
  world.pages.splice(0, 1);
  await answerAll(world, false);
  return { session, world };
}

/** What holds of every page on the screen, however it was reached. */
function checkPage(session: Session, after: string): void {
  const { page, behind, ahead, view } = browserOf(session);
  const [from, to] = shownSpan(session);
  const around = [...behind, page, ...(ahead === null ? [] : [ahead])].flatMap(names);
  const first = inOrder(session).indexOf(around[0] ?? '');
  expect(around, after).toEqual(inOrder(session).slice(first, first + around.length));
  expect(to, after).toBeGreaterThan(from);
  expect(page?.number === null, after).toBe(page?.offset === null);
  if (typeof page?.offset === 'number') expect([page.offset, page.number], after).toEqual([from, from / SIZE + 1]);
  expect(view.row >= view.top && view.row < view.top + 18 && view.row < to - from, after).toBe(true);
}

describe('Walk through a list', () => {
  it.each(Array.from({ length: 8 }, (_, index) => index + 1))(
    'A walk through a list leads from page to page without a gap or a repeated row (seed %i)',
    async seed => {
      const { session, world } = await walking();
      const chance = chanceOf(seed);
      const done: string[] = [];
      for (let step = 0; step < 120; step++) {
        const key = KEYS[Math.floor(chance() * KEYS.length)] ?? 'n';
        const isRefused = chance() < 0.1;
        const before = shownSpan(session);
        const { failure } = browserOf(session);
        press(session, key);
        const reason = session.state().notice?.text;
        await answerAll(world, isRefused);
        const after = `${done.slice(-8).join(' ')} ${key}${isRefused ? ' refused' : ''}`;
        done.push(isRefused ? `${key}!` : key);
        checkPage(session, after);
        expect(browserOf(session).loading, after).toBeNull();
        if (isRefused || failure !== null) continue;
        const [from, to] = shownSpan(session);
        if (reason !== undefined) expect([from, to], after).toEqual(before);
        else if (key === 'n') expect(from, after).toBe(before[1]);
        else if (key === 'p') expect(to, after).toBe(before[0]);
        else if (key === '<' || key === 'o') expect(from, after).toBe(0);
        else if (key === '>') expect(to, after).toBe(COUNT);
        else expect([from, to], after).toEqual(before);
      }
    },
  );

  it('A walk through a list stops at both ends, and says so', async () => {
    const { session, world } = await walking();
    press(session, 'p');
    expect(session.state().notice?.text).toBe('this is the first page');
    for (let page = 0; page < 5; page++) {
      press(session, 'n');
      await answerAll(world, false);
    }
    press(session, 'n');
    expect(session.state().notice?.text).toBe('this is the last page');
    expect(keysShown(session).at(-1)).toBe(NAMES.at(-1));
  });

  it('A walk through a list needs a cursor from the node, and says so when there is none', async () => {
    const { session, world } = await startSession();
    press(session, 'n');
    expect(session.state().notice?.text).toBe('no page is loaded yet');
    press(session, '>');
    await answerLast(world, { startCursor: '', endCursor: '', hasNextPage: true, hasPreviousPage: true });
    press(session, 'n');
    expect(session.state().notice?.text).toBe('the node sent no cursor for the next page');
    press(session, 'p');
    expect(session.state().notice?.text).toBe('the node sent no cursor for the previous page');
    await answerLast(world, { hasPreviousPage: false });
    expect(world.pages.length).toBe(2);
  });

  it('A walk through a list explains why no page follows one that cannot be read', async () => {
    const { session, world } = await startSession();
    await answerLast(world, { flaws: ['half of the page is missing'] });
    press(session, 'n');
    expect(session.state().notice?.text).toBe('half of the page is missing');
  });

  it('A walk through a list forgets pages that lie far back, and requests them again by cursor', async () => {
    const { session, world } = await startSession();
    tell(session, { type: 'set-page-size', size: 5000 });
    for (let page = 0; page < 9; page++) {
      await answerLast(world, { ...manyRows(page), hasNextPage: true, hasPreviousPage: page > 0 });
      if (page < 8) press(session, 'n');
    }
    expect(browserOf(session).behind.map(({ number }) => number)).toEqual([3, 4, 5, 6, 7, 8]);
    const asked = world.pages.length;
    press(session, 'p', 'p', 'p', 'p', 'p', 'p');
    expect([browserOf(session).page?.number, world.pages.length]).toEqual([3, asked]);
    press(session, 'p');
    expect(last(world.pages).asked.request.position).toEqual({ kind: 'before', cursor: 'start-2' });
    await answerLast(world, { ...manyRows(1), hasNextPage: true });
    expect(browserOf(session).page).toMatchObject({ number: 2, offset: 5000 });
  });

  it('A walk through a list prefetches near the end of the matching rows, and does not retry a refused page', async () => {
    const { session, world } = await walking();
    press(session, 'j', 'j', 'j', 'j');
    expect(world.pages.length).toBe(0);
    press(session, 'j');
    expect(world.pages.length).toBe(1);
    press(session, 'j');
    expect(world.pages.length).toBe(1);
    await answerAll(world, true);
    press(session, 'j');
    expect([world.pages.length, browserOf(session).failure]).toEqual([0, null]);
  });

  it('A walk through a list keeps the horizontal scroll position of the columns', async () => {
    const { session, world } = await walking();
    press(session, ...Array.from({ length: 8 }, () => 'right'));
    const { left } = browserOf(session).view;
    expect(left).toBeGreaterThan(0);
    for (const key of ['n', '>', 'r', '<']) {
      press(session, key);
      await answerAll(world, false);
      expect(browserOf(session).view.left).toBe(left);
    }
    press(session, ...Array.from({ length: 8 }, () => 'left'));
    expect(browserOf(session).view.left).toBe(0);
  });

  it('A list is watched only when it is shown and at rest', async () => {
    const { session, world } = await walking();
    const watches = () => world.waits.filter(({ asked, signal }) => asked.ms === 10_000 && !signal.aborted).length;
    press(session, 'w');
    expect([watches(), browserOf(session).watchS]).toEqual([1, 10]);
    press(session, 'n');
    expect(watches()).toBe(0);
    await answerAll(world, false);
    expect(watches()).toBe(1);
    press(session, 'w');
    expect([watches(), browserOf(session).watchS]).toEqual([0, 0]);
  });

  it('A list shows a wait after 300 ms, for the tab that is shown', async () => {
    const { session, world } = await walking();
    press(session, 'n');
    expect(last(world.waits)).toMatchObject({ asked: { ms: 300 }, signal: { aborted: false } });
    const slow = last(world.waits);
    press(session, '1');
    expect(slow.signal.aborted).toBe(true);
  });

  it('A list sends no more requests once the session is over, and aborts those that are open', async () => {
    const { session, world } = await walking();
    press(session, 'n');
    const open = last(world.pages);
    press(session, 'q');
    expect(open.signal.aborted).toBe(true);
    expect(world.waits.every(({ signal }) => signal.aborted)).toBe(true);
    await session.idle();
  });
});

async function answerLast(world: FakeWorld, info: Partial<RowPage>): Promise<void> {
  const { answer, asked } = last(world.pages);
  answer({ page: pageOf([provision(world.pages.length)], info), facts: { rate: {} }, size: asked.request.size });
  await told();
}

const manyRows = (page: number) => ({
  rows: Array.from({ length: 5000 }, () => provision(page)),
  startCursor: `start-${page}`,
  endCursor: `end-${page}`,
});
