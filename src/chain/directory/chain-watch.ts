import { shortenName } from '../../base/text/shorten-name.ts';
import { nanosecondsToMs, rfc3339ToMs } from '../../base/text/time.ts';
import type { ChainDoubt, Client } from '../api/client.ts';
import { SEGMENTS_REQUEST, STATISTICS_REQUEST } from '../api/core-status.ts';
import { type Json, jsonText, member } from '../api/json.ts';
import { heightOrNull, textOrNull } from '../api/node-values.ts';
import type { Reply } from '../api/reply.ts';
import type { NodeRequest } from '../api/request.ts';
import type { ChainState } from './chain-state.ts';

/** Older answers prove nothing about current ones: a node may have moved to another chain in the meantime. */
const RECENT_MS = 5 * 60_000;

/** Nodes of one chain behind one address, and caches before them, differ by up to this number of blocks. */
const NEAR_BLOCKS = 20n;
const NEAR_MS = 30_000;

/** No node stores blocks faster, even while it catches up. */
const MAX_BLOCKS_PER_MS = 2n;

interface ObservedBlock {
  readonly height: bigint;
  readonly timeMs: number | null;
  readonly atMs: number;
}

/**
 * Judges by every answer of one address whether they are of one chain and one node: behind a load balancer they may be of
 * several. It sends nothing.
 */
export class ChainWatch {
  readonly #cores = new ObservedNames();
  readonly #starts = new ObservedNames();
  #history: { readonly chains: readonly string[]; readonly atMs: number } = { chains: [], atMs: 0 };
  /** A contradiction stays one, whatever the core is called in later answers; with the time of its earlier answer. */
  #mixed: { readonly sentence: string; readonly atMs: number } | null = null;
  #block: ObservedBlock | null = null;
  #moved: { readonly sentence: string; readonly atMs: number } | null = null;

  hear({ path }: NodeRequest, { json, facts, headerAtMs }: Reply): void {
    const atMs = headerAtMs ?? Date.now();
    if (path === STATISTICS_REQUEST.path) {
      const said = member(json, 'statistics');
      this.#cores.hear(textOrNull(member(said, 'chainId')), atMs);
      const start = jsonText(member(said, 'genesisTime'));
      const startMs = rfc3339ToMs(start);
      this.#starts.hear(startMs === null ? start : new Date(startMs).toISOString(), atMs);
    }
    if (path === SEGMENTS_REQUEST.path) this.#history = { chains: segmentChains(json), atMs };
    this.#compare(atMs - RECENT_MS);
    const height = heightOrNull(facts.blockHeight ?? '');
    if (height !== null) this.#move({ height, timeMs: nanosecondsToMs(facts.blockTimeNs ?? '') ?? null, atMs });
  }

  /** What speaks against one chain in the answers since then; of the last minutes without it. */
  doubts(sinceMs: number = Date.now() - RECENT_MS): readonly ChainDoubt[] {
    const [cores, starts, before] = [this.#cores, this.#starts, this.#mixed];
    const mixed =
      this.#mixedSince(sinceMs) ??
      (cores.alternate(sinceMs) ? `its core is of ${joinNames(cores.since(sinceMs))} in turn` : undefined) ??
      (starts.alternate(sinceMs)
        ? `its chain was started at ${joinNames(starts.since(sinceMs))} in turn`
        : undefined) ??
      (before !== null && before.atMs >= sinceMs ? before.sentence : undefined);
    if (mixed !== undefined) return [{ severity: 'untrusted', sentence: mixed }];
    const moved = this.#moved;
    return moved !== null && moved.atMs >= sinceMs ? [{ severity: 'noted', sentence: moved.sentence }] : [];
  }

  #mixedSince(sinceMs: number): string | undefined {
    const history = this.#history.atMs >= sinceMs ? this.#history.chains : [];
    return mixedChainsProblem(this.#cores.since(sinceMs), history);
  }

  #compare(sinceMs: number): void {
    const sentence = this.#mixedSince(sinceMs);
    const atMs = Math.min(this.#history.atMs, this.#cores.latestAtMs ?? Number.POSITIVE_INFINITY);
    if (sentence !== undefined) this.#mixed = { sentence, atMs };
  }

  #move(now: ObservedBlock): void {
    const before = this.#block;
    // A cache may return an earlier answer.
    if (before !== null && now.atMs < before.atMs) return;
    this.#block = now;
    const sentence = before === null ? undefined : movedSentence(before, now);
    if (sentence !== undefined) this.#moved = { sentence, atMs: now.atMs };
  }
}

/** What answers call the same thing. A node may be moved to another chain once; several nodes are named again and again. */
class ObservedNames {
  /** When each was heard last (Unix milliseconds), the latest one last. */
  readonly #heard = new Map<string, number>();
  #returnedAtMs = Number.NEGATIVE_INFINITY;

  hear(name: string | null, atMs: number): void {
    if (name === null || name === '') return;
    const isReturned = this.#heard.has(name) && [...this.#heard.keys()].at(-1) !== name;
    if (isReturned) this.#returnedAtMs = atMs;
    this.#heard.delete(name);
    this.#heard.set(name, atMs);
    const [oldest] = this.#heard.keys();
    if (this.#heard.size > MAX_REMEMBERED_NAMES && oldest !== undefined) this.#heard.delete(oldest);
  }

  since(sinceMs: number): readonly string[] {
    return [...this.#heard].flatMap(([name, atMs]) => (atMs >= sinceMs ? [name] : []));
  }

  get latestAtMs(): number | undefined {
    return [...this.#heard.values()].at(-1);
  }

  alternate(sinceMs: number): boolean {
    return this.#returnedAtMs >= sinceMs && this.since(sinceMs).length > 1;
  }
}

/** A node may give another name with each answer. */
const MAX_REMEMBERED_NAMES = 10;

/** The client, with the contradictions between its answers. `onDoubt` is called once for each kind of doubt. */
export function watchedClient(client: Client, onDoubt: (doubt: ChainDoubt) => void = () => {}): Client {
  const watch = new ChainWatch();
  const said = new Set<ChainDoubt['severity']>();
  client.onReply((request, reply) => {
    watch.hear(request, reply);
    for (const doubt of watch.doubts()) {
      if (!said.has(doubt.severity)) onDoubt(doubt);
      said.add(doubt.severity);
    }
  });
  return { ...client, doubts: sinceMs => watch.doubts(sinceMs) };
}

/** What such a node is called in a few words. */
export const TWO_CHAINS = 'two chains';

/** Whether one round of answers of a node is of two chains; undefined if it may be one. */
export const twoChainsProblem = ({ core, chainId, historyChains }: ChainState): string | undefined =>
  mixedChainsProblem(core === null || chainId === null ? [] : [chainId], historyChains);

/** Of the chains that the core and the history of one node name; undefined if they may be one. */
export function mixedChainsProblem(cores: readonly string[], history: readonly string[]): string | undefined {
  const chains = [...new Set(history.filter(chain => chain !== ''))];
  const core = cores.at(-1);
  if (core === undefined) return chains.length < 2 ? undefined : `its history is from ${joinNames(chains)}`;
  // Chains that the core reported earlier belong to a node that was moved in the meantime.
  const others = chains.filter(chain => !cores.includes(chain));
  if (others.length > 0) return `its history is from ${joinNames(others)}, its core from ${shortenName(core)}`;
  return chains.length < 2 ? undefined : `its history is from ${joinNames(chains)}`;
}

/**
 * Two blocks that one node cannot have had as its newest in that order; undefined if it can. If both have a time, the
 * times must show the same, as chains differ in speed.
 */
function movedSentence(before: ObservedBlock, now: ObservedBlock): string | undefined {
  const blocks = now.height - before.height;
  const elapsedMs = Math.max(1, now.atMs - before.atMs);
  const isTimed = before.timeMs !== null && now.timeMs !== null;
  const movedMs = isTimed ? now.timeMs - before.timeMs : 0;
  if (blocks < -NEAR_BLOCKS && (!isTimed || movedMs < -NEAR_MS))
    return `its newest block went back from ${before.height} to ${now.height}: ${WENT_BACK_REASON}`;
  const isJump = blocks > NEAR_BLOCKS && blocks > MAX_BLOCKS_PER_MS * BigInt(Math.ceil(elapsedMs));
  if (!isJump || (isTimed && movedMs < NEAR_MS + elapsedMs)) return undefined;
  return `its newest block went from ${before.height} to ${now.height} within ${Math.ceil(elapsedMs / 1000)} s: nodes that are far apart answer here`;
}

/** Why the newest block of a chain that was not started again can be an earlier one. */
export const WENT_BACK_REASON =
  'the node was restored from an earlier state, or another one that is behind answers here';

/** Whether a newest block is too far before an earlier one to come from a slightly late node of the same address. */
export const isFarBack = (height: bigint, seen: bigint): boolean => height + NEAR_BLOCKS < seen;

/** The chains of the segments, newest segment last. */
function segmentChains(answer: Json): readonly string[] {
  const segments = member(answer, 'segments');
  return Array.isArray(segments) ? segments.map(segment => jsonText(member(segment, 'chainId'))).toReversed() : [];
}

function joinNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_LISTED_NAMES).map(shortenName).join(' and ');
  return names.length > MAX_LISTED_NAMES ? `${shown} and ${names.length - MAX_LISTED_NAMES} more` : shown;
}

const MAX_LISTED_NAMES = 3;
