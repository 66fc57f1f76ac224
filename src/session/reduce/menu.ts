import { printJson } from '../../api/json.ts';
import type { Copyable } from '../../explain/explanation.ts';
import { statementCsv } from '../../explain/statement/statement-csv.ts';
import { statementJson } from '../../explain/statement/statement-json.ts';
import { titledColumns } from '../../resources/columns.ts';
import { resourceById } from '../../resources/registry.ts';
import { nodeText, type TreeNode } from '../../resources/tree.ts';
import { csvRecord } from '../../text/csv-field.ts';
import { sanitize } from '../../text/safe-text.ts';
import { truncateMiddle } from '../../text/width.ts';
import {
  curlCommand,
  exportCommand,
  listCommand,
  loginHint,
  showCommand,
  statementCommand,
} from '../model/equivalent.ts';
import { lineAtCursor } from '../model/inspector.ts';
import { hearsMouse } from '../model/looks.ts';
import { copiesOf } from '../model/meaning.ts';
import { modeOf } from '../model/mode.ts';
import type { Menu } from '../model/overlay.ts';
import type { SessionState } from '../model/state.ts';
import { madeStatement, type StatementView } from '../model/statement.ts';
import { selectedRow, shownColumns } from '../model/visible-rows.ts';
import { columnItems } from './column-items.ts';
import { frequencyCopies, frequencyItems } from './frequency-items.ts';
import { goItems } from './go-items.ts';
import { bindingsOf, keyNames, offReason } from './keymap.ts';
import type { MenuItem } from './menu-item.ts';
import { nodeItems } from './node-picker.ts';
import { whatItems } from './what-items.ts';

const MENU_TITLES: { readonly [id in Menu['id']]: string } = {
  help: 'Keys: type / to filter, Enter runs',
  copy: 'Copy',
  sort: 'Sort the loaded rows by',
  columns: 'Columns',
  go: 'Go to: Enter goes, Backspace comes back',
  what: 'Enter goes there, Backspace comes back',
  nodes: 'Nodes: Enter switches, Esc stays',
  frequency: 'Count the values of',
};

/** What stands above the items; of a value that was pasted itself. */
export const menuTitle = ({ pasted }: SessionState, { id }: Menu): string =>
  id === 'what' && pasted !== null ? `${shortValue(pasted.text)}: ${MENU_TITLES.what}` : MENU_TITLES[id];

const shortValue = (text: string): string => truncateMiddle(sanitize(text.slice(0, 200)), 30);

/** The items of the open menu that match its query. */
export function menuItems(state: SessionState, menu: Menu): readonly MenuItem[] {
  const wanted = menu.query.toLowerCase();
  const items = itemsOf(state, menu.id);
  return wanted === ''
    ? items
    : items.filter(item => `${item.mark} ${item.label} ${item.detail}`.toLowerCase().includes(wanted));
}

function itemsOf(state: SessionState, id: Menu['id']): readonly MenuItem[] {
  switch (id) {
    case 'help':
      return helpItems(state);
    case 'copy':
      return copyItems(state);
    case 'sort':
      return sortItems(state);
    case 'columns':
      return columnItems(state);
    case 'go':
      return goItems(state);
    case 'what':
      return whatItems(state);
    case 'nodes':
      return nodeItems(state);
    case 'frequency':
      return frequencyItems(state);
  }
}

function helpItems(state: SessionState): readonly MenuItem[] {
  const below = { ...state, overlay: null };
  const items = bindingsOf(modeOf(below)).map(binding => {
    const off = offReason(below, binding);
    return {
      mark: keyNames(binding),
      label: binding.title,
      detail: off ?? '',
      action: binding.action,
      ...(off !== undefined && { off }),
    };
  });
  return [...items, mouseItem(state)];
}

function mouseItem(state: SessionState): MenuItem {
  const isOn = hearsMouse(state);
  return {
    mark: 'mouse',
    label: 'the mouse; Shift selects text',
    detail: isOn ? 'on: Enter turns it off' : 'off: Enter turns it on',
    action: { type: 'set-looks', said: { mouse: isOn ? 'off' : 'on' } },
  };
}

function copyItems(state: SessionState): readonly MenuItem[] {
  const copy = (label: string, text: string): MenuItem => ({
    mark: '',
    label,
    detail: text,
    action: { type: 'copy', what: label, text },
  });
  const equal = (label: string, text: string) => copy(`${label}${loginHint(state.node)}`, text);
  if (state.statement !== null) return statementItems(state, state.statement);
  if (state.frequency !== null) return frequencyCopies(state, state.frequency);
  if (state.tab === 'export') {
    const plan = state.job?.plan;
    if (plan === undefined) return [];
    const path =
      state.job?.status === 'ended' && state.job.result.kind === 'saved'
        ? [copy('path of the file', state.job.result.path)]
        : [];
    return [...path, equal('equal command', exportCommand(state.node, plan))];
  }
  const resource = resourceById(state.tab);
  const browser = state.browsers[state.tab];
  if (resource === undefined || !browser?.page) return [];
  const row = browser.inspector?.row ?? selectedRow(resource, browser);
  const line = browser.inspector === null ? undefined : lineAtCursor(resource, browser.inspector);
  const value = line === undefined ? [] : copiesOfLine(line.node).map(({ what, text }) => copy(what, text));
  const explained = copiesOf(browser.inspector).map(({ what, text }) => copy(what, text));
  const { request, path } = browser.page;
  const record =
    row === undefined
      ? []
      : [
          ...titledColumns(resource, request.filters)
            .map(column => copy(column.title.toLowerCase(), column.value(row)))
            .filter(item => item.detail !== ''),
          copy('record as JSON', printJson(row)),
          equal('command for this record', showCommand(state.node, resource, request, row)),
        ];
  return [
    ...value,
    ...explained,
    ...record,
    equal('command for this page', listCommand(state.node, resource, request, browser.sort)),
    equal('curl for this page', curlCommand(state.node, resource, request, path)),
  ];
}

function statementItems(state: SessionState, view: StatementView): readonly MenuItem[] {
  const item = (label: string, text: string): MenuItem => ({
    mark: '',
    label,
    detail: text,
    action: { type: 'copy', what: label, text },
  });
  const made = madeStatement(view, state.directory);
  const command = item(`equal command${loginHint(state.node)}`, statementCommand(state.node, view));
  if (made === undefined) return [command];
  const { statement, table } = made;
  return [
    item('statement as CSV', statementCsv(statement, state.directory).map(csvRecord).join('')),
    item('statement as JSON', printJson(statementJson(statement, state.directory), 2)),
    ...table.totals.map((total, index) => item(index === 0 ? 'total' : `total ${index + 1}`, total)),
    command,
  ];
}

function copiesOfLine({ copied, label, path, value }: TreeNode): readonly Copyable[] {
  if (copied !== undefined) return [{ what: label === '' ? 'line' : label, text: copied }];
  if (value === undefined || label === '') return [];
  return [
    { what: 'value', text: plainValue(value) },
    { what: 'path', text: path },
  ];
}

function plainValue(value: Parameters<typeof printJson>[0]): string {
  return typeof value === 'string' ? value : printJson(value);
}

function sortItems(state: SessionState): readonly MenuItem[] {
  const resource = resourceById(state.tab);
  const browser = state.browsers[state.tab];
  if (resource === undefined || browser === undefined) return [];
  const items = shownColumns(resource, browser).map(column => ({
    mark: browser.sort?.column === column.id ? (browser.sort.isDescending ? 'v' : '^') : ' ',
    label: column.title,
    detail: browser.sort?.column === column.id && !browser.sort.isDescending ? 'again: largest first' : '',
    action: { type: 'sort-by', column: column.id } as const,
  }));
  return [
    ...items,
    {
      mark: browser.sort === null ? '*' : ' ',
      label: "the node's own order",
      detail: '',
      action: { type: 'sort-by', column: '' },
    },
  ];
}

/** The full text of what the inspector's cursor is on, for the value view. */
export function valueAtCursor(state: SessionState): { readonly title: string; readonly text: string } | undefined {
  const resource = resourceById(state.tab);
  const inspector = state.browsers[state.tab]?.inspector;
  if (resource === undefined || !inspector) return undefined;
  const line = lineAtCursor(resource, inspector);
  if (line === undefined || line.node.value === undefined) return undefined;
  const { value, path, label, copied } = line.node;
  const text = typeof value === 'object' ? printJson(value, 2) : nodeText(line.node);
  if (copied === undefined) return { title: path, text };
  return { title: label === '' ? resource.singular : label, text: copied === text ? text : `${text}\n${copied}` };
}
