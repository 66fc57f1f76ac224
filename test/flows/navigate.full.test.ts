import { describe, expect, it } from 'vitest';
import { RESOURCES } from '../../src/chain/resources/registry.ts';
import { openTab } from '../support/tabs.ts';
import {
  command,
  footer,
  goToTab,
  hasRows,
  isAt,
  isShortOf,
  openExplorer,
  openProvisions,
  selectedKey,
  selectedRow,
  tableRows,
  withoutHeader,
} from './support/explorer.ts';
import { embedded, nodes } from './support/nodes.ts';
import { fetchPage, knownIds } from './support/wire.ts';

/** What does not change as time passes: the header has the time, and rows have ages. */
const withoutClock = (screen: string): readonly string[] =>
  withoutHeader(screen).map(line => line.replace(/ +\d+ \w+ ago/, ''));

describe.each(nodes)('Explorer navigation on $name', ({ start }) => {
  it('The explorer shows the same page as before when going back, with its selection', async () => {
    await using node = await start();
    const { market } = await knownIds(node.url);
    await using terminal = await openExplorer({ node: node.url });
    await openProvisions(terminal, node, market);
    const first = await terminal.waitFor(isAt('rows 1-50'));
    await terminal.press('n');
    const second = await terminal.waitFor(isAt('rows 51-100'));
    expect(withoutHeader(second)).not.toEqual(withoutHeader(first));
    await terminal.press('down', 'down', 'down');
    const fourth = tableRows(second)[3]?.trim() ?? '';
    const moved = await terminal.waitFor(screen => selectedRow(screen) === fourth);
    await terminal.press(']');
    await terminal.waitFor(isAt('rows 101-150'));
    await terminal.press('p');
    expect(withoutClock(await terminal.waitFor(isAt('rows 51-100')))).toEqual(withoutClock(moved));
    await terminal.press('[');
    expect(withoutClock(await terminal.waitFor(isAt('rows 1-50')))).toEqual(withoutClock(first));
    await terminal.press('p');
    await terminal.waitFor('this is the first page');
  });

  it('The explorer walks to the end of the list, where the next page is disabled with a reason', async () => {
    await using node = await start();
    const { market } = await knownIds(node.url);
    await using terminal = await openExplorer({ node: node.url });
    await openProvisions(terminal, node, market);
    await terminal.press('>');
    const last = await terminal.waitFor(isAt('last 50 rows'));
    expect(footer(last)).not.toContain(', more');
    await terminal.press('n');
    await terminal.waitFor('this is the last page');
    await terminal.press('p');
    await terminal.waitFor(isAt('50 rows, more'));
    await terminal.press('<');
    await terminal.waitFor(isAt('rows 1-50'));
  });

  it('The explorer reverses the list to the oldest first and back', async () => {
    await using node = await start();
    const { market } = await knownIds(node.url);
    const ask = (newestFirst: string) =>
      fetchPage(node.url, 'provisions', {
        marketId: market,
        'pagination.first': '1',
        'pagination.newestFirst': newestFirst,
      });
    const [newest, oldest] = [(await ask('true')).records[0].partyId, (await ask('false')).records[0].partyId];
    await using terminal = await openExplorer({ node: node.url });
    const first = await openProvisions(terminal, node, market);
    expect(isShortOf(selectedKey(first), newest)).toBe(true);
    await terminal.press('o');
    // The first and the last may be of one party.
    const isTurned = (screen: string) => screen.includes('oldest first');
    await terminal.waitFor(screen => isTurned(screen) && isShortOf(selectedKey(screen), oldest));
    await terminal.press('o');
    await terminal.waitFor(screen => !isTurned(screen) && isShortOf(selectedKey(screen), newest));
  });
});

describe.each([embedded])('Explorer tabs and page sizes on $name', ({ start }) => {
  it('The explorer opens every list by its digit, with rows or the sentence that says why there are none', async () => {
    await using node = await start();
    await using terminal = await openExplorer({ node: node.url });
    for (const { id, path, title } of RESOURCES) {
      await goToTab(terminal, id);
      const isMissing = (await fetch(`${node.url}/${path}`)).status === 404;
      const sentence =
        id === 'provisions' && node.demandsFilters
          ? 'only by market or party'
          : `This node has no list of ${title.toLowerCase()}`;
      await terminal.waitFor(screen => screen.includes(sentence) || (hasRows(screen) && !isMissing));
    }
  });

  it('The explorer cycles through the tabs with Tab and back with Shift-Tab', async () => {
    await using node = await start();
    await using terminal = await openExplorer({ node: node.url });
    const { market } = await knownIds(node.url);
    await openProvisions(terminal, node, market);
    for (const { id } of RESOURCES.slice(2)) {
      await terminal.press('tab');
      await terminal.waitFor(screen => screen.includes(openTab(id)));
    }
    await terminal.press('tab');
    await terminal.waitFor(openTab('history'));
    await terminal.press('tab');
    await terminal.waitFor(openTab('overview'));
    await terminal.press('tab');
    await terminal.waitFor(screen => screen.includes(openTab('parameters')) && hasRows(screen));
    await terminal.press('shift-tab', 'shift-tab', 'shift-tab');
    await terminal.waitFor(openTab(RESOURCES.at(-1)?.id ?? ''));
  });

  it('The explorer changes the page size with z, and refuses one that no node serves', async () => {
    await using node = await start();
    const { market } = await knownIds(node.url);
    await using terminal = await openExplorer({ node: node.url });
    await openProvisions(terminal, node, market);
    await terminal.press('z');
    await terminal.waitFor('rows a page (1-5000): 50');
    await terminal.press('ctrl-u', '5001', 'enter');
    await terminal.waitFor('a page has 1 to 5000 rows, not "5001"');
    await terminal.press('ctrl-u', '7', 'enter');
    await terminal.waitFor(isAt('rows 1-7, more'));
    await terminal.press('n');
    await terminal.waitFor(isAt('rows 8-14'));
    await terminal.press('n');
    await terminal.waitFor(isAt('rows 15-21'));
    await terminal.press('<');
    await terminal.waitFor(isAt('rows 1-7'));
    await command(terminal, 'size 100');
    await terminal.waitFor(isAt('rows 1-100'));
  });
});
