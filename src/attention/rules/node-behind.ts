import type { ChainDoubt } from '../../chain/api/client.ts';
import { unreachedSentence } from '../../chain/api/errors.ts';
import { countOf } from '../../chain/insight/count-of.ts';
import { duration } from '../../chain/insight/duration.ts';
import { lagOf } from '../../chain/insight/node-lag.ts';
import { defineRule, finding, type RuleFinding, unknown } from './rule.ts';
import type { CoreSeen } from './seen.ts';

export const nodeBehind = defineRule({
  id: 'node-behind',
  about: 'node behind or stalled',
  needs: ['node'],
  find: (read, { limit, hasEnded }) => {
    const node = read('node');
    if (node.kind === 'silent')
      return [node.isUnreached ? unreached(node.why) : unknown(`how the node is doing is not known: ${node.why}`)];
    const { blockAgeMs, core, gone } = node;
    if (gone !== null) return [unreached(gone)];
    const doubts = node.doubts.map(doubted);
    const lag = lagOf({ ageMs: blockAgeMs, behindCoreMs: core?.behindMs ?? null, isArchive: hasEnded }, limit);
    switch (lag.kind) {
      case 'unknown':
        return [
          ...doubts,
          ...stateOf(core),
          unknown('whether the node is behind is not known: it does not give the time of its newest block'),
        ];
      case 'ahead': {
        const ahead = `the newest block is ${duration(lag.ms)} ahead of this clock: one of the two clocks is wrong`;
        return [...doubts, ...stateOf(core), finding('warning', ahead)];
      }
      case 'behind':
        return [...doubts, ...stateOf(core), behind(lag.ms, core, limit.ms)];
      case 'archive':
      case 'current':
        return [...doubts, ...stateOf(core)];
    }
  },
});

const doubted = ({ severity, sentence }: ChainDoubt): RuleFinding =>
  severity === 'untrusted'
    ? finding('critical', `the answers are of two chains: ${sentence}`)
    : finding('warning', sentence);

const unreached = (why: string): RuleFinding => finding('critical', unreachedSentence(why));

function behind(ms: number, core: CoreSeen | null, maxLagMs: number): RuleFinding {
  const late = duration(ms);
  if (core === null || core.blockAgeMs === null)
    return finding('warning', `the newest block is ${late} old: the node is behind, or the chain has stalled`);
  if (core.blockAgeMs < -maxLagMs)
    return finding(
      'warning',
      `the newest block of the core is ${duration(-core.blockAgeMs)} ahead of this clock: one of the two clocks is wrong`,
    );
  if (core.blockAgeMs > maxLagMs)
    return finding('critical', `no new block for ${duration(core.blockAgeMs)}: the core of the node has none either`);
  const blocks =
    core.behindBlocks === null || core.behindBlocks <= 0n ? '' : `, ${countOf(core.behindBlocks, 'block')}`;
  return finding('warning', `the data node is ${late} behind its core${blocks}`);
}

/** Releases always say `connected`, so any other word is a warning (protocol.md section 6). */
const stateOf = (core: CoreSeen | null): readonly RuleFinding[] =>
  core === null || core.state === null || core.state === 'connected'
    ? []
    : [finding('warning', `the core says "${core.state}", not "connected"`)];
