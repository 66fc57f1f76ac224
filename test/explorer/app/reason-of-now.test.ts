import { describe, expect, it } from 'vitest';
import { tell } from '../support/browse-scenes.ts';
import { answerPage, browserOf, press, startSession } from '../support/fake-world.ts';
import { onFirstPage, onOnlyPage, type } from '../support/list-scenes.ts';
import { provisionPage } from '../support/provision-pages.ts';

describe('Reason for a disabled key', () => {
  it('The reason for a disabled key disappears when the key can act', async () => {
    const { session, world } = await startSession();
    press(session, 'S');
    expect(session.state().notice?.text).toBe('no page is loaded yet');
    session.dispatch({ type: 'ticked', nowMs: world.clockMs + 1000 });
    expect(session.state().notice?.text).toBe('no page is loaded yet');
    await answerPage(world, provisionPage(1));
    expect(session.state().notice).toBeNull();
  });

  it('The reason for a disabled key is replaced by the current one', async () => {
    const { session, world } = await startSession();
    press(session, 'S');
    await answerPage(world, { ...provisionPage(1), hasNextPage: false });
    expect(session.state().notice?.text).toBe('the whole list is loaded: s sorts');
  });

  it('The reason for a disabled key disappears when text is typed into an empty field', async () => {
    const { session } = await onOnlyPage();
    press(session, 'f', 'ctrl-u');
    expect(session.state().notice?.text).toBe('the field is empty');
    type(session, 'c');
    expect(session.state().notice).toBeNull();
  });

  it('The reason for a disabled key is not repeated for every second that is left to wait', async () => {
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
    expect(said?.text).toBe('rate limited by the node: 4 s to wait');
    session.dispatch({ type: 'ticked', nowMs: world.clockMs + 1000 });
    expect(session.state().notice).toBe(said);
    session.dispatch({ type: 'ticked', nowMs: world.clockMs + 4000 });
    expect(session.state().notice).toBeNull();
  });
});
