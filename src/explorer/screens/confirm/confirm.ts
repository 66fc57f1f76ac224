import { sanitize } from '../../../base/text/safe-text.ts';
import { widthCells } from '../../../base/text/width.ts';
import { textLine } from '../../core/line.ts';
import type { FormScreen } from '../../core/screen.ts';
import type { ConfirmOpening } from '../../openings.ts';

interface ConfirmEvent {
  readonly type: 'yes' | 'no';
}

/** A question before something is done that cannot be taken back. */
export const confirmScreen: FormScreen<ConfirmOpening, ConfirmEvent, ConfirmOpening> = {
  kind: 'form',
  title: 'the question',
  needs: null,
  isOverlay: true,
  asksToQuit: ({ about }) => about === 'quit',
  open: opening => opening,
  // biome-ignore format: a table, a row a key
  keys: [
    { keys: ['y'], event: { type: 'yes' }, title: 'yes', group: 'Field', footer: 'yes' },
    { keys: ['n', 'enter'], event: { type: 'no' }, title: 'no', group: 'Field', footer: 'no, as Enter' },
    { keys: ['esc'], event: { type: 'no' }, title: 'back', group: 'Program', footer: 'back', isInProgramsPlace: true },
    { keys: ['q'], event: { type: 'no' }, title: 'close', group: 'Program', isInProgramsPlace: true },
  ],
  handlers: {
    yes: ({ yes }) => ({ state: null, messages: yes }),
    no: ({ no = [] }) => ({ state: null, messages: no }),
  },
  settle: (opening, { below }) => (opening.isPointless?.(below) === true ? null : opening),
  input: {
    status: (opening, { area }) => ({
      kind: 'line',
      line: textLine(` ${questionText(opening, area.columns)}`, 'pending'),
    }),
  },
  announced: (opening, { area }) => ({ lines: [questionText(opening, area.columns)], selected: '' }),
};

/** The longest form of the question that fits next to its answers. */
export function questionText({ questions }: ConfirmOpening, columns: number): string {
  const fitting = questions.find(text => widthCells(sanitize(text)) + ANSWERS.length < columns);
  return `${fitting ?? questions.at(-1) ?? ''}${ANSWERS}`;
}

/** Nothing is lost by a hurried Enter. */
const ANSWERS = '  y / N';
