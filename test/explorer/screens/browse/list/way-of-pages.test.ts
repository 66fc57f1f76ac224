import { describe, expect, it } from 'vitest';
import { RefusedError } from '../../../../../src/chain/api/errors.ts';
import { tell } from '../../../support/browse-scenes.ts';
import { answerPage, browserOf, last, press, startSession, told } from '../../../support/fake-world.ts';
import { onFirstPage, showing } from '../../../support/list-scenes.ts';
import { provisionPage } from '../../../support/provision-pages.ts';

const refused = new RefusedError(500, { message: 'Internal error', details: [] }, { url: 'http://n/', hint: 'wait' });

describe('Order of pages', () => {
  it('The first page can be opened whatever is on its way', async () => {
    const { session, world } = await onFirstPage();
    press(session, 'n', '<');
    expect(last(world.pages).asked.request.position).toEqual({ kind: 'first' });
    expect(world.pages.length).toBe(3);
  });

  it('The previous page is the page that was left, whatever the node reports as the one before', async () => {
    const { session, world } = await onFirstPage();
    press(session, 'n');
    await answerPage(world, { ...provisionPage(2), hasPreviousPage: false });
    press(session, 'r');
    await answerPage(world, { ...provisionPage(2), hasPreviousPage: false });
    expect(browserOf(session).page).toMatchObject({ number: 2, offset: 50, flaws: [] });
    press(session, 'p');
    expect([browserOf(session).page?.number, world.pages.length]).toEqual([1, 3]);
  });

  it('The first page has no page before it, whatever the node says', async () => {
    const { session, world } = await showing({ ...provisionPage(1), hasPreviousPage: true });
    press(session, 'p');
    expect(session.state().notice?.text).toBe('this is the first page');
    expect(world.pages.length).toBe(1);
  });

  it('The previous page is that of the rows shown, after a request for others failed', async () => {
    const { session, world } = await onFirstPage();
    press(session, '>');
    await answerPage(world, provisionPage(9));
    tell(session, { type: 'set-filter', name: 'live', value: 'true' });
    last(world.pages).fail(refused);
    await told();
    press(session, 'p');
    expect(last(world.pages).asked.request).toMatchObject({ filters: {}, position: { cursor: 'start-9' } });
  });

  it.each([
    [{ newestFirst: false }, 'o'],
    [{ size: 7 }, 'z'],
  ])('Reloading with %j starts from the beginning after that request failed', async (request, key) => {
    const { session, world } = await onFirstPage();
    press(session, 'n');
    await answerPage(world, provisionPage(2));
    press(session, key);
    if (key === 'z') tell(session, { type: 'set-page-size', size: 7 });
    last(world.pages).fail(refused);
    await told();
    press(session, 'r');
    expect(last(world.pages).asked.request).toMatchObject({ ...request, position: { kind: 'first' } });
  });

  it('Page numbers count from the first page when only a retry loaded it, and not from the last one', async () => {
    const { session, world } = await startSession();
    last(world.pages).fail(refused);
    await told();
    press(session, 'r');
    await answerPage(world, provisionPage(1));
    expect(browserOf(session).page).toMatchObject({ number: 1, offset: 0 });
    const other = await startSession();
    press(other.session, '>');
    await answerPage(other.world, provisionPage(9));
    expect(browserOf(other.session).page).toMatchObject({ number: null, offset: null });
  });

  it('Each page gets a new request id', async () => {
    const { session, world } = await onFirstPage();
    const requestIds = [browserOf(session).lastRequestId];
    for (const key of ['n', 'r', '>', '<']) {
      press(session, key);
      requestIds.push(browserOf(session).loading?.requestId ?? 0);
      await answerPage(world, provisionPage(1));
    }
    expect(requestIds).toEqual([...new Set(requestIds)].toSorted((a, b) => a - b));
    expect(requestIds.every(requestId => requestId > 0)).toBe(true);
  });
});
