import type { SafeText } from '../../../base/text/safe-text.ts';
import {
  type DisplayedMember,
  describeChange,
  displayMembers,
  recordTitle,
} from '../../../memory/diff/describe-change.ts';
import type { RecordChange } from '../../../memory/diff/side.ts';
import type { FoundChanges } from '../../services/changes/changes.ts';

/** Changes since the last snapshot of yesterday. */
export interface ChangesState {
  readonly isAll: boolean;
  /** Counts the requests, so that each is sent once. */
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
export interface ChangeLine extends DisplayedMember {
  readonly change: RecordChange;
  readonly subject: SafeText;
}

export function changeLines(answer: FoundChanges): readonly ChangeLine[] {
  if (answer.kind !== 'found') return [];
  const { found, shown } = answer;
  return found.changes.flatMap(change => {
    const subject = recordTitle(change, shown);
    return displayMembers(change, shown).map(member => ({ ...member, change, subject }));
  });
}

/** `8 h -> 24 h`, `added: 5 VEGA` */
export const changeText = ({ change, from, to }: ChangeLine): string => describeChange(change, { from, to });

/** All of a line, for a row of its own and for a copy. */
export const changeSentence = (line: ChangeLine): string =>
  [line.change.resource, line.subject, line.path]
    .filter(text => text !== '')
    .join(' ')
    .concat(`: ${changeText(line)}`);
