import type { SessionState } from '../core/state.ts';
import { bindingFor, offReason } from './keymap.ts';
import { focusOf } from './layers.ts';

/** Why a key did nothing is said as long as it is why: `no page is loaded yet` goes when one is. */
export function withReasonOfNow(state: SessionState): SessionState {
  const { notice } = state;
  if (notice?.refused === undefined) return state;
  const binding = focusOf(state) === notice.refused.focus ? bindingFor(state, notice.refused.key) : undefined;
  const reason = binding && offReason(state, binding);
  if (reason === undefined) return { ...state, notice: null };
  return isSameReason(reason, notice.text) ? state : { ...state, notice: { ...notice, text: reason } };
}

// The seconds that are still to wait are not said anew every second.
const isSameReason = (one: string, other: string): boolean => withoutNumbers(one) === withoutNumbers(other);
const withoutNumbers = (text: string): string => text.replace(/\d+/g, '0');
