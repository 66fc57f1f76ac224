import { formatByteCount } from '../../../base/text/byte-count.ts';
import { shortDuration } from '../../../base/text/duration.ts';
import type { Wait } from '../wait.ts';
import type { FetchEstimate, HistoryFetch, HistoryProgress } from './chain-history.ts';

/** The share done: `(30 %)`. */
export const fetchShare = ({ segments: { done, of } }: Pick<HistoryProgress, 'segments'>): string =>
  `(${of === 0 ? 100 : Math.floor((100 * done) / of)} %)`;

/** The fetch that runs, for the row that every screen has. */
export function fetchWait(fetch: HistoryFetch | null): Wait | undefined {
  if (fetch?.status !== 'running') return undefined;
  const { id, progress, isCancelling } = fetch;
  return {
    key: `fetch ${id}`,
    text: `fetch${isCancelling ? ', cancelling' : ''}: ${farText(progress)}`,
    isTimed: true,
  };
}

function farText(progress: HistoryProgress | null): string {
  if (progress === null || progress.step === 'asking') return 'starting';
  const { table, segments, bytesPerS, leftMs, pause } = progress;
  if (pause !== null) return pause;
  const left = leftMs === null || leftMs === 0 ? `${formatByteCount(bytesPerS)}/s` : `${shortDuration(leftMs)} left`;
  return `${table} ${segments.done} of ${segments.of}, ${left}`;
}

/** What a fetch of these tables would bring: `12 segments, about 340 MB, 6 min`; undefined where nothing is missing. */
export function fetchEstimateText({ tables, bytesPerS }: FetchEstimate, wanted: readonly string[]): string | undefined {
  const meant = tables.filter(({ table, missingSegments }) => wanted.includes(table) && missingSegments > 0);
  if (meant.length === 0) return undefined;
  const segments = meant.reduce((sum, { missingSegments }) => sum + missingSegments, 0);
  const count = `${segments} ${segments === 1 ? 'segment' : 'segments'}`;
  if (meant.some(({ bytes }) => bytes === null)) return `${count}, size not known yet`;
  const bytes = meant.reduce((sum, table) => sum + (table.bytes ?? 0), 0);
  const time = bytesPerS === null || bytesPerS === 0 ? '' : `, ${shortDuration((1000 * bytes) / bytesPerS)}`;
  return `${count}, about ${formatByteCount(bytes)}${time}`;
}
