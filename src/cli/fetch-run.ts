import { formatByteCount } from '../base/text/byte-count.ts';
import { shortDuration } from '../base/text/duration.ts';
import { joinSafe, type SafeText, safeLine } from '../base/text/safe-text.ts';
import type { Client } from '../chain/api/client.ts';
import { countOf } from '../chain/insight/count-of.ts';
import { groupDigits } from '../chain/insight/decimal.ts';
import { rangeLabel } from '../chain/insight/range.ts';
import { isDiskFull } from '../history/plan/destination.ts';
import { DestinationError } from '../history/plan/destination-error.ts';
import { broughtText, type FetchResult, failureTexts, isRefusal, onDiskText } from '../history/store/fetch-result.ts';
import { countSegments, type FetchPlan, type FetchProblem } from '../history/store/plan-fetch.ts';
import type { Context } from './context.ts';
import { EXIT } from './exit-code.ts';
import { rangeText } from './export-range.ts';
import { reportResult } from './export-result.ts';
import { transferProgress } from './transfer-progress.ts';

interface FetchRunOptions {
  readonly plan: FetchPlan;
  readonly client: Client;
  readonly context: Context;
  /** Only problems are said. */
  readonly isQuiet: boolean;
  readonly firstByteMs?: number;
  readonly idleMs?: number;
}

/** Fetches what a plan says is missing, with its progress on stderr; resolves with the exit code, as of `export`. */
export async function runFetch(
  options: FetchRunOptions,
): Promise<{ readonly code: number; readonly result: FetchResult }> {
  const { plan, client, context, isQuiet, firstByteMs, idleMs } = options;
  const { stderr, signal, version } = context;
  const { fetchHistory } = await import('../history/store/fetch-history.ts');
  const result = await fetchHistory({
    ...{ plan, client, signal, program: `blockglass ${version}` },
    ...(firstByteMs !== undefined && { firstByteMs }),
    ...(idleMs !== undefined && { idleMs }),
    onProgress: isQuiet ? () => {} : transferProgress(context, { sayEachSlice: true }),
  });
  stderr.progress('');
  return { code: await reportFetch(result, context, isQuiet), result };
}

/** What a plan would bring, as lines of a label and a text. */
export function planText(plan: FetchPlan, freeBytes: number | null): SafeText {
  const { chainId, folder, tables, segments, range, history } = plan;
  const onDisk = tables.reduce((sum, table) => sum + (table.onDisk?.bytes ?? 0), 0);
  const missing = tables.filter(table => table.missing.length > 0);
  const isTooLittle = freeBytes !== null && plan.estimatedBytes !== null && plan.estimatedBytes > freeBytes;
  const free =
    freeBytes === null ? '' : `, ${formatByteCount(freeBytes)} free${isTooLittle ? ': too little for this fetch' : ''}`;
  return rangeText([
    { label: 'chain', text: chainId },
    { label: 'history', text: `${folder}${history === undefined ? ' (new)' : ''}` },
    ...(range === null ? [] : [{ label: 'blocks', text: rangeLabel(range) }]),
    {
      label: 'missing',
      text:
        segments.missing === 0
          ? `nothing: all ${countOf(segments.of, 'segment')} of ${countOf(tables.length, 'table')} are on disk`
          : `${groupDigits(String(segments.missing))} of ${countOf(segments.of, 'segment')}: ${missingParts(missing)}`,
    },
    ...(segments.missing === 0 ? [] : [{ label: 'size', text: estimateText(plan) }]),
    { label: 'disk', text: `${formatByteCount(onDisk)} used${free}` },
  ]);
}

/** `ledger 3, trades 9`, and `3 each of ledger, trades` when as much is missing of all. */
function missingParts(tables: FetchPlan['tables']): string {
  const counts = tables.map(({ missing }) => groupDigits(String(countSegments(missing))));
  const names = tables.map(({ table }) => table);
  if (names.length > 1 && new Set(counts).size === 1) return `${counts[0]} each of ${names.join(', ')}`;
  return names.map((name, index) => `${name} ${counts[index]}`).join(', ');
}

/** The estimated size and time of a fetch: `about 340 MB, 6 min`. */
export function estimateText({ estimatedBytes, estimatedMs, tables }: FetchPlan): string {
  const unknown = tables.filter(table => table.estimatedBytes === null).map(({ table }) => table);
  if (estimatedBytes === null)
    return tables.every(({ onDisk }) => onDisk === undefined)
      ? 'not known before the first slices'
      : `not known: too few segments on disk of ${unknown.join(', ')}`;
  const time = estimatedMs === null ? '' : `, ${shortDuration(estimatedMs)}`;
  return `about ${formatByteCount(estimatedBytes)}${time}, by the slices on disk`;
}

async function reportFetch(result: FetchResult, { stdout, stderr }: Context, isQuiet: boolean): Promise<number> {
  const say = (text: string): Promise<void> => stderr.safe(safeLine(text));
  const { cause, segments, notes } = result;
  if (!isQuiet) for (const note of notes) await say(`note: ${note}`);
  if (result.kind === 'complete') {
    if (!isQuiet) await say(`complete: ${segments.of === 0 ? 'everything was on disk' : broughtText(result)}`);
    return EXIT.done;
  }
  const isCancelled = cause?.kind === 'cancelled';
  if (!isQuiet || !isCancelled)
    await say(`${isCancelled ? 'Cancelled: ' : ''}${onDiskText(result)}. ${continueText(result)}`.trimEnd());
  for (const text of failureTexts(result)) await say(text);
  if (isCancelled) return EXIT.interrupted;
  const [first] = result.failed;
  if (cause === undefined && result.failed.every(failure => isRefusal(failure.result))) {
    await say('Another node may export them: --node URL');
    return EXIT.refused;
  }
  return reportResult(cause ?? first?.result ?? { kind: 'cancelled', partPath: null, elapsedMs: 0 }, {
    stdout,
    stderr,
  });
}

/** How to fetch the rest. Other errors of a folder come with what to do. */
function continueText({ cause, failed }: FetchResult): string {
  if (cause === undefined && failed.every(({ result }) => isRefusal(result))) return '';
  const error = cause?.kind === 'failed' ? cause.error : undefined;
  if (isDiskFull(error)) return 'Free some space, and run the same command again to fetch the rest.';
  return error instanceof DestinationError ? '' : 'Run the same command again to fetch the rest.';
}

/** Why nothing can be fetched, with the flags that mend it. */
export const problemText = ({ text, flags }: FetchProblem): string =>
  flags === undefined ? text : `${text} (${flags})`;

/** Remarks on a plan, a line each. */
export const planNotes = ({ notes }: FetchPlan): SafeText => joinSafe(notes.map(note => safeLine(`note: ${note}`)));
