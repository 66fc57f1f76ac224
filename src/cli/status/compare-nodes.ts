import type { ChainDoubt } from '../../chain/api/client.ts';
import { blockAge, isArchive } from '../../chain/directory/chain-state.ts';
import { type Lag, type LagLimit, nodeLag } from '../../chain/insight/node-lag.ts';
import { findStatusProblems, type StatusProblem, worstExitCode } from './judge-status.ts';
import { type NodeStatus, readStatus } from './node-status.ts';
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

/** Information that is not a problem, but useful. */
export const noteSentences = (doubts: readonly ChainDoubt[]): readonly string[] =>
  doubts.flatMap(({ severity, sentence }) => (severity === 'noted' ? [sentence] : []));

export interface JudgedNode extends AnsweredNode {
  readonly status: NodeStatus;
  readonly lag: Lag;
  readonly findings: readonly StatusProblem[];
  /** Blocks behind the best of these nodes on its chain; null if it is the only one there. */
  readonly behindBest: bigint | null;
}

export interface NodesJudgement {
  readonly nodes: readonly JudgedNode[];
  /** More than one if the nodes are on different chains, which are not compared with each other. */
  readonly chains: readonly string[];
  /** Exit code of the worst node. */
  readonly code: number;
}

export function judgeNodes(asked: readonly AnsweredNode[]): NodesJudgement {
  const known = asked.map(node => {
    const status = readStatus(node.answers);
    const { block, core } = status;
    const times = { ageMs: blockAge(block), behindCoreMs: core?.behindMs ?? null, isArchive: isArchive(status) };
    return { ...node, status, lag: nodeLag(times, node.limit) };
  });
  const nodes = known.map(node => ({
    ...node,
    findings: findStatusProblems(node),
    behindBest: behindBest(
      node.status,
      known.map(({ status }) => status),
    ),
  }));
  return {
    nodes,
    chains: [...new Set(known.flatMap(({ status }) => status.chainId ?? []))],
    code: worstExitCode(nodes.flatMap(({ findings }) => findings.map(({ code }) => code))),
  };
}

function behindBest({ chainId, block }: NodeStatus, all: readonly NodeStatus[]): bigint | null {
  const own = block.height;
  const heights = all.flatMap(other =>
    chainId !== null && other.chainId === chainId && other.block.height !== null ? [other.block.height] : [],
  );
  if (own === null || heights.length < 2) return null;
  return heights.reduce((best, height) => (height > best ? height : best)) - own;
}
