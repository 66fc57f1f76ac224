import type { Action, KeyAction } from '../core/action.ts';
import { shownLayers, topLayer } from '../core/layer.ts';
import type { ActionHandlers, SessionState } from '../core/state.ts';
import { SCREENS } from '../screens/registry.ts';
import { TAB_IDS } from '../tabs.ts';
import { CHAIN_HISTORY_HANDLERS } from './chain-history.ts';
import { CHOICE_HANDLERS } from './choice-handlers.ts';
import { askToConfirm, hasNoDownload } from './confirmations.ts';
import { withoutStaleSpinner } from './current-wait.ts';
import { JOB_HANDLERS } from './export-results.ts';
import { applyFieldEdit, type FieldEdit, isTyping } from './focus.ts';
import { bindingFor, disabledReasonOf } from './keymap.ts';
import { editLayerField, focusName } from './layer-input.ts';
import { closeTop, moveInLayer, sendToLayer, sendToRoots, settleLayers, toggleScreen } from './layers.ts';
import { openMenu, openPrompt } from './menus.ts';
import { returnToPlace } from './navigation.ts';
import { topScreen } from './open-screens.ts';
import { EVENT_HANDLERS } from './program-events.ts';
import { refusalReason } from './refused-actions.ts';
import { stepMoment } from './switch-node.ts';
import { showTab, withNotice } from './transitions.ts';

/** The next state. Pure: effects are requested in the state, never run here. */
export function reduce<Type extends Action['type']>(
  before: SessionState,
  action: Action & { readonly type: Type },
): SessionState {
  const refused = refusalReason(before, action);
  // A notice is shown until the next key.
  const state = Object.hasOwn(KEY_HANDLERS, action.type) ? { ...before, notice: null } : before;
  const after = refused === undefined ? HANDLERS[action.type](state, action) : withNotice(before, refused);
  return withoutStaleSpinner(refreshRefusal(settleLayers(connectIfNeeded(deliverOutbox(after)))));
}

/** The state after the messages of screens. Each message is an action. */
export const deliverOutbox = (state: SessionState): SessionState =>
  state.outbox.length === 0 ? state : state.outbox.reduce<SessionState>(reduce, { ...state, outbox: [] });

const KEY_HANDLERS: ActionHandlers<Exclude<KeyAction, { readonly type: 'edit-field' }>> = {
  'go-to-tab': (state, { index }) => toTab(state, TAB_IDS[index] ?? state.tab),
  'next-tab': state => showTab(state, adjacentTab(state, 1)),
  'previous-tab': state => showTab(state, adjacentTab(state, -1)),
  'open-menu': (state, { id }) => openMenu(state, id),
  'open-prompt': (state, { id }) => openPrompt(state, id),
  'step-moment': (state, { direction }) => stepMoment(state, direction),
  'toggle-screen': (state, { screen }) => toggleScreen(state, screen),
  'toggle-times': withOtherTimes,
  'come-back': returnToPlace,
  move: moveInLayer,
  'move-to': moveInLayer,
  'in-layer': sendToLayer,
  back: closeTop,
  quit: state => quit(state, false),
  interrupt: state => quit(state, true),
  redraw: state => state,
  suspend: state => state,
};

const HANDLERS: ActionHandlers<Action> = {
  ...KEY_HANDLERS,
  ...CHOICE_HANDLERS,
  ...EVENT_HANDLERS,
  ...JOB_HANDLERS,
  ...CHAIN_HISTORY_HANDLERS,
  'edit-field': editText,
  'insert-text': editText,
  'type-text': editText,
  'layer-event': sendToLayer,
  'root-event': sendToRoots,
};

const adjacentTab = ({ tab }: SessionState, by: 1 | -1): string =>
  TAB_IDS[(TAB_IDS.indexOf(tab) + by + TAB_IDS.length) % TAB_IDS.length] ?? tab;

function toTab(state: SessionState, tab: string): SessionState {
  return showTab(state, tab, tab === state.tab && topLayer(state)?.isRoot === true);
}

function editText(state: SessionState, action: FieldEdit): SessionState {
  if (!isTyping(state)) return state;
  const value = applyFieldEdit(state, action);
  const to = editLayerField(state, value);
  return to === undefined ? state : sendToLayer(state, to);
}

// Quitting while a download runs asks; a second ctrl-c in the question means it.
function quit(state: SessionState, isInterrupted: boolean): SessionState {
  const top = topScreen(state);
  const isAsked = top?.screen.isOverlay === true && top.screen.asksToQuit?.(top.layer.state) === true;
  if (!hasNoDownload(state) && !isAsked) return askToConfirm(state, { about: 'quit' });
  return { ...state, isEnded: true, isInterrupted };
}

/** Times as ages, or of the clock, in every list. */
function withOtherTimes(state: SessionState): SessionState {
  const times = state.times === 'clock' ? 'ages' : 'clock';
  return withNotice({ ...state, times }, times === 'clock' ? 'times of the clock, in UTC' : 'times as ages');
}

/** Connects to the node once it is needed: by a tab that is shown, or by a screen. */
function connectIfNeeded(state: SessionState): SessionState {
  const { node, layers } = state;
  if (node.status !== 'unasked') return state;
  const isTabShown = shownLayers(state).every(({ tab, isRoot }) => tab === null || isRoot);
  const isWanted = isTabShown || layers.some(({ screen }) => SCREENS[screen]?.needsNode === true);
  return isWanted ? { ...state, node: { ...node, status: 'starting' } } : state;
}

/** The reason why a key did nothing is shown while it applies: `no page is loaded yet` goes when a page is loaded. */
function refreshRefusal(state: SessionState): SessionState {
  const { notice } = state;
  if (notice?.refused === undefined) return state;
  const binding = focusName(state) === notice.refused.focus ? bindingFor(state, notice.refused.key) : undefined;
  const reason = binding && disabledReasonOf(state, binding);
  if (reason === undefined) return { ...state, notice: null };
  return isSameReason(reason, notice.text) ? state : { ...state, notice: { ...notice, text: reason } };
}

// The remaining seconds of a wait are not announced again every second.
const isSameReason = (one: string, other: string): boolean => maskNumbers(one) === maskNumbers(other);
const maskNumbers = (text: string): string => text.replace(/\d+/g, '0');
