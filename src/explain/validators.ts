import { isJsonArray, type JsonObject, jsonText, member } from '../api/json.ts';
import { type Directory, nameOf, unitOfAsset } from '../directory/directory.ts';
import { checksumAddress, readAddress } from '../insight/address.ts';
import { percent } from '../insight/decimal.ts';
import { type Keccak, loadKeccak } from '../insight/keccak.ts';
import type { Tone } from '../insight/kind.ts';
import type { Row } from '../resources/resource.ts';
import { amountInWords } from './amount-in-words.ts';
import { amountJson } from './amount-json.ts';
import type { ExplainedLine, Explainer } from './explanation.ts';
import { askRewardAsset } from './reward-asset.ts';

/** A validator in words: whether it takes part in consensus, by which address it signs, and what is staked on it. */
export const explainValidator: Explainer = async (row, { directory, ask }) => {
  const [keccak, asset] = await Promise.all([loadKeccak(), askRewardAsset(ask)]);
  const unit = asset === '' ? undefined : unitOfAsset(directory, asset);
  const node = readNode(row, keccak);
  const stakes = STAKES.map(([name, label]): ExplainedLine => {
    const raw = jsonText(row[name]);
    return raw === '' ? { label, text: UNSAID } : { label, text: amountInWords(raw, unit), copied: raw };
  });
  return {
    parts: [{ title: '', lines: [...headline(node, directory), ...stakes, ...ranking(node)] }],
    json: {
      id: node.id,
      name: node.name,
      role: node.role,
      ethereumAddress: node.address,
      publicKey: node.publicKey,
      votingPower: node.votingPower === '' ? null : node.votingPower,
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
  ['pendingStake', 'from the next epoch'],
];

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
  ERSATZ: ['stands by: it does not take part in consensus', 'quiet'],
  PENDING: ['waits to become a validator', 'pending'],
};

function headline(node: ValidatorNode, directory: Directory): readonly ExplainedLine[] {
  const { id, name, role, address, publicKey } = node;
  const [words, tone] = (Object.hasOwn(ROLES, role) ? ROLES[role] : undefined) ?? [
    'of no role that is known here',
    'quiet',
  ];
  return [
    { label: '', text: `${nameOf(directory, 'node', id) ?? (name || 'a validator without a name')} ${words}`, tone },
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

const ranking = ({ votingPower, performance, delegations }: ValidatorNode): readonly ExplainedLine[] => [
  ...(votingPower === '' ? [] : [{ label: 'voting power', text: votingPower }]),
  ...(performance === '' ? [] : [{ label: 'performance', text: percent(performance) }]),
  ...(delegations === null ? [] : [{ label: 'delegations', text: String(delegations) }]),
];

const UNSAID = 'the node does not say';
