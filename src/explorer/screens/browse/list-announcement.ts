import { looksLikeId } from '../../../base/text/ids.ts';
import { truncateMiddle } from '../../../base/text/width.ts';
import type { Directory } from '../../../chain/directory/directory.ts';
import { cachedColumnForm, cellText } from '../../../chain/resources/cell-text.ts';
import { resourceById } from '../../../chain/resources/registry.ts';
import type { Resource } from '../../../chain/resources/resource.ts';
import { isBranch } from '../../../chain/resources/tree.ts';
import type { ScreenAnnouncement } from '../../core/screen.ts';
import { markedColumn } from './list/column-layout.ts';
import { availableRows, shownColumns } from './list/visible-rows.ts';
import type { ListContext } from './list-context.ts';
import { nodeValueText, rawLines, type TreeLine, treeLines } from './record/inspector.ts';
import type { BrowseState, Inspector } from './state.ts';

/** The text that a screen reader reads for the row or record that has the keys; undefined: the drawn text. */
export function listAnnouncement(list: BrowseState, context: ListContext): ScreenAnnouncement | undefined {
  const resource = resourceById(list.resource);
  const { inspector, filterBar, failure } = list;
  const { directory } = context.shared;
  if (resource === undefined || filterBar !== null || !context.isOnTop) return undefined;
  if (inspector !== null)
    return {
      lines: recordLines(resource, inspector, directory),
      selected: recordLine(resource, inspector, directory),
    };
  const row = failure === null ? rowText(resource, list, context) : '';
  return row === '' ? undefined : { lines: [], selected: row };
}

/** Further lines are read when the user moves on. */
const MAX_ANNOUNCED_LINES = 40;

/** The record as unfolded, its meaning first. */
function recordLines(resource: Resource, inspector: Inspector, directory: Directory): readonly string[] {
  const lines = inspector.isRaw
    ? rawLines(inspector.row)
    : treeLines(resource, inspector).map(line => lineText(line, inspector, directory));
  const left = lines.length - MAX_ANNOUNCED_LINES;
  return [
    `${resource.singular} ${resource.keyOf(inspector.row)}`,
    ...lines.slice(0, MAX_ANNOUNCED_LINES),
    ...(left > 0 ? [`and ${left} more lines: press down`] : []),
  ];
}

/** The line that keys act on. */
function recordLine(resource: Resource, inspector: Inspector, directory: Directory): string {
  if (inspector.isRaw) return rawLines(inspector.row)[inspector.cursor] ?? '';
  const line = treeLines(resource, inspector)[inspector.cursor];
  return line === undefined ? '' : lineText(line, inspector, directory);
}

function lineText({ node, isOpen, piece }: TreeLine, { receivedAtMs }: Inspector, directory: Directory): string {
  const label = piece?.isFirst === false ? '' : node.label;
  const fold = isBranch(node) ? (isOpen ? ', open' : ', folded') : '';
  if (node.value === undefined) return `${label}${fold}`;
  const text = piece?.text ?? nodeValueText(node, directory, receivedAtMs);
  return `${label === '' ? '' : `${label}: `}${text}${fold}`;
}

/** Characters of a shortened id: both its ends. */
const ID_CELLS = 12;

/** The selected row, each column with its title, or only its marked cell; '' if there is none. */
function rowText(resource: Resource, list: BrowseState, context: ListContext): string {
  const { page, view } = list;
  const { directory } = context.shared;
  const marked = markedColumn(list, context);
  const { rows } = availableRows(resource, list);
  const row = rows.at(view.row);
  if (page === null || row === undefined) return '';
  const columns = shownColumns(resource, list).filter(({ id }) => marked === null || id === marked);
  const cells = columns.flatMap(column => {
    const text = cellText(column, row, page, directory);
    const shown = looksLikeId(text) ? truncateMiddle(text, ID_CELLS) : text;
    const title = column.words ?? cachedColumnForm(column, page, directory).titles[0].toLowerCase();
    if (shown.trim() !== '') return [`${title}: ${shown.trim()}`];
    return marked === null ? [] : [`${title}: empty`];
  });
  if (marked !== null) return [...cells, `${view.row + 1} of ${rows.length}`].join('; ');
  const group = resource.groupOf?.(row).title ?? '';
  return [`${view.row + 1} of ${rows.length}`, ...(group === '' ? [] : [group]), ...cells].join('; ');
}

/** How many rows are loaded; '' while none are. */
export function rowCountAnnouncement(list: BrowseState): string {
  const resource = resourceById(list.resource);
  const { page, find, failure } = list;
  if (resource === undefined || page === null || failure !== null) return '';
  const { rows, loaded, isWhole } = availableRows(resource, list);
  const count = find === '' ? `${loaded} rows` : `${rows.length} rows of ${loaded} match`;
  const at = page.offset === null || page.offset === 0 ? '' : `, from row ${page.offset + 1} on`;
  return `${count}${at}${isWhole ? ', the whole list' : page.hasNextPage ? ', more behind them' : ''}`;
}
