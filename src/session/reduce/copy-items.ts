import { printJson } from '../../api/json.ts';
import type { Copyable } from '../../explain/explanation.ts';
import { FORM_NAMES } from '../../explorer/services/copying/content.ts';
import { titledColumns } from '../../resources/columns.ts';
import { resourceById } from '../../resources/registry.ts';
import type { Column, Resource, Row } from '../../resources/resource.ts';
import { isBranch, nodeText, type TreeNode } from '../../resources/tree.ts';
import { curlCommand, findFlag, listCommand, loginHint, showCommand, wholeListCommand } from '../model/equivalent.ts';
import { lineAtCursor } from '../model/inspector.ts';
import { markedColumn } from '../model/marked-cell.ts';
import { copiesOf } from '../model/meaning.ts';
import type { MenuItem } from '../model/menu-item.ts';
import type { LoadedPage, SessionState } from '../model/state.ts';
import { selectedRow } from '../model/visible-rows.ts';
import { copyItem, laterItem } from './copy-item.ts';
import { topScreen } from './layers.ts';
import { listContent, rowsInWords } from './saveable-here.ts';

/** What can be taken along from what is shown, what is selected first. What is long is told of, and made when it is chosen. */
export function copyItems(state: SessionState): readonly MenuItem[] {
  const top = topScreen(state);
  if (top !== undefined)
    return (top.screen.copies?.(top.layer.state, top.context) ?? []).map(({ label, detail, content }) =>
      laterItem(label, detail, content),
    );
  return listItems(state);
}

const equal = ({ node }: SessionState, label: string, text: string): MenuItem =>
  copyItem(`${label}${loginHint(node, text)}`, text);

function listItems(state: SessionState): readonly MenuItem[] {
  const resource = resourceById(state.tab);
  const browser = state.browsers[state.tab];
  if (resource === undefined || !browser?.page) return [];
  const { inspector, page, sort, find } = browser;
  const isWhole = page.whole !== undefined;
  const command = isWhole ? wholeListCommand : listCommand;
  const listed = `${command(state.node, resource, page.request, sort)}${findFlag(find)}`;
  const row = inspector?.row ?? selectedRow(resource, browser);
  const line = inspector === null ? undefined : lineAtCursor(resource, inspector);
  const marked = markedColumn(state);
  const all = row === undefined ? [] : cellsOf(resource, row, page);
  // The marked cell comes first.
  const cells = all.toSorted((a, b) => Number(b.id === marked) - Number(a.id === marked));
  const isNear = ({ id, isFirst }: (typeof cells)[number]): boolean => isFirst || id === marked;
  return [
    ...(line === undefined ? [] : lineItems(line.node)),
    ...copiesOf(inspector).map(({ what, text }) => copyItem(what, text)),
    ...cells.flatMap(cell => (isNear(cell) ? [copyItem(cell.label, cell.text)] : [])),
    ...(row === undefined ? [] : [recordItem(resource, row)]),
    ...tableItems(state),
    ...(row === undefined
      ? []
      : [equal(state, 'command for this record', showCommand(state.node, resource, page.request, row))]),
    equal(state, isWhole ? 'command for the whole list' : 'command for this page', listed),
    equal(
      state,
      isWhole ? 'curl for its first page' : 'curl for this page',
      curlCommand(state.node, resource, page.request, page.path),
    ),
    ...cells.flatMap(cell => (isNear(cell) ? [] : [copyItem(cell.label, cell.text)])),
  ];
}

/** What tells the row from others, and what it is of, comes before what it says. */
const isNaming = ({ kind, entity }: Column): boolean => kind === 'id' || entity !== undefined;

const cellsOf = (resource: Resource, row: Row, { request }: LoadedPage) =>
  titledColumns(resource, request.filters)
    .map((column, index) => ({
      id: column.id,
      isFirst: index === 0 || isNaming(column),
      label: column.title.toLowerCase(),
      text: column.value(row),
    }))
    .filter(({ text }) => text !== '');

const recordItem = ({ singular, keyOf }: Resource, row: Row): MenuItem =>
  laterItem('record as JSON', `${singular} ${keyOf(row)}`, { kind: 'json', value: row, isIndented: false });

function tableItems(state: SessionState): readonly MenuItem[] {
  const list = listContent(state);
  if (list === undefined || list.rows.length === 0) return [];
  const words = rowsInWords(state);
  return (['csv', 'tsv', 'md'] as const).map(form =>
    laterItem(`table as ${FORM_NAMES[form]}`, words, { kind: 'rows', form, list }),
  );
}

function lineItems(node: TreeNode): readonly MenuItem[] {
  const { copied, label, path, value } = node;
  if (copied !== undefined) return asItems([{ what: label === '' ? 'line' : label, text: copied }]);
  if (value === undefined || label === '') return [];
  const whole = isBranch(node)
    ? laterItem('value', nodeText(node) || 'as JSON', { kind: 'json', value, isIndented: false })
    : copyItem('value', typeof value === 'string' ? value : printJson(value));
  return [whole, copyItem('path', path)];
}

const asItems = (copies: readonly Copyable[]): readonly MenuItem[] =>
  copies.map(({ what, text }) => copyItem(what, text));
