import { safeLine } from '../base/text/safe-text.ts';
import { groupDigits } from '../chain/insight/decimal.ts';
import { completenessText } from '../history/check/verdict.ts';
import { describeSavedSlices, type ExportResult } from '../history/download/export-result.ts';
import type { Context } from './context.ts';
import { describeError } from './describe-error.ts';
import { EXIT, exitCodeFor } from './exit-code.ts';
import { verdictText } from './verdict-text.ts';

/** Prints the result of an export and its path; resolves with the exit code. */
export async function reportResult(
  result: ExportResult,
  { stdout, stderr }: Pick<Context, 'stdout' | 'stderr'>,
): Promise<number> {
  const say = (text: string): Promise<void> => stderr.safe(safeLine(text));
  switch (result.kind) {
    case 'saved':
      await stderr.safe(verdictText(result.verdict));
      await stdout.data(`${result.path}\n`, () => safeLine(result.path));
      return EXIT.done;
    case 'not-complete':
      if (result.brokenBy !== null) await say(result.brokenBy);
      await stderr.safe(verdictText(result.verdict));
      if (result.partPath !== null) await say(`What arrived is in ${result.partPath}.`);
      return result.verdict.kind === 'refused' ? EXIT.refused : EXIT.untrusted;
    case 'failed':
      await stderr.safe(describeError(result.error));
      // An error about the file itself may already include the path.
      if (result.partPath !== null && !String(result.error).includes(result.partPath))
        await say(`What arrived is in ${result.partPath}.`);
      return exitCodeFor(result.error);
    case 'saved-slices': {
      const { slices } = result.manifest;
      const rows = slices.reduce((sum, slice) => sum + slice.rows, 0);
      await say(
        `complete: ${slices.length} slices, ${groupDigits(String(rows))} rows; ${completenessText(result.manifest.table)}`,
      );
      for (const note of result.notes) await say(`  note: ${note}`);
      await stdout.data(`${result.folder}\n`, () => safeLine(result.folder));
      return EXIT.done;
    }
    case 'stopped-slices':
      // A folder that cannot be read cannot be resumed either.
      if (result.cause.kind === 'failed' && !result.isCounted) return reportResult(result.cause, { stdout, stderr });
      await say(
        `${result.cause.kind === 'cancelled' ? 'Cancelled: ' : ''}${describeSavedSlices(result)} in ${result.folder}. Run the same command again to finish.`,
      );
      for (const note of result.notes) await say(`  note: ${note}`);
      return result.cause.kind === 'cancelled' ? EXIT.interrupted : reportResult(result.cause, { stdout, stderr });
    case 'cancelled':
      await say(
        result.partPath === null
          ? 'Cancelled: nothing had arrived.'
          : `Cancelled: the received part is in ${result.partPath}, not fully checked.`,
      );
      return EXIT.interrupted;
  }
}
