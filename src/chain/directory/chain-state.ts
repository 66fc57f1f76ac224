import { nanosecondsToMs } from '../../base/text/time.ts';
import { type CoreStatus, readStatistics } from '../api/core-status.ts';
import { isJsonObject, type Json, jsonText, member } from '../api/json.ts';
import { heightOrNull, textOrNull } from '../api/node-values.ts';
import type { Reply, ReplyHeaders } from '../api/reply.ts';
import { epochNumber } from '../insight/paid-fees.ts';

/** The known state of a node's chain, from every answer with data about it. Null is unknown; texts come from the node. */
export interface ChainState {
  /** By its core, else by the newest segment of its history. */
  readonly chainId: string | null;
  /** The chains that its history names, oldest first. */
  readonly historyChains: readonly string[];
  /** The newest block that the data node has. */
  readonly block: NewestBlock;
  /** The epoch of that block, or of the newest one of the core. */
  readonly epoch: ChainEpoch | null;
  readonly genesisTime: string | null;
  /** Of the data node. */
  readonly version: string | null;
  /** Null if it did not answer. */
  readonly core: CoreStatus | null;
}

export interface NewestBlock {
  readonly height: bigint | null;
  readonly timeMs: number | null;
  /** When the node reported it, by this clock. */
  readonly atMs: number | null;
  /** Another answer gave another block: the chain is live, or the node is catching up. */
  readonly hasMoved?: boolean;
}

interface ChainEpoch {
  readonly seq: bigint;
  readonly startMs: number | null;
  /** It ends with the first block past this time. */
  readonly endsMs: number | null;
  /** The core does not report it. */
  readonly firstBlock: bigint | null;
}

/** An answer, and when it came (Unix milliseconds). */
export interface TimedReply {
  readonly reply: Pick<Reply, 'json' | 'facts'>;
  readonly atMs: number;
}

/** Answers with data about a chain; those not requested or not answered are left out. */
export interface ChainSources {
  /** To STATISTICS_REQUEST. */
  readonly statistics?: TimedReply | undefined;
  /** To EPOCH_REQUEST. */
  readonly epoch?: TimedReply | undefined;
  /** To INFO_REQUEST. */
  readonly info?: TimedReply | undefined;
  /** To TIME_REQUEST. */
  readonly time?: TimedReply | undefined;
  /** Any others, for their headers. */
  readonly others?: readonly TimedReply[];
  /** The chains that its history names, oldest first. */
  readonly historyChains?: readonly string[] | undefined;
  /** The block received earlier. */
  readonly block?: NewestBlock;
}

export function readChainState(sources: ChainSources): ChainState {
  const { statistics, epoch, info, historyChains = [] } = sources;
  const said = statistics === undefined ? null : readStatistics(statistics.reply);
  return {
    chainId: chainName(said?.chainId, historyChains),
    historyChains: historyChains.filter(chain => chain !== ''),
    block: newestBlock(sources),
    epoch: coreEpoch(said) ?? (epoch === undefined ? null : readEpoch(epoch.reply.json)),
    genesisTime: said?.genesisTime ?? null,
    version: info === undefined ? null : textOrNull(member(info.reply.json, 'version')),
    core: said?.core ?? null,
  };
}

/** The core identifies the chain that the node follows; without it, the newest segment of its history does. */
function chainName(byCore: string | null | undefined, historyChains: readonly string[]): string | null {
  return byCore ?? historyChains.findLast(chain => chain !== '') ?? null;
}

/** Chain ids of the segments in an answer to SEGMENTS_REQUEST, by their last blocks, oldest first. */
export function readSegmentChains(answer: Json): readonly string[] {
  const segments = member(answer, 'segments');
  const named = Array.isArray(segments) ? segments.flatMap(namedSegment) : [];
  named.sort((one, other) => (one.to < other.to ? -1 : one.to > other.to ? 1 : 0));
  return [...new Set(named.map(({ chainId }) => chainId))];
}

function namedSegment(item: Json): readonly { readonly to: bigint; readonly chainId: string }[] {
  const to = heightOrNull(jsonText(member(item, 'toHeight')));
  const chainId = textOrNull(member(item, 'chainId'));
  return to === null || chainId === null ? [] : [{ to, chainId }];
}

/** The height of the core and the header of the same answer are of one moment, so the core's answer comes first. */
function newestBlock({ statistics, epoch, info, others = [], time, block: before }: ChainSources): NewestBlock {
  if (before !== undefined && (before.height !== null || before.timeMs !== null)) return before;
  const all = [statistics, epoch, info, ...others, time];
  const named = all.flatMap(heard =>
    heard === undefined ? [] : (readNewestBlock(heard.reply.facts, heard.atMs) ?? []),
  );
  const [first] = named;
  if (first !== undefined) return { ...first, hasMoved: named.some(other => isOtherBlock(first, other)) };
  if (time === undefined) return { height: null, timeMs: null, atMs: null };
  const timeMs = nanosecondsToMs(jsonText(member(time.reply.json, 'timestamp'))) ?? null;
  return { height: null, timeMs, atMs: time.atMs };
}

/** The newest block by the headers of an answer; null if they have none. */
export function readNewestBlock({ blockHeight, blockTimeNs }: ReplyHeaders, atMs: number): NewestBlock | null {
  const height = heightOrNull(blockHeight ?? '');
  const timeMs = nanosecondsToMs(blockTimeNs ?? '') ?? null;
  return height === null && timeMs === null ? null : { height, timeMs, atMs };
}

/** Whether two answers name different blocks as the newest. */
export const isOtherBlock = (one: NewestBlock, other: NewestBlock): boolean =>
  one.height !== null && other.height !== null && one.height !== other.height;

/** The age of a block when the node reported it; below 0 when its time is ahead of this clock. */
export const blockAge = ({ timeMs, atMs }: NewestBlock): number | null =>
  timeMs === null || atMs === null ? null : atMs - timeMs;

function coreEpoch(said: ReturnType<typeof readStatistics>): ChainEpoch | null {
  const seq = said === null ? undefined : epochNumber(said.epochSeq);
  return said === null || seq === undefined
    ? null
    : { seq, startMs: said.epochStartMs, endsMs: said.epochEndsMs, firstBlock: null };
}

/** The newest epoch in an answer to EPOCH_REQUEST (node-behaviour.md section 10). */
function readEpoch(answer: Json): ChainEpoch | null {
  const epoch = member(answer, 'epoch');
  const seq = epochNumber(jsonText(member(epoch, 'seq')));
  if (!isJsonObject(epoch) || seq === undefined) return null;
  const moment = (name: string): string => jsonText(member(member(epoch, 'timestamps'), name));
  const time = (name: string): number | null => nanosecondsToMs(moment(name)) ?? null;
  const firstBlock = heightOrNull(moment('firstBlock'));
  return { seq, startMs: time('startTime'), endsMs: time('expiryTime'), firstBlock };
}

/**
 * Whether the newest block is the last one: a chain without a block for this long is not expected to produce another. If
 * a core can be reached and has newer blocks, or is on its way to them, the chain is live.
 */
export function isArchive({ block, core }: Pick<ChainState, 'block' | 'core'>): boolean {
  const ageMs = blockAge(block);
  if (ageMs === null || ageMs < ARCHIVE_AGE_MS || block.hasMoved === true) return false;
  if (core === null) return true;
  const coreAgeMs = core.timeMs === null || block.atMs === null ? ageMs : block.atMs - core.timeMs;
  return coreAgeMs >= ARCHIVE_AGE_MS && core.state !== 'replaying' && (core.behindBlocks ?? 0n) <= 0n;
}

/** A week: longer than any halted chain takes to be repaired. */
export const ARCHIVE_AGE_MS = 7 * 86_400_000;

/** Why nothing is known to be the user's. */
export const NO_CHAIN_NAME = 'the node does not report a chain id';
