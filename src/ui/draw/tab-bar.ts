import type { Tab } from '../../session/model/tabs.ts';
import { safeText, sanitize } from '../../text/safe-text.ts';
import { cutLine, type Line, span } from '../line.ts';

/** Every tab by its digit, with as many titles as there is room for: the long ones give way first, the shown one never. */
export function drawTabs(tabs: readonly Tab[], shown: string, columns: number): Line {
  const at = tabs.findIndex(({ id }) => id === shown);
  const untitled = withoutRoom(tabs, at, columns);
  // The brackets of the tab shown take the place of the spaces around it.
  const spans = tabs.flatMap(({ id, key, title }, index) => {
    const separator = index === at ? safeText`[` : index === at + 1 ? safeText`]` : safeText` `;
    const name = sanitize(untitled.has(id) ? key : `${key} ${title}`);
    return [span(separator, 'selected'), span(name, index === at ? 'selected' : 'plain')];
  });
  return cutLine([...spans, span(at === tabs.length - 1 ? safeText`]` : safeText` `, 'selected')], columns);
}

/** The fewest tabs that go without their title; among titles as long as each other the far ones go first. */
function withoutRoom(tabs: readonly Tab[], at: number, columns: number): ReadonlySet<string> {
  const untitled = new Set<string>();
  const farness = new Map(tabs.map((tab, index) => [tab, Math.abs(index - at)]));
  const firstToGo = tabs
    .filter((_, index) => index !== at)
    .toSorted((a, b) => b.title.length - a.title.length || (farness.get(b) ?? 0) - (farness.get(a) ?? 0));
  let cells = tabs.reduce((sum, { key, title }) => sum + key.length + title.length + 2, 1);
  for (const { id, title } of firstToGo) {
    if (cells <= columns) break;
    untitled.add(id);
    cells -= title.length + 1;
  }
  return untitled;
}
