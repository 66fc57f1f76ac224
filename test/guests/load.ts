import { setTimeout as wait } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import { median, percentile } from '../../bench/figure.ts';
import type { Report } from './report.ts';
import { becomes, descendants, type GuestServer, guestsOf, read, startGuestServer } from './server.ts';
import { environment } from './ssh.ts';

export interface LoadOptions {
  readonly guests: number;
  readonly minutes: number;
  /** Grows with each request that reaches the node. */
  readonly asked: readonly string[];
}

/** What a guest does: mostly moving, and now and then another list or a record. Each changes the screen. */
const [UP, DOWN, PAGE_UP, PAGE_DOWN] = ['\u001b[A', '\u001b[B', '\u001b[5~', '\u001b[6~'];
const KEYS = ['1', DOWN, UP, PAGE_DOWN, PAGE_UP, '6', DOWN, UP, '7', DOWN, UP];
const PAUSE_MS = 2000;
/** A key that is held, on a fast keyboard. */
const HELD_MS = 16;
const MAX_MIB = 2048;
const MOST_HELD_P95_MS = 40;
const MIB = 1024;

/**
 * Guests by the real client, each from an address of its own. They press a key every two seconds. In the last fifth of
 * the time one of them holds a key. The clients run on this machine too.
 */
export async function tryLoad(
  report: Report,
  node: string,
  { guests: count, minutes, asked }: LoadOptions,
): Promise<void> {
  const server = await startGuestServer({ node });
  const guests: LoadGuest[] = [];
  try {
    for (let index = 0; index < count; index++) {
      const guest = new LoadGuest(server, `127.0.1.${index + 1}`);
      guests.push(guest);
      if (!(await becomes(() => guest.hasDrawn, 120_000)))
        throw new Error(`guest ${index} sees nothing: ${guest.tail}`);
    }
    report.say(true, `${count} guests have logged in`);
    const totalMs = minutes * 60_000;
    const sentBefore = asked.length;
    await press(guests, totalMs * 0.2);
    const early = memoryOf(server);
    for (const guest of guests) guest.delays.length = 0;
    await press(guests, totalMs * 0.6);
    const late = memoryOf(server);
    const usual = guests.flatMap(guest => guest.delays);
    const [holding, ...others] = guests;
    for (const guest of guests) guest.delays.length = 0;
    const timer = setInterval(() => holding?.hold(), HELD_MS);
    await press(others, totalMs * 0.2);
    clearInterval(timer);
    const beside = others.flatMap(guest => guest.delays);
    const sent = asked.length - sentBefore;
    const alive = guestsOf(server).length;
    const drawn = guests.filter(guest => guest.hasAnswered).length;
    report.say(
      alive === count && drawn === count,
      `${alive} of ${count} guests are there after ${minutes} min, ${drawn} answered each key`,
    );
    const most = Math.max(early.all, late.all);
    report.say(
      (most * 50) / count <= MAX_MIB,
      `memory of a guest: ${(late.programs / count).toFixed(1)} MiB PSS, with its SSH server ${(late.all / count).toFixed(1)}; all: ${most.toFixed(0)} MiB`,
    );
    report.say(
      late.all - early.all <= count,
      `growth from the first fifth to the fourth: ${(late.all - early.all).toFixed(1)} MiB in all`,
    );
    report.say(usual.length > 0, `key to first byte: ${figures(usual)}`);
    report.say(
      percentile(beside, 0.95) < MOST_HELD_P95_MS,
      `the same beside a guest who holds a key: ${figures(beside)}`,
    );
    report.say(
      sent < minutes * 60 * 20,
      `requests to the node: ${sent}, ${(sent / (minutes * 60)).toFixed(1)} a second`,
    );
  } finally {
    for (const guest of guests) guest.close();
    await server.close();
  }
}

class LoadGuest {
  /** Milliseconds from a key to the first byte after it. */
  readonly delays: number[] = [];
  readonly #pty;
  #pressedMs: number | undefined;
  #text = '';
  #next = 0;

  constructor(server: GuestServer, from: string) {
    const args = ['-tt', ...server.client('-b', from)];
    this.#pty = spawn('ssh', args, { name: 'xterm-256color', cols: 120, rows: 40, env: environment() });
    this.#pty.onData(text => {
      this.#text = (this.#text + text).slice(-4000);
      if (this.#pressedMs === undefined) return;
      this.delays.push(performance.now() - this.#pressedMs);
      this.#pressedMs = undefined;
    });
  }

  get hasDrawn(): boolean {
    return this.#text.includes('in sync');
  }

  get hasAnswered(): boolean {
    return this.#pressedMs === undefined;
  }

  get tail(): string {
    return this.#text.slice(-300);
  }

  press(): void {
    if (this.#pressedMs !== undefined) return;
    this.#pressedMs = performance.now();
    this.#pty.write(KEYS[this.#next++ % KEYS.length] ?? '');
  }

  hold(): void {
    this.#pty.write(this.#next++ % 200 < 100 ? '\u001b[6~' : '\u001b[5~');
  }

  close(): void {
    this.#pty.kill('SIGKILL');
  }
}

/** Each presses a key in turn, evenly spread. */
async function press(guests: readonly LoadGuest[], forMs: number): Promise<void> {
  for (const until = performance.now() + forMs; performance.now() < until; )
    for (const guest of guests) {
      guest.press();
      await wait(PAUSE_MS / guests.length);
    }
  await wait(500);
}

/** In MiB: what processes share is counted once. */
function memoryOf(server: GuestServer): { readonly programs: number; readonly all: number } {
  const sum = (ids: readonly number[]): number => ids.reduce((total, id) => total + pssOf(id), 0) / MIB;
  return { programs: sum(guestsOf(server)), all: sum(descendants(server.pid)) };
}

const pssOf = (id: number): number => Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${id}/smaps_rollup`))?.[1] ?? 0);

const figures = (delays: readonly number[]): string =>
  `median ${median(delays).toFixed(1)} ms, p95 ${percentile(delays, 0.95).toFixed(1)} ms, of ${delays.length} keys`;
