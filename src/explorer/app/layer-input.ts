import type { EditedText } from '../../base/text/edit-text.ts';
import type { Action } from '../core/action.ts';
import type { AnyEvent } from '../core/layer.ts';
import type { SessionState } from '../core/state.ts';
import { currentKeyTarget } from './focus.ts';
import { topScreen } from './open-screens.ts';

// What the top screen makes of keys, pastes and edits.

/** A name for the current target of keys. */
export function focusName(state: SessionState, top = topScreen(state)): string {
  const target = currentKeyTarget(state);
  if (top === undefined) return target;
  const pane = top.screen.kind === 'list' ? top.screen.pane?.(top.layer.state) : undefined;
  return `${target} ${top.layer.id} ${pane ?? ''}`;
}

/** The action for a key that the top screen has no binding for. */
export function unboundKeyAction(state: SessionState, key: string): Action | undefined {
  const top = topScreen(state);
  if (top?.screen.kind !== 'list') return undefined;
  const event = top.screen.otherKey?.(top.layer.state, key, top.context);
  return event === undefined ? undefined : { type: 'in-layer', layer: top.layer.id, event };
}

/** What the top screen makes of text that is pasted. */
export function pasteAction(state: SessionState, text: string, top = topScreen(state)): Action | undefined {
  const event = top?.screen.input?.pasted?.(top.layer.state, text, top.context);
  return top === undefined || event === undefined ? undefined : { type: 'in-layer', layer: top.layer.id, event };
}

/** Whether several characters that come at once are a paste in the top screen. */
export function acceptsUnbracketedPaste(state: SessionState, top = topScreen(state)): boolean {
  return top !== undefined && top.screen.input?.takesUnmarkedPaste?.(top.layer.state) === true;
}

/** The text of the field in the top screen after it was edited, for that screen. */
export function editLayerField(
  state: SessionState,
  value: EditedText,
): { readonly layer: number; readonly event: AnyEvent } | undefined {
  const top = topScreen(state);
  const field = top?.screen.input?.field?.(top.layer.state);
  return top === undefined || field === undefined ? undefined : { layer: top.layer.id, event: field.edited(value) };
}
