import { describe, expect, it } from 'vitest';
import { tell } from '../support/browse-scenes.ts';
import { answerPage, browserOf, press, startSession } from '../support/fake-world.ts';
import { onFirstPage, onOnlyPage, type } from '../support/list-scenes.ts';
import { provisionPage } from '../support/provision-pages.ts';

describe('what is said of a key that does nothing', () => {
  it('goes when the key could act', async () => {
    const { session, world } = await startSession();
    press(session, 'S');
    expect(session.state().notice?.text).toBe('no page is loaded yet');
    session.dispatch({ type: 'ticked', nowMs: world.clockMs + 1000 });
    expect(session.state().notice?.text).toBe('no page is loaded yet');
    await answerPage(world, provisionPage(1));
    expect(session.state().notice).toBeNull();
  });

  it('becomes what it is now that the key does nothing for', async () => {
    const { session, world } = await startSession();
    press(session, 'S');
    await answerPage(world, { ...provisionPage(1), hasNextPage: false });
    expect(session.state().notice?.text).toBe('all rows of this list are on this page: s sorts all of them');
  });

  it('goes with what is typed into a field that was empty', async () => {
    const { session } = await onOnlyPage();
    press(session, 'f', 'ctrl-u');
    expect(session.state().notice?.text).toBe('the field is empty');
    type(session, 'c');
    expect(session.state().notice).toBeNull();
  });

  it('is not said anew for every second that is left to wait', async () => {
    const { session, world } = await onFirstPage();
    press(session, 'S');
    tell(session, {
      type: 'whole-progressed',
      requestId: browserOf(session).lastRequestId,
      progress: { rows: 50, pages: 1, waitMs: 4000 },
      atMs: world.clockMs,
    });
    press(session, 'esc', 'r');
    const said = session.state().notice;
    expect(said?.text).toBe('the node said too many requests: 4 s to wait');
    session.dispatch({ type: 'ticked', nowMs: world.clockMs + 1000 });
    expect(session.state().notice).toBe(said);
    session.dispatch({ type: 'ticked', nowMs: world.clockMs + 4000 });
    expect(session.state().notice).toBeNull();
  });
});
