import { shortDuration } from '../../base/text/duration.ts';
import type { ChainDoubt } from '../../chain/api/client.ts';
import { unreachableSentence } from '../../chain/api/errors.ts';
import { countOf } from '../../chain/insight/count-of.ts';
import { nodeLag } from '../../chain/insight/node-lag.ts';
import { defineRule, type ListedFinding, listedFinding, listedUnknown } from './rule.ts';
import type { ObservedCore } from './rule-input.ts';

const NODE = 'Node';

export const nodeBehind = defineRule({
  id: 'node-behind',
  about: 'node behind or stalled',
  subject: NODE,
  needs: ['node'],
  find: (read, { limit, hasEnded }) => {
    const node = read('node');
    if (node.kind === 'silent')
      return [
        node.isUnreached
          ? unreachableFinding(node.why)
          : listedUnknown(NODE, `the state of the node is not known: ${node.why}`),
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
          listedUnknown(
            NODE,
            'whether the node is behind is not known: it does not give the time of its newest block',
            'age of its newest block not known',
          ),
        ];
      case 'ahead': {
        return [...doubts, ...coreStateFindings(core), aheadFinding('Newest block', lag.ms)];
      }
      case 'behind':
        return [...doubts, ...coreStateFindings(core), lagFinding(lag.ms, core, limit.ms)];
      case 'archive':
      case 'current':
        return [...doubts, ...coreStateFindings(core)];
    }
  },
});

const doubtFinding = ({ severity, sentence }: ChainDoubt): ListedFinding =>
  severity === 'untrusted'
    ? listedFinding('critical', `the answers are of two chains: ${sentence}`, {
        subject: NODE,
        fact: 'answers are of two chains: do not trust it',
      })
    : listedFinding('warning', sentence, { subject: NODE, fact: 'answers contradict each other' });

const unreachableFinding = (why: string): ListedFinding =>
  listedFinding('critical', unreachableSentence(why), { subject: NODE, fact: 'cannot be reached' });

function aheadFinding(subject: string, ms: number): ListedFinding {
  const ahead = `${shortDuration(ms)} ahead of this clock`;
  return listedFinding('warning', `the ${subject.toLowerCase()} is ${ahead}: one of the two clocks is wrong`, {
    subject,
    fact: ahead,
  });
}

function lagFinding(ms: number, core: ObservedCore | null, maxLagMs: number): ListedFinding {
  const late = shortDuration(ms);
  if (core === null || core.blockAgeMs === null)
    return listedFinding('warning', `the newest block is ${late} old: the node is behind, or the chain has stalled`, {
      subject: 'Newest block',
      fact: `${late} old`,
    });
  if (core.blockAgeMs < -maxLagMs) return aheadFinding('Newest block of the core', -core.blockAgeMs);
  if (core.blockAgeMs > maxLagMs) {
    const still = `no new block for ${shortDuration(core.blockAgeMs)}`;
    return listedFinding('critical', `${still}: the core of the node has none either`, {
      subject: 'Chain',
      fact: still,
    });
  }
  const blocks =
    core.behindBlocks === null || core.behindBlocks <= 0n ? '' : `, ${countOf(core.behindBlocks, 'block')}`;
  const behind = `${late} behind its core${blocks}`;
  return listedFinding('warning', `the data node is ${behind}`, { subject: 'Data node', fact: behind });
}

/** Releases always report `connected`, so any other word is a warning (protocol.md section 6). */
const coreStateFindings = (core: ObservedCore | null): readonly ListedFinding[] =>
  core === null || core.state === null || core.state === 'connected'
    ? []
    : [
        listedFinding('warning', `the core reports "${core.state}", not "connected"`, {
          subject: 'Core',
          fact: `reports "${core.state}"`,
        }),
      ];
