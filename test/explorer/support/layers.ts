import type { EditedText } from '../../../src/base/text/edit-text.ts';
import { currentKeyTarget, type KeyTarget } from '../../../src/explorer/app/focus.ts';
import { layerContext, withoutOverlays } from '../../../src/explorer/app/open-screens.ts';
import { reduce } from '../../../src/explorer/app/reduce.ts';
import type { Session } from '../../../src/explorer/app/session.ts';
import type { MenuId } from '../../../src/explorer/core/action.ts';
import { bodyArea } from '../../../src/explorer/core/area.ts';
import type { Choice } from '../../../src/explorer/core/choice.ts';
import { matchingChoices, type WithChoices } from '../../../src/explorer/core/choices.ts';
import { type Layer, topLayer } from '../../../src/explorer/core/layer.ts';
import type { ScreenContext } from '../../../src/explorer/core/screen.ts';
import type { SessionState } from '../../../src/explorer/core/state.ts';
import type { ConfirmOpening, MenuOpening, PromptOpening, ValueOpening } from '../../../src/explorer/openings.ts';
import type { ListMenuId } from '../../../src/explorer/screens/browse/events.ts';
import { focusedPane, type ListPanes, listPanes, type Pane } from '../../../src/explorer/screens/browse/panes.ts';
import type { BrowseState } from '../../../src/explorer/screens/browse/state.ts';
import type { CommandLine } from '../../../src/explorer/screens/command-line/state.ts';

/** The screens that lie over the tab, by name, the top one last. */
export const layersOf = (session: Session): readonly string[] =>
  session.state().layers.flatMap(({ screen, isRoot }) => (isRoot ? [] : [screen]));

/** The state of the top screen, when it is the one of this name. */
export function topState<State>(state: SessionState, screen: string): State | undefined {
  const top = topLayer(state);
  return top?.screen === screen ? (top.state as State) : undefined;
}

/** The screen of this name, which is the tab itself. */
export function rootLayer({ layers }: SessionState, screen: string): Layer {
  const root = layers.find(layer => layer.isRoot && layer.screen === screen);
  if (root === undefined) throw new Error(`${screen} is no tab`);
  return root;
}

/** The list of a tab; undefined where the tab is something else. */
export const listOf = (state: SessionState, tab = state.tab): BrowseState | undefined => listsOf(state)[tab];

/** The lists of all tabs. */
export const listsOf = ({ layers }: Pick<SessionState, 'layers'>): { readonly [tab: string]: BrowseState } =>
  Object.fromEntries(
    layers.flatMap(({ screen, tab, state }) =>
      screen === 'browse' && tab !== null ? [[tab, state as BrowseState]] : [],
    ),
  );

/** Where the parts of a list are, and the rows below the status line that are about the selected row. */
export function layoutOf(state: SessionState): ListPanes & { readonly aboutRows: number } {
  const root = state.layers.find(layer => layer.isRoot && layer.tab === state.tab);
  const list = listOf(state) ?? { resource: '', inspector: null, hasPreviewPane: false, filterBar: null, page: null };
  const { rows, columns } = bodyArea(state.screen);
  const context = root === undefined ? { area: { rows, columns }, coveredBy: undefined } : layerContext(state, root);
  return { ...listPanes(list, context), aboutRows: rows - context.area.rows };
}

/** What has the keys: a part of the list, or a screen or a field of one. */
export function placeOf(state: SessionState): Pane | KeyTarget {
  const list = topState<BrowseState>(state, 'browse');
  return list === undefined ? currentKeyTarget(state) : focusedPane(list);
}

/** The state of the screen of this name, which is on top. */
export function openState<State>(session: Session, screen: string): State {
  const state = topState<State>(session.state(), screen);
  if (state === undefined) throw new Error(`${screen} is not open: ${layersOf(session).join(', ')}`);
  return state;
}

/** What the top screen sees. */
export function contextOfTop(state: SessionState): ScreenContext {
  const top = topLayer(state);
  if (top === undefined) throw new Error('no screen is open');
  return layerContext(state, top);
}

/** What lies over the screen: a menu, a prompt, a question or a value. */
export function overlayOf(state: SessionState): Shown | null {
  const menu = menuOf(state);
  if (menu !== undefined) return menu;
  const value = topState<{ readonly value: ValueOpening; readonly top: number }>(state, 'value');
  if (value !== undefined) return { kind: 'value', ...value.value, top: value.top };
  const line = topState<CommandLine>(state, 'command-line');
  if (line !== undefined) return { ...line, kind: 'prompt', id: 'command', value: line.value.text };
  const prompt = topState<TypedPrompt>(state, 'prompt');
  if (prompt !== undefined) {
    const { opening, value, problem } = prompt;
    return { kind: 'prompt', id: opening.label, value: value.text, problem, offered: [], walk: null };
  }
  const question = topState<ConfirmOpening>(state, 'confirm');
  return question === undefined ? null : { kind: 'confirm', id: question.about };
}

interface TypedPrompt {
  readonly opening: PromptOpening;
  readonly value: EditedText;
  readonly problem: string | null;
}

export interface ShownPrompt extends Pick<CommandLine, 'problem' | 'offered' | 'walk'> {
  readonly kind: 'prompt';
  readonly id: string;
  readonly value: string;
}

export type Shown =
  | ShownMenu
  | ShownPrompt
  | ({ readonly kind: 'value'; readonly top: number } & ValueOpening)
  | { readonly kind: 'confirm'; readonly id: ConfirmOpening['about'] };

/** The state, and what lies over the screen beside it. */
export const withOverlayOf = (state: SessionState) => ({ ...state, overlay: overlayOf(state) });

export type AnyMenuId = MenuId | ListMenuId;

export interface ShownMenu {
  readonly kind: 'menu';
  readonly id: AnyMenuId;
  readonly cursor: number;
  readonly query: string;
  readonly isFiltering: boolean;
}

interface OpenedMenu extends WithChoices {
  readonly opening: Pick<MenuOpening, 'choices'> & Partial<MenuOpening>;
}

function menuOf(state: SessionState): ShownMenu | undefined {
  for (const screen of ['menu', 'help', 'columns'] as const) {
    const menu = topState<OpenedMenu>(state, screen);
    if (menu === undefined) continue;
    const { opening, list } = menu;
    const id = screen === 'menu' ? ((opening.id ?? 'copy') as AnyMenuId) : screen === 'help' ? 'keys' : screen;
    return { kind: 'menu', id, cursor: list.row, query: list.filter?.text ?? '', isFiltering: list.filter !== null };
  }
  return undefined;
}

const LIST_MENUS: readonly string[] = [
  'sort',
  'columns',
  'go',
  'go-all',
  'count',
  'mine',
] satisfies readonly ListMenuId[];

const isOfList = (id: AnyMenuId): id is ListMenuId => LIST_MENUS.includes(id);

/** The choices of a menu that match what is typed, as they are now. */
export function menuItems(state: SessionState, { id, query }: Pick<ShownMenu, 'id' | 'query'>): readonly Choice[] {
  const below = withoutOverlays(state);
  const shown = topLayer(state);
  const own = shown?.screen === 'menu' ? (shown.state as OpenedMenu).opening : undefined;
  // One that a screen has opened has no name to open it by.
  if (own !== undefined && own.id === undefined)
    return matchingChoices(own.choices(below), { row: 0, top: 0, filter: { text: query, at: 0 } });
  const event = { type: 'open-menu', id } as const;
  const opened = reduce(
    below,
    isOfList(id) ? { type: 'root-event', screen: 'browse', tabs: [state.tab], event } : { type: 'open-menu', id },
  );
  const top = topLayer(opened);
  if (top?.isOverlay !== true) return [];
  const { opening } = top.state as OpenedMenu;
  return matchingChoices(opening.choices(below), { row: 0, top: 0, filter: { text: query, at: 0 } });
}
