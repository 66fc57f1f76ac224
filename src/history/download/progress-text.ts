import { formatByteCount } from '../../base/text/byte-count.ts';
import { shortDuration } from '../../base/text/duration.ts';
import { countOf } from '../../chain/insight/count-of.ts';
import { groupDigits } from '../../chain/insight/decimal.ts';
import type { PartCounts, Pause } from './progress.ts';
import type { RatedProgress } from './rate.ts';

// The words for a progress, as screens and commands have them.

/** `14 of 168 segments (8 %), 1 failed`; without the unit where that is said next to it. */
export function partsText({ unit, done, failed, of }: PartCounts, isUnitSaid = false): string {
  const all = isUnitSaid ? groupDigits(String(of)) : countOf(of, unit);
  const share = of === 0 ? 100 : Math.floor((100 * done) / of);
  return `${groupDigits(String(done))} of ${all} (${share} %)${failed === 0 ? '' : `, ${groupDigits(String(failed))} failed`}`;
}

/** `1 min left`; '' where that is not known. */
export const leftText = (leftMs: number | null): string =>
  leftMs === null || leftMs === 0 ? '' : `${shortDuration(leftMs)} left`;

export function pauseText({ reason, leftMs }: Pause): string {
  if (reason === 'other-fetch') return 'another fetch writes this table; waiting for it';
  const again = leftMs === null ? '' : `; retrying in ${Math.ceil(leftMs / 1000)} s`;
  return `${reason === 'rate-limit' ? 'rate limited' : 'connection lost'}${again}`;
}

/** Why nothing arrives now; undefined while something does. */
export function idleText({ pause, phase, bytes, elapsedMs, slices, silentMs }: RatedProgress): string | undefined {
  if (pause !== undefined) return pauseText(pause);
  if (phase === 'checking' && slices === undefined)
    return `${formatByteCount(bytes)}, complete; checks are catching up`;
  if (phase === 'waiting' && bytes === 0) return `waiting for the first byte, ${shortDuration(elapsedMs)}`;
  const isStalled = (phase === 'waiting' || phase === 'receiving') && silentMs >= STALLED_AFTER_MS;
  return isStalled ? `${formatByteCount(bytes)}, no data for ${shortDuration(silentMs)}` : undefined;
}

const STALLED_AFTER_MS = 2000;

/** In a few words: `3 of 24, 2 min left`, `12.3 MB, 4.9 MB/s`. */
export function shortProgress(progress: RatedProgress | null): string {
  if (progress === null) return 'starting';
  const { parts, bytes, bytesPerS, leftMs, pause } = progress;
  if (pause !== undefined) return pauseText(pause);
  const done = parts.unit === 'block' ? formatByteCount(bytes) : `${parts.done} of ${parts.of}`;
  return `${done}, ${leftText(leftMs) || `${formatByteCount(bytesPerS)}/s`}`;
}
