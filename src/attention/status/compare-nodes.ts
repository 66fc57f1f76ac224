import type { ChainDoubt } from '../../chain/api/client.ts';
import { blockAge, isArchive } from '../../chain/directory/chain-state.ts';
import { type Lag, type LagLimit, nodeLag } from '../../chain/insight/node-lag.ts';
import type { Fact } from '../overview/facts/fact.ts';
import { statusFacts } from './facts.ts';
import { type NodeStatus, readStatus } from './node-status.ts';
import { findStatusProblems, isReached, type ProblemKind, type StatusProblem, worstProblem } from './problems.ts';
import type { StatusAnswers } from './request-answers.ts';

/** A node and its answers. */
export interface AnsweredNode {
  /** `demo`, its name in the settings, or ''. */
  readonly name: string;
  /** Without a login. */
  readonly address: string;
  readonly limit: LagLimit;
  readonly answers: StatusAnswers;
  /** Signs in its answers that they are not all of one chain. */
  readonly doubts: readonly ChainDoubt[];
}

/** A node and its problems: each output of `status` renders this. */
export interface JudgedNode extends Pick<AnsweredNode, 'name' | 'address'> {
  /** It answered something, even if only a refusal. */
  readonly isReached: boolean;
  /** None of its answers can be used: its facts are all unknown. */
  readonly isSilent: boolean;
  readonly lag: Lag;
  readonly blockTimeMs: number | null;
  readonly problems: readonly StatusProblem[];
  /** The kind of the worst problem; null if the node is healthy. */
  readonly worst: ProblemKind | null;
  /** Information that is not a problem, but useful. */
  readonly notes: readonly string[];
  readonly facts: readonly Fact[];
}

export interface NodesJudgement {
  readonly nodes: readonly JudgedNode[];
  /** More than one if the nodes are on different chains, which are not compared with each other. */
  readonly chains: readonly string[];
  /** Of the worst node; null if all are healthy. */
  readonly worst: ProblemKind | null;
}

export function judgeNodes(asked: readonly AnsweredNode[], nowMs: number): NodesJudgement {
  const known = asked.map(node => {
    const status = readStatus(node.answers);
    const { block, core } = status;
    const times = { ageMs: blockAge(block), behindCoreMs: core?.behindMs ?? null, isArchive: isArchive(status) };
    const lag = nodeLag(times, node.limit);
    return { ...node, status, lag, problems: findStatusProblems({ ...node, status, lag }) };
  });
  const heads = bestHeads(known.map(({ status }) => headOf(status)));
  const nodes = known.map(({ name, address, answers, doubts, status, lag, problems, limit }) => ({
    ...{ name, address, lag, problems, blockTimeMs: status.block.timeMs },
    isReached: isReached(answers),
    isSilent: Object.values(answers).every(answer => answer === null || answer.kind === 'failed'),
    worst: worstProblem(problems),
    notes: doubts.flatMap(({ severity, sentence }) => (severity === 'noted' ? [sentence] : [])),
    facts: statusFacts({ answers, status, lag, limit, behindBest: blocksBehind(headOf(status), heads) }, nowMs),
  }));
  return {
    nodes,
    chains: [...new Set(known.flatMap(({ status }) => status.chainId ?? []))],
    worst: worstProblem(nodes.flatMap(({ problems }) => problems)),
  };
}

const headOf = ({ chainId, block }: NodeStatus): ChainHead => ({ chainId, height: block.height });

/** The chain of a node and its newest block; null if not reported. */
export interface ChainHead {
  readonly chainId: string | null;
  readonly height: bigint | null;
}

/** By chain: how many nodes have reported a block, and the newest of those blocks. */
export type ChainHeads = ReadonlyMap<string, { readonly nodes: number; readonly best: bigint }>;

export function bestHeads(all: readonly ChainHead[]): ChainHeads {
  const heads = new Map<string, { readonly nodes: number; readonly best: bigint }>();
  for (const { chainId, height } of all) {
    if (chainId === null || height === null) continue;
    const { nodes, best } = heads.get(chainId) ?? { nodes: 0, best: height };
    heads.set(chainId, { nodes: nodes + 1, best: height > best ? height : best });
  }
  return heads;
}

/** Blocks that a node is behind the best one on its chain; null if it is the only one there. */
export function blocksBehind({ chainId, height }: ChainHead, heads: ChainHeads): bigint | null {
  const head = chainId === null ? undefined : heads.get(chainId);
  return head === undefined || height === null || head.nodes < 2 ? null : head.best - height;
}
