/** One line of the goal table. */
export interface Figure {
  readonly section: string;
  readonly what: string;
  readonly ours: string;
  /** What it is held against, and its figure; '' when the goal is absolute. */
  readonly peer: string;
  readonly ratio: number | null;
  readonly goal: string;
  readonly verdict: 'pass' | 'fail' | 'no peer' | 'not judged: host busy';
  /** Whether it is a time, which whatever else runs makes longer. */
  readonly isTime: boolean;
}

export interface Settings {
  readonly isFull: boolean;
  readonly rounds: number;
  /** Runs one round. A full run repeats it when the host disturbs it. */
  readonly once: <T>(round: () => T | Promise<T>) => Promise<T>;
  /** The same for a figure that is held against a clock: a full run waits until the machine is as fast as it can be. */
  readonly onceAtFullSpeed: <T>(round: () => T | Promise<T>) => Promise<T>;
}

export type Section = (settings: Settings) => Promise<readonly Figure[]>;

export function atMost(section: string, what: string, value: number, limit: number, unit: string): Figure {
  return {
    section,
    what,
    ours: `${round(value)} ${unit}`,
    peer: '',
    ratio: null,
    goal: `<= ${limit} ${unit}`,
    verdict: value <= limit ? 'pass' : 'fail',
    isTime: TIMES.includes(unit),
  };
}

export interface Against {
  readonly value: number;
  readonly peer: string;
  /** Undefined when the peer is not installed. */
  readonly peerValue: number | undefined;
  readonly limit: number;
  readonly unit: string;
}

export function ratioTo(section: string, what: string, { value, peer, peerValue, limit, unit }: Against): Figure {
  const ratio = peerValue === undefined ? null : value / peerValue;
  return {
    section,
    what,
    ours: `${round(value)} ${unit}`,
    peer: peerValue === undefined ? `${peer}: not installed` : `${peer} ${round(peerValue)} ${unit}`,
    ratio,
    goal: `<= ${limit} x`,
    verdict: ratio === null ? 'no peer' : ratio <= limit ? 'pass' : 'fail',
    isTime: TIMES.includes(unit),
  };
}

const TIMES: readonly string[] = ['ms', 's'];

/** The figure as it is judged when the machine was busy with other things: a time that is too long says nothing then. */
export const whileBusy = (figure: Figure): Figure =>
  figure.isTime && figure.verdict === 'fail' ? { ...figure, verdict: 'not judged: host busy' } : figure;

export function median(numbers: readonly number[]): number {
  return percentile(numbers, 0.5);
}

export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

const round = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
