import { type Line, textLine } from '../../explorer/core/line.ts';
import type { ExportResult } from '../../export/download/result.ts';
import type { SessionState } from '../../session/model/state.ts';

/** The export before, whose result can be come back to. */
export function lastExport({ job }: SessionState): readonly Line[] {
  if (job?.status !== 'ended') return [];
  const { table, fromBlock, toBlock } = job.plan;
  const words = `  last export: ${table.id} ${fromBlock}-${toBlock}, ${outcomeWord(job.result)}; v shows it`;
  return [textLine(words, 'quiet')];
}

/** How an export ended, in a word. */
function outcomeWord(result: ExportResult): string {
  switch (result.kind) {
    case 'saved':
    case 'saved-slices':
      return 'complete';
    case 'not-complete':
      return result.verdict.kind;
    case 'stopped-slices':
      return result.cause.kind === 'cancelled' ? 'cancelled' : 'stopped';
    case 'failed':
    case 'cancelled':
      return result.kind;
  }
}
