import type { ConvertProgress } from '../answers/index.ts';
import { groupDigits } from '../insight/decimal.ts';
import { duration } from '../insight/time.ts';
import { byteCount } from '../text/byte-count.ts';
import { EMPTY, sanitize } from '../text/safe-text.ts';
import { truncateEnd } from '../text/width.ts';
import type { Context } from './context.ts';

/** One line that is written over and over while exports are converted, on a terminal only. */
export function conversionProgress({ stderr }: Context) {
  const startMs = performance.now();
  return {
    show: ({ bytes, rows, totalBytes }: ConvertProgress): void => {
      const share = totalBytes === null || totalBytes === 0 ? '' : `, ${Math.floor((100 * bytes) / totalBytes)} %`;
      const of = totalBytes === null ? '' : ` of ${byteCount(totalBytes)}`;
      const text = `${byteCount(bytes)}${of}${share}, ${groupDigits(String(rows))} rows, ${duration(performance.now() - startMs)}`;
      stderr.progress(truncateEnd(sanitize(text), (stderr.columns ?? 80) - 1));
    },
    clear: (): void => stderr.progress(EMPTY),
  };
}
