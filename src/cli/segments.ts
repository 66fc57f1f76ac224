import { joinSafe, type SafeText, safeLine } from '../base/text/safe-text.ts';
import type { RecordsToSerialise } from '../base/text/serialise.ts';
import { formatTable } from '../base/text/text-table.ts';
import type { Client } from '../chain/api/client.ts';
import { SEGMENTS_REQUEST } from '../chain/api/core-status.ts';
import { isNotServed, MissingHistoryError, NotInSnapshotError, UndecodableError } from '../chain/api/errors.ts';
import type { Reply } from '../chain/api/reply.ts';
import { addressWithoutLogin, requestUrl } from '../chain/api/request.ts';
import { countOf } from '../chain/insight/count-of.ts';
import { HISTORY_MARKS, historyLegend, historyLine } from '../chain/range/history-line.ts';
import { listedBoundaries } from '../chain/range/segment-boundaries.ts';
import {
  type History,
  readSegmentHistory,
  type Segment,
  segmentNotes,
  unreadableSegmentsText,
} from '../chain/range/segment-history.ts';
import { queryWitnesses, witnessLines } from '../chain/range/witnesses.ts';
import type { Command } from './command.ts';
import { connectToChosenNode } from './connect-to-node.ts';
import { type Context, connect, targetByName } from './context.ts';
import { EXIT } from './exit-code.ts';
import { CONNECTION_AND_SNAPSHOT_FLAGS, type ParsedFlags } from './flags.ts';
import { FORMATS, type PrintedForms, printAll, readFormat } from './output.ts';
import type { Sink } from './sink.ts';

export const segments: Command = {
  group: 'Export history',
  form: '',
  about:
    'list the history segments of the node and their gaps. Repeat --node to compare segment lists. The exit code is 5 if the segments do not form one chain, and 1 if another node of the chain reports a different history',
  examples: ['segments', 'segments -o csv'],
  flags: [],
  uses: [...CONNECTION_AND_SNAPSHOT_FLAGS, 'output'],
  asksSeveral: true,
  run: async (given, context) => {
    const format = readFormat(given, FORMATS);
    const { client } = await connectToChosenNode(given, context);
    const reply = await requestSegments(client, context.signal);
    const history = readSegmentHistory(reply);
    const flaw = unreadableSegmentsText(reply.json);
    if (history === undefined || flaw !== undefined) {
      throw new UndecodableError(flaw ?? 'the answer has no "segments"', {
        url: requestUrl(client.base, SEGMENTS_REQUEST),
        hint: 'this node may run another version',
      });
    }
    const list = history.segments;
    await printAll(format, segmentForms(history, context.stdout), context.stdout);
    // A table has them above it.
    if (format !== 'table')
      for (const note of segmentNoteTexts(history)) await context.stderr.safe(safeLine(`note: ${note}`));
    if (list.length === 0) await context.stderr.safe(safeLine('this node has no history segments'));
    const { lines, isOther } = await comparison(list, given, context);
    for (const line of lines) await context.stderr.safe(safeLine(`note: ${line}`));
    if (history.breaks.length > 0 || history.chains.length > 1) return EXIT.untrusted;
    return isOther ? EXIT.different : EXIT.done;
  },
};

/** Throws NodeError, with advice where the node has no such operation. */
async function requestSegments(client: Client, signal: AbortSignal): Promise<Reply> {
  try {
    return await client.get(SEGMENTS_REQUEST, signal);
  } catch (error) {
    throw isNotServed(error) && !(error instanceof NotInSnapshotError) ? new MissingHistoryError(error) : error;
  }
}

/** Whether the other given nodes list the same segments, in sentences; and whether any reports a different history. */
async function comparison(
  list: readonly Segment[],
  given: ParsedFlags,
  context: Context,
): Promise<{ readonly lines: readonly string[]; readonly isOther: boolean }> {
  const [first, last] = [list[0], list.at(-1)];
  if (first === undefined || last === undefined) return { lines: [], isOther: false };
  const nodes = await Promise.all(
    given
      .texts('node')
      .slice(1)
      .map(async name => {
        const target = await targetByName(name, given, context);
        const { client } = await connect(target, given, context);
        return { name: target.label === '' ? addressWithoutLogin(name) : target.label, client };
      }),
  );
  const range = { from: first.fromHeight, to: last.toHeight };
  const witnesses = await queryWitnesses(nodes, { boundaries: listedBoundaries(list), range }, context.signal);
  const others = nodes.filter(({ name }) => witnesses.every(({ node }) => node !== name));
  return {
    lines: [...witnessLines(witnesses), ...others.map(({ name }) => `${name} is of another chain`)],
    isOther: witnesses.some(({ differs }) => differs !== null),
  };
}

const FIELDS = [
  'fromHeight',
  'toHeight',
  'databaseVersion',
  'chainId',
  'historySegmentId',
  'previousHistorySegmentId',
] as const;

const segmentForms = (history: History, stdout: Sink): RecordsToSerialise<Segment> & PrintedForms<Segment> => ({
  records: history.segments,
  head: () => FIELDS,
  cells: segment => [FIELDS.map(field => String(segment[field]))],
  json: segment => JSON.stringify(Object.fromEntries(FIELDS.map(field => [field, String(segment[field])]))),
  table: () => historyText(history, stdout),
});

function historyText(history: History, stdout: Sink): SafeText {
  const { segments: list } = history;
  const spans = history.spans.map(
    ({ from, to, segments: inside }) => `${from} to ${to}: ${countOf(inside.length, 'segment')} without a gap`,
  );
  const above = [...spans, ...segmentNoteTexts(history), ...historyStrip(list, stdout), ''];
  const rows = list.map(({ fromHeight, toHeight, databaseVersion, historySegmentId }) =>
    [fromHeight, toHeight, databaseVersion, historySegmentId].map(String),
  );
  return joinSafe([
    ...above.map(safeLine),
    formatTable(['FROM', 'TO', 'SCHEMA', 'ID'], rows, ['right', 'right', 'right', 'left']),
  ]);
}

const segmentNoteTexts = (history: History): readonly string[] =>
  segmentNotes(history).map(({ label, text }) => `${label}: ${text}`);

/** The history as one line of a terminal, in ASCII. */
function historyStrip(list: readonly Segment[], { isTerminal, columns = 80 }: Sink): readonly string[] {
  const boundaries = listedBoundaries(list);
  const ends = isTerminal ? historyLine(boundaries, null, 1) : null;
  if (ends === null) return [];
  const cells = columns - `${ends.first}  ${ends.last}`.length - 1;
  const history = historyLine(boundaries, null, Math.max(10, cells));
  if (history === null) return [];
  const drawn = history.cells.map(cell => HISTORY_MARKS.ascii[cell]).join('');
  const legend = historyLegend(history, HISTORY_MARKS.ascii);
  return [`${ends.first} ${drawn} ${ends.last}`, ...(legend === '' ? [] : [legend])];
}
