import { countOf, countText } from '../../chain/insight/count-of.ts';
import type { RuleResult, Severity } from './rule.ts';
import { sortBySeverity } from './severity.ts';

/** Who found what: of an overview, or of a check. */
interface Found {
  /** Every rule that judged, each once. */
  readonly rules: readonly string[];
  readonly findings: readonly { readonly rule: string; readonly severity: Severity }[];
  /** Rules that lack an answer. */
  readonly waiting?: readonly string[];
  /** Rules that compare from the next time on. */
  readonly beginning?: readonly string[];
}

/** Findings and rules in numbers. */
export interface FindingCounts {
  readonly bySeverity: { readonly [severity in Severity]: number };
  readonly rules: {
    readonly all: number;
    readonly waiting: number;
    /** They found a warning or worse; some may have incomplete data. */
    readonly failed: number;
    /** They found no more than a note. */
    readonly noted: number;
    /** They know all, and found nothing. */
    readonly passed: number;
    readonly beginning: number;
    /** They could not judge, or only in part. */
    readonly unknown: number;
  };
}

export function countFindings({ rules, findings, waiting = [], beginning = [] }: Found): FindingCounts {
  const count = (severity: Severity): number => findings.filter(one => one.severity === severity).length;
  const findersOf = (...severities: readonly Severity[]): ReadonlySet<string> =>
    new Set(findings.filter(({ severity }) => severities.includes(severity)).map(({ rule }) => rule));
  const [failed, finders, unknown] = [
    findersOf('critical', 'warning'),
    findersOf('critical', 'warning', 'info'),
    findersOf('unknown'),
  ];
  const judged = rules.filter(rule => !unknown.has(rule) && !waiting.includes(rule));
  const begun = judged.filter(rule => beginning.includes(rule));
  return {
    bySeverity: {
      critical: count('critical'),
      warning: count('warning'),
      info: count('info'),
      unknown: count('unknown'),
    },
    rules: {
      all: rules.length,
      waiting: waiting.length,
      failed: failed.size,
      noted: finders.size - failed.size,
      passed: judged.filter(rule => !finders.has(rule) && !begun.includes(rule)).length,
      beginning: begun.length,
      unknown: rules.filter(rule => unknown.has(rule)).length,
    },
  };
}

/** The same of the rules of an overview, with the findings that are shown. */
export const countAttention = (
  attention: readonly RuleResult[],
  findings: Found['findings'] = sortBySeverity(attention),
): FindingCounts =>
  countFindings({
    rules: attention.map(({ rule }) => rule),
    findings,
    waiting: attention.flatMap(({ rule, isWaiting }) => (isWaiting ? [rule] : [])),
  });

/** `1 critical`, `5 warnings`, the worst first. */
export const severityTexts = (counts: FindingCounts): readonly string[] =>
  WORST_FIRST.map(severity => severityText(counts, severity)).filter(text => text !== '');

/** `5 warnings`, or '' if there are none. */
export function severityText({ bySeverity }: FindingCounts, severity: Severity): string {
  const count = bySeverity[severity];
  const [one, many] = SEVERITY_WORDS[severity];
  return count === 0 ? '' : `${countText(count)} ${count === 1 ? one : many}`;
}

const WORST_FIRST = ['critical', 'warning', 'info', 'unknown'] as const;

const SEVERITY_WORDS: { readonly [severity in Severity]: readonly [one: string, many: string] } = {
  critical: ['critical', 'critical'],
  warning: ['warning', 'warnings'],
  info: ['note', 'notes'],
  unknown: ['not known', 'not known'],
};

/** The text without findings: `nothing found by 10 rules`. */
export const nothingFoundText = ({ rules }: FindingCounts): string => `nothing found by ${countOf(rules.all, 'rule')}`;

/** `3 findings of 10 rules, 2 not known`, or how many rules found nothing. */
export function findingsText({ bySeverity: { critical, warning, info, unknown }, rules }: FindingCounts): string {
  const known = critical + warning + info;
  if (known === 0 && rules.passed === 0) return 'not known';
  const head =
    known === 0
      ? `nothing found by ${rules.passed} of ${countOf(rules.all, 'rule')}`
      : `${countOf(known, 'finding')} of ${countOf(rules.all, 'rule')}`;
  return unknown === 0 ? head : `${head}, ${unknown} not known`;
}

/** `5 rules failed, 7 passed, 2 need a second run`. */
export function ruleCountsText({ rules }: FindingCounts, leftOut: number): string {
  const parts = [
    [rules.failed, 'failed'],
    [rules.noted, 'passed with a note'],
    [rules.passed, 'passed'],
    [rules.beginning, rules.beginning === 1 ? 'needs a second run' : 'need a second run'],
    [rules.unknown, 'unknown or only partly checked'],
    [leftOut, 'left out: the chain has ended'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, what], index) => `${index === 0 ? countOf(count, 'rule') : countText(count)} ${what}`)
    .join(', ');
}
