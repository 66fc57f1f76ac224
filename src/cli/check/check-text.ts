import { countFindings, ruleCountsText } from '../../attention/rules/finding-counts.ts';
import { EMPTY, joinSafe, type SafeText, safeLine, safeText, sanitize } from '../../base/text/safe-text.ts';
import { shortenName } from '../../base/text/shorten-name.ts';
import { momentText } from '../../base/text/time.ts';
import { fitCells, wrapWords } from '../../base/text/width.ts';
import { countOf } from '../../chain/insight/count-of.ts';
import { archiveText } from '../../chain/insight/node-lag.ts';
import type { CheckEntry } from './check-entries.ts';
import type { CheckOutcome } from './checker.ts';
import { checkVerdict, shownEntries } from './verdict.ts';

/** A line with the verdict, and one for each finding. */
export function checkText(checked: CheckOutcome, node: string, columns?: number): SafeText {
  const { entries, rules, held, silence, chainId, node: known, leftOut } = checked;
  const counts = countFindings({ ...checked, findings: entries });
  const chain = chainId === null ? '' : `, chain ${shortenName(chainId)}`;
  const archive = known.isArchive ? `, ${archiveText(known.blockTimeMs)}` : '';
  const unjudged =
    silence === undefined ? [] : [safeLine(`  none of ${countOf(rules.length, 'rule')} could be checked`)];
  return joinSafe([
    safeLine(
      `${checkVerdict(entries).toUpperCase()} ${node}${chain}${archive}: ${ruleCountsText(counts, leftOut.length)}`,
    ),
    ...shownEntries(checked).map(entry => entryLines(entry, columns)),
    ...unjudged,
    ...held.map(sentence => line('held', sentence, columns)),
  ]);
}

const entryLines = ({ rule, severity, sentence, sinceMs }: CheckEntry, columns: number | undefined): SafeText =>
  line(severity, `${rule}: ${sentence} (since ${momentText(sinceMs)})`, columns);

const LABEL_CELLS = 9;

function line(label: string, text: string, columns = Number.POSITIVE_INFINITY): SafeText {
  const safe = sanitize(text);
  const room = Math.max(20, columns - LABEL_CELLS - 4);
  const [first = EMPTY, ...rest] = columns === Number.POSITIVE_INFINITY ? [safe] : wrapWords(safe, room);
  const lines = [[label, first] as const, ...rest.map(more => ['', more] as const)];
  return joinSafe(lines.map(([head, part]) => safeText`  ${fitCells(sanitize(head), LABEL_CELLS)} ${part}\n`));
}
