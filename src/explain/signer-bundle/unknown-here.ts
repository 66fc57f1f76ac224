import { MOST_SIGNATURES, type Study, unreadOf } from './study.ts';

/** What no node can tell about a bundle. */
export const NEVER_KNOWN = ['whether the nonce was used', "who the contract's signers are"] as const;

/** What else is unknown about this one, and what was not tried, in sentences. */
export function unknownHere(
  { bytes, chains, findings, sufficiency }: Study,
  threshold: number | undefined,
): readonly string[] {
  const isOpen = findings !== undefined && findings.form === undefined;
  return [
    ...(threshold === undefined && findings !== undefined
      ? ["the contract's threshold: set it with explain --threshold N"]
      : []),
    ...(unreadOf(bytes) > 0
      ? [`who made the signatures after the first ${MOST_SIGNATURES}, and so whether all of them are enough`]
      : []),
    ...(sufficiency?.kind === 'enough-for'
      ? ['how many signers the contract has: set it with explain --signer-count N']
      : []),
    ...(isOpen ? ['who signed: name more signers with explain --signers FILE'] : []),
    ...(isOpen && chains.ids.length === 0 ? ['v2 forms were not tried: no chain id is known'] : []),
    ...(chains.isCut ? [`v2 forms were tried with only ${chains.ids.length} of the chains that parameters name`] : []),
  ];
}
