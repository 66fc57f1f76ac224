import { describe, expect, it } from 'vitest';
import { answerPage, press, startSession } from '../../../support/fake-world.ts';
import { paintedLines, plain } from '../../../support/frame.ts';
import { pageOf, provisionPage } from '../../../support/provision-pages.ts';

describe('Page without rows', () => {
  it.each([
    ['the node has none', pageOf([]), 'the node has no network parameter'],
    ['there are more behind it', pageOf([], { hasNextPage: true }), 'no rows on this page; the node reports more'],
    ['it is behind others', pageOf([], { hasPreviousPage: true }), 'no more rows'],
  ])('A page without rows says no more than the answer does when %s', async (_, page, sentence) => {
    const { session, world } = await startSession({ tab: 'parameters' });
    await answerPage(world, page);
    const screen = paintedLines(session.state()).map(plain).join('\n');
    for (const one of ['the node has no', 'no rows on this page', 'no more rows'])
      expect(screen.includes(one), one).toBe(sentence.startsWith(one));
    expect(screen).toContain(sentence);
  });

  it('A page without rows reports how many rows a search covered, and that it covered every value', async () => {
    const { session, world } = await startSession();
    await answerPage(world, provisionPage(1, 40));
    press(session, '/');
    session.dispatch({ type: 'type-text', value: 'zzzz' });
    expect(paintedLines(session.state()).map(plain).join('\n')).toContain(
      'none of 40 loaded holds "zzzz" in any value',
    );
  });

  it('A page without rows does not say that nothing exists when its request was cancelled', async () => {
    const { session } = await startSession();
    press(session, 'esc');
    const screen = paintedLines(session.state()).map(plain).join('\n');
    expect(screen).toContain('nothing is loaded: r loads');
    expect(screen).toContain('cancelled');
  });

  it('A page without fees reports the epoch that was searched', async () => {
    const { session, world } = await startSession({ tab: 'fees' });
    await answerPage(world, pageOf([]));
    press(session, ':');
    session.dispatch({ type: 'type-text', value: 'fees market=ab' });
    press(session, 'enter');
    await answerPage(world, pageOf([]));
    const screen = paintedLines(session.state()).map(plain).join('\n');
    expect(screen).toContain('no paid fee matches the filters');
    expect(screen).toContain('only the newest epoch with fees');
  });
});
