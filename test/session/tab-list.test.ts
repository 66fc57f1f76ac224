import { describe, expect, it } from 'vitest';
import { listContext, stepList } from '../../src/session/reduce/tab-list.ts';
import { browserOf, press } from './fake-world.ts';
import { onFirstPage } from './list-scenes.ts';

describe('an event to the list of a tab', () => {
  it('changes that list alone, whichever tab is shown', async () => {
    const { session } = await onFirstPage();
    const before = session.state();
    const { browsers, ...others } = stepList(before, 'fees', { type: 'set-page-size', size: 20 });
    expect(browsers.fees).toMatchObject({ pageSize: 20, loading: { request: { size: 20 } } });
    expect({ ...before, ...others, browsers: { ...browsers, fees: before.browsers.fees } }).toEqual(before);
  });

  it('leaves a list of another name alone', async () => {
    const { session } = await onFirstPage();
    const before = session.state();
    expect(stepList(before, 'export', { type: 'reset-columns' })).toBe(before);
  });

  it('answers what it has to say, and the program says it', async () => {
    const { session } = await onFirstPage();
    const wrong = { type: 'set-filter', name: 'marketId', value: 'xyz' } as const;
    const { browsers, outbox } = stepList(session.state(), 'provisions', wrong);
    expect(browsers).toBe(session.state().browsers);
    expect(outbox).toMatchObject([{ type: 'noticed', tone: 'bad' }]);
    session.dispatch(wrong);
    expect(session.state().notice).toMatchObject({ tone: 'bad' });
  });

  it('comes back to that list from what it has opened, though another tab is shown by then', async () => {
    const { session } = await onFirstPage();
    const { to } = listContext(session.state(), browserOf(session, 'provisions'));
    press(session, 'tab');
    session.dispatch(to({ type: 'sort-by', column: 'epoch' }));
    expect(browserOf(session, 'provisions').sort).toMatchObject({ column: 'epoch' });
    expect(browserOf(session).sort).toBeNull();
  });
});

describe('what a list sees', () => {
  it('is the whole body, with nothing over it', async () => {
    const { session } = await onFirstPage();
    const { area, isOnTop, coveredBy } = listContext(session.state(), browserOf(session, 'provisions'));
    expect(area).toEqual({ columns: 80, rows: 19 });
    expect({ isOnTop, coveredBy }).toEqual({ isOnTop: true, coveredBy: undefined });
  });

  it.each([
    ['a menu', 's', undefined],
    ['the log of requests', 'L', { name: 'requests', title: 'the requests' }],
  ])('is less with %s over it', async (_, key, cover) => {
    const { session } = await onFirstPage();
    press(session, key);
    const { isOnTop, coveredBy } = listContext(session.state(), browserOf(session, 'provisions'));
    expect({ isOnTop, coveredBy }).toEqual({ isOnTop: false, coveredBy: cover });
  });
});
