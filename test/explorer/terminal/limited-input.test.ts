import { PassThrough } from 'node:stream';
import { ReadStream } from 'node:tty';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchIdle } from '../../../src/explorer/terminal/idle.ts';
import { limitedInput } from '../../../src/explorer/terminal/input/limited-input.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

/** An input with its limit, and what was read of it. */
function limited(burst: number, perSecond: number) {
  const stream = new PassThrough({ encoding: 'utf8' });
  const terminal: NodeJS.ReadStream = Object.assign(stream, { setRawMode: ReadStream.prototype.setRawMode } as never);
  const typed = vi.fn();
  const held = { is: false };
  const { stdin, awaken } = limitedInput(terminal, { burst, perSecond, onTyped: typed, isHeld: () => held.is });
  const parts: string[] = [];
  const take = (): void => {
    for (let part = stdin.read(); part !== null; part = stdin.read()) parts.push(String(part));
  };
  return { stream, stdin, parts, take, typed, held, awaken };
}

describe('Limited input', () => {
  it('The limited input passes on at once what a person types, and a paste', () => {
    const { stream, parts, take, typed } = limited(4096, 250);
    stream.write('j'.repeat(4000));
    take();
    expect(parts.join('')).toHaveLength(4000);
    expect(typed).toHaveBeenCalledTimes(1);
  });

  it('The limited input delays the rest, loses none of it, and splits no key', () => {
    const { stream, parts, take } = limited(100, 50);
    const keys = '\u001b[A'.repeat(200);
    stream.write(keys);
    for (let second = 0; second < 30; second++) {
      take();
      expect(parts.join('').length).toBeLessThanOrEqual(100 + 50 * second);
      vi.advanceTimersByTime(1000);
    }
    expect(parts.join('')).toBe(keys);
    expect(parts.every(part => /^(?:\u001b\[A)*$/.test(part))).toBe(true);
  });
});

describe('Held input', () => {
  it('The held input is not read, and counts as no activity, until it is resumed', () => {
    const { stream, stdin, parts, take, typed, held, awaken } = limited(4096, 250);
    held.is = true;
    stream.write('j');
    take();
    expect(parts).toEqual([]);
    expect(typed).not.toHaveBeenCalled();
    held.is = false;
    stdin.on('readable', take);
    awaken();
    expect(parts).toEqual(['j']);
    expect(typed).toHaveBeenCalledTimes(1);
  });
});

describe('Idle watch', () => {
  it('The idle watch warns a minute before the end, and starts again with each key', () => {
    const said: string[] = [];
    const idle = watchIdle({
      idleMs: 15 * 60_000,
      onWarned: leftMs => void said.push(`warned ${leftMs}`),
      onIdle: () => void said.push('ended'),
    });
    vi.advanceTimersByTime(13 * 60_000);
    idle.seen();
    vi.advanceTimersByTime(14 * 60_000 - 1);
    expect(said).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(said).toEqual(['warned 60000']);
    vi.advanceTimersByTime(59_000);
    idle.seen();
    vi.advanceTimersByTime(14 * 60_000);
    vi.advanceTimersByTime(60_000);
    expect(said).toEqual(['warned 60000', 'warned 60000', 'ended']);
  });

  it('The idle watch warns halfway when the time is too short for a minute', () => {
    const said: number[] = [];
    watchIdle({ idleMs: 60_000, onWarned: leftMs => void said.push(leftMs), onIdle: () => void said.push(0) });
    vi.advanceTimersByTime(60_000);
    expect(said).toEqual([30_000, 0]);
  });
});
