import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Alarm, announceChanges, type RuleSightings, stepAlarms } from '../../src/cli/check/alarms.ts';

const MINUTE_MS = 60_000;

type Observed = 'ok' | 'info' | 'warning' | 'critical' | 'unknown' | 'silent' | 'not asked';

const lookedOf = (observed: Observed): readonly RuleSightings[] => {
  if (observed === 'not asked') return [];
  if (observed === 'silent') return [{ rule: 'r', found: [], unknown: 'silent', isUnseen: true }];
  if (observed === 'unknown') return [{ rule: 'r', found: [], unknown: 'why' }];
  return [
    {
      rule: 'r',
      found: observed === 'ok' ? [] : [{ rule: 'r', key: 'k', severity: observed, sentence: observed }],
      unknown: undefined,
    },
  ];
};

/** The severity of the alarm after each minute. */
function severities(observed: readonly Observed[], holdMs: number): readonly Alarm['severity'][] {
  let alarms: readonly Alarm[] = [];
  return observed.map((one, minute) => {
    alarms = stepAlarms(alarms, lookedOf(one), { nowMs: minute * MINUTE_MS, holdMs });
    return alarms.find(({ key }) => key === 'k')?.severity ?? 'ok';
  });
}

const sequence = fc.array(
  fc.constantFrom<Observed[]>('ok', 'info', 'warning', 'critical', 'unknown', 'silent', 'not asked'),
  { minLength: 1, maxLength: 30 },
);

describe('Check alarm', () => {
  it('An alarm without a hold follows the last observation, and an unknown one changes nothing', () => {
    fc.assert(
      fc.property(sequence, observed => {
        const seen = severities(observed, 0);
        let last: Alarm['severity'] = 'ok';
        for (const [minute, one] of observed.entries()) {
          if (one === 'ok' || one === 'info' || one === 'warning' || one === 'critical') last = one;
          expect(seen[minute]).toBe(last);
        }
      }),
    );
  });

  it('An alarm with a hold changes only after the state was better, or worse, for that long', () => {
    const rank = { ok: 0, info: 1, warning: 2, critical: 3, unknown: -1 };
    fc.assert(
      fc.property(sequence, fc.integer({ min: 1, max: 5 }), (observed, hold) => {
        const seen = severities(observed, hold * MINUTE_MS);
        for (const [minute, severity] of seen.entries()) {
          const before = seen[minute - 1] ?? 'ok';
          if (severity === before) continue;
          expect(severity).toBe(observed[minute]);
          const isWorse = rank[severity] > rank[before];
          const window = observed.slice(Math.max(0, minute - hold), minute + 1);
          // Getting better is interrupted by what is not known, getting worse is not.
          for (const one of window) {
            if (one === 'not asked') continue;
            if (one === 'unknown' || one === 'silent') expect(isWorse).toBe(true);
            else expect(isWorse ? rank[one] > rank[before] : rank[one] < rank[before]).toBe(true);
          }
          expect(minute).toBeGreaterThanOrEqual(hold);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('An alarm is announced once per change, however often the check is restarted', () => {
    fc.assert(
      fc.property(sequence, fc.integer({ min: 0, max: 3 }), (observed, hold) => {
        let alarms: readonly Alarm[] = [];
        let told: Alarm['severity'] = 'ok';
        for (const [minute, one] of observed.entries()) {
          const nowMs = minute * MINUTE_MS;
          // Through the file.
          alarms = stepAlarms(JSON.parse(JSON.stringify(alarms)), lookedOf(one), { nowMs, holdMs: hold * MINUTE_MS });
          const severity = alarms.find(({ key }) => key === 'k')?.severity ?? 'ok';
          const said = announceChanges(alarms, { nowMs, remindMs: undefined, isWanted: () => true });
          const own = said.changes.filter(({ key }) => key === 'k');
          expect(own.map(({ was, severity }) => [was, severity])).toEqual(severity === told ? [] : [[told, severity]]);
          told = severity;
          alarms = said.alarms;
        }
      }),
    );
  });

  it('An alarm that is over leaves nothing in the memory', () => {
    let alarms: readonly Alarm[] = [];
    for (const [minute, one] of (['critical', 'unknown', 'ok'] as const).entries())
      alarms = announceChanges(stepAlarms(alarms, lookedOf(one), { nowMs: minute, holdMs: 0 }), {
        ...{ nowMs: minute, remindMs: undefined, isWanted: () => true },
      }).alarms;
    expect(alarms).toEqual([]);
  });
});
