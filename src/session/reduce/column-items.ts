import { titledColumns } from '../../resources/columns.ts';
import { resourceById } from '../../resources/registry.ts';
import { hasOwnColumns, inHandsOrder } from '../model/columns-by-hand.ts';
import type { MenuItem } from '../model/menu-item.ts';
import type { SessionState } from '../model/state.ts';
import { shownColumns } from '../model/visible-rows.ts';

/** Every column of the list in the order in which they stand, and how all of them are as they were. */
export function columnItems(state: SessionState): readonly MenuItem[] {
  const resource = resourceById(state.tab);
  const browser = state.browsers[state.tab];
  if (resource === undefined || browser === undefined) return [];
  const shown = shownColumns(resource, browser);
  const [first] = shown;
  const ids = new Set(shown.map(({ id }) => id));
  const columns = inHandsOrder(titledColumns(resource, browser.page?.request.filters ?? {}), browser.columnOrder);
  const items = columns.map((column): MenuItem => {
    const cells = browser.columnWidths[column.id];
    const isFirst = column.id === first?.id;
    return {
      mark: ids.has(column.id) ? '[x]' : '[ ]',
      label: column.title,
      detail: [isFirst ? 'always shown' : '', cells === undefined ? '' : `${cells} cells`]
        .filter(text => text)
        .join(', '),
      action: { type: 'toggle-column', column: column.id },
      ...(isFirst && { off: 'the first column is always shown' }),
    };
  });
  return [
    ...items,
    {
      mark: hasOwnColumns(browser) ? '*' : ' ',
      label: "the list's own columns",
      detail: 'which, in what order, how wide',
      action: { type: 'reset-columns' },
    },
  ];
}
