import { shortDuration } from '../../../base/text/duration.ts';
import { shortenName } from '../../../base/text/shorten-name.ts';
import { MINUTE_MS } from '../../../base/text/time.ts';
import type { ChainDoubt } from '../../../chain/api/client.ts';
import { blockAge } from '../../../chain/directory/chain-state.ts';
import { countOf } from '../../../chain/insight/count-of.ts';
import { archiveText } from '../../../chain/insight/node-lag.ts';
import type { Loading } from '../../rules/rule-input.ts';
import { answeredChainState, type OverviewAnswers } from '../answers.ts';
import { hasChainEnded, type OverviewSettings, observeNode } from '../collect-rule-input.ts';
import {
  createFact,
  type Fact,
  type FactContext,
  isoText,
  type KnownPhrases,
  notKnownText,
  numberText,
  partJson,
} from './fact.ts';
import { type HistoryFacts, historyFacts, historyJson } from './history.ts';

/** Null if not reported by the node. */
export interface NodeFacts {
  /** Why it can no longer be reached; null while it can. */
  readonly gone: string | null;
  readonly version: string | null;
  readonly chainId: string | null;
  readonly blockHeight: bigint | null;
  readonly blockTimeMs: number | null;
  readonly blockAgeMs: number | null;
  /** The newest block is the last one of the chain. */
  readonly isArchive: boolean;
  readonly behindBlocks: bigint | null;
  readonly behindMs: number | null;
  readonly doubts: readonly ChainDoubt[];
  readonly history: HistoryFacts;
}

/** Of a node that may not have answered for itself. */
export type NodeDescription = Omit<NodeFacts, 'gone'>;

/** The node's data about itself. */
export function collectNodeFacts(
  answers: OverviewAnswers,
  settings: Pick<OverviewSettings, 'limit'>,
): Loading<NodeFacts> {
  const seen = observeNode(answers);
  if (seen.kind !== 'read') return seen;
  if (seen.value.kind === 'silent') return { kind: 'unread', why: seen.value.why };
  const value = { ...describeNode(answers, settings), gone: seen.value.gone };
  return { kind: 'read', value, records: null, gap: '', atMs: seen.atMs };
}

/** The same of a node that may have said nothing of itself. */
export function describeNode(answers: OverviewAnswers, settings: Pick<OverviewSettings, 'limit'>): NodeDescription {
  const { chainId, block, core, version } = answeredChainState(answers);
  return {
    version: core?.version ?? version,
    chainId,
    blockHeight: block.height,
    ...{ blockTimeMs: block.timeMs, blockAgeMs: blockAge(block), isArchive: hasChainEnded(answers, settings) },
    behindBlocks: core?.behindBlocks ?? null,
    behindMs: core?.behindMs ?? null,
    doubts: answers.doubts,
    history: historyFacts(answers),
  };
}

/** Version, chain, newest block, and the position relative to its core. */
export const nodeFact = (node: Loading<NodeFacts>, { isSilent = false }: FactContext): Fact =>
  createFact(
    node,
    { id: 'node', label: 'Node', lead: { kind: 'nodes' }, json: () => partJson(node, nodeJson) },
    facts => nodePhrases(facts, isSilent),
  );

/** The header of a screen has chain and block. */
function nodePhrases(facts: NodeFacts, isSilent: boolean): KnownPhrases {
  if (facts.gone !== null) return { parts: [notKnownText(facts.gone)] };
  const version = facts.version === null ? 'version not known' : shortenName(facts.version);
  const chain = facts.chainId === null ? 'chain not known' : shortenName(facts.chainId);
  const beside = facts.isArchive ? archiveText(facts.blockTimeMs) : coreDistanceText(facts);
  const now = isSilent && facts.behindBlocks !== null ? `was ${beside}` : beside;
  const doubts = facts.doubts.some(({ severity }) => severity === 'untrusted') ? [TWO_CHAINS_WARNING] : [];
  const all = [version, chain, blockText(facts), now, ...doubts];
  return {
    parts: [version, now, ...doubts],
    line: all.join(' | '),
    sentence: all.join(', '),
    steady: [version, chain, now, ...doubts].join(', '),
  };
}

const TWO_CHAINS_WARNING = 'of two chains: do not trust it';

function blockText({ blockHeight, blockAgeMs, isArchive }: NodeFacts): string {
  const block = `block ${blockHeight ?? 'not known'}`;
  return isArchive ? block : `${block}, ${blockAgeMs === null ? 'age not known' : blockAgeText(blockAgeMs)}`;
}

export const blockAgeText = (ageMs: number): string =>
  ageMs < 0
    ? `${shortDuration(-ageMs)} ahead of this clock`
    : `${ageMs < MINUTE_MS ? `${(ageMs / 1000).toFixed(1)} s` : shortDuration(ageMs)} old`;

export function coreDistanceText({ behindBlocks, behindMs }: Pick<NodeFacts, 'behindBlocks' | 'behindMs'>): string {
  if (behindBlocks === null) return 'core not known';
  if (behindBlocks > 1n) return `${countOf(behindBlocks, 'block')} behind its core`;
  if (behindBlocks < -1n) return `${countOf(-behindBlocks, 'block')} ahead of its core`;
  // Equal heights with times so far apart are not the same block.
  if (behindMs !== null && Math.abs(behindMs) > MINUTE_MS) return 'not in sync with its core';
  return 'in sync with its core';
}

const nodeJson = ({ version, chainId, isArchive, blockHeight, behindBlocks, history, ...block }: NodeFacts) => ({
  ...{ version, chainId, isArchive },
  blockHeight: numberText(blockHeight),
  blockTime: isoText(block.blockTimeMs),
  lagSeconds: block.blockAgeMs === null ? null : block.blockAgeMs / 1000,
  behindBlocks: numberText(behindBlocks),
  history: historyJson(history),
});
