import { changeWords, type ShownMember, shownMembers, subjectOf } from '../../../diff/change-words.ts';
import type { RecordChange } from '../../../diff/side.ts';
import type { SafeText } from '../../../text/safe-text.ts';
import type { ChangesSince, FoundChanges } from '../../services/changes/changes.ts';

/** What has changed since the last snapshot of yesterday. */
export interface ChangesState {
  readonly isAll: boolean;
  /** Counts what was asked, so that each is asked once. */
  readonly attempt: number;
  readonly answer:
    | FoundChanges
    | { readonly kind: 'asking'; readonly list: string }
    | { readonly kind: 'failed'; readonly problem: string };
  readonly row: number;
  readonly top: number;
}

/** A member that changed, or a record that was added or removed. */
export interface ChangeLine extends ShownMember {
  readonly change: RecordChange;
  readonly subject: SafeText;
}

const lines = new WeakMap<ChangesSince, readonly ChangeLine[]>();

/** In the order of the lists; made once for an answer. */
export function linesOf({ answer }: Pick<ChangesState, 'answer'>): readonly ChangeLine[] {
  if (answer.kind !== 'found') return [];
  const known = lines.get(answer);
  if (known !== undefined) return known;
  const { found, shown } = answer;
  const made = found.changes.flatMap(change => {
    const subject = subjectOf(change, shown);
    return shownMembers(change, shown).map(member => ({ ...member, change, subject }));
  });
  lines.set(answer, made);
  return made;
}

/** `8 h -> 24 h`, `added: 5 VEGA` */
export const lineWords = ({ change, from, to }: ChangeLine): string => changeWords(change, { from, to });

/** All of a line, for a row of its own and for a copy. */
export const lineSentence = (line: ChangeLine): string =>
  [line.change.resource, line.subject, line.path]
    .filter(text => text !== '')
    .join(' ')
    .concat(`: ${lineWords(line)}`);
