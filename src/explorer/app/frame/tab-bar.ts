import { repeatSafe, safeText, sanitize } from '../../../base/text/safe-text.ts';
import { cutLine, type Line, span } from '../../core/line.ts';
import type { Tab } from '../../tabs.ts';

/** Every tab by its digit, with the longest set of titles that fits; the open tab has its title in full, and no digit. */
export function drawTabs(tabs: readonly Tab[], shown: string, columns: number): Line {
  const at = tabs.findIndex(({ id }) => id === shown);
  const { names, gap } = fittingTabNames(tabs, at, columns);
  const spans = names.flatMap((name, index): Line => {
    const blanks = (cells: number) => span(repeatSafe(safeText` `, Math.max(0, cells)));
    const before = gapBefore(index, at, gap);
    if (index === at) return [blanks(before - 1), span(safeText`[`, 'tab-edge'), span(sanitize(name), 'tab')];
    return [...(index === at + 1 ? [CLOSE, blanks(before - 1)] : [blanks(before)]), ...tabName(name)];
  });
  return cutLine([...spans, ...(at === tabs.length - 1 ? [CLOSE] : [])], columns);
}

const CLOSE = span(safeText`]`, 'tab-edge');

/** The brackets of the open tab take a cell on each side; at the edges of the bar only they need one. */
const gapBefore = (index: number, at: number, gap: number): number => (index > 0 ? gap : at === 0 ? 1 : 0);

/** The digit that leads to the tab, and its name. */
const tabName = (name: string): Line => [span(sanitize(name.slice(0, 1)), 'accent'), span(sanitize(name.slice(1)))];

/** What the tabs are called that are not shown, and the cells between them: the first that fits is taken. */
const SETS: readonly { readonly nameOf: (tab: Tab) => string; readonly gap: 1 | 2 }[] = [
  { nameOf: ({ short }) => ` ${short}`, gap: 2 },
  { nameOf: ({ short }) => ` ${short}`, gap: 1 },
  { nameOf: ({ short }) => ` ${short.slice(0, 3)}`, gap: 1 },
  { nameOf: ({ short }) => short.slice(0, 3), gap: 1 },
  { nameOf: () => '', gap: 1 },
];

interface TabNames {
  readonly names: readonly string[];
  readonly gap: 1 | 2;
}

function fittingTabNames(tabs: readonly Tab[], at: number, columns: number): TabNames {
  const sets = SETS.map(
    ({ nameOf, gap }): TabNames => ({
      names: tabs.map((tab, index) => (index === at ? tab.short : `${tab.key}${nameOf(tab)}`)),
      gap,
    }),
  );
  return sets.find(set => tabBarCells(set, at) <= columns) ?? sets.at(-1) ?? { names: [], gap: 1 };
}

const tabBarCells = ({ names, gap }: TabNames, at: number): number =>
  names.reduce((sum, name, index) => sum + gapBefore(index, at, gap) + name.length, at === names.length - 1 ? 1 : 0);
