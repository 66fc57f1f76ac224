import { linesLike } from '../../explorer/services/history/history.ts';
import type { Prompt } from '../model/overlay.ts';
import type { SessionState } from '../model/state.ts';
import { withOffered } from './completion.ts';

/** Takes what the line may become; again, what else it may. */
export function complete(state: SessionState, prompt: Prompt, direction: 1 | -1): SessionState {
  const { walk, value, offered } = prompt;
  const from = walk?.kind === 'offered' ? walk : { typed: value, index: direction === 1 ? -1 : 0 };
  if (offered.length === 0) return state;
  const index = (from.index + direction + offered.length) % offered.length;
  const taken = { ...prompt, value: offered[index]?.line ?? value, problem: null };
  // What is the only one is as good as typed: the next key goes on from there.
  if (offered.length === 1) return withOffered({ ...state, overlay: { ...taken, walk: null } });
  return { ...state, overlay: { ...taken, walk: { kind: 'offered', typed: from.typed, index } } };
}

/** An older line of those that begin as the one that was typed, or a newer one; at last what was typed. */
export function recall(state: SessionState, prompt: Prompt, direction: 1 | -1): SessionState {
  const { walk, value } = prompt;
  const from = walk?.kind === 'recalled' ? walk : { typed: value, index: -1 };
  const lines = linesLike(state.history, from.typed);
  const index = Math.max(-1, Math.min(from.index + direction, lines.length - 1));
  const recalled = { ...prompt, value: lines[index] ?? from.typed, problem: null };
  return withOffered({
    ...state,
    overlay: { ...recalled, walk: index === -1 ? null : { kind: 'recalled', typed: from.typed, index } },
  });
}

/** What would be taken, as far as it is not typed yet; '' where there is nothing, or it is no continuation. */
export function ghostOf({ value, problem, walk, offered }: Prompt): string {
  const [best] = offered;
  if (best === undefined || problem !== null || walk?.kind === 'offered') return '';
  return best.line.toLowerCase().startsWith(value.toLowerCase()) ? best.line.slice(value.length).trimEnd() : '';
}
