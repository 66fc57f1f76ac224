import type { Directory } from '../../directory/directory.ts';
import type { Resource } from '../../resources/resource.ts';
import { cellText, formOf } from '../../session/model/cell-text.ts';
import { rowsAtHand } from '../../session/model/rows-at-hand.ts';
import type { Browser } from '../../session/model/state.ts';
import { shownColumns } from '../../session/model/visible-rows.ts';
import { truncateMiddle } from '../../text/width.ts';

const LONG_ID = /^(?:0x)?[0-9a-f]{16,}$/i;

/** Of an id so many characters: both its ends. */
const ID_CELLS = 12;

/** The selected row, each column with its title, or its marked cell alone; '' when there is none. */
export function rowText(
  resource: Resource,
  browser: Browser,
  { directory, marked }: { readonly directory: Directory; readonly marked: string | null },
): string {
  const { page, view } = browser;
  const { rows } = rowsAtHand(resource, browser);
  const row = rows.at(view.row);
  if (page === null || row === undefined) return '';
  const columns = shownColumns(resource, browser).filter(({ id }) => marked === null || id === marked);
  const cells = columns.flatMap(column => {
    const text = cellText(column, row, page, directory);
    const shown = LONG_ID.test(text) ? truncateMiddle(text, ID_CELLS) : text;
    const [title] = formOf(column, page, directory).titles;
    if (shown.trim() !== '') return [`${title.toLowerCase()}: ${shown.trim()}`];
    return marked === null ? [] : [`${title.toLowerCase()}: empty`];
  });
  if (marked !== null) return [...cells, `${view.row + 1} of ${rows.length}`].join('; ');
  const group = resource.groupOf?.(row).title ?? '';
  return [`${view.row + 1} of ${rows.length}`, ...(group === '' ? [] : [group]), ...cells].join('; ');
}

/** How many rows there are, as far as they are loaded; '' while none are. */
export function rowCount(resource: Resource, browser: Browser): string {
  const { page, find } = browser;
  if (page === null || browser.failure !== null) return '';
  const { rows, loaded, isWhole } = rowsAtHand(resource, browser);
  const count = find === '' ? `${loaded} rows` : `${rows.length} rows of ${loaded} match`;
  const at = page.offset === null || page.offset === 0 ? '' : `, from row ${page.offset + 1} on`;
  return `${count}${at}${isWhole ? ', the whole list' : page.hasNextPage ? ', more behind them' : ''}`;
}
