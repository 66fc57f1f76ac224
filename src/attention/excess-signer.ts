import { jsonText } from '../api/json.ts';
import { readAddress } from '../insight/address.ts';
import { countOf } from '../insight/count-of.ts';
import { compareDecimals } from '../insight/decimal.ts';
import { isScore, whyZero } from '../insight/validator-scores.ts';
import type { Row } from '../resources/resource.ts';
import { signerBundles } from '../resources/signer-bundles.ts';
import { readValidator, scoredValidator, validators } from '../resources/validators.ts';
import { nameOrId } from './names.ts';
import { defineRule, unknown } from './rule.ts';
import type { BundleSeen } from './seen.ts';

export const excessSigner = defineRule({
  id: 'excess-signer',
  about: 'multisig scores of 0',
  needs: ['validators', 'bundles'],
  find: (read, { directory }) => {
    const rows = read('validators').map(row => ({ row, ...scoredValidator(readValidator(row)) }));
    const consensus = rows.filter(({ isConsensus }) => isConsensus);
    const [first] = consensus;
    if (first === undefined)
      return [unknown('multisig scores are not known: the node lists no validator as part of consensus')];
    const unsaid = consensus.filter(({ multisigScore }) => !isScore(multisigScore));
    if (consensus.every(({ multisigScore }) => multisigScore === ''))
      return [unknown('multisig scores are not known: the node sends none')];
    if (unsaid.length > 0)
      return [unknown(`the multisig scores of ${countOf(unsaid.length, 'consensus validator')} are not known`)];
    const zero = consensus.map(one => whyZero(one, consensus)).find(why => why?.kind === 'all');
    if (zero === undefined) return [];
    const fix = fixAmong(read('bundles'), read('validators'));
    const signer = fix === undefined ? undefined : nameOrId(directory, 'submitter', jsonText(fix.oldSigner));
    // What helps comes first, where a narrow screen shows it.
    const help = signer === undefined ? 'no bundle listed here removes a signer' : `removing signer ${signer} may help`;
    const count =
      consensus.length === 1 ? 'that validator is not a signer' : `none of the ${consensus.length} is a signer`;
    return [
      {
        severity: 'critical',
        sentence: `no consensus validator is rewarded: ${help}; multisig scores are 0: the contract has a signer outside consensus, or ${count}`,
        resource: fix === undefined ? validators.id : signerBundles.id,
        key: fix === undefined ? validators.keyOf(first.row) : signerBundles.keyOf(fix),
      },
    ];
  },
});

/** The newest bundle that removes someone outside consensus. */
function fixAmong(bundles: readonly BundleSeen[], nodes: readonly Row[]): Row | undefined {
  const inside = consensusAddresses(nodes);
  return bundles
    .map(({ row }) => row)
    .filter(row => {
      const signer = readAddress(jsonText(row.oldSigner));
      return signer !== undefined && !inside.has(signer);
    })
    .toSorted((one, other) => compareDecimals(jsonText(other.epochSeq), jsonText(one.epochSeq)))[0];
}

/** The addresses of the consensus validators, in lower case. */
export const consensusAddresses = (nodes: readonly Row[]): ReadonlySet<string> =>
  new Set(
    nodes
      .map(readValidator)
      .filter(node => scoredValidator(node).isConsensus)
      .flatMap(({ ethereumAddress }) => readAddress(ethereumAddress) ?? []),
  );
