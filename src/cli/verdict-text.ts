import { joinSafe, type SafeText, safeLine } from '../base/text/safe-text.ts';
import { groupDigits } from '../chain/insight/decimal.ts';
import { nodeErrorLines } from '../history/check/node-error.ts';
import { isFlawless, type Verdict } from '../history/check/verdict.ts';

/** The verdict for a person: its sentence, the CSVs, the node's own words. */
export function verdictText(verdict: Verdict): SafeText {
  const entries = verdict.entries.map(
    entry =>
      `  ${entry.name}: ${entry.rows === null ? '' : `${groupDigits(String(entry.rows))} rows, `}${entry.columns.length} columns, ${isFlawless(entry) ? 'good' : 'bad'}`,
  );
  const lines = [
    `${verdict.kind}: ${verdict.reason}`,
    ...nodeErrorLines(verdict).map(text => `  the node: ${text}`),
    ...entries,
    ...verdict.notes.map(note => `  note: ${note}`),
    ...(verdict.bytes === 0 ? [] : [`  ${groupDigits(String(verdict.bytes))} bytes, SHA-256 ${verdict.sha256}`]),
  ];
  return joinSafe(lines.map(safeLine));
}
