/** When a spec is due, in Unix seconds; 0 is not set. */
export interface Schedule {
  readonly initial: number;
  /** Seconds from one to the next; 0 is once. */
  readonly every: number;
  readonly until: number;
  /** What was due later has not arrived. */
  readonly lastArrived: number;
}

const HOUR = 3600;
const DAY = 86_400;

const schedule = (parts: Partial<Schedule>): Schedule => ({
  initial: 0,
  every: 0,
  until: 0,
  lastArrived: Number.POSITIVE_INFINITY,
  ...parts,
});

/** The schedules that a spec of the demo chain can have, by what they are when the node starts. */
export function schedulesAt(nowSeconds: number) {
  /** The next one comes in so many seconds, and there were some before. */
  const every = (seconds: number, dueIn: number, more: Partial<Schedule> = {}): Schedule =>
    schedule({ initial: nowSeconds + dueIn - Math.ceil((6 * HOUR) / seconds) * seconds, every: seconds, ...more });
  return {
    eachMinute: every(60, 50),
    eachFiveMinutes: every(300, 210),
    eachHour: every(HOUR, 1500),
    eachEightHours: every(8 * HOUR, 2 * HOUR),
    soon: every(HOUR, 40),
    forAYear: every(60, 25, { until: nowSeconds + 365 * DAY }),
    /** Two that were due have not come, the first of them two hours ago. */
    overdue: every(HOUR, HOUR - 5, { lastArrived: nowSeconds - 2 * HOUR - 60 }),
    over: every(60, 10, { until: nowSeconds - HOUR }),
    notBegun: schedule({ initial: nowSeconds + DAY, every: 60 }),
    once: schedule({ initial: nowSeconds + 30 * DAY }),
    onceOver: schedule({ initial: nowSeconds - 3 * HOUR }),
    onceOverdue: schedule({ initial: nowSeconds - 2 * HOUR, lastArrived: 0 }),
    never: schedule({}),
  } as const satisfies Readonly<Record<string, Schedule>>;
}

/** The times that something was due at, from the oldest on, up to a time. */
export function* dueTimes({ initial, every, until }: Schedule, end: number): Iterable<number> {
  const last = until > 0 ? Math.min(until, end) : end;
  for (let due = initial; due > 0 && due <= last; due += every) {
    yield due;
    if (every === 0) return;
  }
}
