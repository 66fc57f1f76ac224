import type { HeightRange } from '../../export/range/history.ts';
import { EXIT } from '../exit-code.ts';
import type { JudgedNode, Judgement } from './compare-nodes.ts';
import { isReached, worstOf } from './judge-status.ts';

/** The members that docs/status.md names: they stay as they are. Heights are text, times RFC 3339. */
export function statusJson({ nodes, chains, code }: Judgement, maxLagSeconds: number) {
  return { maxLagSeconds, chains, exitCode: code, nodes: nodes.map(nodeJson) };
}

function nodeJson({ name, address, answers, status, findings, behindBest }: JudgedNode) {
  const { version, chainId, block, core, epoch, history, rate, latencyMs } = status;
  const exitCode = worstOf(findings.map(({ code }) => code));
  return {
    name: name === '' ? null : name,
    address,
    isReachable: isReached(answers),
    isHealthy: exitCode === EXIT.done,
    exitCode,
    problems: findings.map(({ code, text }) => ({ exitCode: code, text })),
    version,
    chainId,
    blockHeight: text(block.height),
    blockTime: time(block.timeMs),
    lagSeconds: seconds(block.ageMs),
    behindBestBlocks: text(behindBest),
    core: core && {
      version: core.version,
      state: core.state,
      blockHeight: text(core.height),
      blockTime: time(core.timeMs),
      behindBlocks: text(core.behindBlocks),
      behindSeconds: seconds(core.behindMs),
    },
    epoch: epoch && { seq: epoch.seq, endTime: time(epoch.endsMs) },
    history: history && {
      spans: history.spans.map(({ fromHeight, toHeight, segments }) => ({
        ...heights({ from: fromHeight, to: toHeight }),
        segments: segments.length,
      })),
      gaps: history.gaps.map(heights),
      overlaps: history.overlaps.map(heights),
      chains: history.chains,
      unreadableSegments: history.unreadable,
    },
    rateLimit: { perSecond: rate.limitPerSecond ?? null, remaining: rate.remaining ?? null },
    latencyMs,
  };
}

const heights = ({ from, to }: HeightRange) => ({ fromBlock: String(from), toBlock: String(to) });

const text = (height: bigint | null): string | null => (height === null ? null : String(height));

const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000);

const time = (timeMs: number | null): string | null => (timeMs === null ? null : new Date(timeMs).toISOString());
