import type { Effect } from '../../explorer/core/effect.ts';
import type { MoveAction } from '../../explorer/core/moving.ts';
import type { ScreenContext, ScreenKey } from '../../explorer/core/screen.ts';
import {
  effectsOf,
  movedTop,
  type OpenScreen,
  settled,
  stepped,
  topOf,
  withOpened,
} from '../../explorer/core/stack.ts';
import { SCREENS } from '../../explorer/screens/registry.ts';
import type { Action } from '../model/action.ts';
import { bodyArea } from '../model/layout.ts';
import type { SessionState } from '../model/state.ts';
import type { Binding } from './binding.ts';

/** What the screens over the tabs see of the session. */
export const contextOf = (state: SessionState): ScreenContext => ({ shared: state, area: bodyArea(state.screen) });

/** The screen that lies over the tab, and what it sees. */
export interface TopScreen extends OpenScreen {
  readonly context: ScreenContext;
}

export function topScreen(state: SessionState): TopScreen | undefined {
  const top = topOf(SCREENS, state.layers);
  return top && { ...top, context: contextOf(state) };
}

/** Opens a screen over what is shown. */
export function openScreen(
  state: SessionState,
  { screen: name, opening }: { readonly screen: string; readonly opening: unknown },
): SessionState {
  const id = state.ticket + 1;
  const layers = withOpened(SCREENS, state.layers, { id, name, opening }, contextOf(state));
  return { ...state, ticket: id, overlay: null, layers };
}

/** Opens a screen that needs nothing to be opened with; on top already, it is closed. */
export const toggleScreen = (state: SessionState, name: string): SessionState =>
  state.layers.at(-1)?.screen === name ? closeTop(state) : openScreen(state, { screen: name, opening: null });

export const closeTop = (state: SessionState): SessionState => ({ ...state, layers: state.layers.slice(0, -1) });

/** The state after an event to a layer, and what its screen wants of others. */
export function stepLayer(
  state: SessionState,
  to: { readonly layer: number; readonly event: unknown },
): { readonly state: SessionState; readonly actions: readonly Action[] } {
  const { layers, messages } = stepped(SCREENS, state.layers, to, contextOf(state));
  return { state: layers === state.layers ? state : { ...state, layers }, actions: messages };
}

export const moveInLayer = (state: SessionState, action: MoveAction): SessionState => ({
  ...state,
  layers: movedTop(SCREENS, state.layers, action, contextOf(state)),
});

export function layersInRange(state: SessionState): SessionState {
  const layers = settled(SCREENS, state.layers, contextOf(state));
  return layers === state.layers ? state : { ...state, layers };
}

export const layerEffects = (state: SessionState): readonly Effect<Action>[] =>
  state.isEnded ? [] : effectsOf(SCREENS, state.layers, state);

/** The keys of the top screen, and those of the program beside them. */
export function layerBindings(state: SessionState, program: readonly Binding[]): readonly Binding[] {
  const top = topScreen(state);
  if (top === undefined) return program;
  const isMove = ({ group }: Binding): boolean => group === 'Move';
  return [
    ...(top.screen.move === undefined ? [] : program.filter(isMove)),
    ...top.screen.keys.map(key => bindingOf(key, top)),
    ...program.filter(binding => !isMove(binding)),
  ];
}

function bindingOf(key: ScreenKey<unknown, unknown>, { layer, screen, context }: TopScreen): Binding {
  const { keys, title, group, footer } = key;
  const action = 'program' in key ? key.program : ({ type: 'in-layer', layer: layer.id, event: key.event } as const);
  const isSave = action.type === 'open-prompt' && action.id === 'save';
  return {
    ...{ keys, title, group, action, modes: ['layer'] },
    ...(footer !== undefined && { footer }),
    off: () =>
      key.disabledReason?.(layer.state, context) ?? (isSave ? nothingToSave({ layer, screen, context }) : undefined),
  };
}

function nothingToSave({ layer, screen, context }: TopScreen): string | undefined {
  const saved = screen.saves?.(layer.state, context);
  return typeof saved === 'string' ? saved : undefined;
}

/** The keys that each screen has for itself, for the page that lists all keys. */
export const SCREEN_KEYS: readonly Pick<Binding, 'keys' | 'title' | 'group'>[] = Object.values(SCREENS).flatMap(
  ({ keys }) => keys,
);
