import { readAddress } from '../../base/text/ids.ts';
import { jsonText } from '../../chain/api/json.ts';
import { isMine } from '../../chain/directory/directory.ts';
import { countOf, countText } from '../../chain/insight/count-of.ts';
import { epochNumber } from '../../chain/insight/paid-fees.ts';
import { bundleReadiness, validSignatureCount } from '../../chain/insight/signer-bundle/bundle-readiness.ts';
import type { CheckedBundle } from '../../chain/insight/signer-bundle/checked-bundle.ts';
import { zeroScoreReason } from '../../chain/insight/validator-scores.ts';
import type { Row } from '../../chain/resources/resource.ts';
import { signerBundles } from '../../chain/resources/signer-bundles.ts';
import { readValidator, scoredValidator } from '../../chain/resources/validators.ts';
import { consensusAddresses, ownRemovalsFirst } from './excess-signer.ts';
import { nameOrId } from './name-texts.ts';
import { defineRule, type ListedFinding, listedUnknown } from './rule.ts';
import type { ObservedBundle, RuleContext } from './rule-input.ts';

const BUNDLES = 'Signer bundles';

export const bundleToSubmit = defineRule({
  id: 'bundle',
  about: 'signer bundles that can be submitted',
  subject: BUNDLES,
  needs: ['bundles', 'validators'],
  isPerRecord: true,
  // The contract is on another chain.
  outlivesChain: true,
  find: (read, known) => {
    const waiting = new Set(
      bundlesToCheck(
        read('bundles').map(({ row }) => row),
        read('validators'),
        known.epoch,
      ),
    );
    const open = read('bundles').filter(({ row }) => waiting.has(row));
    const removals = [...Map.groupBy(open, ({ row }) => removalKey(row)).values()];
    const unreadable = open.filter(({ row }) =>
      [row.oldSigner, row.submitter].some(one => readAddress(jsonText(one)) === undefined),
    ).length;
    const unchecked = open.filter(({ checked }) => checked === null).length;
    return [
      ...removals.flatMap(bundles => removalFindings(bundles, known)),
      ...(unreadable === 0
        ? []
        : [
            listedUnknown(
              BUNDLES,
              `signer or submitter of ${countOf(unreadable, 'signer bundle')} cannot be read`,
              `${countText(unreadable)} cannot be read`,
            ),
          ]),
      ...(unchecked === 0
        ? []
        : [
            listedUnknown(
              BUNDLES,
              `${countOf(unchecked, 'older signer bundle')} not checked: only the newest ${MAX_CHECKED_BUNDLES} are`,
              `${countText(unchecked)} older ones not checked`,
            ),
          ]),
    ];
  },
});

/** Signatures take time to check, and a node may list thousands of old bundles. */
const MAX_CHECKED_BUNDLES = 16;

/**
 * The bundles whose signer may still be on the contract: those outside consensus, unless a score above 0 shows that the
 * contract has no such signer. A score is from the beginning of the epoch, so it does not reflect the newest removals.
 */
export function bundlesToCheck(bundles: readonly Row[], nodes: readonly Row[], epoch: bigint | null): readonly Row[] {
  const inside = consensusAddresses(nodes);
  const scored = nodes.map(readValidator).map(scoredValidator);
  const hasScore = scored.some(({ isConsensus, multisigScore }) => isConsensus && /[1-9]/.test(multisigScore));
  const isAllZero = scored.some(one => zeroScoreReason(one, scored)?.kind === 'all');
  return bundles.filter(row => {
    const signer = readAddress(jsonText(row.oldSigner));
    const madeIn = epochNumber(jsonText(row.epochSeq));
    const isNew = epoch === null || madeIn === undefined || madeIn + 1n >= epoch;
    return (signer === undefined || !inside.has(signer)) && (isNew || isAllZero || !hasScore);
  });
}

/** The newest of these, whose signatures are worth the time. */
export const newestToCheck = (bundles: readonly Row[]): readonly Row[] => bundles.slice(0, MAX_CHECKED_BUNDLES);

/** A removal has a bundle for each submitter. */
export const removalKey = ({ oldSigner, nonce, chainId }: Row): string =>
  [oldSigner, nonce, chainId].map(jsonText).join('/').toLowerCase();

interface UsableBundle {
  readonly row: Row;
  readonly checked: CheckedBundle;
  readonly signed: number;
}

function removalFindings(bundles: readonly ObservedBundle[], known: RuleContext): readonly ListedFinding[] {
  const signer = nameOrId(known.directory, 'submitter', jsonText(bundles[0]?.row.oldSigner));
  const checked = bundles.flatMap(({ row, checked }) => (checked === null ? [] : [{ row, checked }]));
  const unread = checked.filter(({ checked }) => bundleReadiness(checked) === 'unknown');
  const sound = checked
    .flatMap(({ row, checked }): readonly UsableBundle[] => {
      const signed = validSignatureCount(checked);
      return signed === 0 ? [] : [{ row, checked, signed }];
    })
    .toSorted((one, other) => other.signed - one.signed);
  const enough = sound.filter(({ checked }) => bundleReadiness(checked) === 'yes');
  const named = enough.length > 0 ? enough : sound;
  const [best] = ownRemovalsFirst(named, known.directory);
  if (best === undefined)
    return unread.length === 0
      ? []
      : [
          listedUnknown(
            `Remove signer ${signer}`,
            `whether a bundle that removes ${signer} can be submitted is not known: none of the validators listed here signed it`,
            'signatures are of unknown validators',
          ),
        ];
  const who = submitters(named, known);
  const verdict = enough.length > 0 ? who : `not enough signatures yet: ${who}`;
  const signatures = signaturesText(named, known);
  return [
    {
      severity: enough.length > 0 ? 'warning' : 'info',
      subject: `Remove signer ${signer}`,
      fact:
        enough.length > 0
          ? `${signatureCount(named)} ${shortSubmitters(named, known)}; ${requiredText(named, known)}`
          : `not enough signatures yet: ${signatureRange(named).range}`,
      details: [
        `${verdict}: ${signatures}`,
        `the bundle removes ${signer} from the multisig contract, if that still has the signer`,
      ],
      sentence: `remove signer ${signer}: ${verdict}: ${signatures}`,
      resource: signerBundles.id,
      key: signerBundles.keyOf(best.row),
      identity: removalKey(best.row),
    },
  ];
}

/** A bundle is for one submitter. */
function submitters(bundles: readonly UsableBundle[], { directory }: RuleContext): string {
  const all = [...new Set(bundles.map(({ row }) => jsonText(row.submitter)))];
  const [first = ''] = all;
  if (all.length === 1) return `only ${nameOrId(directory, 'submitter', first)} can submit it`;
  const others = all.filter(one => !isMine(directory, 'submitter', one)).length;
  const each = `${countOf(all.length, 'bundle')}, for one submitter each`;
  if (others === 0) return `${each}, all yours`;
  return others < all.length ? `${each}, ${countText(all.length - others)} for you` : each;
}

/** The same in the few words that a row has room for. */
function shortSubmitters(bundles: readonly UsableBundle[], { directory }: RuleContext): string {
  const all = [...new Set(bundles.map(({ row }) => jsonText(row.submitter)))];
  const [first = ''] = all;
  if (all.length === 1) return `for ${nameOrId(directory, 'submitter', first)} only`;
  const isSame = new Set(bundles.map(({ signed }) => signed)).size === 1;
  const mine = all.filter(one => isMine(directory, 'submitter', one)).length;
  return `${isSame ? 'on each of' : 'on'} ${countOf(all.length, 'bundle')}${mine === 0 ? '' : `, ${countText(mine)} for you`}`;
}

/** How the signatures compare with what the contract requires, as far as that is known. */
function requiredText(bundles: readonly UsableBundle[], { threshold }: RuleContext): string {
  if (threshold === undefined) return 'threshold not known';
  return bundles.every(({ checked }) => checked.sufficiency?.kind === 'enough')
    ? 'enough'
    : 'number of signers not known';
}

function signatureRange(named: readonly UsableBundle[]) {
  const counts = named.map(({ signed }) => signed);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return { least, most, range: least === most ? countText(most) : `${countText(least)} to ${countText(most)}` };
}

/** `5 signatures`, or `4 of 5 signatures known`: the list counts those that do not count for the contract, too. */
function signatureCount(named: readonly UsableBundle[]): string {
  const { least, most, range } = signatureRange(named);
  const sent = named.map(({ checked: { bytes } }) => (bytes.kind === 'whole' ? bytes.count : 0));
  const [fewest, total] = [Math.min(...sent), Math.max(...sent)];
  if (least === most && fewest === total && total > most)
    return `${countText(most)} of ${countOf(total, 'signature')} known`;
  return least === most ? countOf(most, 'signature') : `${range} signatures`;
}

/** Of all that are named; bundles of one removal may differ in their signatures. */
function signaturesText(named: readonly UsableBundle[], { threshold }: RuleContext): string {
  const { least, range } = signatureRange(named);
  const count = signatureCount(named);
  // Based on the bundle with the fewest signatures: if they are enough for it, all bundles have enough.
  const sufficiency = named.find(({ signed }) => signed === least)?.checked.sufficiency;
  switch (sufficiency?.kind) {
    case undefined:
      return `${count}; the threshold of the contract is not known here`;
    case 'enough':
    case 'not-enough':
    case 'too-many':
      return `${range} of ${countOf(sufficiency.signerCount, 'signer')} signed, threshold ${threshold}`;
    case 'enough-for':
      return `${count}: enough for a contract of up to ${countOf(sufficiency.most, 'signer')}`;
    case 'refused':
      return count;
  }
}
