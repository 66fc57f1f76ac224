import type { Severity } from '../../attention/rules/rule.ts';
import { type SafeText, sanitize } from '../../base/text/safe-text.ts';
import { type Alarm, type RuleSightings, UNKNOWN_KEY } from './alarms.ts';

/** Something that is wrong or not known. */
export interface CheckEntry {
  readonly rule: string;
  readonly severity: Severity;
  readonly sentence: SafeText;
  readonly sinceMs: number;
}

/** The node as such, which every rule needs. */
export const NODE_RULE = 'node';

/** The entries of a check: the alarms of the rules that ran, and the current unknowns. */
export function checkEntries(
  looked: readonly RuleSightings[],
  alarms: readonly Alarm[],
  nowMs: number,
): readonly CheckEntry[] {
  const byRule = Map.groupBy(alarms, ({ rule }) => rule);
  const silence = byRule.get(NODE_RULE)?.find(isDoubt);
  return looked.flatMap(({ rule, unknown, isUnseen }) => {
    const own = byRule.get(rule) ?? [];
    const doubt = isUnseen === true ? silence : own.find(isDoubt);
    return [
      ...own.filter(alarm => !isDoubt(alarm)).flatMap(alarm => alarmEntry(alarm, nowMs)),
      ...doubtEntry(rule, { doubt, unknown, nowMs }),
    ];
  });
}

const isDoubt = ({ key }: Alarm): boolean => key === UNKNOWN_KEY;

/** An alarm that was not found now stands until that has lasted, or is known again. */
function alarmEntry(alarm: Alarm, nowMs: number): readonly CheckEntry[] {
  const { rule, severity, sinceMs } = alarm;
  return severity === 'ok'
    ? []
    : [{ rule: ruleWithoutScope(rule), severity, sentence: datedSentence(alarm, nowMs), sinceMs }];
}

/** The finding, with its time if it is not current. */
export function datedSentence(
  { sentence, foundMs, pending }: Pick<Alarm, 'sentence' | 'foundMs' | 'pending'>,
  nowMs: number,
): SafeText {
  const why = pending === null ? 'cannot be checked now' : 'may be over';
  return sanitize(foundMs >= nowMs ? sentence : `${sentence} (last found at ${utcTimeText(foundMs)}, ${why})`);
}

interface DoubtInput {
  readonly doubt: Alarm | undefined;
  readonly unknown: string | undefined;
  readonly nowMs: number;
}

/** An unknown result counts at once; a known result after it counts only when it has lasted. */
function doubtEntry(rule: string, { doubt, unknown, nowMs }: DoubtInput): readonly CheckEntry[] {
  const isRaised = doubt?.severity === 'unknown';
  const sinceMs = isRaised ? doubt.sinceMs : (doubt?.pending?.sinceMs ?? nowMs);
  const entry = (sentence: string) => ({
    rule: ruleWithoutScope(rule),
    severity: 'unknown' as const,
    sentence: sanitize(sentence),
    sinceMs,
  });
  if (unknown !== undefined) return [entry(unknown)];
  return isRaised ? [entry(`${doubt.sentence} (until ${utcTimeText(doubt.foundMs)}, may be over)`)] : [];
}

const utcTimeText = (timeMs: number): string => `${new Date(timeMs).toISOString().slice(0, 19)}Z`;

/** Findings that do not count yet. */
export const pendingSentences = (looked: readonly RuleSightings[], alarms: readonly Alarm[]): readonly string[] =>
  looked.flatMap(({ rule, found }) =>
    found
      .filter(({ key, severity }) => {
        const alarm = alarms.find(one => one.rule === rule && one.key === key);
        return alarm?.pending?.isWorse === true && alarm.severity !== severity;
      })
      .map(({ sentence }) => `${ruleWithoutScope(rule)}: ${sentence}`),
  );

const MINE_SUFFIX = ' --mine';

/** A rule limited to the user's own entities: its findings are kept separate. */
export const mineRuleName = (rule: string): string => `${rule}${MINE_SUFFIX}`;

/** The rule without its limitation. */
export const ruleWithoutScope = (rule: string): string =>
  rule.endsWith(MINE_SUFFIX) ? rule.slice(0, -MINE_SUFFIX.length) : rule;
