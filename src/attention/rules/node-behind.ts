import { shortDuration } from '../../base/text/duration.ts';
import type { ChainDoubt } from '../../chain/api/client.ts';
import { unreachableSentence } from '../../chain/api/errors.ts';
import { countOf } from '../../chain/insight/count-of.ts';
import { nodeLag } from '../../chain/insight/node-lag.ts';
import { createFinding, defineRule, type RuleFinding, unknownFinding } from './rule.ts';
import type { ObservedCore } from './rule-input.ts';

export const nodeBehind = defineRule({
  id: 'node-behind',
  about: 'node behind or stalled',
  needs: ['node'],
  find: (read, { limit, hasEnded }) => {
    const node = read('node');
    if (node.kind === 'silent')
      return [
        node.isUnreached
          ? unreachableFinding(node.why)
          : unknownFinding(`how the node is doing is not known: ${node.why}`),
      ];
    const { blockAgeMs, core, gone } = node;
    if (gone !== null) return [unreachableFinding(gone)];
    const doubts = node.doubts.map(doubtFinding);
    const lag = nodeLag({ ageMs: blockAgeMs, behindCoreMs: core?.behindMs ?? null, isArchive: hasEnded }, limit);
    switch (lag.kind) {
      case 'unknown':
        return [
          ...doubts,
          ...coreStateFindings(core),
          unknownFinding('whether the node is behind is not known: it does not give the time of its newest block'),
        ];
      case 'ahead': {
        const ahead = `the newest block is ${shortDuration(lag.ms)} ahead of this clock: one of the two clocks is wrong`;
        return [...doubts, ...coreStateFindings(core), createFinding('warning', ahead)];
      }
      case 'behind':
        return [...doubts, ...coreStateFindings(core), lagFinding(lag.ms, core, limit.ms)];
      case 'archive':
      case 'current':
        return [...doubts, ...coreStateFindings(core)];
    }
  },
});

const doubtFinding = ({ severity, sentence }: ChainDoubt): RuleFinding =>
  severity === 'untrusted'
    ? createFinding('critical', `the answers are of two chains: ${sentence}`)
    : createFinding('warning', sentence);

const unreachableFinding = (why: string): RuleFinding => createFinding('critical', unreachableSentence(why));

function lagFinding(ms: number, core: ObservedCore | null, maxLagMs: number): RuleFinding {
  const late = shortDuration(ms);
  if (core === null || core.blockAgeMs === null)
    return createFinding('warning', `the newest block is ${late} old: the node is behind, or the chain has stalled`);
  if (core.blockAgeMs < -maxLagMs)
    return createFinding(
      'warning',
      `the newest block of the core is ${shortDuration(-core.blockAgeMs)} ahead of this clock: one of the two clocks is wrong`,
    );
  if (core.blockAgeMs > maxLagMs)
    return createFinding(
      'critical',
      `no new block for ${shortDuration(core.blockAgeMs)}: the core of the node has none either`,
    );
  const blocks =
    core.behindBlocks === null || core.behindBlocks <= 0n ? '' : `, ${countOf(core.behindBlocks, 'block')}`;
  return createFinding('warning', `the data node is ${late} behind its core${blocks}`);
}

/** Releases always say `connected`, so any other word is a warning (protocol.md section 6). */
const coreStateFindings = (core: ObservedCore | null): readonly RuleFinding[] =>
  core === null || core.state === null || core.state === 'connected'
    ? []
    : [createFinding('warning', `the core reports "${core.state}", not "connected"`)];
