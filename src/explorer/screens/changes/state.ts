import type { SafeText } from '../../../base/text/safe-text.ts';
import { changeWords, type ShownMember, shownMembers, subjectOf } from '../../../memory/diff/change-words.ts';
import type { RecordChange } from '../../../memory/diff/side.ts';
import type { FoundChanges } from '../../services/changes/changes.ts';

/** What has changed since the last snapshot of yesterday. */
export interface ChangesState {
  readonly isAll: boolean;
  /** Counts what was asked, so that each is asked once. */
  readonly attempt: number;
  readonly answer:
    | FoundChanges
    | { readonly kind: 'asking'; readonly list: string }
    | { readonly kind: 'failed'; readonly problem: string };
  /** Of the answer, in the order of the lists. */
  readonly lines: readonly ChangeLine[];
  readonly row: number;
  readonly top: number;
}

/** A member that changed, or a record that was added or removed. */
export interface ChangeLine extends ShownMember {
  readonly change: RecordChange;
  readonly subject: SafeText;
}

export function linesOf(answer: FoundChanges): readonly ChangeLine[] {
  if (answer.kind !== 'found') return [];
  const { found, shown } = answer;
  return found.changes.flatMap(change => {
    const subject = subjectOf(change, shown);
    return shownMembers(change, shown).map(member => ({ ...member, change, subject }));
  });
}

/** `8 h -> 24 h`, `added: 5 VEGA` */
export const lineWords = ({ change, from, to }: ChangeLine): string => changeWords(change, { from, to });

/** All of a line, for a row of its own and for a copy. */
export const lineSentence = (line: ChangeLine): string =>
  [line.change.resource, line.subject, line.path]
    .filter(text => text !== '')
    .join(' ')
    .concat(`: ${lineWords(line)}`);
