import { joinWithAnd } from '../../base/text/join-words.ts';
import { shortenName } from '../../base/text/shorten-name.ts';
import type { Client } from '../api/client.ts';
import { SEGMENTS_REQUEST } from '../api/core-status.ts';
import { errorSentence, isNotServed, NodeError } from '../api/errors.ts';
import type { Range } from '../insight/range.ts';
import type { Boundaries } from './segment-boundaries.ts';
import { readSegmentHistory, type Segment } from './segment-history.ts';

/**
 * The segments that another node of the chain lists for a range. Ids identify content, so equal ids mean that both nodes
 * list the same history; they do not prove that either node has it, or that it is true.
 */
export interface Witness {
  /** Name of its profile. */
  readonly node: string;
  /** Segments of the range that both list, with the same id. */
  readonly same: number;
  /** All segments of the range. */
  readonly of: number;
  /** The first segment for which the nodes name different ids; null if there is none. */
  readonly differs: Difference | null;
  /** Why it could not be compared; null if it was. */
  readonly problem: string | null;
}

/** Heights are decimal text. */
interface Difference {
  readonly fromBlock: string;
  readonly toBlock: string;
  /** The id that the exporting node names. */
  readonly id: string;
  readonly otherId: string;
}

/** A node that may be asked. */
export interface WitnessNode {
  readonly name: string;
  readonly client: Pick<Client, 'get'>;
}

/** A node that takes longer must not hold up an export. */
const MAX_WAIT_MS = 4000;

/**
 * Asks other nodes for their segments, once each and all at the same time. Nodes of another chain are left out.
 * Rejects only when aborted.
 */
export async function queryWitnesses(
  nodes: readonly WitnessNode[],
  { boundaries, range }: { readonly boundaries: Boundaries; readonly range: Range },
  signal: AbortSignal,
): Promise<readonly Witness[]> {
  if (boundaries.kind === 'rule') return [];
  const { segments, chainId } = boundaries;
  const own = segments.filter(({ fromHeight, toHeight }) => fromHeight >= range.from && toHeight <= range.to);
  if (own.length === 0 || chainId === '') return [];
  const asked = await Promise.all(nodes.map(node => queryWitness(node, { own, chainId }, signal)));
  return asked.filter(witness => witness !== undefined);
}

async function queryWitness(
  { name, client }: WitnessNode,
  { own, chainId }: { readonly own: readonly Segment[]; readonly chainId: string },
  signal: AbortSignal,
): Promise<Witness | undefined> {
  const late = AbortSignal.timeout(MAX_WAIT_MS);
  const silent = (problem: string): Witness => ({ node: name, same: 0, of: own.length, differs: null, problem });
  try {
    const reply = await client.get(SEGMENTS_REQUEST, AbortSignal.any([signal, late]), { isOnce: true });
    const history = readSegmentHistory(reply);
    if (history === undefined || history.unreadable > 0) return silent('the list of segments cannot be read');
    if (history.segments.length === 0) return silent('no segments are listed');
    if (history.chains.every(chain => chain !== chainId)) return undefined;
    const others = history.segments.filter(segment => segment.chainId === chainId);
    return { node: name, ...compareSegments(own, others), of: own.length, problem: null };
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) return silent(`no answer within ${MAX_WAIT_MS / 1000} s`);
    if (isNotServed(error)) return silent('no segments are listed');
    if (error instanceof NodeError) return silent(errorSentence(error));
    throw error;
  }
}

/** Compares the segments of a range with those of another node of the same chain, both given in order of their first blocks. */
export function compareSegments(
  own: readonly Segment[],
  others: readonly Segment[],
): Pick<Witness, 'same' | 'differs'> {
  const named = Map.groupBy(others, segmentKey);
  const reaching = furthestSegmentSoFar(others);
  let same = 0;
  let differs: Difference | null = null;
  let [begun, other]: [number, Segment | undefined] = [0, undefined];
  for (const segment of own) {
    const { fromHeight, toHeight, historySegmentId: id } = segment;
    const alike = named.get(segmentKey(segment)) ?? [];
    // A node that names several ids for the same blocks agrees with any, so it is taken at the one that differs.
    const otherId = alike.find(({ historySegmentId }) => historySegmentId !== id);
    for (; (others[begun]?.fromHeight ?? toHeight + 1n) <= toHeight; begun++) other = reaching[begun];
    const unlike =
      otherId ?? (alike.length === 0 && other !== undefined && other.toHeight >= fromHeight ? other : null);
    if (unlike !== null)
      differs ??= {
        ...{ fromBlock: String(fromHeight), toBlock: String(toHeight) },
        ...{ id: id.slice(0, MAX_SEGMENT_ID_LENGTH), otherId: unlike.historySegmentId.slice(0, MAX_SEGMENT_ID_LENGTH) },
      };
    else if (alike.length > 0) same++;
  }
  return { same, differs };
}

const segmentKey = ({ fromHeight, toHeight }: Segment): string => `${fromHeight} ${toHeight}`;

/** For each segment the one with the highest end, of those up to it. */
function furthestSegmentSoFar(segments: readonly Segment[]): readonly Segment[] {
  let furthest: Segment | undefined;
  return segments.map(segment => {
    if (furthest === undefined || segment.toHeight > furthest.toHeight) furthest = segment;
    return furthest;
  });
}

/** The address with one name for this computer: a node must not be its own witness under another. */
export const unifyLoopbackHost = (address: string): string =>
  address.replace(/\/\/(?:localhost|\[::1\])(?=[:/]|$)/, '//127.0.0.1');

/** Ids have some 60 characters. */
const MAX_SEGMENT_ID_LENGTH = 200;

/** What the other nodes name, a sentence each; those that agree share one, as do those that were not compared for one reason. */
export function witnessLines(witnesses: readonly Witness[]): readonly string[] {
  const agreeing = witnesses.filter(({ same, of, problem }) => problem === null && same === of);
  const others = witnesses.filter(({ problem }) => problem === null).filter(witness => !agreeing.includes(witness));
  const silent = Map.groupBy(witnesses, ({ problem }) => problem);
  const [first] = agreeing;
  const names = agreeing.map(({ node }) => node);
  return [
    ...(first === undefined
      ? []
      : [`${listNames(names)} ${names.length === 1 ? 'reports' : 'report'} the same history for these blocks`]),
    ...others.map(notComparedLine),
    ...[...silent].flatMap(([problem, all]) => {
      if (problem === null) return [];
      return [
        `${listNames(all.map(({ node }) => node))} ${all.length === 1 ? 'was' : 'were'} not compared: ${problem}`,
      ];
    }),
  ];
}

function notComparedLine({ node, same, of, differs }: Witness): string {
  if (differs !== null) {
    const { fromBlock, toBlock, id, otherId } = differs;
    return `${node} reports a different history: for blocks ${fromBlock} to ${toBlock} segment ${shortenName(otherId)}, this node ${shortenName(id)}`;
  }
  return same === 0
    ? `${node} lists none of these segments`
    : `${node} reports the same history for ${same} of these ${of} segments, and does not list the rest`;
}

function listNames(names: readonly string[]): string {
  if (names.length > MAX_LISTED_NODES)
    return `${names.slice(0, MAX_LISTED_NODES - 1).join(', ')} and ${names.length - MAX_LISTED_NODES + 1} more`;
  return joinWithAnd(names);
}

/** The files saved with an export list all nodes. */
const MAX_LISTED_NODES = 4;
