import { printJson } from '../../../chain/api/json.ts';
import type { Copyable } from '../../../chain/explain/explanation.ts';
import { columnsTitledFor } from '../../../chain/resources/columns.ts';
import { resourceById } from '../../../chain/resources/registry.ts';
import type { Column, Resource, Row } from '../../../chain/resources/resource.ts';
import { isBranch, nodeText, type TreeNode } from '../../../chain/resources/tree.ts';
import { type CopyItem, copyText } from '../../core/screen.ts';
import { type CopyContent, FORM_NAMES } from '../../services/copying/content.ts';
import {
  curlCommandText,
  findFlag,
  listCommandText,
  loginHint,
  showCommandText,
  wholeListCommandText,
} from '../../services/copying/equal-commands.ts';
import { markedColumn } from './list/column-layout.ts';
import { selectedRow } from './list/visible-rows.ts';
import type { ListContext } from './list-context.ts';
import { lineAtCursor } from './record/inspector.ts';
import { explanationCopies } from './record/meaning.ts';
import { describeRowCount, listToCopy } from './saves.ts';
import type { BrowseState, LoadedPage } from './state.ts';

/** Items to copy from a list or its open record, the selected one first. */
export function listCopies(list: BrowseState, context: ListContext): readonly CopyItem[] {
  const resource = resourceById(list.resource);
  const { inspector, page, sort, find } = list;
  if (resource === undefined || page === null) return [];
  const { node } = context.shared;
  const equal = (label: string, text: string) => copyText(`${label}${loginHint(node, text)}`, text);
  const isWhole = page.whole !== undefined;
  const command = isWhole ? wholeListCommandText : listCommandText;
  const found = findFlag(find);
  const listed = command(node, resource, page.request, sort);
  const row = inspector?.row ?? selectedRow(resource, list);
  const line = inspector === null ? undefined : lineAtCursor(resource, inspector);
  const marked = markedColumn(list, context);
  const all = row === undefined ? [] : rowCells(resource, row, page);
  // The marked cell comes first.
  const cells = all.toSorted((a, b) => Number(b.id === marked) - Number(a.id === marked));
  const isNear = ({ id, isFirst }: (typeof cells)[number]): boolean => isFirst || id === marked;
  return [
    ...(line === undefined ? [] : lineItems(line.node)),
    ...explanationCopies(inspector).map(({ what, text }) => copyText(what, text)),
    ...cells.flatMap(cell => (isNear(cell) ? [copyText(cell.label, cell.text)] : [])),
    ...(row === undefined ? [] : [recordItem(resource, row)]),
    ...tableItems(list, context),
    ...(row === undefined
      ? []
      : [equal('command for this record', showCommandText(node, resource, page.request, row))]),
    ...(found === undefined
      ? []
      : [equal(isWhole ? 'command for the whole list' : 'command for this page', `${listed}${found}`)]),
    // While a snapshot is open, no address can be queried.
    ...(node.address === ''
      ? []
      : [
          equal(
            isWhole ? 'curl for its first page' : 'curl for this page',
            curlCommandText(node, resource, page.request, page.path),
          ),
        ]),
    ...cells.flatMap(cell => (isNear(cell) ? [] : [copyText(cell.label, cell.text)])),
  ];
}

/** Columns that identify the row or its subject come before its other values. */
const identifiesRow = ({ kind, entity }: Column): boolean => kind === 'id' || entity !== undefined;

const rowCells = (resource: Resource, row: Row, { request }: LoadedPage) =>
  columnsTitledFor(resource, request.filters)
    .map((column, index) => ({
      id: column.id,
      isFirst: index === 0 || identifiesRow(column),
      label: column.title.toLowerCase(),
      text: column.value(row),
    }))
    .filter(({ text }) => text !== '');

const lazyCopyItem = (label: string, detail: string, content: CopyContent): CopyItem => ({ label, detail, content });

const recordItem = ({ singular, keyOf }: Resource, row: Row): CopyItem =>
  lazyCopyItem('record as JSON', `${singular} ${keyOf(row)}`, { kind: 'json', value: row, isIndented: false });

function tableItems(list: BrowseState, context: ListContext): readonly CopyItem[] {
  const content = listToCopy(list, context);
  if (content === undefined || content.rows.length === 0) return [];
  const words = describeRowCount(list);
  return (['csv', 'tsv', 'md'] as const).map(form =>
    lazyCopyItem(`table as ${FORM_NAMES[form]}`, words, { kind: 'rows', form, list: content }),
  );
}

function lineItems(node: TreeNode): readonly CopyItem[] {
  const { copied, label, path, value } = node;
  if (copied !== undefined) return toCopyItems([{ what: label === '' ? 'line' : label, text: copied }]);
  if (value === undefined || label === '') return [];
  const whole = isBranch(node)
    ? lazyCopyItem('value', nodeText(node) || 'as JSON', { kind: 'json', value, isIndented: false })
    : copyText('value', typeof value === 'string' ? value : printJson(value));
  return [whole, copyText('path', path)];
}

const toCopyItems = (copies: readonly Copyable[]): readonly CopyItem[] =>
  copies.map(({ what, text }) => copyText(what, text));
