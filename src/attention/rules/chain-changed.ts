import { shortName } from '../../base/text/short-name.ts';
import { type Compared, finding } from './rule.ts';

export const CHAIN_CHANGED = { id: 'chain-changed', about: 'another chain than before' } as const;

/** Compares the chain of the node with the one that was accepted; null if the node does not name it. */
export function compareChain(chainId: string | null, accepted: string | null): Compared<string> {
  if (chainId === null || accepted === null || chainId === accepted)
    return {
      findings: chainId === null ? [finding('unknown', 'the chain is not known: the node does not name it')] : [],
      memory: accepted ?? chainId,
    };
  return {
    findings: [finding('critical', `the node answers for the chain ${shortName(chainId)}, was ${shortName(accepted)}`)],
    memory: accepted,
  };
}
