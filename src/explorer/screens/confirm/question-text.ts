import { sanitize } from '../../../text/safe-text.ts';
import { widthCells } from '../../../text/width.ts';
import type { ConfirmOpening } from '../../openings.ts';

/** What is asked, in the longest sentence that fits beside its answers. */
export function questionText({ questions }: ConfirmOpening, columns: number): string {
  const fitting = questions.find(text => widthCells(sanitize(text)) + ANSWERS.length < columns);
  return `${fitting ?? questions.at(-1) ?? ''}${ANSWERS}`;
}

/** Nothing is lost by a hurried Enter. */
const ANSWERS = '  y / N';
