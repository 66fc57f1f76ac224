import { nanosecondsToMs, rfc3339ToMs } from '../../base/text/time.ts';
import { isJsonObject, type Json, jsonText, member } from './json.ts';
import { heightOrNull, textOrNull } from './node-values.ts';
import type { Reply, ReplyHeaders } from './reply.ts';
import type { NodeRequest } from './request.ts';

/** A data node's report about its core. The headers of the answer give the data node's own position. */
export const STATISTICS_REQUEST: NodeRequest = { path: 'statistics', query: [], isForCore: true };

/** A data node's report about its own build. */
export const INFO_REQUEST: NodeRequest = { path: 'api/v2/info', query: [] };
/** The history stored by a data node: without a core, this identifies the chain. */
export const SEGMENTS_REQUEST: NodeRequest = { path: 'api/v2/networkhistory/segments', query: [] };

/** Without an id it is the newest epoch, also of a node without a core. The answer has every validator and delegation. */
export const EPOCH_REQUEST: NodeRequest = { path: 'api/v2/epoch', query: [] };

/** The time of the newest block of a data node. */
export const TIME_REQUEST: NodeRequest = { path: 'api/v2/vega/time', query: [] };

/** The shortest answer of a list that every data node has, also through gateways that serve only lists. */
export const LIST_REQUEST: NodeRequest = { path: 'api/v2/network/parameters', query: [['pagination.first', '1']] };
/** Whether an answer to LIST_REQUEST holds the list. */
export const hasList = (json: Json): boolean => isJsonObject(member(json, 'networkParameters'));

/** The core that a data node follows. Texts come from the node; null when not reported. */
export interface CoreStatus {
  readonly version: string | null;
  /** Releases always report `connected`, which proves nothing; any other word is a warning (protocol.md section 6). */
  readonly state: string | null;
  readonly height: bigint | null;
  readonly timeMs: number | null;
  /** Blocks that the data node is behind its core; negative when it is ahead. Both heights come from one answer. */
  readonly behindBlocks: bigint | null;
  /** The same in ms of chain time. */
  readonly behindMs: number | null;
}

/** All that is read of an answer to STATISTICS_REQUEST. */
interface Statistics {
  readonly core: CoreStatus;
  readonly chainId: string | null;
  /** As the core sends it; '' when it does not. */
  readonly epochSeq: string;
  readonly epochStartMs: number | null;
  readonly epochEndsMs: number | null;
  readonly genesisTime: string | null;
}

/** Reads the answer to STATISTICS_REQUEST; null when it holds no statistics. */
export function readStatistics(reply: Pick<Reply, 'json' | 'facts'>): Statistics | null {
  const said = member(reply.json, 'statistics');
  if (!isJsonObject(said)) return null;
  const text = (name: string): string => jsonText(member(said, name));
  return {
    core: coreFromStatistics(said, reply.facts),
    chainId: textOrNull(member(said, 'chainId')),
    epochSeq: text('epochSeq'),
    epochStartMs: rfc3339ToMs(text('epochStartTime')),
    epochEndsMs: rfc3339ToMs(text('epochExpiryTime')),
    genesisTime: textOrNull(member(said, 'genesisTime')),
  };
}

/** The core by the answer to STATISTICS_REQUEST; null when it holds no statistics. */
export const readCoreStatus = (reply: Pick<Reply, 'json' | 'facts'>): CoreStatus | null =>
  readStatistics(reply)?.core ?? null;

function coreFromStatistics(said: Json, { blockHeight = '', blockTimeNs = '' }: ReplyHeaders): CoreStatus {
  const height = heightOrNull(jsonText(member(said, 'blockHeight')));
  const timeMs = rfc3339ToMs(jsonText(member(said, 'vegaTime')));
  const own = heightOrNull(blockHeight);
  const ownMs = nanosecondsToMs(blockTimeNs);
  return {
    version: textOrNull(member(said, 'appVersion')),
    state: readState(jsonText(member(said, 'status'))),
    height,
    timeMs,
    behindBlocks: height === null || own === null ? null : height - own,
    behindMs: timeMs === null || ownMs === undefined ? null : timeMs - ownMs,
  };
}

function readState(status: string): string | null {
  const word = /^CHAIN_STATUS_([A-Z_]+)$/.exec(status)?.[1]?.toLowerCase() ?? status;
  return word === '' ? null : word.slice(0, MAX_STATE_LENGTH).toWellFormed();
}

const MAX_STATE_LENGTH = 40;
