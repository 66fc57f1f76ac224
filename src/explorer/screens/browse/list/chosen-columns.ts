import type { Column } from '../../../../chain/resources/resource.ts';
import type { BrowseState } from '../state.ts';

/** Columns in the order they were put into; the first one stays where it is, and those that were not moved follow. */
export function inHandsOrder(columns: readonly Column[], order: readonly string[]): readonly Column[] {
  const [first, ...others] = columns;
  if (first === undefined || order.length === 0) return columns;
  const places = new Map(order.map((id, place) => [id, place]));
  const placeOf = ({ id }: Column): number => places.get(id) ?? order.length;
  return [first, ...others.toSorted((one, other) => placeOf(one) - placeOf(other))];
}

const NARROWEST = 3;
const WIDEST = 90;

/** So many cells, or the fewest or most that a column can be given. */
export const possibleCells = (cells: number): number => Math.max(NARROWEST, Math.min(WIDEST, Math.trunc(cells) || 0));

/** The columns, their order and their widths as the list has them. */
export const withOwnColumns = (browser: BrowseState): BrowseState => ({
  ...browser,
  columnChoice: {},
  columnOrder: [],
  columnWidths: {},
});

export const hasOwnColumns = ({ columnChoice, columnOrder, columnWidths }: BrowseState): boolean =>
  columnOrder.length + Object.keys(columnChoice).length + Object.keys(columnWidths).length === 0;
