import type { CheckedSource, ListedFinding, RuleResult, Severity } from './rule.ts';

export interface RankedFinding extends ListedFinding {
  readonly rule: string;
  readonly looked: readonly CheckedSource[];
}

const WORST_FIRST: readonly Severity[] = ['critical', 'warning', 'info', 'unknown'];

/** Every finding, the worst first; of one severity in the order of the rules. */
export const sortBySeverity = (attention: readonly RuleResult[]): readonly RankedFinding[] => {
  const all = attention.flatMap(({ rule, looked, findings }) => findings.map(one => ({ ...one, rule, looked })));
  return WORST_FIRST.flatMap(severity => all.filter(one => one.severity === severity));
};
