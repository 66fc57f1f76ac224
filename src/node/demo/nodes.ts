import { goJson } from '../gateway/go-json.ts';
import type { DemoTable } from '../store.ts';
import { type Chain, epochOf, topOfHistory } from './chain.ts';
import { type Delegation, delegationsAfter } from './delegations.ts';
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
    rows: () => {
      const epoch = epochOf(topOfHistory(chain)) - 1;
      const delegations = delegationsAfter(chain, epoch);
      return chain.validators.map(validator => {
        const own = delegations.filter(({ nodeId }) => nodeId === validator.id);
        return [validator.id, goJson(nodeRecord(chain, validator, { epoch: epoch + 1, delegations: own }))] as const;
      });
    },
  };
}

interface Stake {
  readonly epoch: number;
  readonly delegations: readonly Delegation[];
}

function nodeRecord(chain: Chain, validator: Validator, { epoch, delegations }: Stake) {
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
    ...scores(isRemovedSigner(chain, validator)),
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
function scores(isRemoved: boolean) {
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
      votingPower: isRemoved ? 0 : 2500,
      rankingScore: '0.1375',
    },
  };
}
