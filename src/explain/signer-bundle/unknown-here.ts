import type { Study } from './study.ts';

/** What a node cannot tell, and what was not tried: sentences. */
export function unknownHere(
  { chains, findings, sufficiency }: Study,
  threshold: number | undefined,
): readonly string[] {
  return [
    'whether the nonce was used',
    "who the contract's signers are now",
    ...(threshold === undefined ? ["the contract's threshold; `explain` with --threshold N counts against it"] : []),
    ...(sufficiency?.kind === 'enough-for'
      ? ['how many signers the contract has; `explain` with --signer-count N takes it into account']
      : []),
    ...(findings !== undefined && findings.form === undefined
      ? ['who signed; `explain` with --signers FILE knows more signers']
      : []),
    ...(findings !== undefined && findings.form === undefined && chains.ids.length === 0
      ? ['v2 forms were not tried: no chain id is known']
      : []),
    ...(chains.isCut ? [`v2 forms were tried with ${chains.ids.length} of the chains that parameters name`] : []),
  ];
}
