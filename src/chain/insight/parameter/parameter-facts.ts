/**
 * The parameters of the public node releases, one per line: key, kind and unit (one word if they are the same), bounds (`<`
 * and `>`: the bound itself is outside), default, first release and whether it has an effect (`deprecated`: a change is
 * refused; `unused`: nothing reads it; `locked`: no vote may change it), meaning, rule. Kinds, bounds and defaults are those
 * of v0.79.0. Searched as text, so that only the line of the parameter on the screen is ever parsed.
 */
export const PARAMETER_FACTS = `
auction.LongBlock | json |  |  | 0.77.0 | Table of how long all markets go into auction after a block that took unusually long. | each threshold > 0 and unique, each duration >= 1s
blockchains.ethereumConfig | json |  |  | 0.30.0 locked | Primary Ethereum chain: ids, confirmations to wait, and bridge, staking and multisig contracts. | confirmations > 0; staking or vesting contract required
blockchains.ethereumRpcAndEvmCompatDataSourcesConfig | json |  |  | 0.74.0 | EVM chains that oracles may read contracts on, with confirmations and polling interval of each. | a chain once added stays; only confirmations and block_interval may change, both > 0
blockchains.evmBridgeConfigs | json |  |  | 0.76.0 locked | Further EVM chains with an asset bridge: ids, confirmations to wait and contracts of each. | at least one config; confirmations > 0
ethereum.oracles.enabled | int boolean-int | 0 .. 1 | 0 | 0.73.0 | Whether market proposals may use data read from Ethereum contracts.
governance.proposal.transfer.maxAmount | decimal quantum | 1 .. | 7000 | 0.72.0 | Cap on a single governance-initiated transfer, as a multiple of the asset quantum.
governance.proposal.transfer.maxEnact | duration | 1s .. 8760h | 8760h0m0s | 0.72.0 unused | Meant as latest enactment of a governance transfer; the node reads the new asset value instead.
governance.proposal.transfer.maxFraction | decimal fraction | >0 .. 1 | 1 | 0.72.0 | Largest part of the source account one governance-initiated transfer may move.
governance.proposal.transfer.minEnact | duration | 1s .. 8760h | 48h0m0s | 0.72.0 unused | Meant as earliest enactment of a governance transfer; the node reads the new asset value instead.
governance.proposal.updateMarket.minProposerEquityLikeShare | decimal fraction | 0 .. 1 | 0.66 | 0.49.1 | Equity-like share in a market that lets an LP propose changes to it without the token balance.
governance.proposal.updateMarket.requiredMajorityLP | decimal fraction | 0 .. 1 | 0.66 | 0.49.1 | Share of the voting equity-like share that must vote yes when LPs decide a market update.
governance.proposal.updateMarket.requiredParticipationLP | decimal fraction | 0 .. 1 | 0.00001 | 0.49.1 | Equity-like share that must vote on a market update when token turnout is too low to decide.
limits.assets.proposeEnabledFrom | string text |  |  | 0.51.0 | RFC 3339 time before which assets cannot be proposed; empty means no such limit.
limits.markets.ammPoolEnabled | int boolean-int | 0 .. 1 | 0 | 0.77.0 | Whether parties can run automated market makers.
limits.markets.maxPeggedOrders | uint count | 0 .. 10000 | 1500 | 0.63.0 | Pegged orders that can be live at the same time over all markets together.
limits.markets.proposeEnabledFrom | string text |  |  | 0.51.0 | RFC 3339 time before which markets cannot be proposed; empty means no such limit.
limits.markets.proposePerpetualEnabled | int boolean-int | 0 .. 1 | 0 | 0.73.0 | Whether perpetual futures markets can be proposed.
limits.markets.proposeSpotEnabled | int boolean-int | 0 .. 1 | 1 | 0.73.0 | Whether spot markets can be proposed.
market.aggressiveOrderBlockDelay | uint blocks | 0 .. | 1 | 0.77.0 | Blocks an order that could trade at once is held back on markets with transaction reordering.
market.amm.minCommitmentQuantum | uint quantum | 0 .. | 100 | 0.77.0 | Smallest commitment an automated market maker can have, as a multiple of the asset quantum.
market.auction.maximumDuration | duration | 1s .. 720h | 168h0m0s | 0.26.0 | Longest an opening auction may last; a market that has not left it by then is cancelled. | > market.auction.minimumDuration
market.auction.minimumDuration | duration | 1s .. 24h | 30m0s | 0.26.0 | Shortest time any auction of a market may last, the opening auction included. | < market.auction.maximumDuration
market.fee.factors.buybackFee | decimal fraction | 0 .. 1 | 0 | 0.78.0 | Part of the trade value the taker pays into the buy-back account.
market.fee.factors.infrastructureFee | decimal fraction | 0 .. 1 | 0.0005 | 0.26.0 | Part of the trade value the taker pays to validators and their delegators.
market.fee.factors.makerFee | decimal fraction | 0 .. 1 | 0.00025 | 0.26.0 | Part of the trade value the taker pays to the maker whose order was hit.
market.fee.factors.treasuryFee | decimal fraction | 0 .. 1 | 0 | 0.78.0 | Part of the trade value the taker pays into the network treasury.
market.liquidity.bondPenaltyParameter | decimal factor | 0 .. 1000 | 0.1 | 0.27.0 | Bond an LP loses per unit of margin shortfall that the bond had to cover.
market.liquidity.earlyExitPenalty | decimal fraction | 0 .. 1000 | 0.05 | 0.73.0 | Part of a commitment cut that an LP forfeits when the market is short of its target stake.
market.liquidity.equityLikeShareFeeFraction | decimal fraction | 0 .. 1 | 1 | 0.77.0 | Part of liquidity fees split by equity-like share and score; the rest is split by score only.
market.liquidity.maxAmmCalculationLevels | uint levels | 1 .. | 100 | 0.77.0 | Price levels an AMM curve is expanded to at most; beyond that the node takes larger steps.
market.liquidity.maximumLiquidityFeeFactorLevel | decimal fraction | 0 .. 1 | 1 | 0.27.0 | Highest liquidity fee an LP may nominate in a commitment.
market.liquidity.minimum.probabilityOfTrading.lpOrders | decimal fraction | 1e-12 .. 0.1 | 1e-8 | 0.37.0 | LP orders whose trading probability is not above this add nothing to the liquidity score.
market.liquidity.probabilityOfTrading.tau.scaling | decimal factor | 0.0001 .. 1000 | 1 | 0.34.0 | Stretches the risk model time horizon that trading probabilities are computed for.
market.liquidity.providersFeeCalculationTimeStep | duration | 1s .. 255h | 1m | 0.73.0 | Interval at which collected liquidity fees are allocated to the LPs of a market. | <= validators.epoch.length
market.liquidity.sla.nonPerformanceBondPenaltyMax | decimal fraction | 0 .. 1 | 0.05 | 0.73.0 | Largest part of the bond an LP can lose in one epoch for missing its commitment.
market.liquidity.sla.nonPerformanceBondPenaltySlope | decimal factor | 0 .. 1000 | 1 | 0.73.0 | How steeply the bond penalty grows as an LP falls below the required time on the book.
market.liquidity.stakeToCcyVolume | decimal factor | 0 .. 100 | 1 | 0.66.0 | Order value an LP must keep on both sides of the book, per unit of commitment.
market.liquidity.successorLaunchWindowLength | duration | 1s .. 720h | 168h | 0.72.0 | Time after settlement in which a successor can still inherit insurance pool and LP shares.
market.liquidity.targetstake.triggering.ratio | decimal fraction | 0 .. 1 | 0 | 0.34.0 deprecated | No longer has an effect: formerly the stake shortfall at which a liquidity auction began.
market.liquidityProvision.minLpStakeQuantumMultiple | decimal quantum | >0 .. <1e10 | 1 | 0.49.0 | Smallest LP commitment, as a multiple of the asset quantum.
market.liquidityProvision.shapes.maxSize | int count | 1 .. 1000 | 5 | 0.33.0 unused | No longer has an effect: formerly the number of pegged orders allowed per side of an LP shape.
market.margin.scalingFactors | json |  |  | 0.29.0 | Multiples of maintenance margin for seeking collateral, opening a position and releasing excess. | 1 <= search_level < initial_margin < collateral_release <= 100
market.monitor.price.defaultParameters | json |  |  | 0.28.0 | Price monitoring triggers used for a new market whose proposal brings none. | 5 <= horizon <= 2592000; 0.9 <= probability < 1; 5 <= auction_extension <= 2592000
market.stake.target.scalingFactor | decimal factor | >0 .. 100 | 10 | 0.27.0 deprecated | No longer has an effect: formerly the step from open interest to target stake.
market.stake.target.timeWindow | duration | 1s .. 720h | 1h0m0s | 0.27.0 deprecated | No longer has an effect: formerly how far back the target stake looked for peak open interest.
market.value.windowLength | duration | 1m .. 720h | 168h0m0s | 0.30.0 | Length of the periods over which market growth is measured for equity-like shares.
network.checkpoint.timeElapsedBetweenCheckpoints | duration | >0s .. | 1m | 0.42.0 | Time between two checkpoints of the state that survives a network restart.
network.floatingPointUpdates.delay | duration | 10s .. 1h | 5m | 0.49.0 | Longest gap before validators again agree on computed values such as risk factors.
network.internalCompositePriceUpdateFrequency | duration | >0s .. 1h | 5s | 0.74.0 | Least time between updates of the price that perpetuals use for funding payments.
network.markPriceUpdateMaximumFrequency | duration | >0s .. 1h | 5s | 0.63.0 | Least time between two mark price updates of a market.
network.transaction.defaultgas | uint count | 1 .. 99 | 1 | 0.63.0 | Gas charged for a transaction of a kind without a price of its own.
network.transactions.maxgasperblock | uint count | 100 .. 10000000 | 500000 | 0.63.0 | Gas that the transactions of one block can use together. | >= 2 * network.transactions.minBlockCapacity
network.transactions.minBlockCapacity | uint count | 1 .. 10000 | 32 | 0.63.0 | Transactions a block must always have room for; caps the gas a single order can cost. | <= 0.5 * network.transactions.maxgasperblock
network.validators.ersatz.multipleOfTendermintValidators | decimal factor | 0 .. | 0.5 | 0.49.0 | Number of ersatz (standby) validators per consensus validator slot.
network.validators.ersatz.rewardFactor | decimal factor | 0 .. 1 | 0.5 | 0.49.0 | Weight of stake on ersatz validators, against consensus ones, when rewards are divided.
network.validators.incumbentBonus | decimal fraction | 0 .. | 1 | 0.49.0 | Ranking bonus for nodes already in a validator set: the score is multiplied by 1 + this.
network.validators.minimumEthereumEventsForNewValidator | uint count | 0 .. | 3 | 0.49.0 | Ethereum events a node outside the consensus set must have reported before it can score.
network.validators.multisig.numberOfSigners | uint count | 1 .. 500 | 13 | 0.49.0 | Validators, best score first, that must be signers of the bridge multisig to be rewarded. | <= network.validators.tendermint.number
network.validators.tendermint.number | uint count | 1 .. 500 | 30 | 0.49.0 | Slots for consensus validators. | >= network.validators.multisig.numberOfSigners
referralProgram.maxPartyNotionalVolumeByQuantumPerEpoch | uint quantum | 0 .. | 250000 | 0.73.0 | Taker volume per party and epoch that counts for a referral set, in asset quantums.
referralProgram.maxReferralDiscountFactor | decimal fraction | 0 .. 1 | 0.5 | 0.73.0 | Highest fee discount that a tier of a referral program may give referees.
referralProgram.maxReferralRewardFactor | decimal fraction | 0 .. 1 | 0.5 | 0.73.0 | Highest part of referee fees that a tier of a referral program may give referrers.
referralProgram.maxReferralRewardProportion | decimal fraction | 0 .. 1 | 0.5 | 0.73.0 | Ceiling on the referee fees a referrer gets after the staking multiplier is applied.
referralProgram.maxReferralTiers | uint count | 0 .. 100 | 10 | 0.73.0 | Most benefit tiers, and likewise staking tiers, that a referral program can define.
referralProgram.minStakedVegaTokens | uint asset-amount | 0 .. | 0 | 0.73.0 | Staked governance tokens needed to create or update a referral set and to earn from it.
reward.asset | string id |  | VOTE | 0.42.0 | Asset id of the governance token: used for staking, votes and validator rewards. | must be an enabled asset
reward.staking.delegation.competitionLevel | decimal factor | 1 .. | 1.1 | 0.42.0 | How hard nodes compete for stake: larger means a higher optimal stake per validator.
reward.staking.delegation.delegatorShare | decimal fraction | 0 .. 1 | 0.883 | 0.42.0 | Part of a node reward that is shared with its delegators.
reward.staking.delegation.maxPayoutPerEpoch | decimal asset-amount | 0 .. | 7000000000000000000000 | 0.42.0 deprecated | No longer has an effect: formerly capped the staking rewards paid out in an epoch.
reward.staking.delegation.maxPayoutPerParticipant | decimal asset-amount | 0 .. | 0 | 0.42.0 | Most staking reward one party gets per epoch from the global reward account; 0 means no cap.
reward.staking.delegation.minValidators | int count | 1 .. 500 | 5 | 0.45.0 | Lower limit on the node count that the stake total is divided by for the optimal stake.
reward.staking.delegation.minimumValidatorStake | decimal asset-amount | 0 .. | 0 | 0.42.0 | Own stake a validator needs to join and to be ranked and rewarded.
reward.staking.delegation.optimalStakeMultiplier | decimal factor | 1 .. | 3.0 | 0.46.0 | Multiple of the optimal stake above which more stake lowers the score of a node.
reward.staking.delegation.payoutDelay | duration | 0s .. | 24h0m0s | 0.42.0 deprecated | No longer has an effect: formerly the wait between the end of an epoch and its reward payout.
reward.staking.delegation.payoutFraction | decimal fraction | 0 .. 1 | 1.0 | 0.42.0 deprecated | No longer has an effect: formerly the part of the reward account paid out each epoch.
rewards.activityStreak.benefitTiers | json |  |  | 0.73.0 | Reward and vesting multipliers that a party reaches by staying active for many epochs. | minimum_activity_streak unique; multipliers >= 1
rewards.activityStreak.inactivityLimit | uint epochs | 1 .. 100 | 3 | 0.73.0 | Idle epochs in a row after which a party loses its activity streak.
rewards.activityStreak.minQuantumOpenVolume | uint quantum |  | 500 | 0.73.0 | Open position value, in quantums, above which a party is active in an epoch.
rewards.activityStreak.minQuantumTradeVolume | uint quantum |  | 2500 | 0.73.0 | Traded value in an epoch, in quantums, above which a party is active.
rewards.marketCreationQuantumMultiple | decimal quantum | 1 .. <1e20 | 10000000 | 0.54.0 | Traded value a market must exceed for its proposer to earn creation rewards, in quantums.
rewards.team.minEpochsInTeam | int epochs | 0 .. 500 | 5 | 0.73.0 | Epochs a party must be in a team before it counts for team rewards.
rewards.updateFrequency | duration | 1s .. | 10m | 0.77.0 | Interval at which running game scores are computed and published inside an epoch.
rewards.vesting.baseRate | decimal fraction | >0 .. 1 | 0.25 | 0.73.0 | Part of a vesting balance released each epoch before streak multipliers.
rewards.vesting.benefitTiers | json |  |  | 0.73.0 | Reward multipliers that a party reaches by leaving rewards in its vesting and vested accounts. | minimum_quantum_balance unique
rewards.vesting.minimumTransfer | decimal quantum | >0 .. | 10 | 0.73.0 | Least amount released per epoch from a vesting balance, as a multiple of the asset quantum.
snapshot.interval.length | uint blocks | 1 .. | 1000 | 0.46.0 | Blocks between two state snapshots of a node.
spam.order.minimumHoldingQuantumMultiple | decimal quantum | 0 .. | 0.01 | 0.77.1 | Least value of a spot market order, as a multiple of the asset quantum.
spam.order.minimumMarginQuantumMultiple | decimal quantum | 0 .. | 0.01 | 0.77.1 | Least maintenance margin an order must imply on a derivative market, in asset quantums.
spam.pow.difficulty | uint count | 0 .. 256 | 15 | 0.49.7 | Leading zero bits that the proof of work sent with a transaction must show.
spam.pow.hashFunction | string text |  | sha3_24_rounds | 0.49.7 | Hash function of the proof of work that comes with transactions. | sha3_24_rounds is the only accepted value
spam.pow.increaseDifficulty | uint boolean-int | 0 .. 1 | 0 | 0.49.7 | Whether a party may exceed its transactions per block by doing harder proof of work.
spam.pow.numberOfPastBlocks | uint blocks | 5 .. 500 | 100 | 0.49.7 | Age, in blocks, up to which a block hash can still back a proof of work.
spam.pow.numberOfTxPerBlock | uint count | 1 .. | 2 | 0.49.7 | Transactions a party can tie to one block before more work is needed or it is refused.
spam.protection.applyReferral.min.funds | uint quantum | 0 .. | 10 | 0.73.0 | Total balance, in quantums over all assets, needed to apply a referral code.
spam.protection.balanceSnapshotFrequency | duration | 0s .. 1h | 5s | 0.73.0 | Interval at which the balances used by the minimum funds checks are refreshed.
spam.protection.delegation.min.tokens | decimal asset-amount | 1 .. | 1000000000000000000 | 0.43.0 | Staked governance tokens without which a delegation transaction is refused as spam.
spam.protection.max.applyReferralCode | int count | 0 .. | 5 | 0.73.0 | Referral code applications a party can send per epoch.
spam.protection.max.batchSize | uint count | 2 .. 200 | 15 | 0.55.0 | Instructions one batch transaction may hold.
spam.protection.max.createReferralSet | int count | 0 .. | 3 | 0.73.0 | Referral set creations a party can send per epoch.
spam.protection.max.delegations | int count | 1 .. | 390 | 0.43.0 | Delegation transactions a party can send per epoch.
spam.protection.max.proposals | int count | 1 .. | 3 | 0.43.0 | Proposals a party can submit per epoch.
spam.protection.max.stopOrdersPerMarket | uint count | 0 .. 100 | 4 | 0.72.0 | Stop orders a party can have waiting in one market.
spam.protection.max.updatePartyProfile | int count | 0 .. | 10 | 0.74.0 | Party profile updates a party can send per epoch.
spam.protection.max.updateReferralSet | int count | 0 .. | 3 | 0.73.0 | Referral set updates a party can send per epoch.
spam.protection.max.votes | int count | 1 .. | 3 | 0.43.0 | Votes a party can cast per epoch on the same proposal.
spam.protection.maxMultisigUpdates | int count | 0 .. | 4 | 0.76.0 | Requests for bridge multisig signatures a party can make per epoch.
spam.protection.maxUserTransfersPerEpoch | int count | 0 .. | 20 | 0.49.0 | Transfer transactions a party can send per epoch.
spam.protection.minMultisigUpdates | decimal asset-amount | 1 .. | 100000000000000000000 | 0.68.0 | Staked governance tokens needed to ask for signatures that change the bridge multisig.
spam.protection.minimumWithdrawalQuantumMultiple | decimal quantum | >0 .. <1e6 | 10 | 0.67.0 | Smallest withdrawal, as a multiple of the asset quantum.
spam.protection.proposal.min.tokens | decimal asset-amount | 1 .. | 100000000000000000000000 | 0.43.0 | Staked governance tokens without which a proposal transaction is refused as spam.
spam.protection.referralSet.min.funds | uint quantum | 0 .. | 10 | 0.74.0 | Total balance, in quantums over all assets, needed to create or update a referral set.
spam.protection.updatePartyProfile.min.funds | uint quantum | 0 .. | 10 | 0.74.0 | Total balance, in quantums over all assets, needed to update a party profile.
spam.protection.voting.min.tokens | decimal asset-amount | 1 .. | 100000000000000000000 | 0.43.0 | Staked governance tokens without which a vote transaction is refused as spam.
transfer.fee.factor | decimal fraction | 0 .. 1 | 0.001 | 0.49.0 | Fee on a transfer between parties, as a part of the amount moved.
transfer.fee.maxQuantumAmount | decimal quantum | 0 .. | 1 | 0.74.0 | Ceiling on the fee of one transfer, as a multiple of the asset quantum.
transfer.feeDiscountDecayFraction | decimal fraction | 0 .. 1 | 0.8 | 0.74.0 | Part of a saved-up transfer fee discount that is kept from one epoch to the next.
transfer.feeDiscountMinimumTrackedAmount | decimal quantum | 0 .. | 0.01 | 0.74.0 | Transfer fee discounts below this multiple of the asset quantum are forgotten.
transfer.minTransferQuantumMultiple | decimal quantum | 0 .. | 0.1 | 0.49.0 | Smallest transfer, as a multiple of the asset quantum.
validator.performance.scaling.factor | decimal fraction | 0 .. 1 | 0 | 0.65.0 | Extra credit, as a part of the blocks it proposed, in the performance score of a node.
validators.delegation.minAmount | decimal asset-amount | >0 .. | 1 | 0.41.0 | Smallest amount a single delegation may have.
validators.epoch.length | duration | 1s .. 255h | 24h0m0s | 0.42.0 | Length of an epoch.
validators.vote.required | decimal fraction | >0 .. 1 | 0.67 | 0.42.0 | Share of validators, by voting power or number, needed to accept events, signatures, upgrades.
volumeDiscountProgram.maxBenefitTiers | uint count | 0 .. 10 | 10 | 0.73.0 | Most tiers a volume discount program can define.
volumeDiscountProgram.maxVolumeDiscountFactor | decimal fraction | 0 .. 1 | 0.9 | 0.73.0 | Highest fee discount that a tier of a volume discount program may give.
volumeRebateProgram.maxBenefitTiers | uint count | 0 .. 10 | 10 | 0.78.0 | Most tiers a volume rebate program can define.
`;

/** Keys of older releases, with the first and last release that had them. */
export const REMOVED_PARAMETERS = `
governance.vote.asset | 0.28.0 | 0.41.1
market.fee.factors.liquidityFee | 0.26.0 | 0.33.1
market.initialMarkPrice | 0.26.0 | 0.32.3
market.liquidity.providers.fee.distributionTimeStep | 0.31.0 | 0.72.14
market.liquidity.stakeToCcySiskas | 0.29.0 | 0.65.1
market.liquidity.stateToCcySiskas | 0.27.0 | 0.28.1
market.liquidityV2.bondPenaltyParameter | 0.72.0 | 0.72.14
market.liquidityV2.earlyExitPenalty | 0.72.0 | 0.72.14
market.liquidityV2.maximumLiquidityFeeFactorLevel | 0.72.0 | 0.72.14
market.liquidityV2.sla.nonPerformanceBondPenaltyMax | 0.72.0 | 0.72.14
market.liquidityV2.sla.nonPerformanceBondPenaltySlope | 0.72.0 | 0.72.14
market.liquidityV2.stakeToCcyVolume | 0.72.0 | 0.72.14
market.margin.scalingFactor.collateralRelease | 0.26.0 | 0.28.1
market.margin.scalingFactor.initialMargin | 0.26.0 | 0.28.1
market.margin.scalingFactor.searchLevel | 0.26.0 | 0.28.1
market.monitor.price.updateFrequency | 0.28.0 | 0.53.3
network.checkpoint.marketFreezeDate | 0.42.0 | 0.55.0
network.checkpoint.networkEndOfLifeDate | 0.42.0 | 0.55.0
spam.order.minimalHoldingQuantumMultiple | 0.77.0 | 0.77.0
spam.order.minimalMarginQuantumMultiple | 0.77.0 | 0.77.0
spot.market.trading.enabled | 0.72.0 | 0.72.14
validators.delegation.maxStakePerValidator | 0.41.0 | 0.41.1
`;

export function parameterKeys(): readonly string[] {
  const listed = PARAMETER_FACTS.split('\n').map(line => line.split(' ')[0] ?? '');
  const ofProposals = Object.keys(KINDS).flatMap(kind =>
    Object.keys(PARAMETERS).map(name => `governance.proposal.${kind}.${name}`),
  );
  return [...listed.filter(key => key !== ''), ...ofProposals.filter(key => proposalLine(key) !== undefined)];
}

/** The line for a parameter under `governance.proposal.`, which every kind of proposal has, in the notation of the facts. */
export function proposalLine(key: string): string | undefined {
  const [, kind = '', name = ''] = /^governance\.proposal\.(\w+)\.(\w+)$/.exec(key) ?? [];
  const named = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  const parameter = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name] : undefined;
  // A freeform proposal enacts nothing, and these two of a transfer have their own line in the facts.
  const isOther = (kind === 'freeform' || kind === 'transfer') && name.endsWith('Enact');
  if (named === undefined || parameter === undefined || isOther) return undefined;
  const [proposal, since, isDear] = named;
  const { form, meaning, usual, dear } = parameter;
  return `${key} | ${form} | ${isDear ? dear : usual} | ${since} | ${meaning.replace('A PROPOSAL', proposal)}`;
}

/** The name in a sentence, the first release, and whether it has the higher defaults. */
const KINDS: { readonly [kind: string]: readonly [proposal: string, since: string, isDear: boolean] } = {
  AutomatedPurchaseConfig: ['an automated purchase', '0.79.0', true],
  VolumeDiscountProgram: ['a volume discount', '0.73.0', true],
  VolumeRebateProgram: ['a volume rebate', '0.78.0', true],
  asset: ['a new asset', '0.26.0', false],
  freeform: ['a freeform', '0.46.0', false],
  market: ['a new market', '0.26.0', false],
  referralProgram: ['a referral program', '0.73.0', true],
  transfer: ['a governance transfer', '0.72.0', false],
  updateAsset: ['an asset update', '0.54.0', false],
  updateMarket: ['a market update', '0.26.0', false],
  updateNetParam: ['a network parameter', '0.26.0', false],
};

interface ProposalParameter {
  readonly form: string;
  readonly meaning: string;
  readonly usual: string;
  readonly dear: string;
}

const TIME = 'duration | 1s .. 8760h';
const BALANCE = 'uint asset-amount | 1 ..';
const SHARE = 'decimal fraction | 0 .. 1';

const PARAMETERS: { readonly [name: string]: ProposalParameter } = {
  maxClose: {
    form: TIME,
    meaning: 'Latest A PROPOSAL vote may close, counted from submission of the proposal.',
    usual: '8760h0m0s',
    dear: '8760h0m0s',
  },
  maxEnact: {
    form: TIME,
    meaning: 'Latest A PROPOSAL proposal may be enacted, counted from its submission.',
    usual: '8760h0m0s',
    dear: '8760h0m0s',
  },
  minClose: {
    form: TIME,
    meaning: 'Earliest A PROPOSAL vote may close, counted from submission of the proposal.',
    usual: '48h0m0s',
    dear: '120h0m0s',
  },
  minEnact: {
    form: TIME,
    meaning: 'Earliest A PROPOSAL proposal may be enacted, counted from its submission.',
    usual: '48h0m0s',
    dear: '120h0m0s',
  },
  minProposerBalance: {
    form: BALANCE,
    meaning: 'Staked governance tokens a party needs to submit A PROPOSAL proposal.',
    usual: '1',
    dear: '10000000000000000000000',
  },
  minVoterBalance: {
    form: BALANCE,
    meaning: 'Staked governance tokens a party needs to vote on A PROPOSAL proposal.',
    usual: '1',
    dear: '1000000000000000000',
  },
  requiredMajority: {
    form: SHARE,
    meaning: 'Share of the voting tokens that must vote yes for A PROPOSAL proposal to pass.',
    usual: '0.66',
    dear: '0.66',
  },
  requiredParticipation: {
    form: SHARE,
    meaning: 'Share of the governance token supply that must vote on A PROPOSAL proposal.',
    usual: '0.00001',
    dear: '0.01',
  },
};
