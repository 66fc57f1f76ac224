import { goJson } from '../gateway/go-json.ts';
import type { DemoTable } from '../store.ts';
import { type Chain, epochOf, headAtStart, topOfHistory } from './chain.ts';
import { type Delegation, delegationsAfter } from './delegations.ts';
import { removalEpoch } from './live.ts';
import { Dice, hexOf } from './seeded.ts';
import { isRemovedSigner } from './signer-bundles.ts';
import type { Validator } from './validators.ts';

/** The table behind `nodes`: the validators, including those that were removed as signers. */
export function nodesTable(chain: Chain): DemoTable {
  return {
    name: 'nodes',
    columns: ['id TEXT NOT NULL', 'body TEXT NOT NULL'],
    primaryKey: 'id',
    indices: [],
    rows: () => nodeRows(chain, epochOf(chain, headAtStart(chain))),
    ...(chain.isLive && { changedBy: removal(chain) }),
  };
}

/** All validators anew when a live chain loses one. */
function removal(chain: Chain) {
  let isOver = false;
  return (height: number) => {
    const epoch = epochOf(chain, height);
    if (isOver || epoch < removalEpoch(chain)) return [];
    isOver = true;
    return nodeRows(chain, epoch);
  };
}

/** Scores and powers at an epoch; stakes are those of the recorded history. */
function nodeRows(chain: Chain, now: number) {
  const epoch = epochOf(chain, topOfHistory(chain)) - 1;
  const delegations = delegationsAfter(chain, epoch);
  const inConsensus = chain.validators.filter(validator => !isRemovedSigner(chain, validator, now)).length;
  return chain.validators.map(validator => {
    const own = delegations.filter(({ nodeId }) => nodeId === validator.id);
    const votingPower = isRemovedSigner(chain, validator, now) ? 0 : Math.floor(10_000 / inConsensus);
    return [
      validator.id,
      goJson(nodeRecord(chain, validator, { epoch: epoch + 1, delegations: own, votingPower })),
    ] as const;
  });
}

interface Stake {
  readonly epoch: number;
  readonly delegations: readonly Delegation[];
  /** 0 of a validator that lost its place. */
  readonly votingPower: number;
}

function nodeRecord(chain: Chain, validator: Validator, { epoch, delegations, votingPower }: Stake) {
  const { id, name, ethereumAddress } = validator;
  const dice = new Dice(`${chain.seed}/node/${name}`);
  const site = `https://${name.toLowerCase().replaceAll(' ', '-')}.example`;
  const offline = dice.below(3);
  const operator = BigInt(dice.digits(23));
  const delegated = delegations.reduce((sum, { amount }) => sum + BigInt(amount ?? 0), 0n);
  return {
    id,
    pubKey: hexOf(`${id}/vega`),
    tmPubKey: Buffer.from(hexOf(`${id}/tendermint`), 'hex').toString('base64'),
    ethereumAddress,
    infoUrl: site,
    location: dice.pick(['DE', 'FI', 'GI', 'PT', 'SG', 'US']),
    stakedByOperator: String(operator),
    stakedByDelegates: String(delegated),
    stakedTotal: String(operator + delegated),
    maxIntendedStake: '0',
    pendingStake: pendingStake(dice),
    epochData: { total: epoch, offline, online: epoch - offline },
    status: 'NODE_STATUS_VALIDATOR',
    delegations: delegations.map(({ party, nodeId, amount }) => ({
      party,
      nodeId,
      amount: amount ?? '0',
      epochSeq: String(epoch),
    })),
    ...scores(votingPower),
    name,
    avatarUrl: `${site}/avatar.png`,
  };
}

/** The change of the stake at the next epoch (protocol.md section 4). */
function pendingStake(dice: Dice): string {
  if (dice.chance(40)) return '0';
  return `${dice.chance(50) ? '-' : ''}${dice.digits(dice.between(19, 22))}`;
}

/**
 * A validator that lost its place becomes an ersatz validator. As long as it is still a signer of the contract, the
 * multisig score of every consensus validator is 0; ersatz validators always have one (protocol.md section 3).
 */
function scores(votingPower: number) {
  const isRemoved = votingPower === 0;
  const status = `VALIDATOR_NODE_STATUS_${isRemoved ? 'ERSATZ' : 'TENDERMINT'}`;
  return {
    rewardScore: {
      rawValidatorScore: '0.125',
      performanceScore: '1',
      multisigScore: isRemoved ? '1' : '0',
      validatorScore: isRemoved ? '0.125' : '0',
      normalisedScore: isRemoved ? '0.25' : '0',
      validatorStatus: status,
    },
    rankingScore: {
      stakeScore: '0.125',
      performanceScore: '1',
      previousStatus: status,
      status,
      votingPower,
      rankingScore: '0.1375',
    },
  };
}
