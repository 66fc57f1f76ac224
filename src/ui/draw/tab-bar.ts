import { cutLine, type Line, span } from '../../explorer/core/line.ts';
import type { Tab } from '../../session/model/tabs.ts';
import { safeText, sanitize } from '../../text/safe-text.ts';

/** Every tab by its digit, with the longest set of titles there is room for; the tab shown has its own in full. */
export function drawTabs(tabs: readonly Tab[], shown: string, columns: number): Line {
  const at = tabs.findIndex(({ id }) => id === shown);
  const names = namesFor(tabs, at, columns);
  // The brackets of the tab shown take the place of the spaces around it.
  const spans = names.flatMap((name, index) => {
    const separator = index === at ? safeText`[` : index === at + 1 ? safeText`]` : safeText` `;
    return [span(separator, 'selected'), span(sanitize(name), index === at ? 'selected' : 'plain')];
  });
  return cutLine([...spans, span(at === tabs.length - 1 ? safeText`]` : safeText` `, 'selected')], columns);
}

/** The place of the tab that is drawn in a column. */
export function tabAt(tabs: readonly Tab[], shown: string, columns: number, column: number): number | undefined {
  const at = tabs.findIndex(({ id }) => id === shown);
  let end = 0;
  const index = namesFor(tabs, at, columns).findIndex(name => {
    end += name.length + 1;
    return column < end;
  });
  return index < 0 ? undefined : index;
}

/** What the tabs are called that are not shown: in full, in short, by three letters, not at all. */
const SETS: readonly ((tab: Tab) => string)[] = [
  ({ title }) => ` ${title}`,
  ({ short }) => ` ${short}`,
  ({ short }) => ` ${short.slice(0, 3)}`,
  () => '',
];

function namesFor(tabs: readonly Tab[], at: number, columns: number): readonly string[] {
  const sets = SETS.map(nameOf =>
    tabs.map((tab, index) => `${tab.key}${index === at ? ` ${tab.title}` : nameOf(tab)}`),
  );
  return sets.find(names => cellsOf(names) <= columns) ?? sets.at(-1) ?? [];
}

const cellsOf = (names: readonly string[]): number => names.reduce((sum, name) => sum + name.length + 1, 1);
