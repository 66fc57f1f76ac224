import { MOST_SIGNATURES, type Study, unreadOf } from './study.ts';

/** What no node can tell of a bundle. */
export const NEVER_KNOWN = ['whether the nonce was used', "who the contract's signers are"] as const;

/** What else is not known of this one, and what was not tried: sentences. */
export function unknownHere(
  { bytes, chains, findings, sufficiency }: Study,
  threshold: number | undefined,
): readonly string[] {
  const isOpen = findings !== undefined && findings.form === undefined;
  return [
    ...(threshold === undefined && findings !== undefined
      ? ["the contract's threshold: explain --threshold N counts against it"]
      : []),
    ...(unreadOf(bytes) > 0
      ? [`who signed behind the first ${MOST_SIGNATURES} signatures, and so whether all of them are enough`]
      : []),
    ...(sufficiency?.kind === 'enough-for'
      ? ['how many signers the contract has: explain --signer-count N says it']
      : []),
    ...(isOpen ? ['who signed: explain --signers FILE names more signers'] : []),
    ...(isOpen && chains.ids.length === 0 ? ['v2 forms were not tried: no chain id is known'] : []),
    ...(chains.isCut ? [`v2 forms were tried with ${chains.ids.length} of the chains that parameters name`] : []),
  ];
}
