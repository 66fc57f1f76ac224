import type { Action } from '../core/action.ts';
import type { AnyScreen } from '../core/any-screen.ts';
import { type AnyEvent, type Layer, type LayerEvent, type RootEvent, topLayer } from '../core/layer.ts';
import type { AddressedEffect } from '../core/runner.ts';
import type { ScreenNotification, Step } from '../core/screen.ts';
import type { SessionState } from '../core/state.ts';
import type { LeftState } from '../core/trail.ts';
import type { MoveAction } from '../core/window.ts';
import type { Openings, ScreenName } from '../openings.ts';
import { SCREENS } from '../screens/registry.ts';
import {
  asPage,
  findRoot,
  type Layers,
  layerContext,
  moveOf,
  type OpenScreen,
  openScreenOf,
  screenNamed,
  type TopScreen,
  topScreen,
} from './open-screens.ts';

// How the screens that are open change: the tabs themselves, and what lies over them, the top one last.

/** The state of a tab's screen when it is left for another; null: unchanged. */
export function leaveRoot(state: SessionState, tab: string, screens = SCREENS): LeftState<unknown> {
  const root = findRoot(state, layer => layer.tab === tab, screens);
  return (root && asPage(root.screen)?.tab?.root?.wayBack?.left(root.layer.state)) ?? { state: null, rows: 0 };
}

export function restoreRoot(state: SessionState, { tab, left }: ReturnedRoot, screens = SCREENS): SessionState {
  const root = left === null ? undefined : findRoot(state, layer => layer.tab === tab, screens);
  const wayBack = asPage(root?.screen)?.tab?.root?.wayBack;
  if (root === undefined || wayBack === undefined) return state;
  const returned = wayBack.returned(root.layer.state, left, state);
  return withLayers(state, withState(state.layers, root, returned));
}

interface ReturnedRoot {
  readonly tab: string;
  readonly left: unknown;
}

/** Opens a screen over the current one. It replaces an overlay, and a screen of its own kind. */
export function openScreen(
  state: SessionState,
  { screen: name, opening }: { readonly screen: string; readonly opening: unknown },
  screens = SCREENS,
): SessionState {
  const id = state.lastId + 1;
  const opened = { ...state, lastId: id };
  const screen = screenNamed(screens, name);
  if (screen === undefined) return opened;
  const { isOverlay } = screen;
  const tabbed = asPage(screen)?.tab;
  const tab = (typeof tabbed?.id === 'function' ? tabbed.id(opening) : tabbed?.id) ?? null;
  const isRoot = tabbed?.root !== undefined;
  const layer: Layer = { id, screen: name, state: null, tab, isRoot, isOverlay, field: null };
  const top = topLayer(state);
  // Several tabs may have a root of one kind.
  const isReplaced = top !== undefined && !top.isRoot && (top.isOverlay || top.screen === name);
  const below = isReplaced ? state.layers.filter(candidate => candidate !== top) : state.layers;
  const withLayer = layerWith(screen, layer, screen.open(opening, layerContext(opened, layer)));
  return { ...opened, layers: [...below, withLayer] };
}

/** Opens a screen by its name, over the current one. */
export const openOver = <Name extends ScreenName>(
  state: SessionState,
  screen: Name,
  opening: Openings[Name],
): SessionState => openScreen(state, { screen, opening });

/** Opens a screen that needs nothing to be opened with; on top already, it is closed. */
export const toggleScreen = (state: SessionState, name: string): SessionState =>
  topLayer(state)?.screen === name ? closeTop(state) : openScreen(state, { screen: name, opening: null });

/** The screens that are tabs, which exist from the start. */
export const withRoots = (state: SessionState, roots: readonly RootOpening[]): SessionState =>
  roots.reduce((opened, { screen, opening }) => openScreen(opened, { screen, opening }), state);

type RootOpening = { readonly screen: string; readonly opening: unknown };

/** The state after the screens that are tabs heard of something that happened to the program. */
export const notifyRoots = (
  state: SessionState,
  newsOf: (tab: string) => ScreenNotification | undefined,
  screens = SCREENS,
): SessionState =>
  state.layers.reduce((told, layer) => {
    const open = openScreenOf(state, layer, screens);
    const news = layer.isRoot && layer.tab !== null ? newsOf(layer.tab) : undefined;
    const root = asPage(open?.screen)?.tab?.root;
    if (news === undefined || open === undefined || root === undefined) return told;
    return applyStep(told, open, root.news(layer.state, news, open.context));
  }, state);

/** The state after a step of one screen, with all that follows from it there, and with its messages to be delivered. */
function applyStep(state: SessionState, open: TopScreen, made: Step<unknown>): SessionState {
  const { layer, screen, context } = open;
  const followed = made.state === null ? undefined : screen.follows?.(layer.state, made.state, context);
  const layers = withState(state.layers, open, (followed ?? made).state);
  const messages = [...(made.messages ?? []), ...(followed?.messages ?? [])];
  return messages.length === 0
    ? withLayers(state, layers)
    : { ...state, layers, outbox: [...state.outbox, ...messages] };
}

const withLayers = (state: SessionState, layers: Layers): SessionState =>
  layers === state.layers ? state : { ...state, layers };

// Null: it is closed. Where nothing has changed the layers stay the same object.
function withState(layers: Layers, { layer, screen }: OpenScreen, state: unknown): Layers {
  if (state === layer.state) return layers;
  const index = layers.indexOf(layer);
  return state === null ? layers.toSpliced(index, 1) : layers.with(index, layerWith(screen, layer, state));
}

function layerWith(screen: AnyScreen, layer: Layer, state: unknown): Layer {
  const field = screen.input?.field?.(state);
  if (field === undefined) return { ...layer, state, field: null };
  const { value, label, isProposed = false, isStep = false } = field;
  return { ...layer, state, field: { ...value, label, isProposed, isStep } };
}

export function closeTop(state: SessionState): SessionState {
  const top = topLayer(state);
  if (top?.isRoot === true) return state;
  return { ...state, layers: state.layers.filter(layer => layer !== top) };
}

/** Hands an event to the handler of the layer it is for; one that is closed changes nothing. */
export function sendToLayer(
  state: SessionState,
  { layer: id, event }: Omit<LayerEvent, 'type'>,
  screens = SCREENS,
): SessionState {
  const layer = state.layers.find(candidate => candidate.id === id);
  const open = openScreenOf(state, layer, screens);
  const handler = open?.screen.handlers[event.type];
  if (layer === undefined || open === undefined || handler === undefined) return state;
  return applyStep(state, open, handler(layer.state, event, open.context));
}

/** Hands an event to the roots of tabs, the other tabs included that wait. */
export const sendToRoots = (state: SessionState, { screen, tabs, event }: Omit<RootEvent, 'type'>): SessionState =>
  state.layers
    .filter(layer => layer.isRoot && layer.screen === screen && layer.tab !== null && tabs.includes(layer.tab))
    .reduce((told, { id }) => sendToLayer(told, { layer: id, event }), state);

/** The state after a key of movement in the top screen. */
export function moveInLayer(state: SessionState, action: MoveAction): SessionState {
  const top = topScreen(state);
  const move = top && moveOf(top.screen);
  if (top === undefined || move === undefined) return state;
  return applyStep(state, top, { state: move(top.layer.state, action, top.context) });
}

/** Every layer with its cursors on existing lines. */
export const settleLayers = (state: SessionState, screens = SCREENS): SessionState =>
  withLayers(
    state,
    state.layers.reduce((all, layer) => {
      const open = openScreenOf(state, layer, screens);
      return open === undefined ? all : withState(all, open, open.screen.settle(layer.state, open.context));
    }, state.layers),
  );

/** The layers that remain after switching to another node. */
export const layersAfterSwitch = (state: SessionState, isStep: boolean, screens = SCREENS): Layers =>
  state.layers.reduce((all, layer) => {
    const open = openScreenOf(state, layer, screens);
    if (open === undefined) return all;
    return withState(all, open, asPage(open.screen)?.tab?.afterSwitch(layer.state, open.context, isStep) ?? null);
  }, state.layers);

/** What the open screens ask for, with the events addressed to their layers. */
export const layerEffects = (state: SessionState): readonly AddressedEffect<Action>[] =>
  state.isEnded
    ? []
    : state.layers.flatMap(({ id: layer, screen, state: own }) => {
        const effects = screenNamed(SCREENS, screen)?.effects?.(own, state) ?? [];
        const toEvent = (event: AnyEvent): Action => ({ type: 'layer-event', layer, event });
        return effects.map(effect => ({ ...effect, key: `layer ${layer} ${effect.key}`, toEvent }));
      });
