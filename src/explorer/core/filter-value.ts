import { type Directory, nameOf } from '../../directory/directory.ts';
import { longText } from '../../insight/kind.ts';
import { type Filter, valueWord } from '../../resources/filter.ts';
import { type SafeText, sanitize } from '../../text/safe-text.ts';
import { truncateMiddle } from '../../text/width.ts';

/** A value of a filter in a line of them: by its name, or the ends of an id. */
export function shownValue(directory: Directory, filter: Filter, value: string): SafeText {
  const { entity } = filter;
  const name = entity === undefined || entity === 'epoch' ? undefined : nameOf(directory, entity, value);
  if (name !== undefined) return truncateMiddle(name, LONGEST_NAME);
  const word = sanitize(valueWord(filter, value));
  if (filter.words !== undefined) return word;
  return truncateMiddle(filter.kind === 'address' ? longText(filter.kind, value, 0) : word, LONGEST_ID);
}

const LONGEST_NAME = 24;
const LONGEST_ID = 12;
