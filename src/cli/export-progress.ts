import { bytesPerSecond, type Pause, type Progress } from '../export/download/progress.ts';
import { groupDigits } from '../insight/decimal.ts';
import { duration } from '../insight/duration.ts';
import { safeLine } from '../text/safe-text.ts';
import type { Context } from './context.ts';

/** Shows how far an export is; a log has one line for each wait. */
export function exportProgress({ stderr }: Context): (progress: Progress) => void {
  let isPaused = false;
  return progress => {
    if (!stderr.isTerminal && progress.pause !== undefined && !isPaused)
      void stderr.safe(safeLine(pauseText(progress.pause)));
    isPaused = progress.pause !== undefined;
    stderr.progress(progressText(progress));
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
