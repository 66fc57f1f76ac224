import { describe, expect, it } from 'vitest';
import { answerPage, browserOf, press, startSession } from '../../support/fake-world.ts';
import { menuItems, overlayOf } from '../../support/layers.ts';
import { onFirstPage, run } from '../../support/list-scenes.ts';
import { provisionPage } from '../../support/provision-pages.ts';

describe('Columns screen', () => {
  it('The last line of the columns screen shows the columns that the list has of its own', async () => {
    const { session } = await onFirstPage();
    const marks = () => {
      const overlay = overlayOf(session.state());
      if (overlay?.kind !== 'menu') throw new Error('no columns');
      return menuItems(session.state(), overlay).map(({ mark }) => mark);
    };
    press(session, 'c');
    const before = marks();
    press(session, 'j', 'enter');
    expect(marks()).not.toEqual(before);
    press(session, 'G', 'enter');
    expect(marks()).toEqual(before);
    expect(browserOf(session).columnChoice).toEqual({});
  });

  it('Columns that were chosen stay through filters, reloads and the way to another list and back', async () => {
    const { session, world } = await onFirstPage();
    press(session, 'c', 'j', 'enter', 'esc');
    const { columnChoice } = browserOf(session);
    expect(Object.keys(columnChoice)).toHaveLength(1);
    press(session, 'r');
    await answerPage(world, provisionPage(1));
    run(session, 'provisions live=false');
    await answerPage(world, provisionPage(1));
    press(session, 'g', 'enter', 'backspace');
    expect(browserOf(session).columnChoice).toEqual(columnChoice);
  });

  it('The first column stays shown, also before there are rows', async () => {
    const { session } = await startSession();
    press(session, 'c', 'enter');
    expect(session.state().notice?.text).toBe('the first column is always shown');
    expect(browserOf(session).columnChoice).toEqual({});
  });
});
