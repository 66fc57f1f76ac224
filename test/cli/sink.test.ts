import { describe, expect, it } from 'vitest';
import { safeLine, safeText, sanitize } from '../../src/base/text/safe-text.ts';
import type { Command } from '../../src/cli/command.ts';
import { createSink, type Sink } from '../../src/cli/sink.ts';
import { TextStream } from './run-command.ts';

const TITLE = '\u001b]0;pwned\u0007';

describe('Sink', () => {
  it('A sink writes sanitised text to a terminal and the exact bytes to a pipe', async () => {
    const written = await Promise.all(
      [true, false].map(async isTerminal => {
        const stream = new TextStream(isTerminal);
        await createSink(stream).data(TITLE, sanitize);
        return stream.text;
      }),
    );
    expect(written).toEqual(['␛]0;pwned␇', TITLE]);
  });

  it('A sink overwrites its progress line on a terminal only', () => {
    for (const [isTerminal, text] of [
      [true, '\r\u001b[K1 MB\r\u001b[K'],
      [false, ''],
    ] as const) {
      const stream = new TextStream(isTerminal);
      const sink = createSink(stream);
      sink.progress('1 MB');
      sink.progress('');
      expect(stream.text).toBe(text);
    }
  });

  it('A sink sanitises its progress line, and cuts it when the terminal would wrap it', () => {
    const stream = Object.assign(new TextStream(true), { columns: 10 });
    createSink(stream).progress(`${TITLE} and more`);
    expect(stream.text).toBe('\r\u001b[K\u241b]0;pwne\u2026');
  });

  it('A sink limited to ASCII writes text and progress in ASCII, and data as it is', async () => {
    for (const isTerminal of [true, false]) {
      const stream = new TextStream(isTerminal);
      const sink = createSink(stream, { isAscii: async () => true });
      await sink.safe(safeText`5 \u2588\u258f \u2026\n`);
      await sink.data('\u00e9', sanitize);
      sink.progress('x'.repeat(200));
      expect(stream.text).toBe(`5 #- ~\n\u00e9${isTerminal ? `\r\u001b[K${'x'.repeat(78)}~` : ''}`);
    }
  });

  it('A sink writes no progress line when the cursor cannot be placed', () => {
    const stream = new TextStream(true);
    createSink(stream, { hasCursor: false }).progress('1 MB');
    expect(stream.text).toBe('');
  });

  it('A sink waits for a slow reader', async () => {
    const stream = new TextStream();
    const release = stream.hold();
    const writing = Array.from({ length: 3 }, () => createSink(stream).safe(safeLine('x'.repeat(100_000))));
    const first = await Promise.race([...writing, Promise.resolve('waits')]);
    release();
    await Promise.all(writing);
    expect(first).toBe('waits');
    expect(stream.text.length).toBe(300_003);
  });

  it('A sink writes a long text in chunks that split no character', async () => {
    for (const before of [0, 1]) {
      const sizes: number[] = [];
      let written = '';
      const stream = new TextStream();
      stream.write = chunk => {
        sizes.push(chunk.length);
        written += Buffer.from(String(chunk)).toString();
        return true;
      };
      const long = `${'x'.repeat(before)}${'\u{1f600}'.repeat(1_500_000)}`;
      await createSink(stream).data(long, sanitize);
      expect(written === long).toBe(true);
      expect(Math.max(...sizes)).toBeLessThan(1_100_000);
    }
  });

  it('A sink accepts no plain string: the compiler rejects it', () => {
    // Each expectation fails the type check as soon as the compiler lets its line pass; nothing here is run.
    const refused = (sink: Sink, command: Parameters<Command['run']>[1], text: string) => [
      // @ts-expect-error: a plain string is not safe
      sink.safe(text),
      // @ts-expect-error: nor is what was put together of safe parts and others
      sink.safe(`${sanitize(text)}${text}`),
      // @ts-expect-error: nor joined parts
      sink.safe([sanitize(text)].join('')),
      // @ts-expect-error: a template takes safe values only
      sink.safe(safeText`${text}`),
      // @ts-expect-error: data needs a way to be shown
      sink.data(text),
      // @ts-expect-error: which makes it safe
      sink.data(text, exact => exact),
      // @ts-expect-error: a command has no stream to write to
      command.stdout.write,
      // @ts-expect-error: not for errors either
      command.stderr.write,
    ];
    expect(refused).toBeTypeOf('function');
  });
});
