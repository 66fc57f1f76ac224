import type { Action } from '../../session/model/action.ts';
import type { Layer } from '../../session/model/layer.ts';
import type { Effect } from './effect.ts';
import type { AnyScreen, Screens } from './layer.ts';
import type { MoveAction } from './moving.ts';
import type { Message, ScreenContext, Shared, Step } from './screen.ts';

// The screens that lie over the tabs, the top one last.

export type Layers = readonly Layer[];

/** A layer, and the screen that it is of. */
export interface OpenScreen {
  readonly layer: Layer;
  readonly screen: AnyScreen;
}

/** What comes of an event to a layer: the layers after it, and what is wanted of others. */
export interface Stepped {
  readonly layers: Layers;
  readonly messages: readonly Message[];
}

export function topOf(screens: Screens, layers: Layers): OpenScreen | undefined {
  const layer = layers.at(-1);
  return layer && withScreen(screens, layer);
}

function withScreen(screens: Screens, layer: Layer): OpenScreen | undefined {
  const screen = Object.hasOwn(screens, layer.screen) ? screens[layer.screen] : undefined;
  return screen && { layer, screen };
}

/** The layers with another on top. Over one of its own kind a screen takes the place of it. */
export function withOpened(
  screens: Screens,
  layers: Layers,
  { id, name, opening }: { readonly id: number; readonly name: string; readonly opening: unknown },
  context: ScreenContext,
): Layers {
  const opened = withScreen(screens, { id, screen: name, state: null });
  if (opened === undefined) return layers;
  const below = layers.at(-1)?.screen === name ? layers.slice(0, -1) : layers;
  return [...below, { id, screen: name, state: opened.screen.open(opening, context) }];
}

/** Hands an event to the layer it is for; one that is closed changes nothing. */
export function stepped(
  screens: Screens,
  layers: Layers,
  { layer: id, event }: { readonly layer: number; readonly event: unknown },
  context: ScreenContext,
): Stepped {
  const open = openAs(screens, layers, id);
  if (open === undefined) return { layers, messages: [] };
  const step: Step<unknown> = open.screen.update(open.layer.state, event, context);
  return { layers: withState(layers, open.layer, step.state), messages: step.messages ?? [] };
}

/** The top layer after a key of movement. */
export function movedTop(screens: Screens, layers: Layers, action: MoveAction, context: ScreenContext): Layers {
  const top = topOf(screens, layers);
  if (top?.screen.move === undefined) return layers;
  return withState(layers, top.layer, top.screen.move(top.layer.state, action, context));
}

/** Every layer with its cursors on lines that are there. */
export const settled = (screens: Screens, layers: Layers, context: ScreenContext): Layers =>
  layers.reduce((all, layer) => {
    const { settle } = withScreen(screens, layer)?.screen ?? {};
    return settle === undefined ? all : withState(all, layer, settle(layer.state, context));
  }, layers);

/** What the open screens ask for, with the events addressed to their layers. */
export const effectsOf = (screens: Screens, layers: Layers, shared: Shared): readonly Effect<Action>[] =>
  layers.flatMap(layer => {
    const effects = withScreen(screens, layer)?.screen.effects?.(layer.state, shared) ?? [];
    return effects.map(effect => addressed(layer.id, effect));
  });

function addressed(layer: number, effect: Effect<unknown>): Effect<Action> {
  const toLayer = (event: unknown): Action => ({ type: 'layer-event', layer, event });
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

// Null: it is closed. Where nothing has changed the layers stay the same object.
function withState(layers: Layers, layer: Layer, state: unknown): Layers {
  if (state === layer.state) return layers;
  const index = layers.indexOf(layer);
  return state === null ? layers.toSpliced(index, 1) : layers.with(index, { ...layer, state });
}
