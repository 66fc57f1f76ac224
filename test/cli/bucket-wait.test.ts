import { expect, it } from 'vitest';
import { waitProgress } from '../../src/cli/bucket-place.ts';
import { sinkTo } from '../../src/cli/sink.ts';
import { TextStream } from './run-command.ts';

it('a store that does not answer is counted down in one line of a terminal, and nowhere else', () => {
  for (const isTerminal of [true, false]) {
    const stream = new TextStream(isTerminal);
    const tell = waitProgress({ stderr: sinkTo(stream) });
    tell({ host: 's3.example.org', attempt: 2, attempts: 4, leftMs: 11_400 });
    tell(null);
    const line = '\r\u001b[Kwaiting for the store, try 2 of 4, 12 s left: s3.example.org has not answered';
    expect(stream.text).toBe(isTerminal ? `${line}\r\u001b[K` : '');
  }
});

it('has no number of tries where there is one', () => {
  const stream = new TextStream(true);
  waitProgress({ stderr: sinkTo(stream) })({ host: 'h', attempt: 1, attempts: 1, leftMs: 1 });
  expect(stream.text).toBe('\r\u001b[Kwaiting for the store, 1 s left: h has not answered');
});
