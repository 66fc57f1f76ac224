import { goJson } from '../gateway/go-json.ts';
import type { DemoTable } from '../store.ts';
import { type Chain, startHeight } from './chain.ts';
import { parameterVotes } from './live-events.ts';
import { seededAddress } from './seeded-random.ts';

type Parameter = readonly [key: string, value: string];

/** The table behind `network/parameters`: one current value per key. */
export function networkParametersTable(chain: Chain): DemoTable {
  return {
    name: 'network_parameters',
    columns: ['key TEXT NOT NULL', 'body TEXT NOT NULL'],
    primaryKey: 'key',
    indices: [],
    rows: () => demoParameters(chain).map(([key, value]) => [key, goJson({ key, value })]),
    ...(chain.isLive && { changedBy: votes(chain) }),
  };
}

function votes(chain: Chain) {
  let last = startHeight(chain);
  return function* (height: number) {
    for (const { key, value } of parameterVotes(chain, last, height)) yield [key, goJson({ key, value })];
    last = Math.max(last, height);
  };
}

export function demoParameters(chain: Chain): readonly Parameter[] {
  return [...PLAIN_PARAMETERS, ...governanceParameters(), ...chainParameters(chain)];
}

const WEEK = '168h0m0s';

const PLAIN_PARAMETERS: readonly Parameter[] = [
  ['ethereum.oracles.enabled', '1'],
  ['limits.assets.proposeEnabledFrom', ''],
  ['limits.markets.maxPeggedOrders', '1500'],
  ['limits.markets.proposeEnabledFrom', '2024-03-14T09:30:00Z'],
  ['limits.markets.proposePerpetualEnabled', '1'],
  ['limits.markets.proposeSpotEnabled', '1'],
  ['market.auction.maximumDuration', WEEK],
  ['market.auction.minimumDuration', '30m0s'],
  ['market.fee.factors.infrastructureFee', '0.0005'],
  ['market.fee.factors.makerFee', '0.0002'],
  ['market.liquidity.bondPenaltyParameter', '.1'],
  ['market.liquidity.earlyExitPenalty', '0.05'],
  ['market.liquidity.equityLikeShareFeeFraction', '1'],
  ['market.liquidity.maximumLiquidityFeeFactorLevel', '0.1'],
  ['market.liquidity.minimum.probabilityOfTrading.lpOrders', '1e-8'],
  ['market.liquidity.probabilityOfTrading.tau.scaling', '0.1'],
  ['market.liquidity.providersFeeCalculationTimeStep', '1m'],
  ['market.liquidity.sla.nonPerformanceBondPenaltyMax', '0.05'],
  ['market.liquidity.sla.nonPerformanceBondPenaltySlope', '1'],
  ['market.liquidity.stakeToCcyVolume', '1'],
  ['market.liquidity.successorLaunchWindowLength', WEEK],
  ['market.liquidity.targetstake.triggering.ratio', '0'],
  ['market.liquidityProvision.minLpStakeQuantumMultiple', '100'],
  ['market.liquidityProvision.shapes.maxSize', '5'],
  ['market.margin.scalingFactors', '{"search_level": 1.1, "initial_margin": 1.5, "collateral_release": 1.7}'],
  [
    'market.monitor.price.defaultParameters',
    '{"triggers": [{"horizon": 360, "probability": "0.9999", "auction_extension": 120}, {"horizon": 1440, "probability": "0.9999", "auction_extension": 180}, {"horizon": 4320, "probability": "0.9999", "auction_extension": 300}]}',
  ],
  ['market.stake.target.scalingFactor', '10'],
  ['market.stake.target.timeWindow', '1h0m0s'],
  ['market.value.windowLength', WEEK],
  ['network.checkpoint.timeElapsedBetweenCheckpoints', '10m0s'],
  ['network.floatingPointUpdates.delay', '5m'],
  ['network.internalCompositePriceUpdateFrequency', '5s'],
  ['network.markPriceUpdateMaximumFrequency', '5s'],
  ['network.transaction.defaultgas', '1'],
  ['network.transactions.maxgasperblock', '500000'],
  ['network.transactions.minBlockCapacity', '32'],
  ['network.validators.ersatz.multipleOfTendermintValidators', '0.5'],
  ['network.validators.ersatz.rewardFactor', '0.5'],
  ['network.validators.incumbentBonus', '1.1'],
  ['network.validators.minimumEthereumEventsForNewValidator', '3'],
  ['network.validators.multisig.numberOfSigners', '5'],
  ['network.validators.tendermint.number', '8'],
  ['referralProgram.maxPartyNotionalVolumeByQuantumPerEpoch', '250000'],
  ['referralProgram.maxReferralDiscountFactor', '0.1'],
  ['referralProgram.maxReferralRewardFactor', '0.2'],
  ['referralProgram.maxReferralRewardProportion', '0.5'],
  ['referralProgram.maxReferralTiers', '10'],
  ['referralProgram.minStakedVegaTokens', '0'],
  ['reward.staking.delegation.competitionLevel', '3.0'],
  ['reward.staking.delegation.delegatorShare', '0.883'],
  ['reward.staking.delegation.maxPayoutPerEpoch', '7000000000000000000000'],
  ['reward.staking.delegation.maxPayoutPerParticipant', '0'],
  ['reward.staking.delegation.minValidators', '5'],
  ['reward.staking.delegation.minimumValidatorStake', '3000000000000000000000'],
  ['reward.staking.delegation.optimalStakeMultiplier', '3.0'],
  ['reward.staking.delegation.payoutDelay', '24h0m0s'],
  ['reward.staking.delegation.payoutFraction', '1.0'],
  [
    'rewards.activityStreak.benefitTiers',
    '{"tiers": [{"minimum_activity_streak": 1, "reward_multiplier": "1.05", "vesting_multiplier": "1.05"}, {"minimum_activity_streak": 24, "reward_multiplier": "1.10", "vesting_multiplier": "1.10"}, {"minimum_activity_streak": 72, "reward_multiplier": "1.20", "vesting_multiplier": "1.20"}]}',
  ],
  ['rewards.activityStreak.inactivityLimit', '24'],
  ['rewards.activityStreak.minQuantumOpenVolume', '100'],
  ['rewards.activityStreak.minQuantumTradeVolume', '100'],
  ['rewards.marketCreationQuantumMultiple', '20000000'],
  ['rewards.team.minEpochsInTeam', '5'],
  ['rewards.vesting.baseRate', '0.0055'],
  [
    'rewards.vesting.benefitTiers',
    '{"tiers": [{"minimum_quantum_balance": "10000", "reward_multiplier": "1.05"}, {"minimum_quantum_balance": "100000", "reward_multiplier": "1.10"}, {"minimum_quantum_balance": "1000000", "reward_multiplier": "1.20"}]}',
  ],
  ['rewards.vesting.minimumTransfer', '10'],
  ['snapshot.interval.length', '1000'],
  ['spam.pow.difficulty', '15'],
  ['spam.pow.hashFunction', 'sha3_24_rounds'],
  ['spam.pow.increaseDifficulty', '1'],
  ['spam.pow.numberOfPastBlocks', '100'],
  ['spam.pow.numberOfTxPerBlock', '2'],
  ['spam.protection.applyReferral.min.funds', '10'],
  ['spam.protection.balanceSnapshotFrequency', '5s'],
  ['spam.protection.delegation.min.tokens', '1000000000000000000'],
  ['spam.protection.max.applyReferralCode', '5'],
  ['spam.protection.max.batchSize', '15'],
  ['spam.protection.max.createReferralSet', '3'],
  ['spam.protection.max.delegations', '390'],
  ['spam.protection.max.proposals', '3'],
  ['spam.protection.max.stopOrdersPerMarket', '4'],
  ['spam.protection.max.updatePartyProfile', '10'],
  ['spam.protection.max.updateReferralSet', '3'],
  ['spam.protection.max.votes', '3'],
  ['spam.protection.maxUserTransfersPerEpoch', '20'],
  ['spam.protection.minMultisigUpdates', '100000000000000000000'],
  ['spam.protection.minimumWithdrawalQuantumMultiple', '10'],
  ['spam.protection.proposal.min.tokens', '100000000000000000000000'],
  ['spam.protection.referralSet.min.funds', '10'],
  ['spam.protection.updatePartyProfile.min.funds', '10'],
  ['spam.protection.voting.min.tokens', '100000000000000000000'],
  ['transfer.fee.factor', '0.001'],
  ['transfer.fee.maxQuantumAmount', '1'],
  ['transfer.feeDiscountDecayFraction', '0.8'],
  ['transfer.feeDiscountMinimumTrackedAmount', '0.01'],
  ['transfer.minTransferQuantumMultiple', '0.1'],
  ['validator.performance.scaling.factor', '0'],
  ['validators.delegation.minAmount', '1'],
  ['validators.vote.required', '0.67'],
  ['volumeDiscountProgram.maxBenefitTiers', '10'],
  ['volumeDiscountProgram.maxVolumeDiscountFactor', '0.4'],
];

const PROPOSAL_KINDS = [
  'VolumeDiscountProgram',
  'asset',
  'freeform',
  'market',
  'referralProgram',
  'transfer',
  'updateAsset',
  'updateMarket',
] as const;

function governanceParameters(): readonly Parameter[] {
  return [
    ...PROPOSAL_KINDS.flatMap(kind => proposalParameters(kind)),
    ['governance.proposal.transfer.maxAmount', '7000'],
    ['governance.proposal.transfer.maxFraction', '1'],
    ['governance.proposal.updateMarket.minProposerEquityLikeShare', '0.1'],
    ['governance.proposal.updateMarket.requiredMajorityLP', '0.66'],
    ['governance.proposal.updateMarket.requiredParticipationLP', '0.00001'],
  ];
}

function proposalParameters(kind: (typeof PROPOSAL_KINDS)[number]): readonly Parameter[] {
  const minimum = kind.startsWith('update') ? '120h0m0s' : '48h0m0s';
  // A freeform proposal enacts nothing.
  const enactment: readonly Parameter[] = [
    [`governance.proposal.${kind}.maxEnact`, '8760h0m0s'],
    [`governance.proposal.${kind}.minEnact`, minimum],
  ];
  return [
    [`governance.proposal.${kind}.maxClose`, '8760h0m0s'],
    [`governance.proposal.${kind}.minClose`, minimum],
    ...(kind === 'freeform' ? [] : enactment),
    [`governance.proposal.${kind}.minProposerBalance`, '10000000000000000000000'],
    [`governance.proposal.${kind}.minVoterBalance`, '1000000000000000000'],
    [`governance.proposal.${kind}.requiredMajority`, '0.66'],
    [`governance.proposal.${kind}.requiredParticipation`, '0.00001'],
  ];
}

function chainParameters(chain: Chain): readonly Parameter[] {
  const { seed, assets } = chain;
  const contract = (name: string) => seededAddress(`${seed}/contract/${name}`);
  const ethereum = {
    network_id: '1',
    chain_id: '1',
    collateral_bridge_contract: { address: contract('collateral') },
    confirmations: 50,
    staking_bridge_contract: { address: contract('staking'), deployment_block_height: 11_924_281 },
    token_vesting_contract: { address: contract('vesting'), deployment_block_height: 12_128_421 },
    multisig_control_contract: { address: contract('multisig'), deployment_block_height: 15_263_593 },
  };
  const evm = {
    configs: [
      { network_id: '100', chain_id: '100', confirmations: 3, name: 'Gnosis Chain' },
      { network_id: '42161', chain_id: '42161', confirmations: 3, name: 'Arbitrum One' },
    ],
  };
  const stakingAsset = assets.find(asset => asset.symbol === 'VEGA') ?? assets[0];
  return [
    ['blockchains.ethereumConfig', JSON.stringify(ethereum)],
    ['blockchains.ethereumRpcAndEvmCompatDataSourcesConfig', JSON.stringify(evm)],
    ['reward.asset', stakingAsset.id],
    ['validators.epoch.length', `${chain.epochLengthMs / 60_000}m0s`],
  ];
}
