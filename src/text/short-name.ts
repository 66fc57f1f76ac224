import { sanitize } from './safe-text.ts';
import { truncateMiddle } from './width.ts';

/** What a node calls something, as far as that may be a name; JSON has all of it in a member of its own. */
export const shortName = (text: string): string => truncateMiddle(sanitize(text), 100);
