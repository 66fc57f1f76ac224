import { formatByteCount } from '../../../base/text/byte-count.ts';
import { shortDuration } from '../../../base/text/duration.ts';
import { withNamingTables } from '../../../history/store/purposes.ts';
import type { FetchEstimate } from './chain-history.ts';

/**
 * What a fetch of these tables would bring: `12 segments, about 340 MB, 6 min`; undefined where nothing is missing. `unknown` is
 * added where the size is not known.
 */
export function fetchEstimateText(
  { tables, naming, bytesPerS }: FetchEstimate,
  wanted: readonly string[],
  unknown = UNKNOWN_SIZE,
): string | undefined {
  const fetched = withNamingTables(wanted, naming);
  const meant = tables.filter(({ table, missingSegments }) => fetched.includes(table) && missingSegments > 0);
  if (meant.length === 0) return undefined;
  const segments = meant.reduce((sum, { missingSegments }) => sum + missingSegments, 0);
  const count = `${segments} ${segments === 1 ? 'segment' : 'segments'}`;
  if (meant.some(({ bytes }) => bytes === null)) return `${count}${unknown}`;
  const bytes = meant.reduce((sum, table) => sum + (table.bytes ?? 0), 0);
  const time = bytesPerS === null || bytesPerS === 0 ? '' : `, ${shortDuration((1000 * bytes) / bytesPerS)}`;
  return `${count}, about ${formatByteCount(bytes)}${time}`;
}

const UNKNOWN_SIZE = ', size not known yet';
