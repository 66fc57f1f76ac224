import type { Choice } from '../../explorer/core/choices.ts';
import type { ColumnsOpening, HelpOpening } from '../../explorer/openings.ts';
import { resourceById } from '../../resources/registry.ts';
import type { Action } from '../model/action.ts';
import { hearsMouse } from '../model/looks.ts';
import { markedColumn } from '../model/marked-cell.ts';
import type { MenuId } from '../model/menu-id.ts';
import type { MenuItem } from '../model/menu-item.ts';
import type { SessionState } from '../model/state.ts';
import { shownColumns } from '../model/visible-rows.ts';
import { answerItems } from './ask-export.ts';
import { columnItems } from './column-items.ts';
import { shiftProblem } from './columns-by-hand.ts';
import { copyItems } from './copy-items.ts';
import { countItems } from './counted-list.ts';
import { goItems } from './go-items.ts';
import { bindingFor, bindingsOf, KEYMAP, keyNames, offReason } from './keymap.ts';
import { menuOfScreen, openOver, withoutOverlays } from './layers.ts';
import { ofList } from './tab-list.ts';

const MENU_TITLES: { readonly [id in Exclude<MenuId, 'help' | 'columns'>]: string } = {
  copy: 'Copy',
  sort: 'Sort the loaded rows by',
  go: 'Go to: Enter goes, Backspace comes back',
  'go-all': 'Go to: the ids of this record; / filters',
  count: 'Count the values of',
  presets: 'Presets: Enter fills the export',
  'after-export': 'What to do with it',
  answers: 'Ask what was exported',
};

const markedHere = ofList(markedColumn);

/** Opens a menu, one of columns on the column whose cell is marked. */
export function openMenu(state: SessionState, id: MenuId): SessionState {
  const choices = (below: SessionState): readonly Choice[] => itemsOf(below, id).map(choiceOf);
  const marked = markedHere(state) ?? null;
  const at =
    marked === null ? -1 : choices(withoutOverlays(state)).findIndex(choice => isOfColumn(choice.action, marked));
  const cursor = Math.max(0, at);
  switch (id) {
    case 'help':
      return openOver(state, 'help', { choices, pressed });
    case 'columns':
      return openOver(state, 'columns', { ...COLUMN_ACTIONS, choices, cursor, shiftProblem });
    case 'go':
    case 'go-all':
      return openOver(state, 'menu', { id, title: MENU_TITLES[id], choices, areMarksKeys: true });
    case 'copy':
    case 'sort':
    case 'count':
    case 'presets':
    case 'after-export':
    case 'answers':
      return openOver(state, 'menu', { id, title: MENU_TITLES[id], choices, cursor });
  }
}

const COLUMN_ACTIONS: Pick<ColumnsOpening, 'columnOf' | 'resize' | 'shift'> = {
  columnOf: ({ action }) => (action.type === 'toggle-column' ? action.column : undefined),
  resize: (column, direction) => ({ type: 'resize-column', column, direction }),
  shift: (column, direction) => ({ type: 'shift-column', column, direction }),
};

const choiceOf = ({ off, ...item }: MenuItem): Choice => (off === undefined ? item : { ...item, disabledReason: off });

/** What a key does without the help over it. */
function pressed(below: SessionState, key: string): ReturnType<HelpOpening['pressed']> {
  const binding = bindingFor(below, key);
  if (binding === undefined) return undefined;
  const disabledReason = offReason(below, binding);
  return disabledReason === undefined ? { action: binding.action } : { disabledReason };
}

const isOfColumn = (action: Action, id: string): boolean =>
  (action.type === 'sort-by' || action.type === 'toggle-column' || action.type === 'count-column') &&
  action.column === id;

function itemsOf(state: SessionState, id: MenuId): readonly MenuItem[] {
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
      return goalItems(state) ?? [];
    case 'go-all':
      return allGoalItems(state) ?? [];
    case 'count':
      return countItems(state);
    case 'presets':
    case 'after-export':
      return menuOfScreen(state, id);
    case 'answers':
      return answerItems(state);
  }
}

const goalItems = ofList((list, context) => goItems(list, context));
const allGoalItems = ofList((list, context) => goItems(list, context, true));

function helpItems(below: SessionState): readonly MenuItem[] {
  const items = bindingsOf(below).map(binding => {
    const off = offReason(below, binding);
    return {
      mark: keyNames(binding),
      label: binding.title,
      detail: off ?? '',
      action: binding.action,
      ...(off !== undefined && { off }),
    };
  });
  return [...items, ...fieldItems(), mouseItem(below)];
}

/** Keys that edit a field. Help opens in none, since a question mark is typed there. */
const fieldItems = (): readonly MenuItem[] =>
  KEYMAP.filter(({ action }) => action.type === 'edit-field').map(binding => ({
    mark: keyNames(binding),
    label: binding.title,
    detail: 'in a field',
    action: binding.action,
    off: 'this key edits a field: / and : open one',
  }));

function mouseItem(state: SessionState): MenuItem {
  const isOn = hearsMouse(state);
  return {
    mark: 'mouse',
    label: 'the mouse; Shift selects text',
    detail: isOn ? 'on: Enter turns it off' : 'off: Enter turns it on',
    action: { type: 'set-looks', said: { mouse: isOn ? 'off' : 'on' } },
  };
}

function sortItems(state: SessionState): readonly MenuItem[] {
  const resource = resourceById(state.tab);
  const browser = state.browsers[state.tab];
  if (resource === undefined || browser === undefined) return [];
  const items = shownColumns(resource, browser).map(column => ({
    mark: browser.sort?.column === column.id ? (browser.sort.isDescending ? 'v' : '^') : ' ',
    label: column.title,
    detail:
      browser.sort?.column !== column.id ? '' : `again: ${browser.sort.isDescending ? 'smallest' : 'largest'} first`,
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
