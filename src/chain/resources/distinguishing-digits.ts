import { distinctNames } from '../directory/distinct-names.ts';
import { onceFor } from './once-for.ts';

const DIGITS = [4, 8, 16, Number.POSITIVE_INFINITY];

/**
 * Text after a name that another row of the page has too: the digits of the id that distinguish the two. Computed once for
 * the rows of a page.
 */
export function distinguishingDigits<Fields>(
  idOf: (fields: Fields) => string,
  nameOf: (fields: Fields) => string,
): (fields: Fields, rows: readonly Fields[]) => string {
  const namesIn = onceFor((rows: readonly Fields[]) =>
    distinctNames(rows.map(row => [idOf(row), nameOf(row)] as const)),
  );
  return (fields, rows) => {
    const shown = namesIn(rows).get(idOf(fields));
    const endings = DIGITS.map(digits => ` ${idOf(fields).slice(0, digits)}`);
    return endings.find(ending => shown?.endsWith(ending)) ?? '';
  };
}
