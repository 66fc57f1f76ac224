import { shortenName } from '../../base/text/shorten-name.ts';
import { createFinding, type MemoryRuleResult } from './rule.ts';

export const CHAIN_CHANGED = { id: 'chain-changed', about: 'another chain than before' } as const;

/** Compares the chain of the node with the accepted one. `chainId` is null if the node does not report it. */
export function compareChain(chainId: string | null, accepted: string | null): MemoryRuleResult<string> {
  if (chainId === null || accepted === null || chainId === accepted)
    return {
      findings:
        chainId === null ? [createFinding('unknown', 'the chain is not known: the node does not report it')] : [],
      memory: accepted ?? chainId,
    };
  return {
    findings: [
      createFinding('critical', `the node answers for the chain ${shortenName(chainId)}, was ${shortenName(accepted)}`),
    ],
    memory: accepted,
  };
}
