import { changedJson, type StoredChanges } from '../../attention/overview/facts/changed.ts';
import { isoText } from '../../attention/overview/facts/fact.ts';
import { overviewFacts } from '../../attention/overview/facts/facts.ts';
import { createOwnFact } from '../../attention/overview/facts/mine.ts';
import type { Overview } from '../../attention/overview/overview.ts';
import { type CheckedSource, type RuleResult, SOURCE_TITLES } from '../../attention/rules/rule.ts';
import { sortBySeverity } from '../../attention/rules/severity.ts';

export interface NamedOverview {
  /** `demo`, the name of a profile, or ''. */
  readonly label: string;
  /** Without a login. */
  readonly address: string;
  readonly overview: Overview;
  readonly changed: StoredChanges;
}

/** The members that docs/guides/overview.md names: they stay as they are. */
export function overviewJson({ label, address, overview, changed }: NamedOverview, nowMs: number) {
  const { attention, mine, requests } = overview;
  const facts = overviewFacts(overview, changed, { nowMs });
  const { node, ...others } = Object.fromEntries(facts.flatMap(({ id, json }) => (json ? [[id, json()]] : [])));
  return {
    node: { name: label === '' ? null : label, address, ...node },
    ...others,
    attention: findingsJson(attention),
    checked: attention.map(({ rule, looked }) => ({ rule, looked: looked.map(checkedSourceJson) })),
    mine: mine.map(line => createOwnFact(line).json()),
    changed: changedJson(changed),
    requests,
  };
}

const findingsJson = (attention: readonly RuleResult[]) =>
  sortBySeverity(attention).map(({ rule, severity, subject, fact, sentence, resource, key, looked }) => ({
    ...{ rule, severity, subject, fact, sentence, resource, key },
    looked: looked.map(checkedSourceJson),
  }));

const checkedSourceJson = ({ source, records, gap, atMs }: CheckedSource) => ({
  list: SOURCE_TITLES[source],
  records,
  isWhole: gap === '',
  at: isoText(atMs),
});
