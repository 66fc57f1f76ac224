import { readAddress } from '../../base/text/ids.ts';
import { jsonText } from '../../chain/api/json.ts';
import { type Directory, isMine } from '../../chain/directory/directory.ts';
import { countOf } from '../../chain/insight/count-of.ts';
import { compareDecimals } from '../../chain/insight/decimal.ts';
import { bundleReadiness } from '../../chain/insight/signer-bundle/bundle-readiness.ts';
import { isScore, zeroScoreReason } from '../../chain/insight/validator-scores.ts';
import type { Row } from '../../chain/resources/resource.ts';
import { signerBundles } from '../../chain/resources/signer-bundles.ts';
import { readValidator, scoredValidator, validators } from '../../chain/resources/validators.ts';
import { nameOrId } from './name-texts.ts';
import { defineRule, listedUnknown } from './rule.ts';
import type { Loading, ObservedBundle } from './rule-input.ts';

const SCORES = 'Multisig scores';

export const excessSigner = defineRule({
  id: 'excess-signer',
  about: 'multisig scores of 0',
  subject: SCORES,
  needs: ['validators', 'bundles'],
  // Only the scores decide; bundles only determine the remedy.
  mayLack: ['bundles'],
  find: (read, { directory, sources }) => {
    const rows = read('validators').map(row => ({ row, ...scoredValidator(readValidator(row)) }));
    const consensus = rows.filter(({ isConsensus }) => isConsensus);
    const [first] = consensus;
    if (first === undefined)
      return [listedUnknown(SCORES, 'multisig scores are not known: the node lists no validator as part of consensus')];
    const unsaid = consensus.filter(({ multisigScore }) => !isScore(multisigScore));
    if (consensus.every(({ multisigScore }) => multisigScore === ''))
      return [listedUnknown(SCORES, 'multisig scores are not known: the node sends none')];
    if (unsaid.length > 0)
      return [
        listedUnknown(SCORES, `the multisig scores of ${countOf(unsaid.length, 'consensus validator')} are not known`),
      ];
    const zero = consensus.map(one => zeroScoreReason(one, consensus)).find(why => why?.kind === 'all');
    if (zero === undefined) return [];
    const { help, fix } = removalAdvice(sources.bundles, read('validators'), directory);
    // What helps comes first, where a narrow screen shows it.
    const count =
      consensus.length === 1 ? 'that validator is not a signer' : `none of the ${consensus.length} is a signer`;
    return [
      {
        severity: 'critical',
        subject: 'Consensus validators',
        fact: 'no rewards: every multisig score is 0',
        details: [`the multisig contract has a signer outside consensus, or ${count}`, help],
        sentence: `no consensus validator is rewarded: ${help}; multisig scores are 0: the contract has a signer outside consensus, or ${count}`,
        resource: fix === undefined ? validators.id : signerBundles.id,
        key: fix === undefined ? validators.keyOf(first.row) : signerBundles.keyOf(fix),
      },
    ];
  },
});

/** A removal has a bundle for each submitter, and the user can submit no other than the user's own. */
export function ownRemovalsFirst<One extends Pick<ObservedBundle, 'row'>>(
  bundles: readonly One[],
  directory: Directory,
): readonly One[] {
  const isOwn = ({ row }: One): boolean => isMine(directory, 'submitter', jsonText(row.submitter));
  return bundles.toSorted((one, other) => Number(isOwn(other)) - Number(isOwn(one)));
}

interface Advice {
  readonly help: string;
  /** The newest bundle that can be submitted and removes someone outside consensus. */
  readonly fix?: Row;
}

function removalAdvice(
  source: Loading<readonly ObservedBundle[]>,
  nodes: readonly Row[],
  directory: Directory,
): Advice {
  if (source.kind !== 'read') return { help: 'the fix is not known, because signer bundles could not be read' };
  const inside = consensusAddresses(nodes);
  const removals = ownRemovalsFirst(source.value, directory)
    .filter(({ row }) => {
      const signer = readAddress(jsonText(row.oldSigner));
      return signer !== undefined && !inside.has(signer);
    })
    .map(({ row, checked }) => ({ row, state: checked === null ? 'unknown' : bundleReadiness(checked) }))
    .toSorted((one, other) => compareDecimals(jsonText(other.row.epochSeq), jsonText(one.row.epochSeq)));
  const fix = removals.find(({ state }) => state === 'yes')?.row;
  if (fix !== undefined)
    return { help: `removing signer ${nameOrId(directory, 'submitter', jsonText(fix.oldSigner))} may help`, fix };
  if (source.gap !== '' || removals.some(({ state }) => state === 'unknown'))
    return { help: 'whether a bundle helps is not known: not all could be checked' };
  return {
    help:
      removals.length === 0
        ? 'no bundle listed here removes a signer outside consensus'
        : 'no bundle listed here that removes a signer can be submitted',
  };
}

/** The addresses of the consensus validators, in lower case. */
export const consensusAddresses = (nodes: readonly Row[]): ReadonlySet<string> =>
  new Set(
    nodes
      .map(readValidator)
      .filter(node => scoredValidator(node).isConsensus)
      .flatMap(({ ethereumAddress }) => readAddress(ethereumAddress) ?? []),
  );
