import { RefusedError } from '../../chain/api/errors.ts';
import { joinRanges, rangeLabel } from '../../chain/insight/range.ts';
import type { ExportResult } from '../download/export-result.ts';
import type { FetchResult } from './fetch-history.ts';

/** The node answered, but does not export it. */
export const isRefusal = (result: ExportResult): boolean =>
  result.kind === 'failed' && result.error instanceof RefusedError;

/** What could not be fetched, a line for each reason: `markets 1 to 24500, orders 1 to 9000`. */
export function failedTables(
  failed: FetchResult['failed'],
  reasonOf: (result: ExportResult) => string,
): readonly { readonly parts: string; readonly reason: string }[] {
  const byReason = Map.groupBy(failed, ({ result }) => reasonOf(result));
  return [...byReason].map(([reason, failures]) => {
    const byTable = Map.groupBy(failures, ({ table }) => table);
    const parts = [...byTable].map(([table, of]) => {
      const ranges = of.map(({ range }) => range).toSorted((one, other) => (one.from < other.from ? -1 : 1));
      return `${table} ${joinRanges(ranges).map(rangeLabel).join(', ')}`;
    });
    return { reason, parts: parts.join(', ') };
  });
}
