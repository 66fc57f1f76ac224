import type { Overview } from '../overview.ts';
import { changedFact, type StoredChanges } from './changed.ts';
import { epochFact } from './epoch.ts';
import type { Fact, FactContext } from './fact.ts';
import { feesFact, trendFact } from './fees.ts';
import { historyFact } from './history.ts';
import { networkFact } from './network.ts';
import { nodeFact } from './node.ts';

/** The facts about a node and its chain, in the order used everywhere. */
export const overviewFacts = (
  { node, epoch, network, fees }: Pick<Overview, 'node' | 'epoch' | 'network' | 'fees'>,
  changed: StoredChanges,
  moment: FactContext,
): readonly Fact[] => [
  nodeFact(node, moment),
  historyFact(node.kind === 'read' ? node.value.history : node),
  epochFact(epoch, moment),
  networkFact(network),
  feesFact(fees),
  trendFact(fees),
  ...changedFact(changed, moment),
];
