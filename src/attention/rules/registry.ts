import { bundleToSubmit } from './bundle-to-submit.ts';
import { commitmentAboveBond } from './commitment-above-bond.ts';
import { excessSigner } from './excess-signer.ts';
import { historyGap } from './history-gap.ts';
import { nodeBehind } from './node-behind.ts';
import { oracleDeactivated } from './oracle-deactivated.ts';
import { oracleOverdue } from './oracle-overdue.ts';
import { provisionChange } from './provision-change.ts';
import type { Rule, RuleResult } from './rule.ts';
import type { RuleInput } from './rule-input.ts';
import { validatorOutside } from './validator-outside.ts';
import { validatorPerformance } from './validator-performance.ts';

/** Every rule, in the order of findings of the same severity. */
export const RULES: readonly Rule[] = [
  nodeBehind,
  excessSigner,
  bundleToSubmit,
  oracleDeactivated,
  oracleOverdue,
  commitmentAboveBond,
  provisionChange,
  validatorPerformance,
  validatorOutside,
  historyGap,
];

/** The rules that have something to judge: of a chain that has ended, few. */
export const rulesFor = ({ hasEnded }: Pick<RuleInput, 'hasEnded'>): readonly Rule[] =>
  hasEnded ? RULES.filter(({ outlivesChain }) => outlivesChain) : RULES;

/** The findings of each rule in the loaded data. */
export const judgeAll = (seen: RuleInput): readonly RuleResult[] => rulesFor(seen).map(rule => rule.judge(seen));
