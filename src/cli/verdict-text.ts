import type { Verdict } from '../export/check/verdict.ts';
import { groupDigits } from '../insight/decimal.ts';
import { sanitize } from '../text/safe-text.ts';

/** The verdict for a person: its sentence, the CSVs, the node's own words. */
export function verdictText(verdict: Verdict): string {
  const entries = verdict.entries.map(
    entry =>
      `  ${sanitize(entry.name)}: ${entry.rows === null ? '' : `${groupDigits(String(entry.rows))} rows, `}${entry.columns.length} columns, ${entry.isWhole && entry.findings.length === 0 ? 'good' : 'bad'}\n`,
  );
  const error = 'nodeError' in verdict ? verdict.nodeError : undefined;
  const words =
    error === undefined ? [] : [...error.details.map(({ message, inner }) => `${message}: ${inner}`), error.message];
  return [
    `${verdict.kind}: ${sanitize(verdict.reason)}\n`,
    ...words.map(text => `  the node: ${sanitize(text)}\n`),
    ...entries,
    ...verdict.notes.map(note => `  note: ${sanitize(note)}\n`),
    verdict.bytes === 0 ? '' : `  ${groupDigits(String(verdict.bytes))} bytes, SHA-256 ${verdict.sha256}\n`,
  ].join('');
}
