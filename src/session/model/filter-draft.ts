/** The filter bar while it is edited: one text a filter, in the descriptor's order. */
export interface FilterDraft {
  readonly texts: readonly string[];
  readonly field: number;
  readonly problem: string | null;
  /** Index into the suggestions of the field; -1 when none is taken. */
  readonly suggestion: number;
  /** What stood in the field before a suggestion took its place. */
  readonly typed: string;
  /** It opened by itself, and nothing was put into it: no letter and no digit is meant for it. */
  readonly isOffered: boolean;
}
