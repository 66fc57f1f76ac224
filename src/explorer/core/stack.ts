import type { Action } from './action.ts';
import { type AnyEvent, type Layer, shownLayers } from './layer.ts';
import type { MoveAction } from './moving.ts';
import type { Effect } from './runner.ts';
import type { Area, Message, News, ScreenContext, Shared, Step } from './screen.ts';
import type { AnyScreen, Screens } from './untyped.ts';

// The screens: the tabs themselves, and what lies over them, the top one last.

export type Layers = readonly Layer[];

/** A layer, and the screen that it is of. */
export interface OpenScreen {
  readonly layer: Layer;
  readonly screen: AnyScreen;
}

/** The layers, and the tab that is shown. */
interface Tabbed {
  readonly layers: Layers;
  readonly tab: string;
}

/** The screen that has the place of a layer, now or while its tab is shown. */
export function coverOf(screens: Screens, { layers, tab }: Tabbed, layer: Layer): OpenScreen | undefined {
  const shown = shownLayers({ layers, tab: layer.tab ?? tab });
  const cover = shown.slice(indexIn(shown, layer) + 1).findLast(({ isOverlay }) => !isOverlay);
  return cover && withScreen(screens, cover);
}

/** The cells that a layer has of the body: all of them but those of its foot. */
export function areaOf(screens: Screens, tabbed: Tabbed & { readonly body: Area }, layer: Layer): Area {
  const { body } = tabbed;
  // One that is about to be opened has no state yet that could have a foot.
  const open = tabbed.layers.includes(layer) ? withScreen(screens, layer) : undefined;
  const isCovered = coverOf(screens, tabbed, layer) !== undefined;
  const taken = open?.screen.footRows?.(layer.state, { ...body, isCovered }) ?? 0;
  return taken === 0 ? body : { columns: body.columns, rows: Math.max(1, body.rows - taken) };
}

// One that is about to be opened will be on top.
function indexIn(layers: Layers, { id }: Layer): number {
  const index = layers.findIndex(layer => layer.id === id);
  return index < 0 ? layers.length : index;
}

/** What comes of an event to a layer: the layers after it, and what is wanted of others. */
export interface Stepped {
  readonly layers: Layers;
  readonly messages: readonly Message[];
}

export function withScreen(screens: Screens, layer: Layer): OpenScreen | undefined {
  const screen = Object.hasOwn(screens, layer.screen) ? screens[layer.screen] : undefined;
  return screen && { layer, screen };
}

/** What the screen of a layer sees. */
export type ContextOf = (layer: Layer) => ScreenContext;

interface Opened {
  readonly id: number;
  readonly name: string;
  readonly opening: unknown;
  /** Those that are shown; the others wait behind their tabs. */
  readonly shown: Layers;
}

/** The layers with another on top. It takes the place of an overlay, and of a screen of its own kind. */
export function withOpened(screens: Screens, layers: Layers, opened: Opened, contextOf: ContextOf): Layers {
  const { id, name, opening } = opened;
  const screen = Object.hasOwn(screens, name) ? screens[name] : undefined;
  if (screen === undefined) return layers;
  const { isOverlay = false, isRoot = false } = screen;
  const tab = (typeof screen.tab === 'function' ? screen.tab(opening) : screen.tab) ?? null;
  const layer: Layer = { id, screen: name, state: null, tab, isRoot, isOverlay, field: null };
  const top = opened.shown.at(-1);
  // Several tabs may have a root of one kind.
  const isReplaced = top !== undefined && !top.isRoot && (top.isOverlay || top.screen === name);
  const below = isReplaced ? layers.filter(candidate => candidate !== top) : layers;
  return [...below, withStateOf(screen, layer, screen.open(opening, contextOf(layer)))];
}

/** The layers after some of them heard news. */
export function informed(
  screens: Screens,
  layers: Layers,
  newsFor: (layer: Layer) => News | undefined,
  contextOf: ContextOf,
): Stepped {
  let after: Stepped = { layers, messages: [] };
  for (const layer of layers) {
    const open = withScreen(screens, layer);
    const news = newsFor(layer);
    if (news === undefined || open?.screen.news === undefined) continue;
    const context = contextOf(layer);
    const heard = withStep(after.layers, open, open.screen.news(layer.state, news, context), context);
    after = { layers: heard.layers, messages: [...after.messages, ...heard.messages] };
  }
  return after;
}

/** Hands an event to the layer it is for; one that is closed changes nothing. */
export function stepped(
  screens: Screens,
  layers: Layers,
  { layer: id, event }: { readonly layer: number; readonly event: AnyEvent },
  contextOf: ContextOf,
): Stepped {
  const open = openAs(screens, layers, id);
  if (open === undefined) return { layers, messages: [] };
  const { layer, screen } = open;
  const context = contextOf(layer);
  const handler = screen.handlers[event.type];
  return handler === undefined
    ? { layers, messages: [] }
    : withStep(layers, open, handler(layer.state, event, context), context);
}

/** The layers after a step of one of them, with all that follows from it there. */
function withStep(layers: Layers, open: OpenScreen, made: Step<unknown>, context: ScreenContext): Stepped {
  const { layer, screen } = open;
  const followed = made.state === null ? undefined : screen.follows?.(layer.state, made.state, context);
  const { state } = followed ?? made;
  return {
    layers: withState(layers, open, state),
    messages: [...(made.messages ?? []), ...(followed?.messages ?? [])],
  };
}

/** The layers after a key of movement in one of them. */
export function movedIn(layers: Layers, open: OpenScreen, action: MoveAction, context: ScreenContext): Layers {
  const { layer, screen } = open;
  if (screen.move === undefined) return layers;
  return withStep(layers, open, { state: screen.move(layer.state, action, context) }, context).layers;
}

/** Every layer with its cursors on lines that are there. */
export const settled = (screens: Screens, layers: Layers, contextOf: ContextOf): Layers =>
  layers.reduce((all, layer) => {
    const open = withScreen(screens, layer);
    if (open?.screen.settle === undefined) return all;
    return withState(all, open, open.screen.settle(layer.state, contextOf(layer)));
  }, layers);

/** What is left of the layers when another node is switched to. */
export const afterSwitch = (
  screens: Screens,
  layers: Layers,
  { contextOf, isStep }: { readonly contextOf: ContextOf; readonly isStep: boolean },
): Layers =>
  layers.reduce((all, layer) => {
    const open = withScreen(screens, layer);
    if (open === undefined) return all;
    return withState(all, open, open.screen.afterSwitch?.(layer.state, contextOf(layer), isStep) ?? null);
  }, layers);

/** What the open screens ask for, with the events addressed to their layers. */
export const effectsOf = (screens: Screens, layers: Layers, shared: Shared): readonly Effect<Action>[] =>
  layers.flatMap(layer => {
    const effects = withScreen(screens, layer)?.screen.effects?.(layer.state, shared) ?? [];
    return effects.map(effect => addressed(layer.id, effect));
  });

function addressed(layer: number, effect: Effect<AnyEvent>): Effect<Action> {
  const toLayer = (event: AnyEvent): Action => ({ type: 'layer-event', layer, event });
  return {
    ...effect,
    key: `layer ${layer} ${effect.key}`,
    run: async (world, signal, report) =>
      (await effect.run(world, signal, event => report(toLayer(event)))).map(toLayer),
    failed: (error, atMs) => effect.failed(error, atMs).map(toLayer),
  };
}

function openAs(screens: Screens, layers: Layers, id: number): OpenScreen | undefined {
  const layer = layers.find(candidate => candidate.id === id);
  return layer && withScreen(screens, layer);
}

/** The layers after a root was come back to as it was left. */
export function returnedTo(layers: Layers, open: OpenScreen, left: unknown, shared: Shared): Layers {
  const { layer, screen } = open;
  return screen.returned === undefined ? layers : withState(layers, open, screen.returned(layer.state, left, shared));
}

// Null: it is closed. Where nothing has changed the layers stay the same object.
function withState(layers: Layers, { layer, screen }: OpenScreen, state: unknown): Layers {
  if (state === layer.state) return layers;
  const index = layers.indexOf(layer);
  return state === null ? layers.toSpliced(index, 1) : layers.with(index, withStateOf(screen, layer, state));
}

function withStateOf(screen: AnyScreen, layer: Layer, state: unknown): Layer {
  const field = screen.field?.(state);
  if (field === undefined) return { ...layer, state, field: null };
  const { value, label, isProposed = false, isStep = false } = field;
  return { ...layer, state, field: { ...value, label, isProposed, isStep } };
}
