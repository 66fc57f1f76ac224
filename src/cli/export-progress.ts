import { bytesPerSecond, type Pause, type Progress } from '../export/progress.ts';
import { groupDigits } from '../insight/decimal.ts';
import { duration } from '../insight/time.ts';
import { EMPTY, safeLine, sanitize } from '../text/safe-text.ts';
import { truncateEnd } from '../text/width.ts';
import type { Context } from './context.ts';

/** One line that is written over and over, on a terminal only. */
export function progressLine({ stderr }: Context) {
  let isPaused = false;
  return {
    // A line that wraps could not be written over.
    show: (progress: Progress) => {
      // Whoever reads a log is told once of each wait.
      if (!stderr.isTerminal && progress.pause !== undefined && !isPaused)
        void stderr.safe(safeLine(pauseText(progress.pause)));
      isPaused = progress.pause !== undefined;
      stderr.progress(truncateEnd(sanitize(progressText(progress)), (stderr.columns ?? 80) - 1));
    },
    clear: () => stderr.progress(EMPTY),
  };
}

const pauseText = ({ reason, leftMs }: Pause): string =>
  `${reason === 'rate-limit' ? 'the node asks to wait' : 'the line broke, it is tried again in'} ${Math.ceil(leftMs / 1000)} s`;

function progressText(progress: Progress): string {
  const elapsed = duration(progress.elapsedMs);
  const slices = progress.slices === undefined ? '' : `, ${progress.slices.done} of ${progress.slices.total} slices`;
  if (progress.pause !== undefined) return `${pauseText(progress.pause)}, ${elapsed}${slices}`;
  if (progress.phase === 'waiting') return `waiting for the first byte, ${elapsed}${slices}`;
  const rate = (bytesPerSecond(progress) / 1e6).toFixed(1);
  const checking = progress.phase === 'checking' ? ', checking the rest' : '';
  return `${(progress.bytes / 1e6).toFixed(1)} MB, ${rate} MB/s, ${elapsed}, ${groupDigits(String(progress.rows))} rows in ${progress.entries} CSV${slices}${checking}`;
}
