/** When a spec is due, in Unix seconds; 0 if not set. */
export interface SpecSchedule {
  readonly initial: number;
  /** Seconds between two times; 0 means once. */
  readonly every: number;
  readonly until: number;
  /** Nothing that was due after this has arrived. */
  readonly lastArrived: number;
}

const HOUR = 3600;
const DAY = 86_400;

const schedule = (parts: Partial<SpecSchedule>): SpecSchedule => ({
  initial: 0,
  every: 0,
  until: 0,
  lastArrived: Number.POSITIVE_INFINITY,
  ...parts,
});

/** The schedules of the demo chain, named by their state when the node starts. */
export function demoSchedules(nowSeconds: number) {
  /** The next value is due in `dueIn` seconds; earlier ones have arrived. */
  const every = (seconds: number, dueIn: number, more: Partial<SpecSchedule> = {}): SpecSchedule =>
    schedule({ initial: nowSeconds + dueIn - Math.ceil((6 * HOUR) / seconds) * seconds, every: seconds, ...more });
  return {
    eachMinute: every(60, 50),
    eachFiveMinutes: every(300, 210),
    eachHour: every(HOUR, 1500),
    eachEightHours: every(8 * HOUR, 2 * HOUR),
    soon: every(HOUR, 40),
    forAYear: every(60, 25, { until: nowSeconds + 365 * DAY }),
    /** Two values are overdue, the first by two hours. */
    overdue: every(HOUR, HOUR - 5, { lastArrived: nowSeconds - 2 * HOUR - 60 }),
    over: every(60, 10, { until: nowSeconds - HOUR }),
    notBegun: schedule({ initial: nowSeconds + DAY, every: 60 }),
    once: schedule({ initial: nowSeconds + 30 * DAY }),
    onceOver: schedule({ initial: nowSeconds - 3 * HOUR }),
    onceOverdue: schedule({ initial: nowSeconds - 2 * HOUR, lastArrived: 0 }),
    never: schedule({}),
  } as const satisfies Readonly<Record<string, SpecSchedule>>;
}

/** The times when something was due, oldest first, up to a time. */
export function* pastDueTimes({ initial, every, until }: SpecSchedule, end: number): Iterable<number> {
  const last = until > 0 ? Math.min(until, end) : end;
  for (let due = initial; due > 0 && due <= last; due += every) {
    yield due;
    if (every === 0) return;
  }
}
