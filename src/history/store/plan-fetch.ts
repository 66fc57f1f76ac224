import { basename, join } from 'node:path';
import { joinWithOr } from '../../base/text/join-words.ts';
import { shortenName } from '../../base/text/shorten-name.ts';
import type { Client } from '../../chain/api/client.ts';
import { NodeError, RefusedError } from '../../chain/api/errors.ts';
import { shownAddress } from '../../chain/api/request.ts';
import { askChain } from '../../chain/directory/ask-chain.ts';
import { countOf } from '../../chain/insight/count-of.ts';
import { type Range, rangeLabel } from '../../chain/insight/range.ts';
import { availableRanges } from '../../chain/range/resolve-range.ts';
import { type Boundaries, fetchBoundaries, listedBoundaries } from '../../chain/range/segment-boundaries.ts';
import { breaksInRange, breaksText } from '../../chain/range/segment-links.ts';
import { DestinationError } from '../plan/destination-error.ts';
import { proposeSliceLength } from '../plan/slices.ts';
import { readChainRecord } from './chain-file.ts';
import { type ChainHistory, findNamedFolder, listHistories, type StoredTable } from './chain-history.ts';
import { savedEpochs } from './covers-range.ts';
import { type FetchRange, findRange, isFromStart, namedHeights } from './find-range.ts';
import { chainFolderName } from './history-root.ts';
import {
  blocksWithoutSegment,
  type FetchOrder,
  missingSlices,
  type PlannedSlice,
  segmentsInRange,
} from './missing-slices.ts';
import { haveAccounts, NAMING_SOURCES, withNamingTables } from './purposes.ts';
import { conflictText, type HistoryMatch, matchHistory } from './same-history.ts';
import { type FoundBlocks, foundSegments, ROUND_BLOCKS, SEARCHED_BLOCKS, searchBlocks } from './search-blocks.ts';
import { unrecordedFiles } from './unrecorded-files.ts';

export interface FetchOptions {
  readonly client: Client;
  /** The folder of all histories. */
  readonly root: string;
  /** Ids of exported tables, in the order in which they are fetched. */
  readonly tables: readonly string[];
  /** Only these tables: not those that name the assets and markets of a node without lists of them. */
  readonly isExact?: boolean;
  /** All segments of the node by default. Ends within a segment are widened to whole ones. */
  readonly range?: FetchRange | undefined;
  readonly order?: FetchOrder;
  /** The expected chain. Also assumed for a node that does not report its chain: then every CSV must have its id. */
  readonly chain?: string | undefined;
  /** Segments in a slice of a new history, instead of what its length suggests. */
  readonly sliceSegments?: number;
  readonly signal: AbortSignal;
  readonly nowMs?: () => number;
}

/** What a fetch would bring. Notes and problems may hold words of the node. */
export interface FetchPlan {
  readonly root: string;
  readonly chainId: string;
  readonly genesisTime: string | null;
  /** Of the history on disk; it need not exist yet. */
  readonly folder: string;
  readonly history: ChainHistory | undefined;
  readonly boundaries: Boundaries;
  /** Where its segments are: those it lists, else those that were found. */
  readonly ground: Boundaries;
  /** The blocks of the segments in the range; null if there are none. */
  readonly range: Range | null;
  readonly sliceSegments: number;
  readonly order: FetchOrder;
  readonly tables: readonly PlannedTable[];
  /** Tables that a fetch of accounts from this node includes. */
  readonly naming: readonly string[];
  /** Of all tables together. */
  readonly segments: { readonly missing: number; readonly of: number };
  /** Of the missing slices, judged by those on disk; null if a table has too few. */
  readonly estimatedBytes: number | null;
  /** By the last fetch from this node. */
  readonly estimatedMs: number | null;
  readonly notes: readonly string[];
  /** Why nothing can be fetched. */
  readonly problem?: FetchProblem;
}

export interface FetchProblem {
  readonly kind: 'other-history' | 'range' | 'no-history' | 'damaged';
  readonly text: string;
  /** The flags that mend it. */
  readonly flags?: string;
}

export interface PlannedTable {
  readonly table: string;
  /** In the order in which they are fetched. */
  readonly missing: readonly PlannedSlice[];
  /** Undefined when it has no slice yet. */
  readonly onDisk: StoredTable | undefined;
  /** Null when it has too few segments on disk. */
  readonly estimatedBytes: number | null;
}

/** Asks the node for its segments and chain, and compares them with the disk. Throws NodeError or DestinationError. */
export async function planFetch(options: FetchOptions): Promise<FetchPlan> {
  const { client, root, signal, order = 'newest-first' } = options;
  const { boundaries: listed, hint } = await fetchBoundaries(client, signal);
  const problems: string[] = [];
  const histories = await listHistories(root, problem => problems.push(problem));
  const named = findNamedFolder(histories, options.chain);
  const wantedChain = named?.chainId ?? options.chain;
  const said = await fetchChainName({ ...options, chain: wantedChain }, listed);
  const found =
    listed.kind === 'rule' ? await searchBlocks({ client, signal, ends: namedHeights(options.range) }) : undefined;
  const chain = { ...said, chainId: found?.chainId ?? said.chainId };
  const boundaries = segmentsOf(chain.chainId, listed);
  const ground = found === undefined ? boundaries : listedBoundaries(foundSegments(found));
  const segments = boundaries.kind === 'rule' ? [] : boundaries.segments;
  const known = named === undefined ? histories : [named];
  const match = matchHistory(known, { chainId: chain.chainId, genesisTime: chain.genesisTime, segments });
  const history = match.kind === 'none' ? undefined : match.history;
  const groundSegments = ground.kind === 'rule' ? 0 : ground.segments.length;
  const sliceSegments = history?.sliceSegments ?? options.sliceSegments ?? proposedSegments(groundSegments);
  const empty = {
    ...{ root, chainId: chain.chainId, genesisTime: chain.genesisTime, history, boundaries, ground, order },
    sliceSegments,
    folder: history?.folder ?? join(root, freeFolderName(chain.chainId, histories)),
  };
  const damage = damageProblem(empty.folder);
  const notes = [
    ...(found !== undefined ? foundNotes(found) : hint === null ? [] : [hint]),
    ...problems.filter(text => text !== damage?.text),
    ...(history?.problems ?? []),
    ...otherChainNotes(listed, chain.chainId),
    ...matchNotes(match, boundaries),
    ...movedAddressNotes(histories, chain.chainId, shownAddress(client.base)),
  ];
  const problem =
    findProblem(match, { ...chain, wanted: wantedChain }, listed) ?? otherFolderProblem(match, named) ?? damage;
  if (problem !== undefined) return { ...empty, ...NOTHING, notes, problem };
  const located = await findRange(options, ground, {
    isSearched: found !== undefined,
    epochs: history === undefined ? [] : savedEpochs(history.folder),
  });
  if ('problem' in located) return { ...empty, ...NOTHING, notes, problem: { kind: 'range', ...located.problem } };
  const { range } = located;
  const wanted = segmentsInRange(ground, range);
  const [first, last] = [wanted[0], wanted.at(-1)];
  if (first === undefined || last === undefined) {
    const text = `this node has no segment in blocks ${rangeLabel(range)}; ${availableRanges(ground)}`;
    return { ...empty, ...NOTHING, notes: [...notes, ...located.notes], problem: { kind: 'range', text } };
  }
  const whole = { from: first.fromHeight, to: last.toHeight };
  const broken = boundaries.kind === 'rule' ? undefined : breaksText(breaksInRange(boundaries.breaks, whole));
  if (broken !== undefined)
    return {
      ...empty,
      ...NOTHING,
      notes,
      problem: {
        kind: 'other-history',
        text: `${broken}. Nothing was fetched: choose a range on one side, or another node`,
        flags: '--from and --to',
      },
    };
  const naming = await namingTables(options, listed);
  const tables = withNamingTables(options.tables, naming);
  const added = tables.filter(table => !options.tables.includes(table));
  const planned = await Promise.all(
    tables.map(async table => {
      const onDisk = history?.tables.find(stored => stored.table === table);
      const stored = onDisk?.ranges ?? [];
      const unrecorded = await unrecordedFiles(join(empty.folder, table), stored, { table, chainId: chain.chainId });
      const { slices, crossing } = missingSlices(wanted, stored, { sliceSegments, order, unrecorded });
      return { table, missing: slices, onDisk, crossing, estimatedBytes: estimateBytes(slices, onDisk, ground) };
    }),
  );
  const missing = planned.reduce((sum, { missing }) => sum + countSegments(missing), 0);
  const estimatedBytes = sumOrNull(planned.map(table => table.estimatedBytes));
  const rate = history?.nodes.find(({ address }) => address === shownAddress(client.base))?.bytesPerS ?? null;
  return {
    ...empty,
    range: whole,
    tables: planned.map(({ crossing: _, ...table }) => table),
    naming,
    segments: { missing, of: wanted.length * tables.length },
    estimatedBytes,
    estimatedMs: rate === null || rate === 0 || estimatedBytes === null ? null : (estimatedBytes / rate) * 1000,
    notes: [
      ...notes,
      ...located.notes,
      ...(added.length === 0
        ? []
        : [
            `this node does not list assets and markets, so ${added.join(' and ')} ${added.length === 1 ? 'is' : 'are'} fetched too, which ${added.length === 1 ? 'names' : 'name'} them`,
          ]),
      ...withoutSegmentNotes(
        wanted,
        { from: found !== undefined ? whole.from : isFromStart(options.range) ? 1n : range.from, to: whole.to },
        planned,
      ),
      ...planned.flatMap(({ table, crossing }) => crossingNotes(table, crossing)),
    ],
  };
}

/** Tables that are fetched with those of accounts, so that these can be computed; none where the node lists what they name. */
async function namingTables(
  { client, tables, isExact = false, signal }: FetchOptions,
  listed: Boundaries,
): Promise<readonly string[]> {
  const isNeeded = !isExact && listed.kind === 'rule' && haveAccounts(tables);
  return isNeeded && !(await listsAssets(client, signal)) ? NAMING_SOURCES : [];
}

async function listsAssets(client: Client, signal: AbortSignal): Promise<boolean> {
  try {
    await client.get({ path: 'api/v2/assets', query: [['pagination.first', '1']] }, signal);
    return true;
  } catch (error) {
    if (error instanceof RefusedError) return false;
    throw error;
  }
}

const NOTHING = {
  ...{ range: null, tables: [], naming: [], segments: { missing: 0, of: 0 } },
  ...{ estimatedBytes: null, estimatedMs: null },
} as const;

/** A killed fetch loses at most one slice, so slices are short however long the history; but each is a file and a request. */
const proposedSegments = (segments: number): number =>
  Math.min(100, Math.max(10, proposeSliceLength(BigInt(segments))));

export const countSegments = (slices: readonly PlannedSlice[]): number =>
  slices.reduce((sum, { segments }) => sum + segments, 0);

const sumOrNull = (counts: readonly (number | null)[]): number | null =>
  counts.includes(null) ? null : counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);

/** The chain of the segments, with its genesis; of the core where the node lists none. */
async function fetchChainName(
  { client, signal, chain = '' }: FetchOptions,
  boundaries: Boundaries,
): Promise<NamedChain> {
  const listed = boundaries.kind === 'rule' ? '' : boundaries.chainId;
  try {
    const { chainId, genesisTime } = await askChain(client, boundaries.kind === 'rule' ? ['name'] : [], signal);
    const coreChainId = chainId ?? '';
    return { chainId: listed || coreChainId || chain, genesisTime, coreChainId };
  } catch (error) {
    signal.throwIfAborted();
    // A core that does not answer leaves its genesis unknown.
    if (!(error instanceof NodeError) || error.kind !== 'refused') throw error;
    return { chainId: listed || chain, genesisTime: null, coreChainId: '' };
  }
}

interface NamedChain {
  readonly chainId: string;
  readonly genesisTime: string | null;
  /** By its core; '' if it does not answer. */
  readonly coreChainId: string;
}

/** Only the segments of this chain: a list may also have those of another. */
export function segmentsOf(chainId: string, boundaries: Boundaries): Boundaries {
  if (boundaries.kind === 'rule' || boundaries.chains.every(chain => chain === chainId)) return boundaries;
  return listedBoundaries(boundaries.segments.filter(segment => segment.chainId === chainId));
}

/** Where the segments were found, and what was tried where there may be others. */
function foundNotes({ chainId, segments, mayHave: { earlier, later } }: FoundBlocks): readonly string[] {
  const [first, last] = [segments[0], segments.at(-1)];
  if (first === undefined || last === undefined) return [];
  const blocks = `blocks ${rangeLabel({ from: first.from, to: last.to })} of ${shortenName(chainId)}`;
  const lengths = [...new Set(segments.map(({ from, to }) => to - from + 1n))].slice(0, MAX_LISTED_LENGTHS);
  const tried = `segments of ${joinWithOr(lengths.map(String))} blocks, and every multiple of ${ROUND_BLOCKS} within ${SEARCHED_BLOCKS} blocks`;
  const others = [earlier ? 'earlier' : [], later ? 'later' : []].flat();
  const flags = [earlier ? '--from HEIGHT' : [], later ? '--to HEIGHT' : []].flat();
  const more = `. It may have ${joinWithOr(others)} ones; tried were ${tried}. If you know where one ${earlier ? 'begins' : 'ends'}: ${flags.join(' ')}`;
  return [
    `${blocks} were found by asking for single segments, as the node does not list them${others.length === 0 ? '' : more}`,
  ];
}

const MAX_LISTED_LENGTHS = 5;

function otherChainNotes(boundaries: Boundaries, chainId: string): readonly string[] {
  if (boundaries.kind === 'rule' || boundaries.chains.length < 2) return [];
  const others = boundaries.chains.filter(chain => chain !== chainId).map(chain => shortenName(chain) || 'no name');
  return [`the node also lists segments of ${others.join(', ')}, which are left out`];
}

function findProblem(
  match: HistoryMatch,
  { chainId, coreChainId, wanted }: NamedChain & { readonly wanted: string | undefined },
  boundaries: Boundaries,
): FetchProblem | undefined {
  if (wanted !== undefined && chainId !== '' && wanted !== chainId)
    return {
      kind: 'other-history',
      text: `this node has ${shortenName(chainId)}, not ${shortenName(wanted)}. Nothing was fetched: choose another node, or leave --chain out`,
    };
  if (match.kind === 'conflict') return { kind: 'other-history', text: conflictText(match) };
  if (boundaries.kind === 'listed' && boundaries.segments.length === 0)
    return { kind: 'no-history', text: 'this node keeps no history: choose another node' };
  if (chainId === '' && boundaries.kind === 'rule')
    return {
      kind: 'no-history',
      text: `the node does not report a chain id, and exports no segment that was tried: those from block 1 on, and those before its newest block. Name where one begins and ends, or choose another node`,
      flags: '--from HEIGHT --to HEIGHT',
    };
  if (chainId === '')
    return {
      kind: 'no-history',
      text: 'the node does not report a chain id: give the id of the chain, which every export then has to match, or choose another node',
      flags: '--chain ID',
    };
  if (coreChainId !== '' && coreChainId !== chainId)
    return {
      kind: 'other-history',
      text: `the segments of this node are of ${shortenName(chainId)}, and its core is of ${shortenName(coreChainId)}. Nothing was fetched: choose another node`,
    };
  return undefined;
}

/** The problem if the user named a history of another chain than the node has. */
function otherFolderProblem(match: HistoryMatch, named: ChainHistory | undefined): FetchProblem | undefined {
  if (named === undefined || match.kind !== 'none') return undefined;
  const why = match.others[0]?.reason ?? 'it serves another chain';
  return {
    kind: 'other-history',
    text: `this node does not have the history of ${named.folder}: ${why}. Nothing was fetched: choose another node, or leave --chain out`,
  };
}

/** A folder whose record is damaged may have slices of this chain, so it is neither used nor replaced. */
function damageProblem(folder: string): FetchProblem | undefined {
  try {
    readChainRecord(folder);
    return undefined;
  } catch (error) {
    if (!(error instanceof DestinationError)) throw error;
    return { kind: 'damaged', text: error.message };
  }
}

function matchNotes(match: HistoryMatch, boundaries: Boundaries): readonly string[] {
  if (match.kind === 'none')
    return match.others
      .slice(0, 1)
      .map(({ history, reason }) => `another chain than ${history.folder}, so it gets a folder of its own: ${reason}`);
  if (match.kind === 'conflict' || match.isProven || match.history.tables.length === 0) return [];
  const { folder } = match.history;
  if (boundaries.kind === 'rule')
    return [`this node lists no segments, so only its chain id shows that it has the history in ${folder}`];
  const isCutAnew = match.history.tables.some(({ ranges }) =>
    ranges.some(range => segmentsInRange(boundaries, range).length > 0),
  );
  return [
    isCutAnew
      ? `this node divides the blocks into other segments than those in ${folder}, so only its chain id shows that it is the same history`
      : `this node has no segment next to those in ${folder}, so only its chain id shows that it is the same history`,
  ];
}

/** An address that served another chain before may be a mistake. */
function movedAddressNotes(histories: readonly ChainHistory[], chainId: string, address: string): readonly string[] {
  const before = histories.find(history => history.nodes.some(node => node.address === address));
  if (before === undefined || chainId === '' || before.chainId === chainId) return [];
  return [
    `${address} served ${shortenName(before.chainId)} before and serves ${shortenName(chainId)} now; each has a history of its own`,
  ];
}

function freeFolderName(chainId: string, histories: readonly ChainHistory[]): string {
  const taken = new Set(histories.map(({ folder }) => basename(folder)));
  for (let number = 1; ; number++) {
    const name = chainFolderName(chainId, number);
    if (!taken.has(name)) return name;
  }
}

/** Blocks of the range that neither node nor disk has. Blocks after the newest segment are in no segment yet. */
function withoutSegmentNotes(
  wanted: ReturnType<typeof segmentsInRange>,
  asked: Range,
  tables: readonly PlannedTable[],
): readonly string[] {
  const isOnDisk = (gap: Range, { onDisk }: PlannedTable): boolean =>
    onDisk?.ranges.some(({ from, to }) => from <= gap.from && gap.to <= to) ?? false;
  const gaps = blocksWithoutSegment(wanted, asked).filter(gap => !tables.every(table => isOnDisk(gap, table)));
  if (gaps.length === 0) return [];
  const shown = gaps.slice(0, MAX_LISTED_GAPS).map(rangeLabel).join(', ');
  const more = gaps.length > MAX_LISTED_GAPS ? ` and ${countOf(gaps.length - MAX_LISTED_GAPS, 'more range')}` : '';
  return [`this node lacks blocks ${shown}${more}. To fetch them, use another node: --node URL`];
}

const MAX_LISTED_GAPS = 3;

function crossingNotes(table: string, crossing: readonly Range[]): readonly string[] {
  const [first] = crossing;
  if (first === undefined) return [];
  const more = crossing.length > 1 ? ` and ${crossing.length - 1} more` : '';
  return [
    `${table}: blocks ${rangeLabel(first)}${more} are left out, because the segments of this node begin at other blocks than those on disk. Fetch from the node used before, or delete the table: blockglass fetch --forget --tables ${table}`,
  ];
}

function estimateBytes(
  missing: readonly PlannedSlice[],
  onDisk: StoredTable | undefined,
  boundaries: Boundaries,
): number | null {
  if (missing.length === 0) return 0;
  if (onDisk === undefined) return null;
  const segments = onDisk.slices.reduce((sum, slice) => sum + sliceSegments(slice, boundaries), 0);
  const wanted = countSegments(missing);
  return segments < Math.min(wanted, MIN_SEGMENTS_TO_ESTIMATE) ? null : Math.round((onDisk.bytes / segments) * wanted);
}

/** The sizes of fewer segments are too far apart to estimate others by them. */
const MIN_SEGMENTS_TO_ESTIMATE = 5;

/** Segments in a recorded slice. */
function sliceSegments(
  { segmentIds, fromBlock, toBlock }: StoredTable['slices'][number],
  boundaries: Boundaries,
): number {
  if (segmentIds !== null && segmentIds.length > 0) return segmentIds.length;
  return Math.max(1, segmentsInRange(boundaries, { from: BigInt(fromBlock), to: BigInt(toBlock) }).length);
}
