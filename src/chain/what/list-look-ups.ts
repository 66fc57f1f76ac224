import { utcTime } from '../../base/text/time.ts';
import { EPOCH_REQUEST, SEGMENTS_REQUEST, STATISTICS_REQUEST } from '../api/core-status.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject, jsonText, member } from '../api/json.ts';
import { readChainState } from '../directory/chain-state.ts';
import type { Directory } from '../directory/directory.ts';
import { keyPattern } from '../directory/key-pattern.ts';
import { countOf } from '../insight/count-of.ts';
import { type Epoch, readEpoch } from '../range/epoch.ts';
import { readSegments, unreadableSegmentsText } from '../range/segment-history.ts';
import { matchesFilters } from '../resources/filter-check.ts';
import { resourceById } from '../resources/registry.ts';
import { type LookUp, type LookUpResult, MAX_ROWS, type Role, readListAnswer } from './look-up.ts';

/** How each list is requested and named. */
const LISTS = {
  markets: { path: 'api/v2/markets', wrapper: 'markets', name: 'markets', first: 5000 },
  assets: { path: 'api/v2/assets', wrapper: 'assets', name: 'assets', first: 5000 },
  validators: { path: 'api/v2/nodes', wrapper: 'nodes', name: 'validators', first: 5000 },
  specs: { path: 'api/v2/oracle/specs', wrapper: 'oracleSpecs', name: 'oracle specs', first: MAX_ROWS },
  parameters: {
    path: 'api/v2/network/parameters',
    wrapper: 'networkParameters',
    name: 'network parameters',
    first: MAX_ROWS,
  },
  bundles: {
    path: 'api/v2/erc20/multisigcontrol/signer/removed/bundles',
    wrapper: 'bundles',
    name: 'signer bundles',
    first: MAX_ROWS,
  },
  provisions: {
    path: 'api/v2/liquidity/provisions',
    wrapper: 'liquidityProvisions',
    name: 'liquidity provisions',
    first: MAX_ROWS,
  },
  fees: {
    path: 'api/v2/liquidity/paidfees',
    wrapper: 'paidLiquidityFees',
    name: 'paid fees',
    first: 5000,
  },
} as const;

type ListName = keyof typeof LISTS;

/** `isCut`: the list has more records. */
type Reader = (records: readonly JsonObject[], directory: Directory, isCut: boolean) => readonly Role[];

interface FilteredListOptions {
  readonly filter: readonly [name: string, value: string];
  /** Sent with it. */
  readonly also?: readonly (readonly [name: string, value: string])[];
  /** Whether a record matches the value, if the list's own filter check cannot tell. */
  readonly isOf?: (record: JsonObject, directory: Directory) => boolean;
  /** The sentence if nothing matches. */
  readonly empty: string;
  /** The sentence about records that do not match. */
  readonly stray?: (directory: Directory) => string;
}

interface WholeListOptions {
  /** Before `the 46 oracle specs listed` if nothing matches. */
  readonly noneOf?: string;
}

/** A lookup in a list, with or without a filter. Records that do not match the filter are ignored. */
export function listLookUp(list: ListName, read: Reader, options: FilteredListOptions | WholeListOptions = {}): LookUp {
  const { path, wrapper, name, first } = LISTS[list];
  const narrowed = 'filter' in options ? options : undefined;
  const filters = narrowed === undefined ? [] : [narrowed.filter, ...(narrowed.also ?? [])];
  const query = [...filters, ['pagination.first', String(first)] as const];
  const listRequest = {
    wrapper,
    name,
    ...('filter' in options ? { empty: options.empty } : { noneOf: options.noneOf }),
  };
  return {
    where: name,
    request: { path, query },
    read: (answer, directory) => {
      let strays = 0;
      const found = readListAnswer(answer, listRequest, (records, isCut) => {
        const own =
          narrowed === undefined
            ? records
            : records.filter(record => matchesFilter(list, narrowed, { record, directory }));
        strays = records.length - own.length;
        return read(own, directory, isCut);
      });
      if (strays === 0) return found;
      const otherwise = narrowed?.stray?.(directory) ?? `the node ignores the filter ${narrowed?.filter[0]}`;
      return { ...found, otherwise: '', unread: `${name}: ${otherwise}` };
    },
  };
}

interface Found {
  readonly record: JsonObject;
  readonly directory: Directory;
}

function matchesFilter(
  list: ListName,
  { filter: [name, value], isOf: own }: FilteredListOptions,
  { record, directory }: Found,
): boolean {
  if (own !== undefined) return own(record, directory);
  const { filters = [] } = resourceById(list) ?? {};
  const isSeen = filters.some(filter => filter.name === name && filter.textsIn !== undefined);
  return isSeen && matchesFilters(filters, { [name]: [value] }, record);
}

export const textAtPath = (value: Json | undefined, ...path: readonly string[]): string => {
  const found = path.reduce<Json | undefined>(member, value);
  return isJsonArray(found) || isJsonObject(found) ? '' : jsonText(found);
};

/** Equal ignoring case, as ids and addresses are. */
export const equalsIgnoreCase = (text: string, value: string): boolean => text.toLowerCase() === value.toLowerCase();

/** What something is called: its `id`, its `name`, its `public key`. */
type Callings = { readonly [what: string]: readonly string[] };

/** The role of a value that is one of these texts, or else the beginning or both ends of one (`8a2f..01be`). */
export function roleByName(value: string, thing: string, callings: Callings): string | undefined {
  const { match } = keyPattern(value.toLowerCase());
  const ways = Object.entries(callings).flatMap(([what, texts]) =>
    texts.map(text => ({ what, way: match(text.toLowerCase()) })),
  );
  const whole = ways.find(({ way }) => way === 'whole');
  if (whole !== undefined) return whole.what === 'id' ? thing.replace(/^an? /, '') : `${whole.what} of ${thing}`;
  const part = ways.find(({ way }) => way !== undefined);
  return part && `part of the ${part.what} of ${thing}`;
}

/** Shorter text occurs somewhere in almost every record. */
const MIN_PART_LENGTH = 4;

/** Whether a text in the record equals or contains the value; very short values must be equal. */
export function containsValue(value: Json, wanted: string): boolean {
  const isHeld = (text: string): boolean => (wanted.length < MIN_PART_LENGTH ? text === wanted : text.includes(wanted));
  const left: Json[] = [value];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (isJsonArray(next)) for (const item of next) left.push(item);
    else if (isJsonObject(next)) for (const item of Object.values(next)) left.push(item);
    else if (isHeld(jsonText(next).toLowerCase())) return true;
  }
  return false;
}

/** `ACTIVE` of `STATUS_ACTIVE`, `TENDERMINT` of `VALIDATOR_NODE_STATUS_TENDERMINT`. */
export const statusWord = (status: string): string => status.replace(/^(?:VALIDATOR_NODE_STATUS_|STATUS_|STATE_)/, '');

const UNREAD_EPOCH: LookUpResult = { roles: [], otherwise: '', unread: 'epochs: the answer has no epoch' };

/** The epoch of this number, with its times and blocks. */
export const epochLookUp = (digits: string): LookUp => ({
  where: 'epochs',
  request: { path: 'api/v2/epoch', query: [['id', digits]] },
  missing: `no epoch ${digits} known to this node`,
  read: answer => {
    const epoch = readEpoch(answer);
    if (epoch === undefined) return UNREAD_EPOCH;
    // 0 requests the current epoch.
    if (String(epoch.seq) !== digits) return { roles: [], otherwise: `no epoch ${digits}` };
    return {
      roles: [{ role: 'epoch', text: epochSpanText(epoch), lead: { entity: 'epoch', id: digits } }],
      otherwise: '',
    };
  },
});

/** The block at this height: its epoch and estimated time. */
export const heightLookUp = (digits: string): LookUp => ({
  where: 'blocks by epoch',
  request: { path: 'api/v2/epoch', query: [['block', digits]] },
  missing: `no block ${digits} in the epochs known to this node`,
  read: answer => {
    const epoch = readEpoch(answer);
    const otherwise = 'not a block of the epochs known to this node';
    if (epoch === undefined) return UNREAD_EPOCH;
    const { firstBlock, lastBlock } = epoch;
    if (BigInt(digits) < firstBlock) return { roles: [], otherwise };
    if (lastBlock !== undefined && BigInt(digits) > lastBlock) return { roles: [], otherwise };
    const about = timeOfBlock(epoch, BigInt(digits));
    // An open epoch has no last block yet, so a node may put any higher block into it.
    const unless = lastBlock === undefined ? 'if the chain has reached it, ' : '';
    const text = `in epoch ${epoch.seq}, ${unless}${about ?? epochSpanText(epoch)}`;
    return { roles: [{ role: 'block height', text, lead: { entity: 'epoch', id: String(epoch.seq) } }], otherwise };
  },
});

/** The history segment that holds the block. */
export const segmentLookUp = (digits: string): LookUp => ({
  where: 'history segments',
  request: SEGMENTS_REQUEST,
  read: answer => {
    const segments = readSegments(answer);
    if (segments === undefined) return { roles: [], otherwise: '', unread: 'history segments: the answer has no list' };
    const height = BigInt(digits);
    const otherwise = `not in the ${segments.length} history segments listed`;
    const held = segments.find(({ fromHeight, toHeight }) => fromHeight <= height && height <= toHeight);
    const flaw = unreadableSegmentsText(answer);
    if (held === undefined && flaw !== undefined)
      return { roles: [], otherwise: '', unread: `history segments: ${flaw}` };
    if (held === undefined) return { roles: [], otherwise };
    return { roles: [{ role: 'block in a history segment', text: `${held.fromHeight}-${held.toHeight}` }], otherwise };
  },
});

/** The history segment with this id, and the chain of this name: segments name both, also on a node without a core. */
export const segmentIdLookUp = (value: string): LookUp => ({
  where: 'history segments and their chains',
  request: SEGMENTS_REQUEST,
  read: answer => {
    const listed = member(answer, 'segments');
    const segments = isJsonArray(listed) ? listed.filter(isJsonObject) : [];
    const own = segments.flatMap((segment): readonly Role[] => {
      const blocks = `blocks ${textAtPath(segment, 'fromHeight')} to ${textAtPath(segment, 'toHeight')}`;
      const id = textAtPath(segment, 'historySegmentId');
      const text = `${blocks} of ${textAtPath(segment, 'chainId') || 'a chain that is not named'}`;
      // Ids of segments are in base58, so that their case counts.
      if (id === value) return [{ role: 'history segment', text }];
      if (textAtPath(segment, 'previousHistorySegmentId') === value)
        return [{ role: 'id of the history segment before', text, isUse: true }];
      const isPart = value.length >= MIN_SEGMENT_ID_LENGTH && id.startsWith(value.replace(/(?:\.{2,3}|\u2026).*$/, ''));
      return isPart ? [{ role: 'part of the id of a history segment', text: `${id}, ${text}`, isUse: true }] : [];
    });
    const ofChain = segments.filter(segment => equalsIgnoreCase(textAtPath(segment, 'chainId'), value));
    const chain = ofChain.length === 0 ? [] : [{ role: 'chain', text: chainText(ofChain) }];
    return {
      roles: [...own, ...chain],
      otherwise: segments.length === 0 ? '' : 'not a history segment, and not a chain of one',
    };
  },
});

/** `Qm` begins each segment id. */
const MIN_SEGMENT_ID_LENGTH = 6;

function chainText(segments: readonly JsonObject[]): string {
  const heights = segments.flatMap(segment => {
    const text = textAtPath(segment, 'toHeight');
    return /^\d{1,18}$/.test(text) ? [BigInt(text)] : [];
  });
  const last = heights.reduce((most, height) => (height > most ? height : most), 0n);
  return `${countOf(segments.length, 'history segment')} here, up to block ${last}`;
}

/** The chain that the node is on. */
export const chainLookUp = (value: string): LookUp => ({
  where: 'the core of the node',
  request: STATISTICS_REQUEST,
  read: answer => {
    const statistics = member(answer, 'statistics');
    const chainId = textAtPath(statistics, 'chainId');
    if (!equalsIgnoreCase(chainId, value))
      return { roles: [], otherwise: chainId === '' ? '' : 'not the chain of this node' };
    const text = `the chain of this node, at block ${textAtPath(statistics, 'blockHeight') || 'unknown'} of epoch ${textAtPath(statistics, 'epochSeq') || 'unknown'}`;
    return { roles: [{ role: 'chain', text }], otherwise: '' };
  },
});

/** The head of the chain, which shows whether a number is ahead of the chain. */
export const chainHeadLookUp = (digits: string): LookUp => ({
  where: 'the core of the node',
  request: STATISTICS_REQUEST,
  read: (json, _, facts) => {
    const { core, epoch } = readChainState({ statistics: { reply: { json, facts }, atMs: 0 } });
    const head = (height: bigint): string =>
      `not reached yet: the chain is at block ${height} of epoch ${epoch?.seq ?? 'unknown'}`;
    return aheadResult(digits, core?.height ?? null, head);
  },
  ifCoreless: [
    {
      where: 'the newest block',
      request: EPOCH_REQUEST,
      read: (json, _, facts) => {
        const { block, epoch } = readChainState({ epoch: { reply: { json, facts }, atMs: 0 } });
        const head = (height: bigint): string =>
          `not in this node: its newest block is ${height}, of epoch ${epoch?.seq ?? 'unknown'}`;
        return aheadResult(digits, block.height, head);
      },
    },
  ],
});

const aheadResult = (digits: string, height: bigint | null, head: (height: bigint) => string): LookUpResult => ({
  roles: [],
  otherwise: height !== null && BigInt(digits) > height ? head(height) : '',
});

function epochSpanText({ startNs, endNs, firstBlock, lastBlock }: Epoch): string {
  const began = `from ${utcTime(String(startNs))}`;
  if (endNs === undefined || lastBlock === undefined) return `${began} not ended, blocks from ${firstBlock} on`;
  return `${began} to ${utcTime(String(endNs))}, blocks ${firstBlock}-${lastBlock}`;
}

/** Estimated from the two ends of an epoch that is over. */
function timeOfBlock({ startNs, endNs, firstBlock, lastBlock, seq }: Epoch, block: bigint): string | undefined {
  if (endNs === undefined || lastBlock === undefined) return undefined;
  const blocks = lastBlock - firstBlock + 1n;
  if (blocks <= 0n || endNs < startNs) return undefined;
  const ns = startNs + ((endNs - startNs) * (block - firstBlock)) / blocks;
  const second = (ns / 1_000_000_000n) * 1_000_000_000n;
  return `made at about ${utcTime(String(second))}, estimated from the ends of epoch ${seq}`;
}
