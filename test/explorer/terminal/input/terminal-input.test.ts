import { PassThrough } from 'node:stream';
import { ReadStream } from 'node:tty';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { terminalInput } from '../../../../src/explorer/terminal/input/terminal-input.ts';

const ESC = '\u001b';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'performance'] }));
afterEach(() => vi.useRealTimers());

/** A terminal as Ink reads it. */
function opened() {
  const stream = new PassThrough();
  const terminal: NodeJS.ReadStream = Object.assign(stream, { setRawMode: ReadStream.prototype.setRawMode } as never);
  const replies: string[] = [];
  const dropped = vi.fn();
  const input = terminalInput(terminal, {
    onBackground: background => void replies.push(background),
    onAttributes: () => void replies.push('attributes'),
    onLinesDropped: dropped,
  });
  let keys = '';
  const take = (): void => {
    for (let part = input.stdin.read(); part !== null; part = input.stdin.read()) keys += String(part);
  };
  input.stdin.setEncoding('utf8').on('readable', take);
  const send = (text: string | Uint8Array): void => {
    stream.write(text);
    take();
  };
  const pass = (ms: number): void => {
    vi.advanceTimersByTime(ms);
    take();
  };
  const taken = (): string => {
    const before = keys;
    keys = '';
    return before;
  };
  return { send, pass, taken, replies, dropped };
}

describe('Terminal input read by Ink', () => {
  it('The terminal input passes Esc on soon, and not before its sequence could have followed', () => {
    const { send, pass, taken } = opened();
    send(ESC);
    expect(taken()).toBe('');
    pass(50);
    expect(taken()).toBe(`${ESC}[27u`);
    send(ESC);
    pass(10);
    send('[A');
    expect(taken()).toBe(`${ESC}[A`);
  });

  it('The terminal input passes no Esc on when its sequence arrived in time while the program was busy', () => {
    const { send, taken } = opened();
    send(ESC);
    // The timer is due, but what has come is read first.
    vi.advanceTimersToNextTimer();
    send('[A');
    vi.runAllTimers();
    expect(taken()).toBe(`${ESC}[A`);
  });

  it('The terminal input passes nothing of a reply on, however it is split, and reports what it says', () => {
    const { send, pass, taken, replies } = opened();
    for (const byte of Buffer.from(`j${ESC}]11;rgb:1e/1e/1e${ESC}\\${ESC}[6;2R${ESC}[<0;12;5M${ESC}[?6ck`)) {
      send(Uint8Array.of(byte));
      pass(10);
    }
    expect(taken()).toBe('jk');
    expect(replies).toEqual(['dark', 'attributes']);
  });

  it('The terminal input decodes 8-bit controls, though Ink asks for text', () => {
    const { send, taken } = opened();
    send(Uint8Array.of(0x9b, 0x41, 0x9d, 0x31, 0x9c, 0xe6, 0x9b, 0xbc));
    expect(taken()).toBe(`${ESC}[A\u66fc`);
  });

  it('The terminal input passes on an unfinished paste after a short silence, and then keys again', () => {
    const { send, pass, taken } = opened();
    send(`${ESC}[200~lost`);
    pass(400);
    expect(taken()).toBe('');
    pass(200);
    expect(taken()).toBe(`${ESC}[200~lost${ESC}[201~`);
    send('q');
    expect(taken()).toBe('q');
  });
});

describe('Unbracketed paste of several lines', () => {
  const LINES = 'first line\rq\r:quit\r';

  it('An unbracketed paste counts as keys up to the end of its first line', () => {
    const { send, taken, dropped } = opened();
    send(LINES);
    expect(taken()).toBe('first line\r');
    expect(dropped).toHaveBeenCalledTimes(1);
  });

  it.each(['\r\n', '\n', '\r'])('An unbracketed paste has lines that end with %j', end => {
    const { send, taken } = opened();
    send(`first line${end}second${end}`);
    expect(taken()).toBe(`first line${end}`);
  });

  it('An unbracketed paste also drops what follows at once, whatever it is, except Ctrl-C', () => {
    const { send, pass, taken } = opened();
    send(LINES);
    taken();
    pass(100);
    send(`q${ESC}[A\r`);
    pass(200);
    send('more');
    expect(taken()).toBe('');
    send('\u0003');
    expect(taken()).toBe('\u0003');
    pass(400);
    send('j');
    expect(taken()).toBe('j');
    send(`${LINES}\u0003`);
    expect(taken()).toBe('first line\r\u0003');
  });

  it('Lines that come at once count as keys when they are short or only one', () => {
    const { send, taken, dropped } = opened();
    for (const keys of ['jjj\rjj\rq', ':parameters\r', `:oracles\r?${ESC}[B`, 'j'.repeat(100)]) {
      send(keys);
      expect(taken()).toBe(keys);
    }
    expect(dropped).not.toHaveBeenCalled();
  });

  it('Lines that come at once are a paste when they are bracketed', () => {
    const { send, taken } = opened();
    send(`${ESC}[200~${LINES}${ESC}[201~j`);
    expect(taken()).toBe(`${ESC}[200~${LINES}${ESC}[201~j`);
  });
});
