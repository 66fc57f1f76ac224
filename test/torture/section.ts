import { randomOf } from './random.ts';

/** One kind of torture: what it is called, how often it is tried, and how. */
export interface Section {
  readonly name: string;
  /** Trials of a full run. */
  readonly trials: number;
  /** Trials that one process makes before another one takes over. */
  readonly perProcess: number;
  /** Longest wait for the next trial to begin; a process that takes longer is a finding and is killed. */
  readonly patienceMs: number;
  /** Each trial goes on from the one before it: none can be repeated alone. */
  readonly isOneCourse?: boolean;
  /** Tries the trials in order. It says of each that it begins, and reports what was found wrong. */
  readonly run: (trials: Trials, report: Report) => Promise<void>;
}

/** What a trial does follows from the seed and its index alone, so that one can be repeated without the others. */
export interface Trials {
  readonly seed: number;
  readonly indexes: readonly number[];
}

export interface Report {
  readonly begins: (index: number) => void;
  /** Something worth counting: how a trial ended, how many keys it pressed. */
  readonly counts: (kind: string, times?: number) => void;
  /** `isLate`: it may be wrong only because the machine was busy with other trials. */
  readonly finds: (index: number, what: string, isLate?: boolean) => void;
}

export interface Finding {
  readonly index: number;
  readonly what: string;
  readonly isLate: boolean;
}

/** A share of a section's trials: one from each stretch of equal length, chosen by the seed. */
export function shareOf(trials: number, share: number, seed: number): readonly number[] {
  const count = Math.max(1, Math.round(trials * Math.min(1, share)));
  return Array.from({ length: count }, (_, index) => {
    const [from, to] = [Math.floor((index * trials) / count), Math.floor(((index + 1) * trials) / count)];
    return from + randomOf(seed, index).below(to - from);
  });
}

/** Tries in this process, as `npm test` does. */
export async function tryHere(section: Section, { seed, indexes }: Trials): Promise<Tally> {
  const tally = new Tally();
  await section.run({ seed, indexes }, tally);
  for (const index of tally.takeLate()) await section.run({ seed, indexes: [index] }, tally);
  return tally;
}

/** Adds up what is reported. */
export class Tally implements Report {
  tried = 0;
  findings: Finding[] = [];
  readonly kinds = new Map<string, number>();

  readonly begins = (): void => {
    this.tried++;
  };

  readonly counts = (kind: string, times = 1): void => {
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + times);
  };

  readonly finds = (index: number, what: string, isLate = false): void => {
    this.findings.push({ index, what, isLate });
  };

  /** Takes out the trials with a late finding: they have to be made again, alone. They count as not made. */
  takeLate(): readonly number[] {
    const late = new Set(this.findings.filter(({ isLate }) => isLate).map(({ index }) => index));
    this.findings = this.findings.filter(({ index }) => !late.has(index));
    this.tried -= late.size;
    return [...late];
  }
}
