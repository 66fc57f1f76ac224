import { type SafeText, sanitize } from '../../../../base/text/safe-text.ts';
import { fitCells } from '../../../../base/text/width.ts';
import { bar } from '../../../../chain/insight/bar.ts';
import { cellValue } from '../../../../chain/resources/cell-text.ts';
import type { Column } from '../../../../chain/resources/resource.ts';
import type { LoadedPage } from '../state.ts';

/** Cells of a bar before the figure of a share, with a blank between. */
export const BAR_CELLS = 9;

/** The bar of a share relative to the largest one on the page, and a blank. */
export const shareBar = (share: string, largest: bigint): SafeText =>
  fitCells(sanitize(bar(parseShare(share), largest, BAR_CELLS - 1)), BAR_CELLS);

/** The largest share on the page; 0 where all bars would be the same, which would say nothing. */
export function largestShare(column: Column, page: LoadedPage): bigint {
  if (column.kind !== 'share') return 0n;
  const sizes = page.rows.map(row => parseShare(cellValue(column, row, page)));
  const largest = sizes.reduce((high, size) => (size > high ? size : high), 0n);
  const bars = new Set(sizes.filter(size => size > 0n).map(size => bar(size, largest, BAR_CELLS - 1)));
  return bars.size > 1 ? largest : 0n;
}

const PLACES = 6;

/** A share as a whole number, for a comparison by eye: `~25.0`, `<0.1`. */
function parseShare(text: string): bigint {
  const [, whole = '0', fraction = ''] = /(\d{1,30})(?:\.(\d{1,30}))?/.exec(text) ?? [];
  return BigInt(`${whole}${fraction.slice(0, PLACES).padEnd(PLACES, '0')}`);
}
