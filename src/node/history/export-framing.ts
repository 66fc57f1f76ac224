import { goJson } from '../gateway/go-json.ts';
import type { ExportMessage } from './export-stream.ts';

/** `zip`: the body is the archive, as from the REST gateway of deployed nodes. `json`: the messages of contract 4.2. */
export type ExportFraming = 'zip' | 'json';

type Messages = AsyncIterable<ExportMessage>;

/** The bytes of the archive; an error is appended without a separator (export-behaviour.md section 1.6). */
export async function* zipBody(messages: Messages): AsyncIterable<Uint8Array> {
  for await (const message of messages) {
    yield message.kind === 'data' ? message.bytes : Buffer.from(goJson({ error: message.failure.status }));
  }
}

/** One JSON object per line, `result` or `error`; the first result has the extensions (contract 2.7, 4.2). */
export async function* jsonBody(messages: Messages, fileName: string): AsyncIterable<Uint8Array> {
  let isFirst = true;
  for await (const message of messages) {
    yield Buffer.from(`${goJson(jsonMessage(message, isFirst ? fileName : undefined))}\n`);
    isFirst = false;
  }
}

function jsonMessage(message: ExportMessage, fileName: string | undefined) {
  if (message.kind === 'error') return { error: message.failure.status };
  const data = Buffer.from(message.bytes).toString('base64');
  const extension = { '@type': 'type.googleapis.com/google.protobuf.StringValue', value: fileName };
  return {
    result: {
      contentType: 'application/zip',
      data,
      ...(fileName === undefined ? {} : { extensions: [extension] }),
    },
  };
}
