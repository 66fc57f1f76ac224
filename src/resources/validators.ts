import * as v from 'valibot';
import { statusKind } from '../insight/kind.ts';
import { digitsApart } from './digits-apart.ts';
import { object, text } from './field.ts';
import { defineResource } from './resource.ts';

const roles = statusKind('VALIDATOR_NODE_STATUS_', {
  TENDERMINT: 'good',
  PENDING: 'pending',
  ERSATZ: 'quiet',
  UNSPECIFIED: 'quiet',
});
const statuses = statusKind('NODE_STATUS_', { VALIDATOR: 'good', NON_VALIDATOR: 'quiet', UNSPECIFIED: 'quiet' });

export const validators = defineResource({
  id: 'validators',
  title: 'Validators',
  shortTitle: 'Valid',
  singular: 'validator',
  path: 'api/v2/nodes',
  wrapperKey: 'nodes',
  schema: v.object({
    id: text,
    name: text,
    ethereumAddress: text,
    status: text,
    stakedTotal: text,
    rankingScore: object({ status: text }),
  }),
  filters: [],
  columns: [
    {
      id: 'name',
      title: 'NAME',
      kind: 'name',
      isAnswer: true,
      addition: digitsApart(
        row => row.id,
        row => row.name,
      ),
      value: row => row.name,
    },
    { id: 'id', title: 'ID', kind: 'id', entity: 'node', isOwn: true, value: row => row.id },
    {
      id: 'ethereum',
      title: 'ETHEREUM ADDRESS',
      kind: 'address',
      entity: 'submitter',
      isOwn: true,
      value: row => row.ethereumAddress,
    },
    { id: 'status', title: 'STATUS', kind: roles, isAnswer: true, value: row => row.rankingScore.status },
    { id: 'node', title: 'NODE', kind: statuses, isExtra: true, value: row => row.status },
    { id: 'stake', title: 'STAKE', kind: 'amount', isExtra: true, value: row => row.stakedTotal },
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
  entities: { 'delegations.*.party': 'party', 'delegations.*.nodeId': 'node' },
  paging: {
    // A chain has a few dozen: one page holds them, each with all its delegations.
    byCursor: 'validators are asked for on one page of 5000',
    backward: 'validators are asked for on one page of 5000',
    oldestFirst: 'the node sorts validators by id, which says nothing of their age',
    pageSize: 5000,
  },
  key: row => row.id,
});
