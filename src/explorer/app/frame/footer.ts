import { sanitize } from '../../../base/text/safe-text.ts';
import { cutLine, type Line, lineWidth, type Span, span } from '../../core/line.ts';
import type { SessionState } from '../../core/state.ts';
import type { Binding } from '../binding.ts';
import { currentBindings, disabledReasonOf, footerLabel } from '../keymap.ts';
import { asPage, topScreen } from '../open-screens.ts';

/** The loaded rows, and the keys that work now: as many as fit, always with help, or else with the way back. */
export function drawFooter(state: SessionState): Line {
  const shown = currentBindings(state).flatMap(binding => {
    const word = footerLabel(state, binding);
    if (word === undefined || disabledReasonOf(state, binding) !== undefined) return [];
    return [{ ...hint(binding, word), isOfNow: binding.footerNow?.(state) !== undefined }];
  });
  // Meanings that a key has only now are not known by heart.
  const hints = [...shown.filter(({ isOfNow }) => isOfNow), ...shown.filter(({ isOfNow }) => !isOfNow)];
  const place = placeText(state);
  const spans: Span[] = [span(sanitize(place === '' ? ' ' : ` ${place}   `))];
  const room = state.screen.columns - lineWidth(spans);
  const last = closingHint(hints, room);
  let left = room - (last?.cells ?? 0);
  for (const hint of hints) {
    if (hint === last || hint.cells > left) continue;
    spans.push(...hint.spans);
    left -= hint.cells;
  }
  // Where even that does not fit, only the key is more than half a word.
  return cutLine([...spans, ...(last?.alone.slice(0, left < -2 ? 1 : 2) ?? [])], state.screen.columns);
}

/** What always stands at the end. */
function closingHint(hints: readonly Hint[], room: number): Hint | undefined {
  const help = hints.find(({ key }) => key === '?');
  const back = hints.find(({ key }) => key === 'esc');
  const isRoomy = (hints[0]?.cells ?? 0) + (back?.cells ?? 0) <= room;
  return help ?? (isRoomy ? back : undefined);
}

type Hint = ReturnType<typeof hint>;

function hint(binding: Binding, title: string) {
  const spans = [span(sanitize(`${binding.keys[0]} `), 'accent'), span(sanitize(`${title}  `), 'quiet')] as const;
  // With nothing after it the gap is left out, as it would be cut off with a mark.
  const alone = [spans[0], span(sanitize(title), 'quiet')] as const;
  return { key: binding.keys[0], spans, alone, cells: lineWidth(spans) };
}

function placeText(state: SessionState): string {
  const top = topScreen(state);
  return (top && asPage(top.screen)?.around.place(top.layer.state, top.context)) ?? '';
}
