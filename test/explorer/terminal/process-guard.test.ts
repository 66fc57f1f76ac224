import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { Ending } from '../../../src/explorer/terminal/host.ts';
import { ProcessGuard } from '../../../src/explorer/terminal/process-guard.ts';

const HOME = process.stdin;
const ELSEWHERE = new Proxy(process.stdin, {});

/** A process that stops when it is told to, and goes on at once, unless no shell waits for it. */
class FakeProcess extends EventEmitter {
  readonly stdin = HOME;
  readonly told: (readonly [pid: number, signal: unknown])[] = [];
  readonly hasShell: boolean;

  constructor(hasShell = true) {
    super();
    this.hasShell = hasShell;
  }

  kill(pid: number, signal?: unknown): true {
    // Whoever still listened would keep the process from stopping.
    expect(this.listenerCount('SIGTSTP')).toBe(0);
    this.told.push([pid, signal]);
    if (this.hasShell) setImmediate(() => this.emit('SIGCONT'));
    return true;
  }
}

function residentOf(guard: ProcessGuard, stdin: NodeJS.ReadStream) {
  const heard: (Ending | string)[] = [];
  const { stops, leave } = guard.enter({ stdin, end: e => heard.push(e), restore: () => heard.push('restore') });
  const unlisten = stops.listen({
    onStopAsked: () => heard.push('stop asked'),
    onContinued: () => heard.push('continued'),
  });
  return { heard, stops, leave, unlisten };
}

function guarded(hasShell = true) {
  const self = new FakeProcess(hasShell);
  const guard = new ProcessGuard(self);
  return { self, guard, home: residentOf(guard, HOME), away: residentOf(guard, ELSEWHERE) };
}

describe('Process guard', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)(
    'The process guard notifies every explorer of %s',
    signal => {
      const { self, home, away } = guarded();
      self.emit(signal, signal);
      expect([home.heard, away.heard]).toEqual([[{ kind: 'signal', signal }], [{ kind: 'signal', signal }]]);
    },
  );

  it.each(['uncaughtException', 'unhandledRejection'])('The process guard notifies every explorer of an %s', event => {
    const { self, home, away } = guarded();
    const error = new Error('nobody caught it');
    self.emit(event, error);
    expect([home.heard, away.heard]).toEqual([[{ kind: 'fault', error }], [{ kind: 'fault', error }]]);
  });

  it('The process guard restores at exit every terminal that was not restored yet', () => {
    const { self, home, away } = guarded();
    home.leave();
    self.emit('exit', 0);
    expect([home.heard, away.heard]).toEqual([[], ['restore']]);
  });

  it('The process guard does not notify explorers that have left, and notifies those that come later', () => {
    const { self, guard, home, away } = guarded();
    home.leave();
    away.leave();
    self.emit('SIGTERM', 'SIGTERM');
    const next = residentOf(guard, HOME);
    self.emit('SIGTERM', 'SIGTERM');
    expect([home.heard, away.heard, next.heard.length]).toEqual([[], [], 1]);
  });

  it('The process guard adds the same number of listeners for many as for one, and none after its release', () => {
    const { self, guard } = guarded();
    const counts = () => self.eventNames().map(name => self.listenerCount(name));
    expect(counts()).toEqual(self.eventNames().map(() => 1));
    for (let count = 0; count < 50; count++) residentOf(guard, ELSEWHERE);
    expect(counts()).toEqual(self.eventNames().map(() => 1));
    guard.release();
    expect(self.eventNames()).toEqual([]);
  });
});

describe('Stop of the process (Ctrl-Z)', () => {
  it('A stop works from the terminal where the process was started', async () => {
    const { self, home } = guarded();
    expect(await home.stops.stop()).toBe(true);
    expect(self.told).toEqual([[0, 'SIGTSTP']]);
    expect(self.listenerCount('SIGTSTP')).toBe(1);
  });

  it('A stop never happens when the process may not stop, whoever requests it', async () => {
    const self = new FakeProcess();
    const guest = residentOf(new ProcessGuard(self, false), HOME);
    expect(await guest.stops.stop()).toBe(false);
    self.emit('SIGTSTP', 'SIGTSTP');
    guest.leave();
    self.emit('SIGTSTP', 'SIGTSTP');
    expect([self.told, guest.heard, self.listenerCount('SIGTSTP')]).toEqual([[], [], 1]);
  });

  it('A stop does not happen when nothing waits for the process', async () => {
    const { self, home } = guarded(false);
    expect(await home.stops.stop()).toBe(false);
    expect([self.listenerCount('SIGTSTP'), self.listenerCount('SIGCONT')]).toEqual([1, 1]);
  });

  it('A stop never comes from another terminal', async () => {
    const { self, away } = guarded();
    expect(await away.stops.stop()).toBe(false);
    expect(self.told).toEqual([]);
  });

  it('A stop requested from outside affects only the terminal of the process', () => {
    const { self, home, away } = guarded();
    self.emit('SIGTSTP', 'SIGTSTP');
    self.emit('SIGCONT', 'SIGCONT');
    expect([home.heard, away.heard]).toEqual([['stop asked', 'continued'], []]);
    expect(self.told).toEqual([]);
  });

  it('A stop requested from outside stops the process when no explorer has its terminal', () => {
    const { self, home, away } = guarded();
    home.unlisten();
    self.emit('SIGTSTP', 'SIGTSTP');
    home.leave();
    expect([self.told, away.heard]).toEqual([[[0, 'SIGTSTP']], []]);
  });
});
