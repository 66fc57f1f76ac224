import { RESOURCES } from '../../chain/resources/registry.ts';
import type { Action } from '../core/action.ts';
import { createRunner } from '../core/runner.ts';
import type { SessionState } from '../core/state.ts';
import type { Openings } from '../openings.ts';
import { contactEvents } from '../services/node/contact.ts';
import type { World } from '../services/world.ts';
import { clockEffects, serviceEffects, spinnerEffects } from './effects.ts';
import { openFiles } from './export-results.ts';
import { isTyping } from './focus.ts';
import { initialState, type SessionStart } from './initial-state.ts';
import { bindingFor, disabledReasonOf } from './keymap.ts';
import { focusName, pasteAction, unboundKeyAction } from './layer-input.ts';
import { layerEffects, withRoots } from './layers.ts';
import { deliverOutbox, reduce } from './reduce.ts';
import { rememberOpenedView } from './saved-views.ts';
import { showTab } from './transitions.ts';

/** The explorer without a screen: its state, its actions, and its running effects. */
export interface Session {
  readonly state: () => SessionState;
  readonly subscribe: (listener: () => void) => () => void;
  readonly dispatch: (action: Action) => void;
  /** A key by its name (`n`, `enter`, `ctrl-u`); false when nothing has a use for it. */
  readonly press: (key: string) => boolean;
  /** Text pasted by the terminal: into the field in focus, if there is one. */
  readonly paste: (text: string) => void;
  /** Resolves when no effect is pending; timers do not count. */
  readonly idle: () => Promise<void>;
  /** Stops everything that runs, and resolves when it has stopped. */
  readonly close: () => Promise<void>;
}

/** Ages are shown in minutes. */
const STALE_CLOCK_MS = 60_000;

export function createSession(start: SessionStart, world: World): Session {
  let state = firstState(start);
  const listeners = new Set<() => void>();
  const runner = createRunner<Action>(world, dispatch, contactEvents);

  function dispatch(action: Action): void {
    const next = reduce(state, action);
    if (next === state) return;
    state = next;
    runner.reconcile(sessionEffects(state));
    for (const listener of [...listeners]) listener();
  }

  function press(key: string): boolean {
    if (key === 'ctrl-c' || key === 'ctrl-\\') {
      dispatch({ type: 'interrupt' });
      // Ctrl-\ is the way out that asks nothing.
      if (key !== 'ctrl-c' && !state.isEnded) dispatch({ type: 'interrupt' });
      return true;
    }
    // Where nothing was asked for a while the clock is that of then: how old an answer is needs the time of now.
    const nowMs = world.nowMs();
    if (nowMs - state.node.nowMs > STALE_CLOCK_MS) dispatch({ type: 'ticked', nowMs });
    const binding = bindingFor(state, key);
    if (binding === undefined) {
      for (const action of unboundKey(state, key)) dispatch(action);
      return false;
    }
    const disabledReason = disabledReasonOf(state, binding);
    dispatch(
      disabledReason === undefined
        ? binding.action
        : { type: 'noticed', text: disabledReason, refused: { focus: focusName(state), key } },
    );
    return true;
  }

  runner.reconcile(sessionEffects(state));
  return {
    state: () => state,
    subscribe: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispatch,
    press,
    paste: text => {
      const own = pasteAction(state, text);
      if (own !== undefined) return dispatch(own);
      dispatch(isTyping(state) ? { type: 'insert-text', text } : { type: 'noticed', text: NO_FIELD });
    },
    idle: runner.idle,
    close: runner.close,
  };
}

const NO_FIELD = 'paste goes into a field: f, / or : opens one';

function firstState(start: SessionStart): SessionState {
  const { files, preferences = {}, view = {} } = start;
  const roots = [
    ...RESOURCES.map(resource => ({
      screen: 'browse',
      opening: { resource, preferences, saved: view.lists?.[resource.id] } satisfies Openings['browse'],
    })),
    { screen: 'overview', opening: null },
    { screen: 'chain-history', opening: null },
  ];
  const first = rememberOpenedView(withRoots(initialState(start), roots));
  if (files === undefined) return deliverOutbox(showTab(first, start.tab));
  return openFiles(first.node.status === 'unasked' ? first : deliverOutbox(showTab(first, start.tab)), files);
}

/** All effects that run in the current state. */
const sessionEffects = (state: SessionState) =>
  state.isEnded
    ? []
    : [...spinnerEffects(state), ...layerEffects(state), ...clockEffects(state), ...serviceEffects(state)];

/** The actions for a key without a binding: those of the top screen, else a notice that it does nothing. */
function unboundKey(state: SessionState, key: string): readonly Action[] {
  if (isTyping(state)) return [];
  const inLayer = unboundKeyAction(state, key);
  if (inLayer !== undefined) return [inLayer];
  const hint = bindingFor(state, '?') === undefined ? '' : '; ? shows the keys';
  return [{ type: 'noticed', text: `${key} does nothing here${hint}` }];
}
