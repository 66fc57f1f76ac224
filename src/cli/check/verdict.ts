import type { Severity } from '../../attention/rules/rule.ts';
import { type CheckEntry, NODE_RULE } from './check-entries.ts';

/** The exit codes of `check`, which are those of monitoring plugins and not those of other commands. */
export const CHECK_EXIT = { ok: 0, warning: 1, critical: 2, unknown: 3 } as const;

type CheckVerdict = keyof typeof CHECK_EXIT;

const WORST_FIRST = ['critical', 'warning', 'unknown'] as const satisfies readonly Severity[];

/** The worst of all findings; an info is not a reason to act. */
export const checkVerdict = (entries: readonly CheckEntry[]): CheckVerdict =>
  WORST_FIRST.find(severity => entries.some(entry => entry.severity === severity)) ?? 'ok';

/** The worst first; of one severity in the order of the rules. */
export const sortWorstFirst = (entries: readonly CheckEntry[]): readonly CheckEntry[] =>
  [...WORST_FIRST, 'info' as const].flatMap(severity => entries.filter(entry => entry.severity === severity));

/** For readers: if a node did not answer, each rule would report the same. */
export const shownEntries = ({
  entries,
  silence,
}: {
  readonly entries: readonly CheckEntry[];
  readonly silence: string | undefined;
}) =>
  sortWorstFirst(
    silence === undefined
      ? entries
      : entries.filter(({ rule, severity }) => rule === NODE_RULE || severity !== 'unknown'),
  );
