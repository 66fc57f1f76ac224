import type { EditedText } from '../../../base/text/edit-text.ts';
import type { CommandCandidate, CommandLineOpening } from '../../openings.ts';

/** The line behind `:`, while it is typed. */
export interface CommandLine {
  readonly opening: CommandLineOpening;
  readonly value: EditedText;
  readonly problem: string | null;
  /** What the typed line may become. */
  readonly offered: readonly CommandCandidate[];
  /** Where its text comes from, when it was not typed. */
  readonly walk: Walk | null;
}

/** Lines that keys put into the field, one after the other. */
interface Walk {
  /** Completions, or earlier entries. */
  readonly kind: 'offered' | 'recalled';
  readonly typed: string;
  readonly index: number;
}

export const cursorAtEnd = (text: string): EditedText => ({ text, at: text.length });
