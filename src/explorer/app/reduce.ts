import type { Action, KeyAction } from '../core/action.ts';
import { shownLayers, topLayer } from '../core/layer.ts';
import type { SessionState } from '../core/state.ts';
import { SCREENS } from '../screens/registry.ts';
import { TAB_IDS } from '../tabs.ts';
import { refusedAction } from './access.ts';
import { choose } from './choose.ts';
import { jobChanged } from './exports.ts';
import { editedBy, type FieldEdit, isTyping } from './focus.ts';
import { comeBack } from './go-to.ts';
import { bindingFor, disabledReasonOf } from './keymap.ts';
import {
  closeTop,
  editedInLayer,
  focusOf,
  layersInRange,
  moveInLayer,
  stepLayer,
  stepRoots,
  toggleScreen,
  topScreen,
  withoutOldSpin,
} from './layers.ts';
import { openMenu, openPrompt } from './menus.ts';
import { onProgramEvent } from './program-events.ts';
import { ask } from './questions.ts';
import { stepMoment } from './switch-node.ts';
import { arriveAtTab, withNotice } from './transitions.ts';

/** The next state. Pure: what has to happen in the world is asked for in the state, never done here. */
export function reduce(before: SessionState, action: Action): SessionState {
  const after = withNodeAsked(delivered(step(before, action)));
  return withoutOldSpin(withReasonOfNow(layersInRange(after)));
}

/** The state after the messages of screens. Each message is an action. */
export const delivered = (state: SessionState): SessionState =>
  state.outbox.length === 0 ? state : state.outbox.reduce(reduce, { ...state, outbox: [] });

function step(state: SessionState, action: Action): SessionState {
  const refused = refusedAction(state, action);
  if (refused !== undefined) return withNotice(state, refused);
  switch (action.type) {
    case 'type-text':
    case 'insert-text':
    case 'edit-field':
      return editText(state, action);
    case 'copy':
    case 'save':
    case 'set-looks':
    case 'command-entered':
    case 'open-files':
    case 'ask-export':
    case 'ask-party':
    case 'party-asked':
    case 'go-to-resource':
    case 'visit-tab':
    case 'go-to':
    case 'go-to-key':
    case 'choose-node':
    case 'go-to-root':
    case 'open-screen':
    case 'connect-again':
    case 'switch-node':
    case 'end':
    case 'replace-file':
    case 'name-another-file':
    case 'mark-mine':
      return choose(state, action);
    case 'layer-event':
      return stepLayer(state, action);
    case 'root-event':
      return stepRoots(state, action);
    case 'start-export':
    case 'cancel-export':
    case 'export-progressed':
    case 'export-ended':
    case 'offers-known':
      return jobChanged(state, action);
    case 'resized':
    case 'ticked':
    case 'spun':
    case 'noticed':
    case 'charset-found':
    case 'node-connected':
    case 'node-failed':
    case 'profiles-read':
    case 'view-saved':
    case 'nodes-compared':
    case 'chain-known':
    case 'build-known':
    case 'check-due':
    case 'checked':
    case 'check-failed':
    case 'node-answered':
    case 'node-silent':
    case 'node-refused':
    case 'directory-known':
    case 'mine-read':
    case 'mine-saved':
    case 'mine-not-saved':
    case 'history-read':
    case 'command-saved':
    case 'node-blocked':
    case 'saved':
    case 'not-saved':
    case 'copied':
    case 'rows-arrived':
    case 'segments-known':
    case 'preset-known':
      return onProgramEvent(state, action);
  }
  return key({ ...state, notice: null }, action);
}

function key(state: SessionState, action: Exclude<KeyAction, { readonly type: 'edit-field' }>): SessionState {
  switch (action.type) {
    case 'go-to-tab':
      return toTab(state, TAB_IDS[action.index] ?? state.tab);
    case 'next-tab':
    case 'previous-tab': {
      const step = action.type === 'next-tab' ? 1 : TAB_IDS.length - 1;
      return arriveAtTab(state, TAB_IDS[(TAB_IDS.indexOf(state.tab) + step) % TAB_IDS.length] ?? state.tab);
    }
    case 'open-menu':
      return openMenu(state, action.id);
    case 'open-prompt':
      return openPrompt(state, action.id);
    case 'step-moment':
      return stepMoment(state, action.direction);
    case 'toggle-screen':
      return toggleScreen(state, action.screen);
    case 'toggle-times':
      return withOtherTimes(state);
    case 'come-back':
      return comeBack(state);
    case 'move':
    case 'move-to':
      return moveInLayer(state, action);
    case 'in-layer':
      return stepLayer(state, action);
    case 'back':
      return closeTop(state);
    case 'quit':
    case 'interrupt':
      return quit(state, action.type === 'interrupt');
    case 'redraw':
    case 'suspend':
      return { ...state };
  }
}

function toTab(state: SessionState, tab: string): SessionState {
  return arriveAtTab(state, tab, tab === state.tab && topLayer(state)?.isRoot === true);
}

function editText(state: SessionState, action: FieldEdit): SessionState {
  if (!isTyping(state)) return state;
  const value = editedBy(state, action);
  const to = editedInLayer(state, value);
  return to === undefined ? state : stepLayer(state, to);
}

// Quitting while a download runs asks; a second ctrl-c in the question means it.
function quit(state: SessionState, isInterrupted: boolean): SessionState {
  const top = topScreen(state);
  const isAsked = top?.screen.asksToQuit?.(top.layer.state) === true;
  if (state.job?.status === 'running' && !isAsked) return ask(state, { about: 'quit' });
  return { ...state, isEnded: true, isInterrupted };
}

/** Times as ages, or of the clock, in every list. */
function withOtherTimes(state: SessionState): SessionState {
  const times = state.times === 'clock' ? 'ages' : 'clock';
  return withNotice({ ...state, times }, times === 'clock' ? 'times of the clock, in UTC' : 'times as ages');
}

/** Connects to the node once it is needed: by a tab that is shown, or by a screen. */
function withNodeAsked(state: SessionState): SessionState {
  const { node, layers } = state;
  if (node.status !== 'unasked') return state;
  const isTabShown = shownLayers(state).every(({ tab, isRoot }) => tab === null || isRoot);
  const isWanted = isTabShown || layers.some(({ screen }) => SCREENS[screen]?.needsNode === true);
  return isWanted ? { ...state, node: { ...node, status: 'starting' } } : state;
}

/** Why a key did nothing is said as long as it is why: `no page is loaded yet` goes when one is. */
function withReasonOfNow(state: SessionState): SessionState {
  const { notice } = state;
  if (notice?.refused === undefined) return state;
  const binding = focusOf(state) === notice.refused.focus ? bindingFor(state, notice.refused.key) : undefined;
  const reason = binding && disabledReasonOf(state, binding);
  if (reason === undefined) return { ...state, notice: null };
  return isSameReason(reason, notice.text) ? state : { ...state, notice: { ...notice, text: reason } };
}

// The seconds that are still to wait are not said anew every second.
const isSameReason = (one: string, other: string): boolean => withoutNumbers(one) === withoutNumbers(other);
const withoutNumbers = (text: string): string => text.replace(/\d+/g, '0');
