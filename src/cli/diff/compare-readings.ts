import { shortDuration } from '../../base/text/duration.ts';
import { joinSafe, safeLine } from '../../base/text/safe-text.ts';
import { shortenName } from '../../base/text/shorten-name.ts';
import { formatTable } from '../../base/text/text-table.ts';
import { nanosecondsToMs } from '../../base/text/time.ts';
import { errorSentence, type NodeError } from '../../chain/api/errors.ts';
import { type Json, jsonText, printJson } from '../../chain/api/json.ts';
import { countOf } from '../../chain/insight/count-of.ts';
import type { ChainSide } from '../../memory/diff/chain-side.ts';
import { compareSides } from '../../memory/diff/compare-sides.ts';
import { nodeVersion } from '../../memory/diff/node-version-comparison.ts';
import type { Differences } from '../../memory/diff/side.ts';
import { EXIT, exitCodeFor } from '../exit-code.ts';
import type { PrintedForms } from '../output.ts';
import { changeJson } from './diff-forms.ts';
import { sideJson } from './read-side.ts';

/** A node among several, or why it could not be read. */
export type NodeReading =
  | { readonly name: string; readonly side: ChainSide }
  | { readonly name: string; readonly error: NodeError };

/** A node and how it differs from the first one that could be read. */
export interface ComparedNode {
  readonly name: string;
  /** null if it could not be read. */
  readonly side: ChainSide | null;
  readonly error: string | null;
  readonly code: number;
  /** null for the first one, and for those that cannot be compared with it. */
  readonly found: Differences | null;
}

/** Compares each with the first that could be read. */
export function compareReadings(
  readings: readonly NodeReading[],
  options: { readonly wanted: (list: string) => boolean; readonly isAll: boolean },
): readonly ComparedNode[] {
  const first = readings.find(reading => 'side' in reading);
  return readings.map(reading => {
    const { name } = reading;
    if ('error' in reading) {
      const { error } = reading;
      return {
        name,
        side: null,
        error: errorSentence(error).slice(0, MAX_ERROR_LENGTH),
        code: exitCodeFor(error),
        found: null,
      };
    }
    const { side } = reading;
    if (first === undefined || reading === first) return { name, side, error: null, code: EXIT.done, found: null };
    if (side.chainId !== first.side.chainId)
      return { name, side, error: `another chain: ${shortenName(side.chainId)}`, code: EXIT.usage, found: null };
    return { name, side, error: null, code: EXIT.done, found: compareSides(first.side, side, options) };
  });
}

/** A node may answer with any text. */
const MAX_ERROR_LENGTH = 300;

/** 1 if any differs, else the exit code for one that could not be compared. */
export function nodesExitCode(nodes: readonly ComparedNode[]): number {
  if (nodes.some(({ found }) => found !== null && found.changes.length > 0)) return EXIT.different;
  const failed = nodes.find(({ code }) => code !== EXIT.done);
  if (failed !== undefined) return failed.code;
  const isUnread = nodes.some(
    ({ found }) => found !== null && (found.compared === 0 || found.notCompared.some(({ isFailure }) => isFailure)),
  );
  return isUnread ? EXIT.untrusted : EXIT.done;
}

export const nodesForms = (nodes: readonly ComparedNode[]): PrintedForms<ComparedNode> => ({
  head: () => TITLES.map(title => title.toLowerCase()),
  aligns: () => ALIGNS,
  cells: node => [nodeCells(node)],
  json: node => printJson(nodeJson(node)),
  table: some => joinSafe([formatTable(TITLES, some.map(nodeCells), ALIGNS), safeLine(nodesVerdict(nodes))]),
});

const TITLES = ['NODE', 'HEIGHT', 'LAG', 'VERSION', 'FIRST DIFFERING SEGMENT', 'DIFFERING RECORDS'];
const ALIGNS = ['left', 'right', 'right', 'left', 'left', 'left'] as const;

function nodeCells({ name, side, error, found }: ComparedNode): readonly string[] {
  const known =
    side === null
      ? ['-', '-', '-']
      : [side.blockHeight ?? 'unknown', lagText(side), shortenName(nodeVersion(side) ?? 'unknown')];
  if (error !== null) return [name, ...known, '-', error];
  return [
    name,
    ...known,
    ...(found === null ? ['-', '(the others are compared with this one)'] : differenceCells(found)),
  ];
}

function differenceCells(found: Differences): readonly [string, string] {
  const segment = firstDifferentSegment(found);
  const records = found.changes.filter(({ resource }) => resource !== 'segments');
  const byList = [...Map.groupBy(records, ({ resource }) => resource)].map(([list, some]) => `${some.length} ${list}`);
  const unread = found.notCompared.filter(({ isFailure }) => isFailure).length;
  const rest = unread === 0 ? '' : `; ${countOf(unread, 'list')} not compared`;
  const segments = found.notCompared.some(({ resource }) => resource === 'segments') ? 'unknown' : 'none';
  return [
    segment === null ? segments : `${shortenName(segment.blocks)} (${shortenName(segment.id)})`,
    `${byList.join(', ') || 'none'}${rest}`,
  ];
}

interface DifferingSegment {
  readonly blocks: string;
  /** What this node has, not the first one. */
  readonly id: string;
}

/** The earliest blocks whose segment has another id. */
function firstDifferentSegment({ changes }: Differences): DifferingSegment | null {
  const first = changes.find(
    ({ resource, change, members }) =>
      resource === 'segments' && change === 'changed' && members.some(({ path }) => path === 'historySegmentId'),
  );
  return first === undefined ? null : { blocks: first.key, id: jsonText(first.after?.historySegmentId) };
}

function lagMs({ blockTimeNs, takenMs }: ChainSide): number | null {
  const timeMs = blockTimeNs === null ? undefined : nanosecondsToMs(blockTimeNs);
  return timeMs === undefined || timeMs === null ? null : takenMs - timeMs;
}

function lagText(side: ChainSide): string {
  const ms = lagMs(side);
  if (ms === null) return 'unknown';
  return ms < 0 ? `${shortDuration(-ms)} ahead` : shortDuration(ms);
}

/** The members that docs/guides/diff.md names. */
function nodeJson({ name, side, error, found }: ComparedNode): Json {
  const ms = side === null ? null : lagMs(side);
  return {
    ...{ name, error },
    ...(side === null
      ? { node: null, chainId: null, takenAt: null, blockHeight: null, unread: [] }
      : sideWithoutSnapshot(side)),
    lagSeconds: ms === null ? null : ms / 1000,
    version: side === null ? null : nodeVersion(side),
    firstDifferingSegment: found === null ? null : segmentJson(firstDifferentSegment(found)),
    changes: found === null ? null : found.changes.map(changeJson),
  };
}

function sideWithoutSnapshot(side: ChainSide) {
  const { snapshot: _, ...rest } = sideJson(side);
  return rest;
}

const segmentJson = (segment: DifferingSegment | null): Json => segment && { ...segment };

function nodesVerdict(nodes: readonly ComparedNode[]): string {
  const compared = nodes.flatMap(({ found }) => (found === null || found.compared === 0 ? [] : [found]));
  if (compared.length === 0) return 'no two nodes could be compared';
  const differ = compared.filter(({ changes }) => changes.length > 0).length;
  const failed = nodes.filter(({ error }) => error !== null).length;
  const rest = failed === 0 ? '' : `; ${failed} not compared`;
  return differ === 0
    ? `no differences between the first node and ${countOf(compared.length, 'other')}${rest}`
    : `${differ} of ${countOf(compared.length + failed, 'other')} ${differ === 1 ? 'differs' : 'differ'} from the first node${rest}`;
}
