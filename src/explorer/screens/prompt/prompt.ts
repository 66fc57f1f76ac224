import type { EditedText } from '../../../text/edit-text.ts';
import { fieldRow } from '../../core/field-row.ts';
import { textLine } from '../../core/line.ts';
import type { Screen, ScreenContext, Step } from '../../core/screen.ts';
import type { PromptOpening } from '../../openings.ts';

interface TypedLine {
  readonly opening: PromptOpening;
  readonly value: EditedText;
  /** Nothing was done yet to the text that it was opened with. */
  readonly isProposed: boolean;
  readonly problem: string | null;
}

type PromptEvent = { readonly type: 'done' | 'leave' } | { readonly type: 'edited'; readonly value: EditedText };

/** One line that is typed above the footer: what to find, a number, the name of a file. */
export const promptScreen: Screen<TypedLine, PromptEvent, PromptOpening> = {
  title: 'the prompt',
  isOverlay: true,
  isModal: true,
  open: opening => {
    const { text, problem = null } = opening;
    return {
      opening,
      value: { text, at: text.length },
      isProposed: opening.isProposed === true && text !== '',
      problem,
    };
  },
  // biome-ignore format: a table, a row a key
  keys: [
    { keys: ['enter'], event: { type: 'done' }, title: 'run or keep what is typed', group: 'Field', footer: 'done' },
    { keys: ['esc'], event: { type: 'leave' }, title: 'back', group: 'Program', footer: 'back', isInProgramsPlace: true },
  ],
  update,
  field: ({ opening, value, isProposed }) => ({
    value,
    label: opening.label,
    isProposed,
    edited: edited => ({ type: 'edited', value: edited }),
  }),
  body: () => undefined,
  status: (line, context) => {
    const { opening, value, isProposed } = line;
    const before = textLine(` ${opening.drawnLabel ?? opening.label}: `, 'accent');
    const field = { ...value, isFocused: context.isOnTop, isProposed };
    return fieldRow(field, context.area.columns, { before, after: besideField(line, context) });
  },
  problem: ({ problem }) => problem ?? '',
};

function update(line: TypedLine, event: PromptEvent, { below }: ScreenContext): Step<TypedLine> {
  const { opening, value } = line;
  switch (event.type) {
    case 'edited': {
      const edited = { ...line, value: event.value, isProposed: false };
      if (event.value.text === value.text) return { state: edited };
      const messages = opening.edited === undefined ? [] : [opening.edited(event.value.text)];
      return { state: { ...edited, problem: null }, messages };
    }
    case 'done': {
      const outcome = opening.done(below, value.text);
      if ('problem' in outcome) return { state: { ...line, problem: outcome.problem } };
      return { state: null, messages: outcome.actions };
    }
    case 'leave':
      return { state: null, messages: opening.left ?? [] };
  }
}

function besideField({ opening, problem }: TypedLine, { area, below }: ScreenContext) {
  if (problem !== null) return textLine(`  ${problem}`, 'bad');
  const hint = opening.hint?.(below, area.columns) ?? '';
  return hint === '' ? [] : textLine(`  ${hint}`, 'quiet');
}
