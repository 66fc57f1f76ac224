import { UndecodableError } from '../api/errors.ts';
import { requestUrl } from '../api/request.ts';
import { contiguousSpans, readSegments, SEGMENTS_REQUEST, type Segment } from '../export/segment.ts';
import { groupDigits } from '../insight/decimal.ts';
import { sanitize } from '../text/safe-text.ts';
import type { Command } from './command.ts';
import { connect, targetOf } from './context.ts';
import { EXIT } from './exit-code.ts';
import { formatOf, quoted, writeText } from './output.ts';

export const segments: Command = {
  form: '',
  about: 'the history segments of the node, and the spans without a gap',
  flags: [],
  run: async (given, context) => {
    const format = formatOf(given);
    const { client } = await connect(await targetOf(given, context), given, context);
    const { json } = await client.get(SEGMENTS_REQUEST, context.signal);
    const list = readSegments(json);
    if (list === undefined) {
      throw new UndecodableError('the answer has no "segments"', {
        url: requestUrl(client.base, SEGMENTS_REQUEST),
        hint: 'this node may be of another version',
      });
    }
    await writeText(context.stdout, PRINT[format](list));
    if (list.length === 0) context.stderr.write('this node keeps no history segments\n');
    return EXIT.done;
  },
};

const FIELDS = [
  'fromHeight',
  'toHeight',
  'databaseVersion',
  'chainId',
  'historySegmentId',
  'previousHistorySegmentId',
] as const;

const asJson = (segment: Segment) => Object.fromEntries(FIELDS.map(field => [field, String(segment[field])]));

const PRINT = {
  json: (list: readonly Segment[]) => `${JSON.stringify(list.map(asJson), null, 2)}\n`,
  ndjson: (list: readonly Segment[]) => list.map(segment => `${JSON.stringify(asJson(segment))}\n`).join(''),
  csv: (list: readonly Segment[]) =>
    [FIELDS, ...list.map(segment => FIELDS.map(field => String(segment[field])))]
      .map(row => `${row.map(quoted).join(',')}\r\n`)
      .join(''),
  table: (list: readonly Segment[]) => {
    const spans = contiguousSpans(list).map(({ fromHeight, toHeight, segments: inside }) => {
      const count = `${inside.length} ${inside.length === 1 ? 'segment' : 'segments'}`;
      return `${groupDigits(String(fromHeight))} to ${groupDigits(String(toHeight))}: ${count} without a gap\n`;
    });
    const rows = list.map(
      segment =>
        `${String(segment.fromHeight).padStart(12)} ${String(segment.toHeight).padStart(12)}  ${sanitize(segment.databaseVersion).padStart(6)}  ${sanitize(segment.historySegmentId)}\n`,
    );
    return `${spans.join('')}\n${'FROM'.padStart(12)} ${'TO'.padStart(12)}  SCHEMA  ID\n${rows.join('')}`;
  },
};
