import { formatByteCount } from '../base/text/byte-count.ts';
import { shortDuration } from '../base/text/duration.ts';
import { safeLine } from '../base/text/safe-text.ts';
import { sparkline } from '../chain/insight/bar.ts';
import { countOf } from '../chain/insight/count-of.ts';
import { rangeLabel } from '../chain/insight/range.ts';
import type { Progress, SavedSlice } from '../history/download/progress.ts';
import { idleText, leftText, partsText, pauseText } from '../history/download/progress-text.ts';
import { averages, type RatedProgress, rated } from '../history/download/rate.ts';
import type { Context } from './context.ts';

/**
 * Shows the progress of an export, a fetch or a check of files on disk in one line. Without a terminal, each wait is a line;
 * `sayEachSlice`: so is each slice that has arrived.
 */
export function transferProgress({ stderr }: Context, { sayEachSlice = false } = {}): (progress: Progress) => void {
  let last: SavedSlice | undefined;
  let isPaused = false;
  return rated(progress => {
    const { pause } = progress;
    if (sayEachSlice && progress.last !== undefined && progress.last !== last) {
      stderr.progress('');
      void stderr.safe(safeLine(sliceText(progress.last)));
    }
    if (!stderr.isTerminal && pause !== undefined && !isPaused)
      void stderr.safe(safeLine(`${progress.table}: ${pauseText(pause)}`));
    isPaused = pause !== undefined;
    last = progress.last;
    stderr.progress(progressLine(progress, stderr.columns ?? 80));
  });
}

const sliceText = ({ table, from, to, rows, bytes }: SavedSlice): string =>
  `${table} ${rangeLabel({ from, to })}: ${countOf(rows, 'row')}, ${formatByteCount(bytes)}`;

/** `ledger: 14 of 168 segments (8 %), 4.3 MB, 571.2 kB/s, 1 min left ▁▃▆█`; the rate over time where it fits. */
export function progressLine(progress: RatedProgress, columns: number): string {
  const { table, phase, parts, bytes, bytesPerS, elapsedMs, leftMs, rates, rows } = progress;
  const isCounted = parts.unit !== 'block' || parts.done + parts.failed > 0;
  const done = isCounted ? [partsText(parts)] : rows === 0 ? [] : [countOf(rows, 'row')];
  const idle = idleText(progress);
  const figures = [
    formatByteCount(bytes),
    `${formatByteCount(bytesPerS)}/s`,
    leftText(leftMs) || shortDuration(elapsedMs),
  ];
  const what = phase === 'verifying' ? `verifying ${table}` : table;
  const text = `${what}: ${[...done, ...(idle === undefined ? figures : [idle])].join(', ')}`;
  const cells = Math.min(MAX_CHART_CELLS, columns - text.length - 2);
  if (idle !== undefined || cells < MIN_CHART_CELLS) return text;
  return `${text} ${sparkline(averages(rates, cells).map(BigInt))}`;
}

const MIN_CHART_CELLS = 8;
const MAX_CHART_CELLS = 24;
