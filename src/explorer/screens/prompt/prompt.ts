import type { EditedText } from '../../../base/text/edit-text.ts';
import { fieldRow } from '../../core/field-row.ts';
import { textLine } from '../../core/line.ts';
import type { FormScreen, ScreenContext, Step } from '../../core/screen.ts';
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
export const promptScreen: FormScreen<TypedLine, PromptEvent, PromptOpening> = {
  kind: 'form',
  title: 'the prompt',
  needs: null,
  isOverlay: true,
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
    { keys: ['enter'], event: { type: 'done' }, title: 'run or keep the text', group: 'Field', footer: 'done' },
    { keys: ['esc'], event: { type: 'leave' }, title: 'back', group: 'Program', footer: 'back', isInProgramsPlace: true },
  ],
  handlers: {
    edited,
    done: submit,
    leave: ({ opening: { left = [] } }) => ({ state: null, messages: left }),
  },
  settle: line => line,
  input: {
    field: ({ opening, value, isProposed }) => ({
      value,
      label: opening.label,
      isProposed,
      edited: now => ({ type: 'edited', value: now }),
    }),
    status: (line, context) => {
      const { opening, value, isProposed } = line;
      const before = textLine(` ${opening.drawnLabel ?? opening.label}: `, 'accent');
      const field = { ...value, isFocused: context.isOnTop, isProposed };
      return fieldRow(field, context.area.columns, { before, after: fieldNote(line, context) });
    },
    problem: ({ problem }) => problem ?? '',
  },
};

function edited(line: TypedLine, { value }: { readonly value: EditedText }): Step<TypedLine> {
  const { opening } = line;
  const after = { ...line, value, isProposed: false };
  if (value.text === line.value.text) return { state: after };
  const messages = opening.edited === undefined ? [] : [opening.edited(value.text)];
  return { state: { ...after, problem: null }, messages };
}

function submit(line: TypedLine, _: unknown, { below }: ScreenContext): Step<TypedLine> {
  const outcome = line.opening.done(below, line.value.text);
  if ('problem' in outcome) return { state: { ...line, problem: outcome.problem } };
  return { state: null, messages: outcome.actions };
}

function fieldNote({ opening, problem }: TypedLine, { area, below }: ScreenContext) {
  if (problem !== null) return textLine(`  ${problem}`, 'bad');
  const hint = opening.hint?.(below, area.columns) ?? '';
  return hint === '' ? [] : textLine(`  ${hint}`, 'quiet');
}
