import { type SafeText, sanitize } from '../../../../base/text/safe-text.ts';
import { fitCells } from '../../../../base/text/width.ts';
import { bar } from '../../../../chain/insight/bar.ts';
import { cellValue } from '../../../../chain/resources/cell-text.ts';
import type { Column, Row } from '../../../../chain/resources/resource.ts';
import type { LoadedPage } from '../state.ts';

/** Cells of a bar before the figure of a share, with a blank between. */
export const BAR_ROOM = 9;

/** Whether there are shares to compare. */
export const hasBar = (column: Column, page: LoadedPage): boolean =>
  column.kind === 'share' && largest(column, page) > 0n;

/** The bar of a share beside the largest one on the page, and a blank. */
export function shareBar(column: Column, row: Row, page: LoadedPage): SafeText {
  const drawn = bar(sizeOf(cellValue(column, row, page)), largest(column, page), BAR_ROOM - 1);
  return fitCells(sanitize(drawn), BAR_ROOM);
}

const maxima = new WeakMap<LoadedPage, Map<string, bigint>>();

function largest(column: Column, page: LoadedPage): bigint {
  const known = maxima.get(page) ?? new Map<string, bigint>();
  maxima.set(page, known);
  const found = known.get(column.id);
  if (found !== undefined) return found;
  const sizes = page.rows.map(row => sizeOf(cellValue(column, row, page)));
  const most = sizes.reduce((high, size) => (size > high ? size : high), 0n);
  known.set(column.id, most);
  return most;
}

const PLACES = 6;

/** A share as a whole number, for a comparison by eye: `~25.0`, `<0.1`. */
function sizeOf(text: string): bigint {
  const [, whole = '0', fraction = ''] = /(\d{1,30})(?:\.(\d{1,30}))?/.exec(text) ?? [];
  return BigInt(`${whole}${fraction.slice(0, PLACES).padEnd(PLACES, '0')}`);
}
