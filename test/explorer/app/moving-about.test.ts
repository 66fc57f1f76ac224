import { describe, expect, it } from 'vitest';
import { RESOURCES } from '../../../src/chain/resources/registry.ts';
import { focusedField } from '../../../src/explorer/app/focus.ts';
import type { Session } from '../../../src/explorer/app/session.ts';
import { TABS } from '../../../src/explorer/tabs.ts';
import { tell } from '../support/browse-scenes.ts';
import { answerPage, browserOf, last, press, startSession, told } from '../support/fake-world.ts';
import { overlayOf, placeOf, withOverlayOf } from '../support/layers.ts';
import { LIVE, onOnlyPage, run, showing, type } from '../support/list-scenes.ts';
import { hexId, pageOf, provision, provisionPage } from '../support/provision-pages.ts';

const noticeOf = (session: Session) => session.state().notice;

describe('Tabs', () => {
  it('Tabs follow one another in a ring, in both directions', async () => {
    const ids = TABS.map(({ id }) => id);
    const [first, second] = ids;
    const [last, lastButOne] = ids.toReversed();
    const { session } = await startSession({ tab: lastButOne ?? '' });
    const tabs = ['tab', 'tab', 'tab', 'shift-tab', 'shift-tab', 'shift-tab'].map(key => {
      press(session, key);
      return session.state().tab;
    });
    expect(tabs).toEqual([last, first, second, first, last, lastButOne]);
  });

  it('Tabs show their list by their digit, even from one of its records', async () => {
    const { session } = await onOnlyPage(3);
    press(session, 'j', 'enter');
    expect(placeOf(session.state())).toBe('record');
    press(session, '2');
    expect([placeOf(session.state()), session.state().tab, browserOf(session).view.row]).toEqual([
      'list',
      'provisions',
      1,
    ]);
    press(session, 'enter', '1', '2');
    expect(placeOf(session.state())).toBe('record');
  });

  it('Tabs open no search when there are no rows and none will come', async () => {
    const { session, world } = await startSession();
    press(session, '/', 'esc');
    expect(noticeOf(session)).toBeNull();
    last(world.pages).fail(new Error('broken'));
    await told();
    press(session, '/');
    expect([overlayOf(session.state()), noticeOf(session)?.text]).toEqual([null, 'no rows to search']);
  });

  it('Tabs are reached by their digit', async () => {
    const { session } = await startSession();
    const tabs = TABS.map(({ key }) => {
      press(session, key);
      return session.state().tab;
    });
    expect(tabs).toEqual(['overview', ...RESOURCES.map(({ id }) => id), 'history']);
  });
});

describe('Text field', () => {
  it('A field takes no more text than a node would', async () => {
    const { session } = await onOnlyPage();
    press(session, 'f');
    type(session, 'x'.repeat(5000));
    expect(focusedField(session.state()).text.length).toBe(4096);
  });

  it('A field is emptied by one key, and when it is empty that key says so', async () => {
    const { session } = await onOnlyPage();
    press(session, 'f');
    type(session, 'abc');
    press(session, 'ctrl-u');
    expect(focusedField(session.state()).text).toBe('');
    const before = session.state();
    press(session, 'ctrl-u');
    expect(session.state()).toEqual({ ...before, notice: session.state().notice });
    expect(session.state().notice?.text).toBe('the field is empty');
  });

  it('A field begins with the value in force', async () => {
    const { session } = await onOnlyPage();
    press(session, 'z');
    expect(focusedField(session.state()).text).toBe('50');
    press(session, 'esc', '/');
    expect(focusedField(session.state()).text).toBe('');
    type(session, 'reference-3');
    press(session, 'enter', '/');
    expect(focusedField(session.state()).text).toBe('reference-3');
    press(session, 'enter', 'enter', '/');
    expect(focusedField(session.state()).text).toBe('');
    type(session, 'status');
    press(session, 'enter', '/');
    expect(focusedField(session.state()).text).toBe('status');
    press(session, 'enter', 'esc', 'esc', ':');
    expect(focusedField(session.state()).text).toBe('');
  });

  it('A field forgets its error once the text has changed', async () => {
    const { session } = await onOnlyPage();
    press(session, 'z');
    type(session, '0');
    press(session, 'enter');
    expect(overlayOf(session.state())).toMatchObject({ problem: 'a page has 1 to 5000 rows, not "0"' });
    type(session, '8');
    expect(overlayOf(session.state())).toMatchObject({ problem: null });
    press(session, 'enter');
    expect(browserOf(session)).toMatchObject({ pageSize: 8, loading: { request: { size: 8 } } });
  });

  it('Typing changes nothing when there is no field', async () => {
    const { session } = await onOnlyPage();
    const before = session.state();
    type(session, 'abc');
    expect(session.state()).toBe(before);
    expect(focusedField(session.state()).text).toBe('');
    expect(session.press('§')).toBe(false);
  });
});

describe('Leaving the explorer', () => {
  it('The key q is not an interrupt, and Ctrl-C is one', async () => {
    for (const key of ['q', 'ctrl-c']) {
      const { session } = await onOnlyPage();
      expect(session.press(key)).toBe(true);
      expect(session.state()).toMatchObject({ isEnded: true, isInterrupted: key === 'ctrl-c' });
    }
  });

  it('Esc takes back one narrowing at a time, and never ends the program', async () => {
    const { session, world } = await onOnlyPage();
    press(session, '/');
    type(session, 'reference-3');
    press(session, 'enter', 'r', 'esc');
    expect(browserOf(session)).toMatchObject({ loading: null, find: 'reference-3' });
    expect(noticeOf(session)?.text).toBe('cancelled');
    expect(last(world.pages).signal.aborted).toBe(true);
    press(session, 'esc');
    expect(browserOf(session).find).toBe('');
    expect(noticeOf(session)).toBeNull();
    press(session, 'esc');
    expect(noticeOf(session)?.text).toBe('q quits');
    expect(session.state().isEnded).toBe(false);
  });
});

describe('Notices and subscribers', () => {
  it('A notice disappears with the next key', async () => {
    const { session } = await onOnlyPage();
    press(session, 'n');
    expect(noticeOf(session)).not.toBeNull();
    press(session, 'j');
    expect(noticeOf(session)).toBeNull();
  });

  it('A change reaches every subscriber, and none that has unsubscribed', async () => {
    const { session } = await onOnlyPage();
    const heard: string[] = [];
    const stop = session.subscribe(() => heard.push('one'));
    session.subscribe(() => heard.push('other'));
    press(session, 'j');
    stop();
    press(session, 'ctrl-l');
    expect(heard).toEqual(['one', 'other', 'other']);
  });
});

describe('Full-screen value', () => {
  async function shown() {
    const { session } = await showing(pageOf([provision(1, { status: 'x'.repeat(76 * 40 - 5) })]));
    press(session, 'enter');
    await told();
    press(session, 'j', 'enter');
    return session;
  }
  const topAfter = (session: Session, ...keys: readonly string[]) => {
    press(session, ...keys);
    const overlay = overlayOf(session.state());
    return overlay?.kind === 'value' ? overlay.top : undefined;
  };

  it('A full-screen value scrolls by lines, screens and to its ends, and not past them', async () => {
    const session = await shown();
    expect(topAfter(session, 'k')).toBe(0);
    expect(topAfter(session, 'j', 'j')).toBe(2);
    expect(topAfter(session, 'k')).toBe(1);
    expect(topAfter(session, 'pagedown')).toBe(19);
    expect(topAfter(session, 'pageup')).toBe(1);
    expect(topAfter(session, 'G')).toBe(22);
    expect(topAfter(session, 'j')).toBe(22);
    expect(topAfter(session, 'home')).toBe(0);
    expect(topAfter(session, 'q')).toBeUndefined();
    expect(placeOf(session.state())).toBe('record');
  });
});

describe('Filters and commands on the command line', () => {
  it('A filter command replaces one filter, keeps the others, and an empty value removes it', async () => {
    const { session, world } = await onOnlyPage();
    run(session, `provisions market=${hexId(5).toUpperCase()} reference=a=b`);
    expect(browserOf(session).filters).toEqual({ ...LIVE, marketId: [hexId(5)], reference: ['a=b'] });
    await answerPage(world, provisionPage(1));
    run(session, 'provisions market=');
    expect(last(world.pages).asked.request.filters).toEqual({ ...LIVE, reference: ['a=b'] });
  });

  it('A filter command accepts the title, the parameter and the flag of a filter', async () => {
    for (const name of ['market', 'marketId', 'market-id']) {
      const { session } = await onOnlyPage();
      run(session, `provisions ${name}=ab`);
      expect(browserOf(session).filters).toEqual({ ...LIVE, marketId: ['ab'] });
    }
  });

  it('A filter command is refused with the message of the filter, and changes nothing', async () => {
    const { session, world } = await onOnlyPage();
    tell(session, { type: 'set-filter', name: 'marketId', value: 'xyz' });
    expect(noticeOf(session)).toMatchObject({ tone: 'bad', text: /^market must be a market ID/ });
    tell(session, { type: 'set-filter', name: 'absent', value: 'x' });
    expect(world.pages.length).toBe(1);
  });

  it('A filter command lists no filters when the tab has none', async () => {
    const { session } = await onOnlyPage();
    run(session, 'oracles status=x');
    expect(overlayOf(session.state())).toMatchObject({ problem: 'oracles has no filter "status"' });
  });

  it('The command line does nothing with an empty line, and takes spaces as one', async () => {
    const { session } = await onOnlyPage();
    run(session, '   ');
    expect(withOverlayOf(session.state())).toMatchObject({ overlay: null, tab: 'provisions' });
    run(session, '  find   two   words ');
    expect(browserOf(session).find).toBe('two words');
    expect(overlayOf(session.state())).toBeNull();
  });

  it.each([
    ['sort commitment', { column: 'commitment', isDescending: true }],
    ['sort commitment:asc', { column: 'commitment', isDescending: false }],
    ['sort FEE:desc', { column: 'fee', isDescending: true }],
    ['sort Fee', { column: 'fee', isDescending: false }],
    ['sort VERSION', { column: 'version', isDescending: false }],
  ])('The command %s sorts the loaded rows', async (line, sort) => {
    const { session } = await onOnlyPage();
    run(session, line);
    expect(browserOf(session).sort).toEqual(sort);
  });

  it.each(['quit', 'q', 'QUIT'])('The command %s quits', async line => {
    const { session } = await onOnlyPage();
    run(session, line);
    expect(session.state().isEnded).toBe(true);
  });

  it('The command line runs a key by its short name, and says why one is off', async () => {
    const { session } = await onOnlyPage();
    run(session, 'filter');
    expect(placeOf(session.state())).toBe('filters');
    press(session, 'esc');
    run(session, 'clear filters and search');
    expect(overlayOf(session.state())).toMatchObject({ problem: 'no filter is set' });
  });
});

describe('Columns and sort order', () => {
  it('A sort by another column begins with the smallest again', async () => {
    const { session } = await onOnlyPage();
    for (const column of ['fee', 'fee', 'version']) tell(session, { type: 'sort-by', column });
    expect(browserOf(session).sort).toEqual({ column: 'version', isDescending: false });
    tell(session, { type: 'sort-by', column: 'version' });
    tell(session, { type: 'sort-by', column: 'version' });
    expect(browserOf(session).sort).toEqual({ column: 'version', isDescending: false });
  });

  it('A column that was turned on and off again does not count as a choice', async () => {
    const { session } = await onOnlyPage();
    tell(session, { type: 'toggle-column', column: 'buys' });
    expect(browserOf(session).columnChoice).toEqual({ buys: true });
    tell(session, { type: 'toggle-column', column: 'buys' });
    tell(session, { type: 'toggle-column', column: 'fee' });
    tell(session, { type: 'toggle-column', column: 'fee' });
    expect(browserOf(session).columnChoice).toEqual({});
  });

  it('A column that a filter makes the same in every row gives up its room, unless it was turned on', async () => {
    const { session, world } = await onOnlyPage();
    tell(session, { type: 'set-filter', name: 'marketId', value: hexId(1) });
    await answerPage(world, provisionPage(1));
    tell(session, { type: 'toggle-column', column: 'market' });
    expect(browserOf(session).columnChoice).toEqual({ market: true });
    tell(session, { type: 'toggle-column', column: 'market' });
    expect(browserOf(session).columnChoice).toEqual({});
  });
});
