import { EMPTY, joinSafe, type SafeText, safeText, trimEndSafe } from '../../text/safe-text.ts';
import { fitCells, widthCells, wrapCells } from '../../text/width.ts';

/** A row as lines of names and values, with all of each value. */
export function rowBlock(
  titles: readonly SafeText[],
  cells: readonly SafeText[],
  { number, room }: { readonly number: number; readonly room: number },
): SafeText {
  const width = Math.min(Math.floor(room / 3), Math.max(...titles.map(widthCells)));
  const lines = cells.flatMap((text, index) =>
    wrapCells(text, Math.max(1, room - width - 2)).map((part, line) => {
      const title = line === 0 ? (titles[index] ?? EMPTY) : EMPTY;
      return safeText`${trimEndSafe(joinSafe([fitCells(title, width), part], safeText`  `))}\n`;
    }),
  );
  return joinSafe([safeText`-- ${number} --\n`, ...lines]);
}
