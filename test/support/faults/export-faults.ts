import { once } from 'node:events';
import { newDeadlineFailure } from '../../../src/node/gateway/deadline.ts';
import { newInternalFailure, newLimiterFailure } from '../../../src/node/gateway/failure.ts';
import { type ArchivePlan, newOutsideHistoryFailure } from '../../../src/node/history/export-plan.ts';
import type { ExportMessage } from '../../../src/node/history/export-stream.ts';
import { withWideSizes, withWrongChecksums } from './changed-archive.ts';
import { type ExportDamage, type Fault, pause, type SegmentDamage } from './fault.ts';

/** Faults of an export, by name. */
export const EXPORT_FAULTS = {
  'error-after-archive': strikes('a segment fails half-way: a short archive, then the error', {
    segments: failHalfWay,
  }),
  'error-first-entry': strikes('the first segment fails: a CSV of 0 bytes, then the error', {
    segments: failAtOnce,
  }),
  'error-instead': strikes('the error instead of the archive, with status 200', { messages: errorInstead }),
  'cut-body': strikes('drops the connection in the middle of the body', { messages: cutBody }),
  'cut-json': strikes('whole messages, then a deadline error, without a directory', { messages: cutByDeadline }),
  'lost-rows': strikes('silently leaves out the last rows of a segment', { segments: loseTail }),
  'garbled-row': strikes('cuts a row in the middle and goes on with the next segment', { segments: garbleRow }),
  'bad-crc': strikes('a wrong CRC-32', { messages: rewritten(withWrongChecksums) }),
  stall: strikes('half a message, then nothing more', { messages: stall }),
  'slow-first-byte': {
    on: 'export',
    about: 'sends the first byte after so many seconds',
    value: { form: 'SECONDS', unit: 1000 },
    strike: { kind: 'wait' },
  },
  gzip: strikes('gzips the archive even if the client does not accept that', { isGzipped: true }),
  zip64: strikes('64-bit sizes where 32 bits are enough', { messages: rewritten(withWideSizes) }),
  'hostile-names': strikes('file names that try to leave the folder and to control the terminal', {
    entryName: name => `../../\u001b]0;${name}\u0007`,
    // C1 control characters are the only ones allowed in a header.
    fileName: name => `../../../tmp/\u009b31m${name}`,
  }),
  'rate-limited': strikes('429: too many streams from one address', {
    refusal: () => newLimiterFailure(8, 'client reached max subscription allowed'),
  }),
  'refused-range': strikes('400: not a range of the history', { refusal: newOutsideHistoryFailure }),
  'json-stream': strikes('JSON messages with the archive in base64', { framing: 'json' }),
} as const satisfies Readonly<Record<string, Fault>>;

function strikes(about: string, damage: ExportDamage): Fault {
  return { on: 'export', about, strike: { kind: 'export', damage } };
}

/** Enough for a nearby client to read what was sent: cutting a connection discards unread bytes. */
const READING_MS = 50;

type Messages = AsyncIterable<ExportMessage>;

/** The connection ends in the middle of a message, without the final HTTP chunk. */
async function* cutBody(messages: Messages, signal: AbortSignal): Messages {
  yield* halfOfFirst(messages);
  await pause(READING_MS, signal);
  throw new Error('the connection is cut on request');
}

/** Nothing more is sent and nothing ends until the client or the node goes away. */
async function* stall(messages: Messages, signal: AbortSignal): Messages {
  yield* halfOfFirst(messages);
  if (!signal.aborted) await once(signal, 'abort');
}

/** A deadline in the service: whole messages, then the error, without a directory (export-behaviour.md section 1.6). */
async function* cutByDeadline(messages: Messages): Messages {
  let first: ExportMessage | undefined;
  let isOnly = true;
  for await (const message of messages) {
    isOnly = first === undefined;
    if (!isOnly) break;
    first = message;
  }
  // If the export is a single message, send half of it: otherwise nothing would come before the error.
  if (first) yield isOnly ? half(first) : first;
  yield { kind: 'error', failure: newDeadlineFailure() };
}

/** The error instead of the archive, with the status and headers of success. */
async function* errorInstead(): Messages {
  yield { kind: 'error', failure: extractFailure('error opening zip file reader for history segment:EOF') };
}

/** The whole archive in one message, changed. */
function rewritten(change: (archive: Buffer) => Buffer): NonNullable<ExportDamage['messages']> {
  return async function* (messages) {
    const archive: Uint8Array[] = [];
    for await (const message of messages) if (message.kind === 'data') archive.push(message.bytes);
    yield { kind: 'data', bytes: change(Buffer.concat(archive)) };
  };
}

async function* halfOfFirst(messages: Messages): Messages {
  for await (const message of messages) {
    yield half(message);
    return;
  }
}

function half(message: ExportMessage): ExportMessage {
  if (message.kind === 'error') return message;
  return { kind: 'data', bytes: message.bytes.subarray(0, Math.ceil(message.bytes.length / 2)) };
}

/** The error for segment data that cannot be read (export-behaviour.md section 1.6). */
function extractFailure(inner: string) {
  return newInternalFailure(10000, 'failed to extract data from network history segment file', inner);
}

/** The middle segment of the range fails after half its rows; later segments are not read. */
function failHalfWay({ entries }: ArchivePlan): SegmentDamage {
  const segments = entries.flatMap(entry => entry.segments);
  const failing = segments[segments.length >> 1];
  return function* (lines, segment) {
    if (segment !== failing) return yield* lines;
    const all = [...lines];
    yield* all.slice(0, all.length >> 1);
    throw extractFailure('error opening zip file reader for history segment:zip: checksum error');
  };
}

/** The first segment lacks the table, so the CSV has no header. */
function failAtOnce({ table }: ArchivePlan): SegmentDamage {
  return () => {
    throw extractFailure(`table file '${table}' not found in segment`);
  };
}

/**
 * A line over 65,535 bytes silently ends the copy of its segment; the next segment follows (export-behaviour.md section
 * 1.7).
 */
function loseTail(): SegmentDamage {
  return firstSegmentWithRows(all => all.slice(0, all.length >> 1));
}

/**
 * A read error inside a segment: the part of the row that was read becomes a row, and the next segment follows
 * (export-behaviour.md section 1.7).
 */
function garbleRow(): SegmentDamage {
  return firstSegmentWithRows(all => {
    const broken = all[all.length >> 1] ?? '';
    // Cut after one letter of the second column, which is never NULL and never the last.
    const shortRow = `${broken.slice(0, broken.indexOf(',') + 2)}\n`;
    return [...all.slice(0, all.length >> 1), shortRow];
  });
}

/** Changes the first segment with enough rows; only the busy tables have rows in every segment. */
function firstSegmentWithRows(change: (lines: readonly string[]) => readonly string[]): SegmentDamage {
  let isDone = false;
  return lines => {
    if (isDone) return lines;
    const all = [...lines];
    isDone = all.length >= 2;
    return isDone ? change(all) : all;
  };
}
