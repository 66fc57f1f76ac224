import * as v from 'valibot';
import { STAKE_DENOMINATION } from '../directory/denomination.ts';
import { statusKind } from '../insight/kind.ts';
import {
  powerShare,
  type ScoredValidator,
  stakeChange,
  totalPower,
  zeroScoreReason,
} from '../insight/validator-scores.ts';
import { distinguishingDigits } from './distinguishing-digits.ts';
import { object, text } from './field.ts';
import { onceFor } from './once-for.ts';
import { defineResource, type Row } from './resource.ts';

const roles = statusKind(
  'VALIDATOR_NODE_STATUS_',
  { TENDERMINT: 'good', PENDING: 'pending', ERSATZ: 'quiet', UNSPECIFIED: 'quiet' },
  new Map([
    ['TENDERMINT', 'CONSENSUS'],
    ['ERSATZ', 'STANDBY'],
  ]),
);
const statuses = statusKind('NODE_STATUS_', { VALIDATOR: 'good', NON_VALIDATOR: 'quiet', UNSPECIFIED: 'quiet' });

const validatorRow = v.object({
  id: text,
  name: text,
  ethereumAddress: text,
  status: text,
  stakedTotal: text,
  pendingStake: text,
  rankingScore: object({ status: text, votingPower: text, performanceScore: text }),
  rewardScore: object({ multisigScore: text, validatorStatus: text }),
});

type ValidatorRow = v.InferOutput<typeof validatorRow>;

/** A record of the list. */
export const readValidator = (row: Row): ValidatorRow => v.parse(validatorRow, row);

/** The role at the time of the scores, which may have changed since; old nodes do not send it. */
export const scoredValidator = ({ rankingScore, rewardScore }: ValidatorRow): ScoredValidator => ({
  isConsensus: (rewardScore.validatorStatus || rankingScore.status) === 'VALIDATOR_NODE_STATUS_TENDERMINT',
  multisigScore: rewardScore.multisigScore,
  votingPower: rankingScore.votingPower,
});

const totalVotingPower = onceFor((rows: readonly ValidatorRow[]) => totalPower(rows.map(scoredValidator)));

function powerShareText({ rankingScore }: ValidatorRow, rows: readonly ValidatorRow[]): string {
  const share = powerShare(rankingScore.votingPower, totalVotingPower(rows));
  return share === undefined ? '-' : `${share.isOfAll ? '' : '~'}${share.percent}`;
}

export const validators = defineResource({
  id: 'validators',
  title: 'Validators',
  shortTitle: 'Validators',
  description: 'who runs the network, with what power and performance',
  singular: 'validator',
  path: 'api/v2/nodes',
  wrapperKey: 'nodes',
  schema: validatorRow,
  filters: [],
  columns: [
    {
      id: 'name',
      title: 'NAME',
      kind: 'name',
      isAnswer: true,
      addition: distinguishingDigits(
        row => row.id,
        row => row.name,
      ),
      value: row => row.name,
      nameOf: { entity: 'node', id: row => row.id },
    },
    { id: 'status', title: 'STATUS', kind: roles, isAnswer: true, value: row => row.rankingScore.status },
    {
      id: 'power',
      title: 'POWER',
      kind: 'share',
      value: () => '',
      worked: (row, { rows }) => powerShareText(row, rows),
    },
    {
      id: 'performance',
      title: 'PERF',
      words: 'performance',
      kind: 'factor',
      isAnswer: true,
      isOptional: true,
      value: row => row.rankingScore.performanceScore,
    },
    {
      id: 'multisig',
      title: 'MULTISIG',
      words: 'multisig score',
      kind: 'integer',
      isAnswer: true,
      isOptional: true,
      tone: row => (zeroScoreReason(scoredValidator(row), [scoredValidator(row)]) === undefined ? undefined : 'bad'),
      value: row => row.rewardScore.multisigScore,
    },
    {
      id: 'next',
      title: '+STAKE',
      words: 'stake next epoch',
      kind: 'quantity',
      value: () => '',
      worked: ({ pendingStake, stakedTotal }) => stakeChange(pendingStake, stakedTotal),
    },
    {
      id: 'stake',
      title: 'STAKE',
      kind: 'amount',
      isAnswer: true,
      places: 0,
      unit: () => STAKE_DENOMINATION,
      value: row => row.stakedTotal,
    },
    {
      id: 'ethereum',
      title: 'SIGNS AS',
      kind: 'address',
      entity: 'submitter',
      isOwn: true,
      value: row => row.ethereumAddress,
    },
    { id: 'id', title: 'ID', kind: 'id', entity: 'node', isOwn: true, value: row => row.id },
    { id: 'node', title: 'NODE', kind: statuses, isExtra: true, value: row => row.status },
    {
      id: 'stake-change',
      title: 'STAKE CHANGE',
      kind: 'amount',
      isExtra: true,
      unit: () => STAKE_DENOMINATION,
      value: row => row.pendingStake,
    },
    {
      id: 'voting-power',
      title: 'VOTING POWER',
      kind: 'integer',
      isExtra: true,
      value: row => row.rankingScore.votingPower,
    },
  ],
  sections: [
    {
      title: 'Validator',
      paths: ['name', 'status', 'id', 'ethereumAddress', 'pubKey', 'tmPubKey', 'location', 'infoUrl', 'avatarUrl'],
    },
    { title: 'Ranking', paths: ['rankingScore'] },
    { title: 'Reward', paths: ['rewardScore'] },
    { title: 'Last epoch', paths: ['epochData'] },
    {
      title: 'Stake',
      paths: ['stakedTotal', 'stakedByOperator', 'stakedByDelegates', 'pendingStake', 'maxIntendedStake'],
    },
    { title: 'Delegations', paths: ['delegations'] },
  ],
  kinds: {
    id: 'id',
    ethereumAddress: 'address',
    pubKey: 'id',
    status: statuses,
    'rankingScore.status': roles,
    'rankingScore.previousStatus': roles,
    'rankingScore.votingPower': 'integer',
    'rewardScore.validatorStatus': roles,
    'epochData.total': 'count',
    'epochData.offline': 'count',
    'epochData.online': 'count',
    stakedTotal: 'amount',
    stakedByOperator: 'amount',
    stakedByDelegates: 'amount',
    pendingStake: 'amount',
    maxIntendedStake: 'amount',
    'delegations.*.party': 'id',
    'delegations.*.nodeId': 'id',
    'delegations.*.amount': 'amount',
    'delegations.*.epochSeq': 'ordinal',
  },
  units: {
    stakedTotal: () => STAKE_DENOMINATION,
    stakedByOperator: () => STAKE_DENOMINATION,
    stakedByDelegates: () => STAKE_DENOMINATION,
    pendingStake: () => STAKE_DENOMINATION,
    maxIntendedStake: () => STAKE_DENOMINATION,
    'delegations.*.amount': () => STAKE_DENOMINATION,
  },
  entities: { 'delegations.*.party': 'party', 'delegations.*.nodeId': 'node' },
  paging: {
    // A chain has a few dozen validators, so one page holds them, each with all its delegations.
    byCursor: 'validators are loaded as one page of up to 5000',
    backward: 'validators are loaded as one page of up to 5000',
    oldestFirst: 'the node sorts validators by id, not by age',
    pageSize: 5000,
  },
  aboutAmong: validatorNotes,
  key: row => row.id,
});

/** The reason why no validator has a reward comes first, since it is the same for all validators. */
function validatorNotes(row: ValidatorRow, rows: readonly ValidatorRow[]): string {
  const all = rows.map(scoredValidator);
  const everybody = all.map(one => zeroScoreReason(one, all)).find(why => why?.kind === 'all');
  if (everybody?.kind === 'all') return `${noReward(everybody.count)} Enter: what helps.`;
  const own = scoredValidator(row);
  if (zeroScoreReason(own, all) !== undefined)
    return 'Multisig score 0 and no reward: others have a score, so this validator is not a signer of the contract.';
  const role = ROLES.get(row.rankingScore.status);
  if (role === undefined) return '';
  const share = powerShare(own.votingPower, totalPower(all));
  const power =
    share === undefined ? '' : `, with ${share.isOfAll ? '' : 'about '}${share.percent} % of all voting power`;
  const change = stakeChange(row.pendingStake, row.stakedTotal);
  const isChanging = change !== '';
  return `${role}${own.isConsensus ? power : ''}.${isChanging ? ` Stake at the next epoch: ${change}.` : ''}`;
}

/** Fits two rows of 80 columns. */
const noReward = (count: number): string =>
  count === 1
    ? 'The only consensus validator listed has multisig score 0, so no reward: the contract has an extra signer, or this validator is not a signer.'
    : `All ${count} consensus validators listed have multisig score 0, so no reward: the contract has an extra signer, or lacks all validators.`;

const ROLES: ReadonlyMap<string, string> = new Map([
  ['VALIDATOR_NODE_STATUS_TENDERMINT', 'Takes part in consensus'],
  ['VALIDATOR_NODE_STATUS_ERSATZ', 'On standby: does not take part in consensus'],
  ['VALIDATOR_NODE_STATUS_PENDING', 'Waits to become a validator'],
]);
