import type { Directory } from '../../chain/directory/directory.ts';
import { judgeAll } from '../rules/registry.ts';
import type { RuleResult } from '../rules/rule.ts';
import type { Loading } from '../rules/rule-input.ts';
import { answeredRows, type OverviewAnswers } from './answers.ts';
import { collectRuleInput, mineOnChain, type OverviewSettings } from './collect-rule-input.ts';
import { type EpochFacts, epochFacts } from './facts/epoch.ts';
import { collectNetworkFacts, type NetworkFacts } from './facts/network.ts';
import { collectNodeFacts, type NodeFacts } from './facts/node.ts';
import { collectFeeFacts, type FeeFacts } from './fees.ts';
import { answeredOwnRows, type MineLine, mineLines } from './mine.ts';

/** What this node and its chain are, and what needs attention. Texts may hold words of the chain: sanitise them. */
export interface Overview {
  readonly node: Loading<NodeFacts>;
  readonly epoch: Loading<EpochFacts>;
  readonly network: NetworkFacts;
  readonly fees: Loading<FeeFacts>;
  readonly attention: readonly RuleResult[];
  /** Facts from the lists about the user's own entities. */
  readonly mine: readonly MineLine[];
  /** Names of the chain, from the same answers. */
  readonly directory: Directory;
  readonly requests: number;
}

/** The overview from the answers so far. */
export function createOverview(answers: OverviewAnswers, settings: OverviewSettings): Overview {
  const mine = mineOnChain(answers, settings);
  const seen = collectRuleInput(answers, settings);
  const { directory, sources } = seen;
  const read = { ...sources, fees: answeredRows(answers.fees), epoch: seen.epoch, own: answeredOwnRows(answers.own) };
  return {
    node: collectNodeFacts(answers, settings),
    epoch: epochFacts(answers, settings),
    network: collectNetworkFacts(answers),
    fees: collectFeeFacts(answers, directory),
    attention: judgeAll(seen),
    mine: mineLines(mine, read, directory),
    directory,
    requests: answers.requests,
  };
}
