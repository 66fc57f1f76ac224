import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** A round that lost more of the processors than this to other guests of the same host measures them. */
const MOST_STOLEN = 0.05;
const PAUSE_MS = 5000;
/** A run waits no longer than this for quiet minutes, all rounds together. */
const PATIENCE_MS = 20 * 60_000;
let spentMs = 0;

/** What the processors did since this machine started, in ticks. */
export interface Ticks {
  readonly busy: number;
  /** Wanted by this machine, and given to others by its host. */
  readonly stolen: number;
}

/** From /proc/stat; where there is none, nothing is ever stolen. */
export function readTicks(): Ticks {
  try {
    const [, user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, stolen = 0] =
      readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/\s+/).map(Number) ?? [];
    return { busy: user + nice + system + irq + softirq, stolen };
  } catch {
    return { busy: 0, stolen: 0 };
  }
}

/** Part of the processor time wanted since then that was stolen, 0 to 1. */
export function stolenSince(before: Ticks): number {
  const now = readTicks();
  const stolen = now.stolen - before.stolen;
  return stolen === 0 ? 0 : stolen / (now.busy - before.busy + stolen);
}

/** Runs a round again while too much is stolen meanwhile; when patience is at its end, the least disturbed one counts. */
export async function undisturbed<T>(round: () => T | Promise<T>): Promise<T> {
  let best: { readonly value: T; readonly stolen: number } | undefined;
  for (;;) {
    const before = readTicks();
    const startedMs = performance.now();
    const value = await round();
    const stolen = stolenSince(before);
    if (best === undefined || stolen < best.stolen) best = { value, stolen };
    if (stolen <= MOST_STOLEN || spentMs > PATIENCE_MS) return best.value;
    process.stderr.write(`  the host took ${percent(stolen)} of the processors: once more\n`);
    await wait(PAUSE_MS);
    spentMs += performance.now() - startedMs;
  }
}

export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
