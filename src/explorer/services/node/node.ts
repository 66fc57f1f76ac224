import type { SavedView } from '../../../base/settings/saved-view.ts';
import type { ProfileColour } from '../../../base/settings/settings.ts';
import type { ChainDoubt } from '../../../chain/api/client.ts';
import type { CoreStatus } from '../../../chain/api/core-status.ts';
import { TimeoutError } from '../../../chain/api/errors.ts';
import type { ReplyHeaders } from '../../../chain/api/reply.ts';
import { blockAge, type NewestBlock, readNewestBlock } from '../../../chain/directory/chain-state.ts';
import type { Row } from '../../../chain/resources/resource.ts';
import type { NamedPresets } from '../../../history/plan/typed-export.ts';
import type { WorldEffect } from '../effect.ts';
import { type ScreenFailure, toScreenFailure } from '../failure.ts';
import type { Preferences } from '../preferences.ts';
import type { NodeConnection } from './connection.ts';
import type { ComparedNodes, NodeChoice, OfferedNode } from './offered-node.ts';

// The node in use: its connection, whether it answers, and how it stands to its core.

export type NodeState = {
  readonly choice: NodeChoice;
  /** Of the connection: each switch to a node has another. */
  readonly requestId: number;
  /** The node in use before; null if this is the first one. */
  readonly cameFrom: OfferedNode | null;
  /** A page was shown. */
  readonly hasAnswered: boolean;
  readonly colour: ProfileColour | null;
  /** `demo`, a profile's name, or nothing. */
  readonly label: string;
  /** Address as it may be shown; empty until it is known. */
  readonly address: string;
  /** The snapshot that stands for the node; null for a node. */
  readonly moment: ShownMoment | null;
  /** The address came with a user or a password, which is neither shown nor copied. */
  readonly hasLogin: boolean;
  /** Null until requested; '' if the node does not report it. */
  readonly chainId: string | null;
  /** It may be another one by now: it is asked for again. */
  readonly isChainDoubted: boolean;
  /** Its core, as it answered together with the chain; null until asked for. */
  readonly core: CoreAnswer | null;
  /** Its segments of history were listed. */
  readonly hasSegments: boolean;
  /** Saved exports of its profile; null where it has no profile. */
  readonly presets: NamedPresets | null;
  /** Build of the data node, which is asked for whenever the core was. */
  readonly build: { readonly version: string; readonly isDoubted: boolean };
  readonly height: NodeHeight | null;
  /** A later block than before was reported: the chain continues, however old that block is. */
  readonly hasMoved: boolean;
  readonly contact: Contact;
  /** Reasons in the answers of the last minutes to doubt that they belong to one chain. */
  readonly doubts: readonly ChainDoubt[];
  /** Id of the check that is under way. */
  readonly checking: number | null;
  /** Requests per second that the node allows, if reported. */
  readonly ratePerSecond: number | null;
  /** Nothing may be asked before this Unix millisecond; 0 when anything may. */
  readonly blockedUntilMs: number;
  /** The clock as of the last tick; ticks come when something on the screen changes with time. */
  readonly nowMs: number;
} & (
  | { readonly status: 'unasked' | 'starting' | 'ready' }
  | { readonly status: 'failed'; readonly failure: ScreenFailure }
);

interface ShownMoment {
  readonly id: number;
  readonly takenMs: number;
  /** Flags that identify the node of this snapshot in a command. */
  readonly flags: readonly string[];
  /** Ids of the adjacent snapshots; null if none. */
  readonly before: number | null;
  readonly after: number | null;
}

/** When the node was last heard of, in Unix ms. */
interface Contact {
  readonly answeredAtMs: number | null;
  /** When the first request failed after the last answer; null while the node answers. */
  readonly silentSinceMs: number | null;
  /** When this was last found out. */
  readonly knownAtMs: number | null;
}

interface CoreAnswer {
  /** Null when the node did not answer about its core. */
  readonly status: CoreStatus | null;
  readonly atMs: number;
}

/** The facts about the node in an answer; null for those that it does not contain. */
export interface NodeReport {
  readonly atMs: number;
  readonly doubts?: readonly ChainDoubt[];
  readonly height: NodeHeight | null;
  readonly core: CoreAnswer | null;
  /** '' if it was requested but not reported, null if it was not requested. */
  readonly chainId: string | null;
}

export interface NodeHeight {
  readonly block: string;
  /** Age of the block when it was read, in ms; below 0 when its time lies ahead of this clock, null when the node gave none. */
  readonly ageMs: number | null;
  readonly readAtMs: number;
}

/** The facts known with a node's address, before any request. */
export interface Connected {
  /** `demo`, a profile's name, or ''. */
  readonly label: string;
  readonly colour?: ProfileColour;
  /** Left out for a node. */
  readonly moment?: ShownMoment;
  /** Of the profile; left out where there is none. */
  readonly presets?: NamedPresets;
  /** How its lists were left. */
  readonly view?: SavedView;
  /** Those that the settings have. */
  readonly profiles?: readonly OfferedNode[];
  readonly preferences: Preferences;
  /** A notice, such as a settings file that cannot be used. */
  readonly notice: string | null;
}

interface ConnectedNode extends Connected {
  readonly address: string;
  readonly hasLogin?: boolean;
}

export type NodeEvent =
  | ({ readonly type: 'node-connected' } & ConnectedNode)
  | { readonly type: 'node-failed'; readonly failure: ScreenFailure }
  | { readonly type: 'profiles-read'; readonly profiles: readonly OfferedNode[] }
  | { readonly type: 'nodes-compared'; readonly compared: ComparedNodes }
  /** With the core where the node was asked for both. */
  | {
      readonly type: 'chain-known';
      readonly chainId: string;
      readonly core?: CoreAnswer;
      readonly block?: NewestBlock;
      readonly doubts?: readonly ChainDoubt[];
    }
  | { readonly type: 'build-known'; readonly version: string }
  | { readonly type: 'check-due' }
  | {
      readonly type: 'checked';
      readonly requestId: number;
      /** Null if its core does not report it. */
      readonly chainId: string | null;
      readonly core: CoreAnswer;
      readonly block: NewestBlock;
      readonly doubts?: readonly ChainDoubt[];
    }
  | {
      readonly type: 'check-failed';
      readonly requestId: number;
      readonly retryAtMs: number;
      readonly atMs: number;
    }
  /** A request other than a list was answered. */
  | { readonly type: 'node-answered'; readonly heard: NodeReport }
  /** A request to the node came to nothing: no connection, or no answer in time. */
  | { readonly type: 'node-silent'; readonly atMs: number }
  /** `isByNode`: and not by a proxy in its place. */
  | { readonly type: 'node-refused'; readonly atMs: number; readonly isByNode: boolean }
  /** The node answers nothing before that time. */
  | { readonly type: 'node-blocked'; readonly untilMs: number; readonly atMs: number }
  /** A page of a list that was asked for. `isByHand`: once more, by a key. */
  | {
      readonly type: 'rows-arrived';
      readonly resource: string;
      readonly rows: readonly Row[];
      readonly facts: ReplyHeaders;
      readonly atMs: number;
      readonly isByHand: boolean;
    }
  | { readonly type: 'segments-known' }
  /** Saved with its profile. */
  | { readonly type: 'preset-known'; readonly name: string; readonly words: readonly string[] };

/** Events that change only the node; for a check, only the one in progress. */
export type NodeStateEvent = Extract<
  NodeEvent,
  {
    readonly type:
      | 'node-failed'
      | 'chain-known'
      | 'build-known'
      | 'checked'
      | 'check-failed'
      | 'node-answered'
      | 'node-silent'
      | 'node-refused'
      | 'node-blocked'
      | 'rows-arrived'
      | 'segments-known'
      | 'preset-known';
  }
>;

export function nodeAfter(node: NodeState, event: NodeStateEvent): NodeState {
  switch (event.type) {
    case 'node-failed':
      return { ...node, status: 'failed', failure: event.failure };
    case 'chain-known':
      return withCoreKnown(node, event);
    case 'build-known':
      return { ...node, build: { version: event.version, isDoubted: false } };
    case 'checked': {
      const { core, block, doubts = node.doubts } = event;
      const heard = withHeight(withAnswer(node, core.atMs), shownHeight(block));
      return { ...heard, core, doubts, checking: null, blockedUntilMs: 0 };
    }
    case 'check-failed': {
      const blockedUntilMs = Math.max(node.blockedUntilMs, event.retryAtMs);
      // Whatever it failed of, the next one is not asked for at once.
      const contact = { ...node.contact, knownAtMs: event.atMs };
      return { ...node, nowMs: event.atMs, checking: null, blockedUntilMs, contact };
    }
    case 'node-answered': {
      const { height, core, atMs, doubts = node.doubts } = event.heard;
      return { ...withHeight(withAnswer(node, atMs), height ?? undefined), doubts, core: newerCore(core, node.core) };
    }
    case 'node-silent':
      return withSilence(node, event.atMs);
    case 'node-refused':
      return event.isByNode ? withAnswer(node, event.atMs) : withRefusal(node, event.atMs);
    case 'node-blocked': {
      const blockedUntilMs = Math.max(node.blockedUntilMs, event.untilMs);
      return { ...node, blockedUntilMs, nowMs: Math.max(node.nowMs, event.atMs) };
    }
    case 'rows-arrived':
      return rowsArrived(node, event);
    case 'segments-known':
      return { ...node, hasSegments: true };
    case 'preset-known':
      return { ...node, presets: { ...node.presets, [event.name]: event.words } };
  }
}

const newerCore = (heard: CoreAnswer | null, known: CoreAnswer | null): CoreAnswer | null =>
  heard !== null && (known === null || heard.atMs >= known.atMs) ? heard : known;

// Which build answers is asked for again with the core.
function withCoreKnown(
  node: NodeState,
  { core, block, doubts = node.doubts }: Extract<NodeEvent, { readonly type: 'chain-known' }>,
): NodeState {
  // It came with something else that was asked of the node.
  if (core === undefined) return node;
  // If no list was shown, nothing else reports its newest block.
  const height = node.height ?? (block && shownHeight(block)) ?? null;
  const heard = block === undefined ? node : withAnswer(node, core.atMs);
  return { ...heard, core, height, doubts, isChainDoubted: false, build: { ...node.build, isDoubted: true } };
}

function rowsArrived(
  node: NodeState,
  { facts, atMs, isByHand }: Extract<NodeEvent, { readonly type: 'rows-arrived' }>,
): NodeState {
  const { blockHeight, rate } = facts;
  const known: NodeState = {
    ...withAnswer(node, atMs),
    hasAnswered: true,
    nowMs: atMs,
    blockedUntilMs: 0,
    ratePerSecond: rate.limitPerSecond ?? node.ratePerSecond,
    isChainDoubted: node.isChainDoubted || isFarBelow(blockHeight, node.height?.block),
  };
  const block = readNewestBlock(facts, atMs);
  return healthAgain(withHeight(known, block === null ? undefined : shownHeight(block)), isByHand);
}

/** The node with the newest block in an answer; if it is later than before, the chain continues. */
function withHeight(node: NodeState, height: NodeHeight | undefined): NodeState {
  if (height === undefined) return node;
  const hasMoved = node.height !== null && BigInt(height.block) > BigInt(node.height.block);
  return { ...node, height, hasMoved: node.hasMoved || hasMoved };
}

/** Behind one address, some of several nodes may lag a few blocks; a restarted chain is far behind. */
const FAR_BLOCKS = 1000n;

const isFarBelow = (block: string | undefined, before: string | undefined): boolean =>
  block !== undefined && before !== undefined && BigInt(block) + FAR_BLOCKS < BigInt(before);

/** Chain and core are asked for again behind a page when they are old; behind a reload by hand, sooner. */
function healthAgain(node: NodeState, isByHand: boolean): NodeState {
  const freshMs = isByHand ? FRESH_MS : KNOWN_MS;
  if (node.core === null || Math.abs(node.nowMs - node.core.atMs) < freshMs) return node;
  return { ...node, isChainDoubted: true };
}

const FRESH_MS = 10_000;
const KNOWN_MS = 60_000;

export const NO_CONTACT: Contact = { answeredAtMs: null, silentSinceMs: null, knownAtMs: null };

/** With the limit of a check, a node that hangs is known to within a minute. */
const CHECK_MS = 55_000;

/** A single failed request may be the fault of that request: the next check decides. */
const DOUBT_MS = 5000;

const withAnswer = (node: NodeState, atMs: number): NodeState => ({
  ...node,
  nowMs: Math.max(node.nowMs, atMs),
  contact: { answeredAtMs: atMs, silentSinceMs: null, knownAtMs: atMs },
});

/** A refusal may come from a proxy: it does not show that the node answers. */
const withRefusal = (node: NodeState, atMs: number): NodeState => ({
  ...node,
  nowMs: Math.max(node.nowMs, atMs),
  contact: { ...node.contact, silentSinceMs: null, knownAtMs: atMs },
});

const withSilence = (node: NodeState, atMs: number): NodeState => ({
  ...node,
  nowMs: Math.max(node.nowMs, atMs),
  contact: { ...node.contact, silentSinceMs: node.contact.silentSinceMs ?? atMs, knownAtMs: atMs },
});

/** The newest block as the header shows it; undefined where its height is not known. */
const shownHeight = (block: NewestBlock): NodeHeight | undefined =>
  block.height === null || block.atMs === null
    ? undefined
    : { block: String(block.height), ageMs: blockAge(block), readAtMs: block.atMs };

/** What the node's effects need of the world. */
export interface NodeWorld {
  readonly node: () => Pick<NodeConnection, 'chain' | 'version'>;
  readonly nowMs: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** From now on its node is queried, and the previous one no longer is. */
  readonly connect: (choice: NodeChoice, signal: AbortSignal) => Promise<ConnectedNode>;
}

type NodeEffect = WorldEffect<NodeWorld, NodeEvent>;

/** The chain, with the core, is worth one request once the node has shown something, and the build another after it. */
export function nodeEffects(node: NodeState, { nodeCheck }: Preferences): readonly NodeEffect[] {
  if (node.status === 'starting') return [connecting(node)];
  if (node.status !== 'ready') return [];
  return [
    ...(node.isChainDoubted && (node.hasAnswered || node.hasSegments) ? [ASK_CHAIN] : []),
    ...(node.build.isDoubted ? [ASK_BUILD] : []),
    ...(node.checking === null ? [] : [checkEffect(node.checking)]),
    ...(nodeCheck === 'off' ? [] : nextCheckEffects(node)),
  ];
}

const connecting = ({ requestId, choice }: NodeState): NodeEffect => ({
  key: `connect ${requestId}`,
  run: async (world, signal) => [{ type: 'node-connected', ...(await world.connect(choice, signal)) }],
  failed: error => [{ type: 'node-failed', failure: toScreenFailure(error) }],
});

const ASK_CHAIN: NodeEffect = {
  key: 'chain',
  run: async (world, signal) => {
    const { chainId, core: status, block, doubts = [] } = await world.node().chain(signal);
    return [{ type: 'chain-known', chainId: chainId ?? '', core: { status, atMs: world.nowMs() }, block, doubts }];
  },
  failed: (_, atMs) => [{ type: 'chain-known', chainId: '', core: { status: null, atMs } }],
};

const ASK_BUILD: NodeEffect = {
  key: 'build',
  run: async (world, signal) => [{ type: 'build-known', version: await world.node().version(signal) }],
  failed: () => [{ type: 'build-known', version: '' }],
};

const checkEffect = (requestId: number): NodeEffect => ({
  key: `check ${requestId}`,
  run: async (world, signal) => {
    const { chainId, core: status, block, doubts = [] } = await readChainInTime(world, signal);
    return [{ type: 'checked', requestId, chainId, core: { status, atMs: world.nowMs() }, block, doubts }];
  },
  failed: (error, atMs) => [{ type: 'check-failed', requestId, retryAtMs: toScreenFailure(error).retryAtMs, atMs }],
  isBackground: true,
});

function nextCheckEffects({ contact, nowMs, blockedUntilMs, checking }: NodeState): readonly NodeEffect[] {
  const { knownAtMs, silentSinceMs } = contact;
  if (knownAtMs === null || checking !== null || blockedUntilMs > nowMs) return [];
  const dueMs = knownAtMs + (silentSinceMs === knownAtMs ? DOUBT_MS : CHECK_MS);
  const due: NodeEffect = {
    key: `check after ${knownAtMs} ${silentSinceMs}`,
    run: async (world, signal) => {
      await world.wait(Math.max(0, dueMs - nowMs), signal);
      return [{ type: 'check-due' }];
    },
    failed: () => [],
    isBackground: true,
  };
  return [due];
}

/** A node that takes longer to report its state has stopped answering. */
const CHECK_LIMIT_MS = 10_000;

async function readChainInTime(world: NodeWorld, signal: AbortSignal): ReturnType<NodeConnection['chain']> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const late = world.wait(CHECK_LIMIT_MS, either).then(() => {
    throw new TimeoutError('no answer', { url: '', hint: '' });
  });
  return Promise.race([world.node().chain(either, true), late]).finally(() => over.abort());
}
