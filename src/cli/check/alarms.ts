import type { Severity } from '../../attention/rules/rule.ts';

/** What an alarm is about: all that a rule looks at, or one record. */
interface Subject {
  readonly rule: string;
  /** '' for a rule that sums up all records. */
  readonly key: string;
}

/** An alarm in the form stored between checks. */
export interface Alarm extends Subject {
  /** `unknown` means that the rule could not be judged; such an alarm is separate from the rule's findings. */
  readonly severity: Severity | 'ok';
  /** Of its last finding. */
  readonly sentence: string;
  /** Since when it is of this severity. */
  readonly sinceMs: number;
  /** When it was last found. */
  readonly foundMs: number;
  /** A change that has not lasted long enough. */
  readonly pending: { readonly isWorse: boolean; readonly sinceMs: number } | null;
  /** The last announced change, and its time. */
  readonly announced: Severity | 'ok';
  readonly announcedMs: number;
}

/** What a check saw of a subject. */
export interface Sighting extends Subject {
  readonly severity: Severity | 'ok';
  readonly sentence: string;
}

/** What one rule saw. */
export interface RuleSightings {
  readonly rule: string;
  readonly found: readonly Sighting[];
  /** Why other findings cannot be ruled out; undefined if they can. */
  readonly unknown: string | undefined;
  /** The node did not answer, so nothing is known about this rule. */
  readonly isUnseen?: boolean;
}

interface StepOptions {
  readonly nowMs: number;
  /** How long a change has to last before it counts. */
  readonly holdMs: number;
}

/**
 * The alarms after a check. A change counts when it has lasted, for better or worse. An unknown result neither raises an
 * alarm nor clears one. Alarms of rules that did not run are not changed.
 */
export function stepAlarms(
  before: readonly Alarm[],
  looked: readonly RuleSightings[],
  stepping: StepOptions,
): readonly Alarm[] {
  const names = new Set(looked.map(({ rule }) => rule));
  const known = Map.groupBy(before, ({ rule }) => rule);
  const untouched = before.filter(({ rule }) => !names.has(rule));
  return [...untouched, ...looked.flatMap(one => stepRule(known.get(one.rule) ?? [], one, stepping))].filter(isNeeded);
}

/** The key of the alarm for a rule that could not be judged. */
export const UNKNOWN_KEY = '?';

function stepRule(
  before: readonly Alarm[],
  { rule, found, unknown, isUnseen }: RuleSightings,
  stepping: StepOptions,
): readonly Alarm[] {
  if (isUnseen === true) return before.map(alarm => withoutRecovery(withoutFutureTimes(alarm, stepping.nowMs)));
  const byKey = new Map(before.map(alarm => [alarm.key, alarm]));
  const seen = new Map(found.map(sighting => [sighting.key, sighting]));
  seen.set(UNKNOWN_KEY, {
    ...{ rule, key: UNKNOWN_KEY, sentence: unknown ?? '' },
    severity: unknown === undefined ? 'ok' : 'unknown',
  });
  return [...new Set([...byKey.keys(), ...seen.keys()])].map(key => {
    const alarm = withoutFutureTimes(byKey.get(key) ?? newAlarm({ rule, key }, stepping.nowMs), stepping.nowMs);
    const sighting =
      seen.get(key) ?? (unknown === undefined ? { rule, key, severity: 'ok' as const, sentence: '' } : undefined);
    return sighting === undefined ? withoutRecovery(alarm) : stepAlarm(alarm, sighting, stepping);
  });
}

const newAlarm = (subject: Subject, nowMs: number): Alarm => ({
  ...subject,
  ...{
    severity: 'ok',
    sentence: '',
    sinceMs: nowMs,
    foundMs: nowMs,
    pending: null,
    announced: 'ok',
    announcedMs: nowMs,
  },
});

/** Nothing happened after now: the clock was set back, which must not delay anything. */
function withoutFutureTimes(alarm: Alarm, nowMs: number): Alarm {
  const { sinceMs, foundMs, announcedMs, pending } = alarm;
  return {
    ...alarm,
    ...{
      sinceMs: Math.min(sinceMs, nowMs),
      foundMs: Math.min(foundMs, nowMs),
      announcedMs: Math.min(announcedMs, nowMs),
    },
    pending: pending && { ...pending, sinceMs: Math.min(pending.sinceMs, nowMs) },
  };
}

/** Getting better has to be seen all the time. */
const withoutRecovery = (alarm: Alarm): Alarm =>
  alarm.pending?.isWorse === false ? { ...alarm, pending: null } : alarm;

function stepAlarm(alarm: Alarm, { severity, sentence }: Sighting, { nowMs, holdMs }: StepOptions): Alarm {
  const now = severity === 'ok' ? alarm : { ...alarm, sentence, foundMs: nowMs };
  if (severity === alarm.severity) return { ...now, pending: null };
  const isWorse = severityRank(severity) > severityRank(alarm.severity);
  const sinceMs = alarm.pending?.isWorse === isWorse ? alarm.pending.sinceMs : nowMs;
  if (nowMs - sinceMs < holdMs) return { ...now, pending: { isWorse, sinceMs } };
  return { ...now, severity, sinceMs, pending: null };
}

const SEVERITY_RANKS: { readonly [severity in Alarm['severity']]: number } = {
  ok: 0,
  info: 1,
  unknown: 1,
  warning: 2,
  critical: 3,
};

export const severityRank = (severity: Alarm['severity']): number => SEVERITY_RANKS[severity];

/** An alarm that is over, and was announced as such, is forgotten. */
const isNeeded = ({ severity, pending, announced }: Alarm): boolean =>
  severity !== 'ok' || pending !== null || announced !== 'ok';

/** A change to announce, or a reminder of an unchanged alarm. */
export interface AlarmChange extends Subject {
  readonly change: 'raised' | 'worse' | 'better' | 'cleared' | 'reminder';
  readonly severity: Alarm['severity'];
  readonly was: Alarm['severity'];
  readonly sentence: string;
  readonly sinceMs: number;
  /** When it was last found. */
  readonly foundMs: number;
  readonly pending: Alarm['pending'];
}

interface AnnouncedAlarms {
  readonly alarms: readonly Alarm[];
  readonly changes: readonly AlarmChange[];
}

/** Changes since the last announcement. Alarms of warning or worse repeat after `remindMs`; undefined for never. */
export function announceChanges(
  before: readonly Alarm[],
  { nowMs, remindMs, isWanted }: { nowMs: number; remindMs: number | undefined; isWanted: (rule: string) => boolean },
): AnnouncedAlarms {
  const changes: AlarmChange[] = [];
  const alarms = before.map(alarm => {
    const { rule, severity, announced, announcedMs } = alarm;
    const isDue = remindMs !== undefined && nowMs - announcedMs >= remindMs && !['ok', 'info'].includes(severity);
    if (!isWanted(rule) || (severity === announced && !isDue)) return alarm;
    changes.push({ ...alarm, change: kindOfChange(announced, severity), was: announced });
    return { ...alarm, announced: severity, announcedMs: nowMs };
  });
  return { alarms: alarms.filter(isNeeded), changes };
}

function kindOfChange(was: Alarm['severity'], severity: Alarm['severity']): AlarmChange['change'] {
  if (was === severity) return 'reminder';
  if (was === 'ok') return 'raised';
  if (severity === 'ok') return 'cleared';
  return severityRank(severity) > severityRank(was) ? 'worse' : 'better';
}
