import { isJsonArray, type JsonObject, jsonText, member } from '../api/json.ts';
import { type Directory, nameOf, type Unit, unitOfAsset } from '../directory/directory.ts';
import { checksumAddress, readAddress } from '../insight/address.ts';
import { percent } from '../insight/decimal.ts';
import { type Keccak, loadKeccak } from '../insight/keccak.ts';
import type { Tone } from '../insight/kind.ts';
import type { Row } from '../resources/resource.ts';
import { amountInWords } from './amount-in-words.ts';
import { amountJson } from './amount-json.ts';
import type { ExplainedLine, Explainer } from './explanation.ts';
import { askRewardAsset } from './reward-asset.ts';
import { type KnownScores, knowScores, powerInWords, scoreParts } from './validator-scores.ts';

/** A validator in words: its role, the address it signs with, its stake, power and scores. */
export const explainValidator: Explainer = async (row, { directory, ask, around }) => {
  const [keccak, asset] = await Promise.all([loadKeccak(), askRewardAsset(ask)]);
  const unit = asset === '' ? undefined : unitOfAsset(directory, asset);
  const node = readNode(row, keccak);
  const scores = await knowScores(row, around.rows, ask);
  const stakes = STAKES.map(([name, label]): ExplainedLine => {
    const raw = jsonText(row[name]);
    if (raw === '') return { label, text: UNSAID };
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
      removals: scores.removals?.map(({ oldSigner, epochSeq, bundles }) => ({ oldSigner, epochSeq, bundles })) ?? null,
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
    { label: '', text: `${nameOf(directory, 'node', id) ?? (name || 'an unnamed validator')} ${words}`, tone },
    { label: 'role', text: role || UNSAID },
    {
      label: 'signs bundles as',
      text: address || UNSAID,
      ...(address !== '' && { leadsTo: { entity: 'submitter', id: address } }),
    },
    {
      label: 'party',
      text: publicKey || UNSAID,
      ...(publicKey !== '' && { leadsTo: { entity: 'party', id: publicKey } }),
    },
    { label: 'id', text: id || UNSAID },
  ];
}

const ranking = (
  { votingPower, performance, delegations }: ValidatorNode,
  { power, multisigScore, zero }: KnownScores,
): readonly ExplainedLine[] => [
  ...(votingPower === '' ? [] : [{ label: 'voting power', text: powerInWords(votingPower, power) }]),
  ...(multisigScore === ''
    ? []
    : [{ label: 'multisig score', text: multisigScore, ...(zero !== undefined && ({ tone: 'bad' } as const)) }]),
  ...(performance === '' ? [] : [{ label: 'performance', text: percent(performance) }]),
  ...(delegations === null ? [] : [{ label: 'delegations', text: String(delegations) }]),
];

const UNSAID = 'the node does not say';
