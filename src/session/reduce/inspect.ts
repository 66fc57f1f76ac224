import { moved } from '../../explorer/core/moving.ts';
import type { Resource } from '../../resources/resource.ts';
import { isBranch } from '../../resources/tree.ts';
import { lineAtCursor, lineCount, openInspector, setAllFolds, setFold } from '../model/inspector.ts';
import { atMatch, withoutFind } from '../model/inspector-matches.ts';
import { layoutOf } from '../model/layout.ts';
import { calldataOf } from '../model/meaning.ts';
import type { Browser, Inspector, SessionState } from '../model/state.ts';
import { selectedRow } from '../model/visible-rows.ts';
import { comeBack } from './go-to.ts';
import { openOver } from './layers.ts';
import { valueAtCursor } from './menu.ts';
import type { KeyIn } from './place.ts';
import { fetchAhead, movePage, resourceOf, withBrowser, withCopy, withWish } from './transitions.ts';

/** Keys of the inspector. */
export function inspect(state: SessionState, action: KeyIn<'inspector'>): SessionState {
  const resource = resourceOf(state);
  const browser = state.browsers[state.tab];
  const inspector = browser?.inspector;
  if (resource === undefined || browser === undefined || !inspector) return state;
  const height = layoutOf(state).inspectorRows;
  const change = (changed: Inspector | null) =>
    withBrowser(state, state.tab, shown => ({ ...shown, inspector: changed }));
  switch (action.type) {
    case 'move':
    case 'move-to': {
      const { row, top } = moved(
        { row: inspector.cursor, top: inspector.top },
        action,
        lineCount(resource, inspector),
        height,
      );
      return change({ ...inspector, cursor: row, top });
    }
    case 'toggle-fold':
      return change(setFold(resource, inspector, 'toggle', height));
    case 'fold':
      return change(setFold(resource, inspector, false, height));
    case 'unfold':
      return change(setFold(resource, inspector, true, height));
    case 'fold-all':
    case 'unfold-all':
      return change(setAllFolds(resource, inspector, action.type === 'unfold-all'));
    case 'toggle-raw':
      return change({ ...inspector, isRaw: !inspector.isRaw, cursor: 0, top: 0 });
    case 'view-value':
      return enter(state, resource, inspector, height);
    case 'next-record':
    case 'previous-record':
      return stepRecord(state, resource, browser, action.type === 'next-record' ? 1 : -1);
    case 'next-match':
    case 'previous-match':
      return change(atMatch(resource, inspector, action.type === 'next-match' ? 1 : -1));
    case 'copy-calldata': {
      const text = calldataOf(inspector);
      return text === undefined ? state : withCopy(state, 'calldata', text);
    }
    case 'come-back':
      return comeBack(state);
    case 'reload':
      return movePage(state, 'reload');
    case 'back':
      if (inspector.isRaw) return change({ ...inspector, isRaw: false, cursor: 0, top: 0 });
      return change(inspector.find === '' ? null : withoutFind(resource, inspector));
  }
}

// Enter opens what is closed: a folded branch, or a value that the line has cut.
function enter(state: SessionState, resource: Resource, inspector: Inspector, height: number): SessionState {
  const line = lineAtCursor(resource, inspector);
  if (line !== undefined && isBranch(line.node)) {
    return withBrowser(state, state.tab, shown => ({
      ...shown,
      inspector: setFold(resource, inspector, 'toggle', height),
    }));
  }
  const value = valueAtCursor(state);
  return value === undefined ? state : openOver(state, 'value', value);
}

/** The record so many rows further down, unfolded as this one is. */
export function stepRecord(state: SessionState, resource: Resource, browser: Browser, by: number): SessionState {
  const { page } = browser;
  const row = selectedRow(resource, browser, by);
  if (row === undefined || page === null) return state;
  const stepped = withWish(state, state.tab, (shown, ticket) => ({
    ...shown,
    view: { ...shown.view, row: shown.view.row + by },
    inspector: shown.inspector && {
      ...openInspector(resource, row, page, ticket),
      folds: shown.inspector.folds,
      isRaw: shown.inspector.isRaw,
    },
  }));
  return fetchAhead(stepped, state.tab);
}
