import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { deflateRawSync, inflateRaw } from 'node:zlib';
import { median } from './figure.ts';

/** A round that lost more of the processors than this to other guests of the same host measures them. */
const MAX_STOLEN = 0.05;
/** Likewise one around which a fixed piece of work took so much longer than at the machine's best. */
const MAX_SLOWED = 0.25;
/** Of one processor, what other programs of this machine may have beside a benchmark. */
const MAX_BY_OTHERS = 0.25;
const PAUSE_MS = 1000;
/** All rounds of a section together wait no longer than this for quiet minutes. */
const PATIENCE_MS = 10 * 60_000;

/** What the processors did since this machine started, in ticks. */
export interface Ticks {
  readonly busy: number;
  /** Wanted by this machine, and given to others by its host. */
  readonly stolen: number;
  /** Of the busy ones those of this process and of its children that have ended. */
  readonly own: number;
  /** All there were of one processor. */
  readonly passed: number;
}

/** From /proc/stat; where there is none, nothing is ever stolen and nobody else is busy. */
export function readTicks(): Ticks {
  try {
    const [, user = 0, nice = 0, system = 0, idle = 0, waiting = 0, irq = 0, softirq = 0, stolen = 0] =
      readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/\s+/).map(Number) ?? [];
    const busy = user + nice + system + irq + softirq;
    return { busy, stolen, own: ownTicks(), passed: (busy + idle + waiting + stolen) / cpus().length };
  } catch {
    return { busy: 0, stolen: 0, own: 0, passed: 0 };
  }
}

function ownTicks(): number {
  const fields = readFileSync('/proc/self/stat', 'latin1')
    .replace(/^.*\) /, '')
    .split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
}

/** Whether others had so much of the machine since then that a time says more about them than about what was timed. */
export async function wasBusy(before: Ticks): Promise<boolean> {
  const now = readTicks();
  const others = now.busy - before.busy - (now.own - before.own);
  return (
    stolenSince(before) > MAX_STOLEN ||
    others > MAX_BY_OTHERS * (now.passed - before.passed) ||
    (await slowed()) > MAX_SLOWED
  );
}

/** Part of the processor time wanted since then that was stolen, 0 to 1. */
export function stolenSince(before: Ticks): number {
  const now = readTicks();
  const stolen = now.stolen - before.stolen;
  return stolen === 0 ? 0 : stolen / (now.busy - before.busy + stolen);
}

interface Round<T> {
  readonly value: T;
  /** Above 1 it is run again. */
  readonly disturbance: number;
}

/**
 * Runs rounds again while the host disturbs them; when patience is at its end, the least disturbed one counts. What a
 * round itself measured is never looked at.
 */
export class QuietRounds {
  #spentMs = 0;
  #repeated = 0;

  /** Rounds that did not count. */
  get repeated(): number {
    return this.#repeated;
  }

  /** While too much is stolen. */
  undisturbed<T>(round: () => T | Promise<T>): Promise<T> {
    return this.#leastDisturbed(async () => {
      const before = readTicks();
      const value = await round();
      return { value, disturbance: stolenSince(before) / MAX_STOLEN };
    });
  }

  /** While too much is stolen, or the machine is slowed: for a figure that is held against a clock. */
  async atFullSpeed<T>(round: () => T | Promise<T>): Promise<T> {
    return this.#leastDisturbed(async () => {
      const slowedBefore = await slowed();
      const before = readTicks();
      const value = await round();
      const stolen = stolenSince(before);
      const slowedBy = Math.max(slowedBefore, await slowed());
      return { value, disturbance: Math.max(stolen / MAX_STOLEN, slowedBy / MAX_SLOWED) };
    }, slowed);
  }

  async #leastDisturbed<T>(run: () => Promise<Round<T>>, slowedBy = async () => 0): Promise<T> {
    let best: Round<T> | undefined;
    for (;;) {
      const startedMs = performance.now();
      const round = await run();
      if (best === undefined || round.disturbance < best.disturbance) best = round;
      if (round.disturbance <= 1 || this.#spentMs > PATIENCE_MS) return best.value;
      this.#repeated++;
      process.stderr.write('  the host disturbed it: once more\n');
      do await wait(PAUSE_MS);
      while ((await slowedBy()) > MAX_SLOWED && this.#spentMs + performance.now() - startedMs < PATIENCE_MS);
      this.#spentMs += performance.now() - startedMs;
    }
  }
}

/** The best time of these processors for the fixed piece of work is kept for the next run, like the archive. */
const BEST_PATH = join(tmpdir(), `blockglass-bench-best-ms-${cpus()[0]?.model.replace(/\W+/g, '-')}`);
const inflate = promisify(inflateRaw);
let fixedWork: Buffer | undefined;

/**
 * How much longer than at its best the machine takes now, 0 for not at all. Neighbours on a processor's other half or
 * in its cache slow it down without any of its time being stolen.
 */
async function slowed(): Promise<number> {
  fixedWork ??= deflateRawSync(randomBytes(4 * 2 ** 20).toString('hex'), { level: 1 });
  const times: number[] = [];
  for (let sample = 0; sample < 5; sample++) {
    const startedMs = performance.now();
    await Promise.all(cpus().map(() => inflate(fixedWork ?? Buffer.alloc(0), { chunkSize: 2 ** 20 })));
    times.push(performance.now() - startedMs);
  }
  const nowMs = median(times);
  const bestMs = Math.min(nowMs, existsSync(BEST_PATH) ? Number(readFileSync(BEST_PATH, 'utf8')) : nowMs);
  if (bestMs === nowMs) writeFileSync(BEST_PATH, String(bestMs));
  return nowMs / bestMs - 1;
}

export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
