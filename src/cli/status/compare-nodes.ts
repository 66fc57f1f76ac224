import type { StatusAnswers } from './ask-status.ts';
import { findingsOn, type StatusProblem, worstOf } from './judge-status.ts';
import { type NodeStatus, readStatus } from './node-status.ts';

/** A node and its answers. */
export interface AskedNode {
  /** `demo`, the name it has in the settings, or ''. */
  readonly name: string;
  /** Without a login. */
  readonly address: string;
  readonly answers: StatusAnswers;
}

export interface JudgedNode extends AskedNode {
  readonly status: NodeStatus;
  readonly findings: readonly StatusProblem[];
  /** Blocks behind the best of these nodes on its chain; null if it is the only one there. */
  readonly behindBest: bigint | null;
}

export interface Judgement {
  readonly nodes: readonly JudgedNode[];
  /** More than one if the nodes are on different chains, which are not compared with each other. */
  readonly chains: readonly string[];
  /** Exit code of the worst node. */
  readonly code: number;
}

export function judge(asked: readonly AskedNode[], maxLagMs: number): Judgement {
  const known = asked.map(node => ({ ...node, status: readStatus(node.answers) }));
  const nodes = known.map(node => ({
    ...node,
    findings: findingsOn(node.answers, node.status, maxLagMs),
    behindBest: behindBest(
      node.status,
      known.map(({ status }) => status),
    ),
  }));
  return {
    nodes,
    chains: [...new Set(known.flatMap(({ status }) => status.chainId ?? []))],
    code: worstOf(nodes.flatMap(({ findings }) => findings.map(({ code }) => code))),
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
