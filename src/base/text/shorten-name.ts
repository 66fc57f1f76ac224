import { sanitize } from './safe-text.ts';
import { truncateMiddle } from './width.ts';

/** What a node calls something, cut to the length of a name; JSON has it whole in a member of its own. */
export const shortenName = (text: string): string => truncateMiddle(sanitize(text), 100);
