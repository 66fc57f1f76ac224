/** A cell of a column of numbers, cut at its decimal point so that the points of a column can lie below each other. */
interface DecimalCell {
  /** `-1 250`; the whole text if it is not a number. */
  readonly whole: string;
  /** `.5`; '' without one. */
  readonly fraction: string;
  readonly isNumber: boolean;
}

/** The cells of a column, and how many characters their fractions need. */
export function decimalCells(cells: readonly string[]): {
  readonly cells: readonly DecimalCell[];
  readonly places: number;
} {
  const cut = cells.map(cell => {
    const [, whole, fraction = ''] = /^(-?[\d ]+)(\.\d+)?$/.exec(cell) ?? [];
    return { whole: whole ?? cell, fraction, isNumber: whole !== undefined };
  });
  return { cells: cut, places: cut.reduce((most, { fraction }) => Math.max(most, fraction.length), 0) };
}
