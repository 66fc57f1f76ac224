import { formatByteCount } from '../../base/text/byte-count.ts';
import { shortDuration } from '../../base/text/duration.ts';
import { RefusedError } from '../../chain/api/errors.ts';
import { countOf } from '../../chain/insight/count-of.ts';
import { joinRanges, type Range, rangeLabel } from '../../chain/insight/range.ts';
import type { ExportResult } from '../download/export-result.ts';
import type { SavedSlice } from '../download/progress.ts';

/** How a fetch ended. Texts may hold words of the node. */
export interface FetchResult {
  /** `partial`: some slices could not be had. `stopped`: it ended before all were tried. */
  readonly kind: 'complete' | 'partial' | 'stopped';
  /** Of the history; null when none was opened. */
  readonly folder: string | null;
  readonly fetched: readonly SavedSlice[];
  /** Slices that could not be had. */
  readonly failed: readonly { readonly table: string; readonly range: Range; readonly result: ExportResult }[];
  /** Why it stopped. */
  readonly cause?: ExportResult;
  /** `byOthers` of the done ones were brought by another fetch in the meantime. */
  readonly segments: { readonly done: number; readonly of: number; readonly byOthers: number };
  readonly notes: readonly string[];
  readonly elapsedMs: number;
}

// The words for it, as screens and commands have them.

/** What a complete fetch brought: `7 segments fetched, 250 rows, 12.0 kB in 3 s, verified`. */
export function broughtText({ fetched, segments: { done, byOthers }, elapsedMs }: FetchResult): string {
  const rows = fetched.reduce((sum, slice) => sum + slice.rows, 0);
  const size = `${formatByteCount(fetchedBytes(fetched))} in ${shortDuration(elapsedMs)}`;
  const elsewhere = byOthers === 0 ? '' : `; ${countOf(byOthers, 'segment')} came by another fetch`;
  return `${countOf(done - byOthers, 'segment')} fetched, ${countOf(rows, 'row')}, ${size}, verified${elsewhere}`;
}

/** What there is after a fetch that ended early: `2 of 7 segments are verified and on disk, 8.0 kB fetched`. */
export function onDiskText({ fetched, segments: { done, of } }: FetchResult): string {
  const size = fetched.length === 0 ? '' : `, ${formatByteCount(fetchedBytes(fetched))} fetched`;
  return `${done} of ${countOf(of, 'segment')} ${of === 1 ? 'is' : 'are'} verified and on disk${size}`;
}

/** What could not be fetched, a line for each reason: `markets 1 to 24500, orders 1 to 9000 could not be fetched: ...`. */
export function failureTexts({ failed }: FetchResult): readonly string[] {
  const byReason = Map.groupBy(failed, ({ result }) => reasonText(result));
  return [...byReason].map(([reason, failures]) => {
    const byTable = Map.groupBy(failures, ({ table }) => table);
    const parts = [...byTable].map(([table, of]) => {
      const ranges = of.map(({ range }) => range).toSorted((one, other) => (one.from < other.from ? -1 : 1));
      return `${table} ${joinRanges(ranges).map(rangeLabel).join(', ')}`;
    });
    return `${parts.join(', ')} could not be fetched: ${reason}`;
  });
}

/** The node answered, but does not export it. */
export const isRefusal = (result: ExportResult): boolean =>
  result.kind === 'failed' && result.error instanceof RefusedError;

function reasonText(result: ExportResult): string {
  if (result.kind === 'not-complete') return result.verdict.reason;
  if (result.kind !== 'failed') return result.kind;
  return result.error instanceof Error ? result.error.message : String(result.error);
}

const fetchedBytes = (fetched: FetchResult['fetched']): number => fetched.reduce((sum, { bytes }) => sum + bytes, 0);
