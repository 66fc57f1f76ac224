import type { ScreenContext } from '../../src/explorer/core/screen.ts';
import type { ConfirmOpening, PromptOpening, ValueOpening } from '../../src/explorer/openings.ts';
import type { CommandLine } from '../../src/explorer/screens/command-line/state.ts';
import type { Layer } from '../../src/session/model/layer.ts';
import type { Overlay } from '../../src/session/model/overlay.ts';
import type { SessionState } from '../../src/session/model/state.ts';
import { contextOf } from '../../src/session/reduce/layers.ts';
import type { Session } from '../../src/session/session.ts';
import type { EditedText } from '../../src/text/edit-text.ts';

/** The screens that lie over the tab, by name, the top one last. */
export const layersOf = (session: Session): readonly string[] => session.state().layers.map(({ screen }) => screen);

/** The state of the top screen, when it is the one of this name. */
export function topState<State>({ layers }: Pick<SessionState, 'layers'>, screen: string): State | undefined {
  const top: Layer | undefined = layers.at(-1);
  return top?.screen === screen ? (top.state as State) : undefined;
}

/** The state of the screen of this name, which is on top. */
export function openState<State>(session: Session, screen: string): State {
  const state = topState<State>(session.state(), screen);
  if (state === undefined) throw new Error(`${screen} is not open: ${layersOf(session).join(', ')}`);
  return state;
}

/** What the top screen sees. */
export function contextOfTop(state: SessionState): ScreenContext {
  const top = state.layers.at(-1);
  if (top === undefined) throw new Error('no screen is open');
  return contextOf(state, top);
}

/** What lies over the screen: a menu, a prompt, a question or a value. */
export function overlayOf(state: SessionState): Shown | null {
  const { overlay } = state;
  if (overlay !== null) return overlay;
  const value = topState<{ readonly value: ValueOpening; readonly top: number }>(state, 'value');
  if (value !== undefined) return { kind: 'value', ...value.value, top: value.top };
  const line = topState<CommandLine>(state, 'command-line');
  if (line !== undefined) return { ...line, kind: 'prompt', id: 'command', value: line.value.text };
  const prompt = topState<TypedPrompt>(state, 'prompt');
  if (prompt !== undefined) {
    const { opening, value, problem } = prompt;
    return { kind: 'prompt', id: opening.label, value: value.text, problem, offered: [], walk: null };
  }
  const question = topState<ConfirmOpening>(state, 'confirm');
  return question === undefined ? null : { kind: 'confirm', id: question.about };
}

interface TypedPrompt {
  readonly opening: PromptOpening;
  readonly value: EditedText;
  readonly problem: string | null;
}

export interface ShownPrompt extends Pick<CommandLine, 'problem' | 'offered' | 'walk'> {
  readonly kind: 'prompt';
  readonly id: string;
  readonly value: string;
}

export type Shown =
  | Overlay
  | ShownPrompt
  | ({ readonly kind: 'value'; readonly top: number } & ValueOpening)
  | { readonly kind: 'confirm'; readonly id: ConfirmOpening['about'] };

/** The state, and what lies over the screen beside it. */
export const withOverlayOf = (state: SessionState) => ({ ...state, overlay: overlayOf(state) });
