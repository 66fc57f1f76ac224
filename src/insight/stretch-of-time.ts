/** A part of the calendar as it was written, UTC: a day is all of its nanoseconds. */
export interface StretchOfTime {
  readonly fromNs: bigint;
  /** No part of it any more. */
  readonly untilNs: bigint;
}

/** Of `2026-11`, `2026-11-20`, `2026-11-20 15:00`, `2026-11-20T15:00:03Z`; undefined for what no calendar has. */
export function stretchOfTime(text: string): StretchOfTime | undefined {
  const [, year, month, day, minute, second] = WRITTEN.exec(text.trim()) ?? [];
  if (year === undefined || month === undefined) return undefined;
  const written = `${year}-${month}-${day ?? '01'}T${minute ?? '00:00'}:${second ?? '00'}.000Z`;
  const fromMs = Date.parse(written);
  // Dates that no calendar has are read as later ones: 30 February as 2 March.
  if (Number.isNaN(fromMs) || new Date(fromMs).toISOString() !== written) return undefined;
  const untilMs =
    day === undefined
      ? Date.UTC(Number(year), Number(month), 1)
      : fromMs + (second !== undefined ? 1000 : minute !== undefined ? 60_000 : 86_400_000);
  return { fromNs: BigInt(fromMs) * 1_000_000n, untilNs: BigInt(untilMs) * 1_000_000n };
}

const WRITTEN = /^(\d{4})-(\d\d)(?:-(\d\d)(?:[ T](\d\d:\d\d)(?::(\d\d))?)?)?(?: ?(?:Z|UTC))?$/i;
