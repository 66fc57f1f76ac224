import { once } from 'node:events';
import { deadlineFailure } from '../gateway/deadline.ts';
import type { ExportMessage } from '../history/export-stream.ts';
import { extractFailure } from './broken-segment.ts';
import { pause } from './pause.ts';

/** Enough for a nearby client to read what was sent: cutting a connection discards unread bytes. */
const READING_MS = 50;

type Messages = AsyncIterable<ExportMessage>;

/** The connection ends in the middle of a message, without the final HTTP chunk. */
export async function* cutBody(messages: Messages, signal: AbortSignal): Messages {
  yield* halfOfFirst(messages);
  await pause(READING_MS, signal);
  throw new Error('the connection is cut on request');
}

/** Nothing more is sent and nothing ends until the client or the node goes away. */
export async function* stall(messages: Messages, signal: AbortSignal): Messages {
  yield* halfOfFirst(messages);
  if (!signal.aborted) await once(signal, 'abort');
}

/** A deadline in the service: whole messages, then the error, without a directory (export-behaviour.md section 1.6). */
export async function* cutByDeadline(messages: Messages): Messages {
  let first: ExportMessage | undefined;
  let isOnly = true;
  for await (const message of messages) {
    isOnly = first === undefined;
    if (!isOnly) break;
    first = message;
  }
  // If the export is a single message, send half of it: otherwise nothing would come before the error.
  if (first) yield isOnly ? half(first) : first;
  yield { kind: 'error', failure: deadlineFailure() };
}

/** The error instead of the archive, with the status and headers of success. */
export async function* errorInstead(): Messages {
  yield { kind: 'error', failure: extractFailure('error opening zip file reader for history segment:EOF') };
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
