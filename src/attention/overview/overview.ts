import type { Directory } from '../../chain/directory/directory.ts';
import { judgeAll } from '../rules/registry.ts';
import type { Judged } from '../rules/rule.ts';
import type { Loading } from '../rules/seen.ts';
import { type Answers, rowsLoaded } from './answers.ts';
import { type EpochFacts, epochFacts } from './facts/epoch.ts';
import { type NetworkFacts, networkOf } from './facts/network.ts';
import { type NodeFacts, nodeOf } from './facts/node.ts';
import { type FeeFacts, feesOf } from './fees.ts';
import { type MineLine, mineLines, ownLoaded } from './mine.ts';
import { mineIn, type OverviewSettings, seenOf } from './seen.ts';

/** What this node and its chain are, and what needs attention. Texts may hold words of the chain: sanitise them. */
export interface Overview {
  readonly node: Loading<NodeFacts>;
  readonly epoch: Loading<EpochFacts>;
  readonly network: NetworkFacts;
  readonly fees: Loading<FeeFacts>;
  readonly attention: readonly Judged[];
  /** What the lists say of what is the user's. */
  readonly mine: readonly MineLine[];
  /** Names of the chain, from the same answers. */
  readonly directory: Directory;
  readonly requests: number;
}

/** The overview from the answers so far. */
export function overviewOf(answers: Answers, settings: OverviewSettings): Overview {
  const mine = mineIn(answers, settings);
  const seen = seenOf(answers, settings);
  const { directory, sources } = seen;
  const read = { ...sources, fees: rowsLoaded(answers.fees), epoch: seen.epoch, own: ownLoaded(answers.own) };
  return {
    node: nodeOf(answers, settings),
    epoch: epochFacts(answers, settings),
    network: networkOf(answers),
    fees: feesOf(answers, directory),
    attention: judgeAll(seen),
    mine: mineLines(mine, read, directory),
    directory,
    requests: answers.requests,
  };
}
