import type { Finding, Judged, Looked, Severity } from '../../attention/rule.ts';

export interface RuledFinding extends Finding {
  readonly rule: string;
  readonly looked: readonly Looked[];
}

const WORST_FIRST: readonly Severity[] = ['critical', 'warning', 'info', 'unknown'];

/** Every finding, the worst first; of one severity in the order of the rules. */
export const bySeverity = (attention: readonly Judged[]): readonly RuledFinding[] => {
  const all = attention.flatMap(({ rule, looked, findings }) => findings.map(one => ({ ...one, rule, looked })));
  return WORST_FIRST.flatMap(severity => all.filter(one => one.severity === severity));
};
