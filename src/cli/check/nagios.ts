import { countFindings, type FindingCounts, nothingFoundText } from '../../attention/rules/finding-counts.ts';
import { type SafeText, safeLine } from '../../base/text/safe-text.ts';
import type { LagLimit } from '../../chain/insight/node-lag.ts';
import type { CheckOutcome } from './checker.ts';
import { checkVerdict, shownEntries } from './verdict.ts';

/** What NRPE reads of a plugin; Nagios itself reads more. */
const MAX_PLUGIN_BYTES = 1024;

/** One line: the verdict, the findings worst first, and the figures for graphs. */
export function nagiosText(checked: CheckOutcome, limit: LagLimit): SafeText {
  const { entries, rules } = checked;
  const counts = countFindings({ rules, findings: entries });
  const verdict = checkVerdict(entries);
  const found = shownEntries(checked).map(({ rule, severity, sentence }) => `${severity} ${rule}: ${sentence}`);
  const said = found.length === 0 ? nothingFoundText(counts) : found.join('; ');
  const figures = perfdata(checked, counts, limit);
  const head = `BLOCKGLASS ${verdict.toUpperCase()} - `;
  // A pipe would begin the figures.
  const plain = said.replaceAll('|', '/').replaceAll(/[\r\n]/g, ' ');
  return safeLine(
    `${head}${cutToBytes(plain, MAX_PLUGIN_BYTES - Buffer.byteLength(`${head} | ${figures}\n`))} | ${figures}`,
  );
}

function perfdata(
  { node: { blockAgeMs, isArchive }, requests }: CheckOutcome,
  { bySeverity }: FindingCounts,
  { ms }: LagLimit,
): string {
  // The age of a chain's last block is not a meaningful figure.
  const age = blockAgeMs === null || isArchive ? [] : [`block_age=${(blockAgeMs / 1000).toFixed(3)}s;${ms / 1000}`];
  const counts = (['critical', 'warning', 'unknown'] as const).map(
    severity => `${severity}=${bySeverity[severity]};;;0`,
  );
  return [...age, ...counts, `requests=${requests};;;0`].join(' ');
}

function cutToBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  const bytes = Buffer.from(text).subarray(0, most - 3);
  // A character that was cut through is left out.
  return `${bytes.toString('utf8').replace(/\ufffd+$/, '')}...`;
}
