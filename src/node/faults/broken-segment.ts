import type { SegmentDamage } from '../demo/history/tables.ts';
import { internalError } from '../gateway/failure.ts';
import type { ExportPlan } from '../history/export-plan.ts';

/** The error for segment data that cannot be read (export-behaviour.md section 1.6). */
export function extractFailure(inner: string) {
  return internalError(10000, 'failed to extract data from network history segment file', inner);
}

/** The middle segment of the range fails after half its rows; later segments are not read. */
export function failHalfWay({ entries }: ExportPlan): SegmentDamage {
  const segments = entries.flatMap(entry => entry.segments);
  const failing = segments[segments.length >> 1];
  return function* (lines, segment) {
    if (segment !== failing) return yield* lines;
    const all = [...lines];
    yield* all.slice(0, all.length >> 1);
    throw extractFailure('error opening zip file reader for history segment:zip: checksum error');
  };
}

/** The first segment lacks the table, so the CSV has no header. */
export function failAtOnce({ table }: ExportPlan): SegmentDamage {
  return () => {
    throw extractFailure(`table file '${table}' not found in segment`);
  };
}

/**
 * A line over 65,535 bytes silently ends the copy of its segment; the next segment follows (export-behaviour.md section
 * 1.7).
 */
export function loseTail(): SegmentDamage {
  return firstSegmentWithRows(all => all.slice(0, all.length >> 1));
}

/**
 * A read error inside a segment: the part of the row that was read becomes a row, and the next segment follows
 * (export-behaviour.md section 1.7).
 */
export function garbleRow(): SegmentDamage {
  return firstSegmentWithRows(all => {
    const broken = all[all.length >> 1] ?? '';
    // Cut after one letter of the second column, which is never NULL and never the last.
    const shortRow = `${broken.slice(0, broken.indexOf(',') + 2)}\n`;
    return [...all.slice(0, all.length >> 1), shortRow];
  });
}

/** Changes the first segment with enough rows; only the busy tables have rows in every segment. */
function firstSegmentWithRows(change: (lines: readonly string[]) => readonly string[]): SegmentDamage {
  let isDone = false;
  return lines => {
    if (isDone) return lines;
    const all = [...lines];
    isDone = all.length >= 2;
    return isDone ? change(all) : all;
  };
}
