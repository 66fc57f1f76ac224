import { goJson } from '../gateway/go-json.ts';
import type { DemoTable } from '../store.ts';
import { type Chain, epochAtHeight, lastHistoryBlock, startHeight } from './chain.ts';
import { type Delegation, delegationsAtEpochEnd } from './delegations.ts';
import { hasExcessSigner, isSlowEpoch } from './live-events.ts';
import { Dice, seededHex } from './seeded-random.ts';
import { isRemovedSigner } from './signer-bundles.ts';
import type { Validator } from './validators.ts';

/** The table behind `nodes`: the validators, including those that were removed as signers. */
export function nodesTable(chain: Chain): DemoTable {
  return {
    name: 'nodes',
    columns: ['id TEXT NOT NULL', 'body TEXT NOT NULL'],
    primaryKey: 'id',
    indices: [],
    rows: () => nodeRows(chain, epochAtHeight(chain, startHeight(chain))),
    ...(chain.isLive && { changedBy: laterScores(chain) }),
  };
}

/** All validators of a live chain again after the scores of one have changed. */
function laterScores(chain: Chain) {
  let known = validatorStandings(chain, epochAtHeight(chain, startHeight(chain)));
  return (height: number) => {
    const epoch = epochAtHeight(chain, height);
    const standings = validatorStandings(chain, epoch);
    if (JSON.stringify(standings) === JSON.stringify(known)) return [];
    known = standings;
    return nodeRows(chain, epoch);
  };
}

/** What the scores of a validator follow from. */
interface Standing {
  readonly isRemoved: boolean;
  readonly isSlow: boolean;
  readonly hasExcessSigner: boolean;
}

const validatorStandings = (chain: Chain, epoch: number): readonly Standing[] =>
  chain.validators.map((validator, index) => ({
    isRemoved: isRemovedSigner(chain, validator, epoch),
    isSlow: index === SLOW_VALIDATOR_INDEX && isSlowEpoch(chain, epoch),
    hasExcessSigner: hasExcessSigner(chain, epoch),
  }));

const SLOW_VALIDATOR_INDEX = 4;

/** Scores and powers at an epoch; stakes are those of the recorded history. */
function nodeRows(chain: Chain, now: number) {
  const epoch = epochAtHeight(chain, lastHistoryBlock(chain)) - 1;
  const delegations = delegationsAtEpochEnd(chain, epoch);
  const standings = validatorStandings(chain, now);
  const inConsensus = standings.filter(({ isRemoved }) => !isRemoved).length;
  return chain.validators.map((validator, index) => {
    const own = delegations.filter(({ nodeId }) => nodeId === validator.id);
    const standing = standings[index] ?? { isRemoved: false, isSlow: false, hasExcessSigner: true };
    return [
      validator.id,
      goJson(nodeRecord(chain, validator, { epoch: epoch + 1, delegations: own, standing, inConsensus })),
    ] as const;
  });
}

interface Stake {
  readonly epoch: number;
  readonly delegations: readonly Delegation[];
  readonly standing: Standing;
  /** How many validators are in consensus. */
  readonly inConsensus: number;
}

function nodeRecord(chain: Chain, validator: Validator, { epoch, delegations, standing, inConsensus }: Stake) {
  const { id, name, ethereumAddress } = validator;
  const dice = new Dice(`${chain.seed}/node/${name}`);
  const site = `https://${name.toLowerCase().replaceAll(' ', '-')}.example`;
  const offline = dice.below(3);
  const operator = BigInt(dice.digits(23));
  const delegated = delegations.reduce((sum, { amount }) => sum + BigInt(amount ?? 0), 0n);
  return {
    id,
    pubKey: seededHex(`${id}/vega`),
    tmPubKey: Buffer.from(seededHex(`${id}/tendermint`), 'hex').toString('base64'),
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
    ...scores(standing, inConsensus),
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
 * A validator that lost its place becomes an ersatz validator. While it is still a signer of the contract, the multisig
 * score of every consensus validator is 0; ersatz validators always have a score of one (protocol.md section 3).
 */
function scores({ isRemoved, isSlow, hasExcessSigner }: Standing, inConsensus: number) {
  const status = `VALIDATOR_NODE_STATUS_${isRemoved ? 'ERSATZ' : 'TENDERMINT'}`;
  const performanceScore = isSlow ? '0.72' : '1';
  const isUnpaid = !isRemoved && hasExcessSigner;
  const share = isRemoved ? '0.25' : String(1 / inConsensus);
  return {
    rewardScore: {
      rawValidatorScore: '0.125',
      performanceScore,
      multisigScore: isUnpaid ? '0' : '1',
      validatorScore: isUnpaid ? '0' : isSlow ? '0.09' : '0.125',
      normalisedScore: isUnpaid ? '0' : share,
      validatorStatus: status,
    },
    rankingScore: {
      stakeScore: '0.125',
      performanceScore,
      previousStatus: status,
      status,
      votingPower: isRemoved ? 0 : Math.floor(10_000 / inConsensus),
      rankingScore: isSlow ? '0.099' : '0.1375',
    },
  };
}
