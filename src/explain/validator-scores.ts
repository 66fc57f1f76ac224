import { jsonText } from '../api/json.ts';
import { readPage } from '../api/page.ts';
import { type Directory, nameOf } from '../directory/directory.ts';
import { checksumAddress, readAddress } from '../insight/address.ts';
import { countOf } from '../insight/count-of.ts';
import { compareDecimals } from '../insight/decimal.ts';
import type { Keccak } from '../insight/keccak.ts';
import { allPower, type PowerShare, powerShare, whyZero, type ZeroScore } from '../insight/validator-scores.ts';
import type { Row } from '../resources/resource.ts';
import { readValidator, scoredValidator } from '../resources/validators.ts';
import type { Ask, ExplainedLine, Part } from './explanation.ts';

/** What the scores of a validator mean, compared with the others. */
export interface KnownScores {
  readonly power: PowerShare | undefined;
  /** As sent, or ''. */
  readonly multisigScore: string;
  readonly zero: ZeroScore | undefined;
  /** Signers that bundles remove and that are not consensus validators, newest first; requested only if all scores are 0. */
  readonly removals: readonly Removal[] | undefined;
}

interface Removal {
  readonly oldSigner: string;
  readonly epochSeq: string;
  readonly bundles: number;
}

export async function knowScores(row: Row, rows: readonly Row[], ask: Ask): Promise<KnownScores> {
  const own = scoredValidator(readValidator(row));
  const nodes = rows.map(readValidator);
  const all = nodes.map(scoredValidator);
  const zero = whyZero(own, all);
  const consensus = nodes.filter((_, index) => all[index]?.isConsensus === true);
  return {
    power: powerShare(own.votingPower, allPower(all)),
    multisigScore: own.multisigScore,
    zero,
    removals: zero?.kind === 'all' ? await removalsExcept(consensus, ask) : undefined,
  };
}

/** Signers removed by bundles, except these validators. */
async function removalsExcept(
  validators: readonly { readonly ethereumAddress: string }[],
  ask: Ask,
): Promise<readonly Removal[] | undefined> {
  const answer = await ask({
    path: 'api/v2/erc20/multisigcontrol/signer/removed/bundles',
    query: [['pagination.first', '1000']],
  });
  const records = answer === undefined ? undefined : readPage(answer, 'bundles')?.records;
  if (records === undefined) return undefined;
  const signers = new Set(validators.map(({ ethereumAddress }) => ethereumAddress.toLowerCase()));
  const bySigner = Map.groupBy(records, record => jsonText(record.oldSigner).toLowerCase());
  return [...bySigner]
    .filter(([oldSigner]) => readAddress(oldSigner) !== undefined && !signers.has(oldSigner))
    .map(([oldSigner, bundles]) => {
      const epochs = bundles.map(({ epochSeq }) => jsonText(epochSeq)).toSorted(compareDecimals);
      return { oldSigner, epochSeq: epochs.at(-1) ?? '', bundles: bundles.length };
    })
    .toSorted((one, other) => compareDecimals(other.epochSeq, one.epochSeq));
}

/** `2500, 25.0 % of all` */
export function powerInWords(votingPower: string, power: PowerShare | undefined): string {
  if (power === undefined) return votingPower;
  return power.isOfAll
    ? `${votingPower}, ${power.percent} % of all`
    : `${votingPower}, about ${power.percent} % of all`;
}

/** Why the multisig score is 0, judged by the other scores, and which bundles may help. */
export function scoreParts(
  { zero, removals }: KnownScores,
  known: { readonly directory: Directory; readonly keccak: Keccak },
): readonly Part[] {
  if (zero === undefined) return [];
  const title = 'Why the multisig score is 0';
  const say = (text: string): ExplainedLine => ({ label: '', text });
  if (zero.kind === 'not-a-signer')
    return [
      {
        title,
        lines: [say('Other consensus validators have a score: this one is not a signer of the contract.')],
      },
    ];
  const reason =
    zero.count === 1
      ? 'It is the only consensus validator listed here: either it is not a signer of the contract, or another signer is not a consensus validator.'
      : `All ${zero.count} consensus validators listed here have 0, so none gets a reward: the contract has a signer that is not a consensus validator, or none of them is a signer.`;
  return [{ title, lines: [say(reason), ...removalLines(removals, known)] }];
}

function removalLines(
  removals: KnownScores['removals'],
  { directory, keccak }: { readonly directory: Directory; readonly keccak: Keccak },
): readonly ExplainedLine[] {
  if (removals === undefined) return [{ label: '', text: 'The node did not list signer bundles.', tone: 'quiet' }];
  if (removals.length === 0)
    return [{ label: '', text: 'No listed bundle removes anyone other than a consensus validator.', tone: 'quiet' }];
  const lines = removals.slice(0, MOST_REMOVALS).map(({ oldSigner, epochSeq, bundles }): ExplainedLine => {
    const address = checksumAddress(oldSigner, keccak);
    const name = nameOf(directory, 'submitter', oldSigner);
    const made = `${countOf(bundles, 'bundle')}, the last in epoch ${epochSeq}`;
    return {
      label: 'can be removed',
      text: `${name === undefined ? address : `${name} ${address}`}: ${made}`,
      copied: address,
      leadsTo: { entity: 'submitter', id: oldSigner },
    };
  });
  const more = removals.length - MOST_REMOVALS;
  return [
    ...lines,
    ...(more > 0 ? [{ label: '', text: `and ${countOf(more, 'other signer')}` }] : []),
    { label: '', text: 'Not known here: which of them are still signers of the contract.', tone: 'quiet' },
  ];
}

const MOST_REMOVALS = 3;
