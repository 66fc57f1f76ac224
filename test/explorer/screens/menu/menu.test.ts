import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../../src/chain/api/json.ts';
import { liquidityProvisions } from '../../../../src/chain/resources/liquidity-provisions.ts';
import { currentKeyTarget, focusedField } from '../../../../src/explorer/app/focus.ts';
import type { Session } from '../../../../src/explorer/app/session.ts';
import { tell } from '../../support/browse-scenes.ts';
import { exporting } from '../../support/export-scenes.ts';
import { answerPage, browserOf, keysShown, last, press, told } from '../../support/fake-world.ts';
import { menuItems, overlayOf, withOverlayOf } from '../../support/layers.ts';
import { onFirstPage, onOnlyPage, run, showing, type } from '../../support/list-scenes.ts';
import { hexId, pageOf, provision, provisionPage } from '../../support/provision-pages.ts';

function itemsOf(session: Session) {
  const overlay = overlayOf(session.state());
  if (overlay?.kind !== 'menu') throw new Error('no menu is open');
  return menuItems(session.state(), overlay);
}

describe('Copy menu', () => {
  it('The copy menu offers every value of the row, the record to the digit, and the equal command and curl', async () => {
    const { session } = await showing(pageOf([provision(1, { id: 'ab', version: parseJson('9007199254740993') })]));
    press(session, 'y');
    const items = new Map(itemsOf(session).map(({ label, detail }) => [label, detail]));
    expect(items.get('ver')).toBe('9007199254740993');
    expect(items.get('record as JSON')).toBe('liquidity provision ab');
    expect(items.get('table as CSV')).toBe('1 row, the whole list');
    expect(items.get('command for this record')).toBe('blockglass show provisions ab --demo --live');
    expect(items.get('command for this page')).toBe('blockglass list provisions --demo --live --page-size 50');
    expect(items.get('curl for this page')).toBe(
      "curl -sS 'http://127.0.0.1:3008/api/v2/liquidity/all-provisions?live=true&pagination.first=50'",
    );
  });

  it('The copy menu has the search text in the command that lists the same rows', async () => {
    const { session } = await onOnlyPage(3);
    press(session, '/');
    session.dispatch({ type: 'type-text', value: "it's reference-2" });
    press(session, 'enter', 'y');
    const command = itemsOf(session).find(({ label }) => label === 'command for this page')?.detail;
    expect(command).toBe("blockglass list provisions --demo --live --page-size 50 --find 'it'\\''s reference-2'");
  });

  it('The copy menu keeps its cursor on an item when an answer leaves fewer of them', async () => {
    const { session, world } = await onOnlyPage(3);
    press(session, 'r', 'y', 'G');
    const before = itemsOf(session).length;
    await answerPage(world, { ...pageOf([]), hasNextPage: false });
    const items = itemsOf(session);
    expect(items.length).toBeLessThan(before);
    expect(overlayOf(session.state())).toMatchObject({ kind: 'menu', cursor: items.length - 1 });
    press(session, 'enter');
    expect(session.state().copying).toMatchObject({ what: items.at(-1)?.label });
  });

  it('The copy menu quotes cursors, filters and order for a shell', async () => {
    const { session, world } = await showing({ ...provisionPage(1), endCursor: "a+b/c=' $(x)" });
    tell(session, { type: 'set-filter', name: 'reference', value: "it's" });
    await answerPage(world, { ...provisionPage(1), endCursor: "a+b/c=' $(x)" });
    press(session, 'o');
    await answerPage(world, { ...provisionPage(1), endCursor: "a+b/c=' $(x)" });
    press(session, 'n');
    await answerPage(world, provisionPage(2));
    press(session, 'y');
    const command = itemsOf(session).find(({ label }) => label === 'command for this page')?.detail;
    expect(command).toBe(
      "blockglass list provisions --demo --reference 'it'\\''s' --live --page-size 50 --after 'a+b/c='\\'' $(x)' --oldest-first",
    );
  });

  it('The copy menu offers value and path of the line under the cursor in the inspector', async () => {
    const { session } = await onOnlyPage(3);
    press(session, 'enter');
    await told();
    press(session, 'j', 'y');
    expect(
      itemsOf(session)
        .slice(0, 2)
        .map(({ label, detail }) => [label, detail]),
    ).toEqual([
      ['value', 'STATUS_ACTIVE'],
      ['path', 'status'],
    ]);
  });
});

describe('Sort, column and help menus', () => {
  it('The sort menu orders the loaded rows, reverses them on repeat, and restores the order of the node', async () => {
    const { session } = await onOnlyPage(3);
    tell(session, { type: 'sort-by', column: 'version' });
    expect(browserOf(session).sort).toEqual({ column: 'version', isDescending: false });
    tell(session, { type: 'sort-by', column: 'version' });
    expect(browserOf(session).sort).toEqual({ column: 'version', isDescending: true });
    press(session, 's', 'G', 'enter');
    expect(browserOf(session).sort).toBeNull();
    expect(keysShown(session)[0]).toBe('reference-0');
  });

  it('The sort menu begins with the largest amounts and shares, and with the smallest of everything else', async () => {
    const { session } = await onOnlyPage(3);
    for (const { id, kind } of liquidityProvisions.columns) {
      tell(session, { type: 'sort-by', column: id });
      expect(browserOf(session).sort).toEqual({ column: id, isDescending: kind === 'amount' || kind === 'share' });
    }
  });

  it('The column menu stays open while several are toggled, and keeps the first', async () => {
    const { session } = await onOnlyPage(3);
    press(session, 'c', 'j', 'enter', 'j', 'enter');
    expect(browserOf(session).columnChoice).toEqual({ market: false, status: false });
    press(session, 'home', 'enter');
    expect(session.state().notice?.text).toBe('the first column is always shown');
    expect(currentKeyTarget(session.state())).toBe('overlay');
  });

  it('The help menu lists every binding with the reason why it is off, filters and runs', async () => {
    const { session } = await onOnlyPage(3);
    press(session, '?');
    expect(itemsOf(session).find(({ label }) => label === 'next page')?.disabledReason).toBe('this is the last page');
    press(session, '/');
    type(session, 'oldest');
    expect(itemsOf(session).length).toBe(1);
    press(session, 'enter');
    expect(browserOf(session).newestFirst).toBe(false);
  });

  it('The help menu appends a paste to its filter, and clears the filter by one key', async () => {
    const { session } = await onOnlyPage(3);
    press(session, '?', '/');
    type(session, 'next');
    session.paste(' page');
    expect(itemsOf(session).map(({ label }) => label)).toEqual(['next page']);
    press(session, 'ctrl-u');
    expect(overlayOf(session.state())).toMatchObject({ query: '', isFiltering: true });
  });

  it('The help menu leaves its filter before it closes', async () => {
    const { session } = await onOnlyPage(3);
    press(session, '?', '/');
    type(session, 'no such thing');
    expect(itemsOf(session)).toEqual([]);
    press(session, 'enter', 'esc');
    expect(overlayOf(session.state())).toMatchObject({ kind: 'menu', query: '', isFiltering: false });
    press(session, 'esc');
    expect(overlayOf(session.state())).toBeNull();
  });
});

describe('Search in a list', () => {
  it('A search in a list matches what is sent and what is shown, in any case, at each letter', async () => {
    const { session } = await onOnlyPage(3);
    press(session, '/');
    type(session, 'REFERENCE-2');
    press(session, 'enter');
    expect(browserOf(session)).toMatchObject({ find: 'REFERENCE-2', view: { row: 0 } });
    press(session, 'enter');
    expect(browserOf(session).inspector?.row.reference).toBe('reference-2');
    press(session, 'esc', 'esc');
    expect(browserOf(session).find).toBe('');
  });

  it('A search in a list ends after Esc in its prompt', async () => {
    const { session } = await onOnlyPage(3);
    press(session, '/');
    type(session, 'reference-1');
    press(session, 'esc');
    expect(browserOf(session).find).toBe('');
  });
});

describe('Command line', () => {
  const problem = (session: Session) => {
    const overlay = overlayOf(session.state());
    return overlay?.kind === 'prompt' ? overlay.problem : undefined;
  };

  it('The command line goes to a tab with filters and sends one request to the node', async () => {
    const { session, world } = await showing(pageOf([]), { tab: 'parameters' });
    run(session, `provisions market=${hexId(5)} live=true`);
    expect(session.state().tab).toBe('provisions');
    expect(world.pages.length).toBe(2);
    expect(last(world.pages).asked.request.filters).toEqual({ marketId: [hexId(5)], live: ['true'] });
  });

  it.each([
    ['size 0', 'a page has 1 to 5000 rows, not "0"'],
    ['size 5001', 'a page has 1 to 5000 rows, not "5001"'],
    ['sort nothing', /^no column "nothing": there are party, market/],
    ['provisions colour=red', 'provisions has no filter "colour": it has market, party, reference, live'],
    ['provisions market=xyz', 'market must be a market ID (64 hex digits), not "xyz"'],
    ['sotr fee', 'no command "sotr fee": did you mean sort?'],
    ['next page', 'this is the last page'],
  ])('The command line stays open for %j and says what is wrong with it', async (line, expected) => {
    const { session } = await onOnlyPage(3);
    run(session, line);
    expect(problem(session)).toMatch(expected);
    expect(focusedField(session.state()).text).toBe(line);
  });

  it('The command line runs anything that has a key by its title', async () => {
    const { session } = await onOnlyPage(3);
    run(session, 'newest or oldest first');
    expect(browserOf(session).newestFirst).toBe(false);
    run(session, 'q');
    expect(session.state().isEnded).toBe(true);
  });

  it('The command line sets the page size and requests the list again from the start', async () => {
    const { session, world } = await onOnlyPage(3);
    run(session, 'size 5000');
    expect(last(world.pages).asked.request).toMatchObject({ size: 5000, position: { kind: 'first' } });
  });

  it('The command line accepts yes for a switch as the filter bar does', async () => {
    const { session, world } = await onOnlyPage(3);
    run(session, 'provisions live=yes');
    expect(last(world.pages).asked.request.filters).toEqual({ live: ['true'] });
  });
});

describe('Overlay', () => {
  it.each(['c', ':', 'z'])(
    'The overlay opened by %s takes the keys: those that move the list do nothing',
    async key => {
      const { session, world } = await onFirstPage();
      press(session, key);
      const [list, overlay] = [browserOf(session), overlayOf(session.state())];
      press(session, 'r');
      expect([browserOf(session), overlayOf(session.state())]).toEqual([list, overlay]);
      expect(world.pages.length).toBe(1);
    },
  );

  it('The overlay of a running export accepts only yes and no', async () => {
    const { session, world } = await exporting();
    for (const keys of [['x'], ['q', 'q']]) {
      press(session, ...keys);
      const overlay = overlayOf(session.state());
      expect(overlay?.kind).toBe('confirm');
      press(session, 'r');
      expect(overlayOf(session.state())).toEqual(overlay);
      press(session, 'n');
    }
    press(session, 'q', 'y');
    expect(withOverlayOf(session.state())).toMatchObject({ isEnded: true, isInterrupted: false, overlay: null });
    expect(last(world.exports).signal.aborted).toBe(true);
  });

  it('The overlay of a value stays in place when a key does not move it', async () => {
    const { session } = await onFirstPage();
    press(session, 'enter');
    await told();
    press(session, 'j', 'enter');
    const overlay = overlayOf(session.state());
    press(session, 'f');
    expect([overlay?.kind, overlayOf(session.state())]).toEqual(['value', overlay]);
  });
});
