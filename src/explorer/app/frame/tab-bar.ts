import { safeText, sanitize } from '../../../text/safe-text.ts';
import { cutLine, type Line, span } from '../../core/line.ts';
import type { Tab } from '../../tabs.ts';

/** Every tab by its digit, with the longest set of titles there is room for; the tab shown has its own in full. */
export function drawTabs(tabs: readonly Tab[], shown: string, columns: number): Line {
  const at = tabs.findIndex(({ id }) => id === shown);
  const { names, gap } = namesFor(tabs, at, columns);
  const room = span(gap === 2 ? safeText` ` : safeText``);
  // The brackets of the tab shown take the place of a space on each side of it.
  const spans = names.flatMap((name, index): Line => {
    const isShown = index === at;
    const isBehind = index === at + 1;
    const edge = isShown ? safeText`[` : isBehind ? safeText`]` : safeText` `;
    const before = span(edge, isShown || isBehind ? 'tab-edge' : 'plain');
    const spaced = index === 0 ? [before] : isBehind ? [before, room] : [room, before];
    return [...spaced, ...(isShown ? [span(sanitize(name), 'tab')] : tabName(name))];
  });
  const end = at === tabs.length - 1 ? span(safeText`]`, 'tab-edge') : span(safeText` `);
  return cutLine([...spans, end], columns);
}

/** The digit that leads to the tab, and its name. */
const tabName = (name: string): Line => [span(sanitize(name.slice(0, 1)), 'accent'), span(sanitize(name.slice(1)))];

/** The place of the tab that is drawn in a column. */
export function tabAt(tabs: readonly Tab[], shown: string, columns: number, column: number): number | undefined {
  const at = tabs.findIndex(({ id }) => id === shown);
  const { names, gap } = namesFor(tabs, at, columns);
  let end = 0;
  const index = names.findIndex(name => {
    end += name.length + gap;
    return column < end;
  });
  return index < 0 ? undefined : index;
}

/** What the tabs are called that are not shown, and the cells between them: the first that fits is taken. */
const SETS: readonly { readonly nameOf: (tab: Tab) => string; readonly gap: 1 | 2 }[] = [
  { nameOf: ({ title }) => ` ${title}`, gap: 2 },
  { nameOf: ({ title }) => ` ${title}`, gap: 1 },
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

function namesFor(tabs: readonly Tab[], at: number, columns: number): TabNames {
  const sets = SETS.map(
    ({ nameOf, gap }): TabNames => ({
      names: tabs.map((tab, index) => `${tab.key}${index === at ? ` ${tab.title}` : nameOf(tab)}`),
      gap,
    }),
  );
  return sets.find(set => cellsOf(set) <= columns) ?? sets.at(-1) ?? { names: [], gap: 1 };
}

const cellsOf = ({ names, gap }: TabNames): number => names.reduce((sum, name) => sum + name.length + gap, 2 - gap);
