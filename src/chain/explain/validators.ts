import { setImmediate as pause } from 'node:timers/promises';
import { readAddress } from '../../base/text/ids.ts';
import { isJsonArray, type JsonObject, jsonText, member } from '../api/json.ts';
import { readPage } from '../api/page.ts';
import { type Directory, nameOf, subjectName, type Unit, unitOfAsset } from '../directory/directory.ts';
import { checksumAddress } from '../insight/address.ts';
import { countOf } from '../insight/count-of.ts';
import { compareDecimals, percent } from '../insight/decimal.ts';
import { type Keccak, loadKeccak } from '../insight/keccak.ts';
import type { Tone } from '../insight/kind.ts';
import { type BundleReadiness, bundleReadiness } from '../insight/signer-bundle/bundle-readiness.ts';
import { checkBundle } from '../insight/signer-bundle/checked-bundle.ts';
import { loadRecovery } from '../insight/signer-bundle/signatures.ts';
import {
  type PowerShare,
  powerShare,
  totalPower,
  type ZeroScore,
  zeroScoreReason,
} from '../insight/validator-scores.ts';
import type { Row } from '../resources/resource.ts';
import { readValidator, scoredValidator } from '../resources/validators.ts';
import { amountInWords, amountJson } from './amounts.ts';
import { askRewardAsset } from './ask-parameter.ts';
import type { ExplainContext, ExplainedLine, Explainer, ExplanationPart } from './explanation.ts';
import { bundleText, knownSigners } from './signer-bundle/study.ts';

/** A validator in words: its role, the address it signs with, its stake, power and scores. */
export const explainValidator: Explainer = async (row, knowledge) => {
  const { directory, ask } = knowledge;
  const [keccak, asset] = await Promise.all([loadKeccak(), directory.rewardAsset || askRewardAsset(ask)]);
  const unit = asset === '' ? undefined : unitOfAsset(directory, asset);
  const node = readNode(row, keccak);
  const scores = await loadScores(row, knowledge);
  const stakes = STAKES.map(([name, label]): ExplainedLine => {
    const raw = jsonText(row[name]);
    if (raw === '') return { label, text: NOT_GIVEN };
    return { label, text: name === 'pendingStake' ? changeInWords(raw, unit) : amountInWords(raw, unit), copied: raw };
  });
  return {
    parts: [
      { title: '', lines: [...headline(node, directory), ...stakes, ...ranking(node, scores)] },
      ...scoreParts(scores, { directory, keccak }),
    ],
    json: {
      id: node.id,
      name: node.name,
      role: node.role,
      ethereumAddress: node.address,
      publicKey: node.publicKey,
      votingPower: node.votingPower === '' ? null : node.votingPower,
      votingPowerPercent: scores.power?.isOfAll === true ? scores.power.percent : null,
      multisigScore: scores.multisigScore === '' ? null : scores.multisigScore,
      multisigZero: scores.zero?.kind ?? null,
      removals:
        scores.removals?.map(({ canBeSubmitted, ...removal }) => ({
          ...removal,
          canBeSubmitted: canBeSubmitted ?? null,
        })) ?? null,
      stake: Object.fromEntries(STAKES.map(([name]) => [name, stakeJson(jsonText(row[name]), unit)])),
      delegations: node.delegations,
    } satisfies JsonObject,
    copies: [],
  };
};

const stakeJson = (raw: string, unit: Parameters<typeof amountJson>[1]): JsonObject | null =>
  raw === '' ? null : amountJson(raw, unit);

const STAKES: readonly (readonly [member: string, label: string])[] = [
  ['stakedTotal', 'staked'],
  ['stakedByOperator', 'by its operator'],
  ['stakedByDelegates', 'by others'],
  ['pendingStake', 'change next epoch'],
];

/** `pendingStake` is the next epoch's stake minus this epoch's (protocol.md section 4). */
function changeInWords(raw: string, unit: Unit | undefined): string {
  if (/^-?0+$/.test(raw)) return 'none';
  return `${/^\d/.test(raw) ? '+' : ''}${amountInWords(raw, unit)}`;
}

interface ValidatorNode {
  readonly id: string;
  readonly name: string;
  /** `TENDERMINT`, `ERSATZ`, `PENDING`, or ''. */
  readonly role: string;
  readonly address: string;
  readonly publicKey: string;
  readonly votingPower: string;
  readonly performance: string;
  readonly delegations: number | null;
}

function readNode(row: Row, keccak: Keccak): ValidatorNode {
  const ranking = row.rankingScore;
  const address = jsonText(row.ethereumAddress);
  return {
    id: jsonText(row.id),
    name: jsonText(row.name),
    role: jsonText(member(ranking, 'status')).replace(/^VALIDATOR_NODE_STATUS_/, ''),
    address: readAddress(address) === undefined ? address : checksumAddress(address, keccak),
    publicKey: jsonText(row.pubKey),
    votingPower: jsonText(member(ranking, 'votingPower')),
    performance: jsonText(member(ranking, 'performanceScore')),
    delegations: isJsonArray(row.delegations) ? row.delegations.length : null,
  };
}

const ROLES: { readonly [role: string]: readonly [words: string, tone: Tone] } = {
  TENDERMINT: ['takes part in consensus', 'good'],
  ERSATZ: ['is on standby: it does not take part in consensus', 'quiet'],
  PENDING: ['waits to become a validator', 'pending'],
};

function headline(node: ValidatorNode, directory: Directory): readonly ExplainedLine[] {
  const { id, name, role, address, publicKey } = node;
  const [words, tone] = (Object.hasOwn(ROLES, role) ? ROLES[role] : undefined) ?? ['has an unknown role', 'quiet'];
  return [
    { label: '', text: `${subjectName(directory, 'node', id) ?? (name || 'an unnamed validator')} ${words}`, tone },
    { label: 'role', text: role || NOT_GIVEN },
    {
      label: 'signs bundles as',
      text: address || NOT_GIVEN,
      ...(address !== '' && { leadsTo: { entity: 'submitter', id: address } }),
    },
    {
      label: 'party',
      text: publicKey || NOT_GIVEN,
      ...(publicKey !== '' && { leadsTo: { entity: 'party', id: publicKey } }),
    },
    { label: 'id', text: id || NOT_GIVEN },
  ];
}

const ranking = (
  { votingPower, performance, delegations }: ValidatorNode,
  { power, multisigScore, zero }: KnownScores,
): readonly ExplainedLine[] => [
  ...(votingPower === '' ? [] : [{ label: 'voting power', ...powerInWords(votingPower, power) }]),
  ...(multisigScore === ''
    ? []
    : [{ label: 'multisig score', text: multisigScore, ...(zero !== undefined && ({ tone: 'bad' } as const)) }]),
  ...(performance === '' ? [] : [{ label: 'performance', text: percent(performance) }]),
  ...(delegations === null ? [] : [{ label: 'delegations', text: String(delegations) }]),
];

const NOT_GIVEN = 'not reported';

/** What the scores of a validator mean, compared with the others. */
interface KnownScores {
  readonly power: PowerShare | undefined;
  /** As sent, or ''. */
  readonly multisigScore: string;
  readonly zero: ZeroScore | undefined;
  /** Signers that bundles remove and that are not consensus validators; requested only if all scores are 0. */
  readonly removals: readonly Removal[] | undefined;
}

interface Removal {
  readonly oldSigner: string;
  readonly epochSeq: string;
  readonly bundles: number;
  /** Whether any bundle has enough signatures; undefined if not known. */
  readonly canBeSubmitted: boolean | undefined;
}

async function loadScores(row: Row, knowledge: ExplainContext): Promise<KnownScores> {
  const { rows } = knowledge.around;
  const own = scoredValidator(readValidator(row));
  const nodes = rows.map(readValidator);
  const all = nodes.map(scoredValidator);
  const zero = zeroScoreReason(own, all);
  const consensus = nodes.filter((_, index) => all[index]?.isConsensus === true);
  return {
    power: powerShare(own.votingPower, totalPower(all)),
    multisigScore: own.multisigScore,
    zero,
    removals: zero?.kind === 'all' ? await removalsExcept(consensus, nodes, knowledge) : undefined,
  };
}

type Addressed = readonly { readonly ethereumAddress: string }[];

/** Signers removed by bundles, except consensus validators: first those that a bundle can remove now. */
async function removalsExcept(
  consensus: Addressed,
  nodes: Addressed,
  knowledge: ExplainContext,
): Promise<readonly Removal[] | undefined> {
  const answer = await knowledge.ask({
    path: 'api/v2/erc20/multisigcontrol/signer/removed/bundles',
    query: [['pagination.first', '1000']],
  });
  const records = answer === undefined ? undefined : readPage(answer, 'bundles')?.records;
  if (records === undefined) return undefined;
  const inside = new Set(consensus.map(({ ethereumAddress }) => ethereumAddress.toLowerCase()));
  const signerOf = ({ oldSigner }: JsonObject): string => jsonText(oldSigner).toLowerCase();
  const newestFirst = records
    .filter(record => readAddress(signerOf(record)) !== undefined && !inside.has(signerOf(record)))
    .toSorted((one, other) => compareDecimals(jsonText(other.epochSeq), jsonText(one.epochSeq)));
  const known = new Set([
    ...knownSigners(knowledge),
    ...nodes.flatMap(({ ethereumAddress }) => readAddress(ethereumAddress) ?? []),
  ]);
  const states = await submittables(newestFirst.slice(0, MAX_BUNDLES_CHECKED), known, knowledge);
  return [...Map.groupBy(newestFirst, signerOf)]
    .map(([oldSigner, bundles]): Removal => {
      const found = bundles.map(bundle => states.get(bundle) ?? 'unknown');
      const canBeSubmitted = found.includes('yes') || (found.includes('unknown') ? undefined : false);
      return { oldSigner, epochSeq: jsonText(bundles[0]?.epochSeq), bundles: bundles.length, canBeSubmitted };
    })
    .toSorted((one, other) => HELP.indexOf(one.canBeSubmitted) - HELP.indexOf(other.canBeSubmitted));
}

/** Signatures take time to check, and a node may list thousands of old bundles. */
const MAX_BUNDLES_CHECKED = 16;

const HELP: readonly Removal['canBeSubmitted'][] = [true, undefined, false];

async function submittables(
  bundles: readonly JsonObject[],
  known: ReadonlySet<string>,
  { threshold, signerCount }: ExplainContext,
): Promise<ReadonlyMap<JsonObject, BundleReadiness>> {
  const states = new Map<JsonObject, BundleReadiness>();
  const recovery = await loadRecovery();
  for (const bundle of bundles) {
    const chainId = jsonText(bundle.chainId);
    const chainIds = /^\d+$/.test(chainId) ? [chainId] : [];
    const signers = { known, chainIds, recovery, pause, threshold, signerCount, isQuick: true } as const;
    states.set(bundle, bundleReadiness(await checkBundle(bundleText(bundle), signers)));
  }
  return states;
}

/** `2500, 25.0 % of all` */
function powerInWords(votingPower: string, power: PowerShare | undefined): Pick<ExplainedLine, 'text' | 'short'> {
  if (power === undefined) return { text: votingPower };
  const share = `${power.isOfAll ? '' : 'about '}${power.percent} % of all`;
  return { text: `${votingPower}, ${share}`, short: share };
}

/** Why the multisig score is 0, judged by the other scores, and which bundles may help. */
function scoreParts(
  { zero, removals }: KnownScores,
  known: { readonly directory: Directory; readonly keccak: Keccak },
): readonly ExplanationPart[] {
  if (zero === undefined) return [];
  const title = 'Why the multisig score is 0';
  const say = (text: string): ExplainedLine => ({ label: '', text });
  if (zero.kind === 'not-a-signer')
    return [
      {
        title,
        lines: [say('Other consensus validators have a score, so this one is not a signer of the contract.')],
      },
    ];
  const reason =
    zero.count === 1
      ? 'It is the only consensus validator listed. Either it is not a signer of the contract, or the contract has a signer outside consensus.'
      : `All ${zero.count} consensus validators listed have a score of 0, so none gets a reward. Either the contract has a signer outside consensus, or it has none of these validators.`;
  return [{ title, lines: [say(reason), ...removalLines(removals, known)] }];
}

function removalLines(
  removals: KnownScores['removals'],
  { directory, keccak }: { readonly directory: Directory; readonly keccak: Keccak },
): readonly ExplainedLine[] {
  if (removals === undefined) return [{ label: '', text: 'The node did not list signer bundles.', tone: 'quiet' }];
  if (removals.length === 0)
    return [{ label: '', text: 'No listed bundle removes anyone other than a consensus validator.', tone: 'quiet' }];
  const lines = removals
    .slice(0, MAX_REMOVALS_SHOWN)
    .map(({ oldSigner, epochSeq, bundles, canBeSubmitted }): ExplainedLine => {
      const address = checksumAddress(oldSigner, keccak);
      const name = nameOf(directory, 'submitter', oldSigner);
      const made = `${countOf(bundles, 'bundle')}, the last in epoch ${epochSeq}`;
      return {
        label: canBeSubmitted === undefined ? 'not known' : canBeSubmitted ? 'can be removed' : 'no usable bundle',
        text: `${name === undefined ? address : `${name} ${address}`}: ${made}`,
        short: name ?? address,
        copied: address,
        leadsTo: { entity: 'submitter', id: oldSigner },
      };
    });
  const more = removals.length - MAX_REMOVALS_SHOWN;
  return [
    ...lines,
    ...(more > 0 ? [{ label: '', text: `and ${countOf(more, 'other signer')}` }] : []),
    { label: '', text: 'blockglass cannot check who is still a signer of the contract.', tone: 'quiet' },
  ];
}

const MAX_REMOVALS_SHOWN = 3;
