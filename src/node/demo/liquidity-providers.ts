import { goJson } from '../gateway/go-json.ts';
import type { DemoTable } from '../store.ts';
import {
  type Chain,
  type DemoScale,
  epochAtHeight,
  firstBlockOfEpoch,
  lastBlockOfEpoch,
  startHeight,
} from './chain.ts';
import { activeTerms, amendCommitments, type Commitment, createCommitments } from './liquidity-provisions.ts';
import { type Performance, providerPerformance } from './provider-performance.ts';
import { Dice } from './seeded-random.ts';

/** The table covers this number of epochs after the start; later epochs are answered with the last of these. */
const EPOCHS_AHEAD = 6;

/** The table behind `liquidity/providers`: the active commitments of each epoch since the start of the node. */
export function liquidityProvidersTable(chain: Chain, { provisions }: DemoScale): DemoTable {
  return {
    name: 'liquidity_providers',
    columns: [
      'epoch INTEGER NOT NULL',
      'market_id TEXT NOT NULL',
      'party_id TEXT NOT NULL',
      'ordinality INTEGER NOT NULL',
      'body TEXT NOT NULL',
    ],
    primaryKey: 'epoch, market_id, party_id, ordinality',
    indices: ['epoch, party_id'],
    rows: () => providerRows(chain, provisions, epochAtHeight(chain, startHeight(chain))),
    ...(chain.isLive && { changedBy: laterEpochs(chain, provisions) }),
  };
}

/** The epochs of a live chain beyond those that the table has from the start. */
function laterEpochs(chain: Chain, provisions: number) {
  let last = epochAtHeight(chain, startHeight(chain)) + EPOCHS_AHEAD;
  return function* (height: number) {
    const epoch = epochAtHeight(chain, height);
    if (epoch <= last) return;
    last = epoch + EPOCHS_AHEAD;
    yield* providerRows(chain, provisions, epoch);
  };
}

function* providerRows(chain: Chain, provisions: number, first: number) {
  const commitments = amendCommitments(chain, createCommitments(chain, provisions), first + EPOCHS_AHEAD);
  const byMarket = Map.groupBy(commitments, ({ market }) => market.id);
  const head = startHeight(chain);
  for (let epoch = first; epoch <= first + EPOCHS_AHEAD; epoch++) {
    const height = Math.max(head, firstBlockOfEpoch(chain, epoch));
    for (const [marketId, commitments] of byMarket) {
      const providers = commitments.flatMap(commitment => {
        const amount = activeTerms(commitment, height)?.amount ?? 0n;
        return amount === 0n ? [] : [{ commitment, amount, virtualStake: computeVirtualStake(commitment, amount) }];
      });
      const all = providers.reduce((sum, { virtualStake }) => sum + virtualStake, 0n);
      for (const [index, provider] of providers.entries()) {
        const { partyId } = provider.commitment;
        yield [epoch, marketId, partyId, index + 1, goJson(providerRecord(chain, provider, { epoch, all }))] as const;
      }
    }
  }
}

interface Provider {
  readonly commitment: Commitment;
  readonly amount: bigint;
  readonly virtualStake: bigint;
}

/** A commitment grows with its market. */
function computeVirtualStake({ id }: Commitment, amount: bigint): bigint {
  return (amount * BigInt(1000 + new Dice(`${id}/growth`).below(60))) / 1000n;
}

/** A record with the members of protocol.md section 2.2. */
function providerRecord(
  chain: Chain,
  { commitment, amount, virtualStake }: Provider,
  { epoch, all }: { readonly epoch: number; readonly all: bigint },
) {
  const { id, partyId: party, market } = commitment;
  const now = providerPerformance(id, epoch);
  const wasThere = activeTerms(commitment, lastBlockOfEpoch(chain, epoch - 1)) !== undefined;
  const last = wasThere ? providerPerformance(id, epoch - 1) : NO_PERFORMANCE;
  const dice = new Dice(`${id}/orders/${epoch}`);
  return {
    partyId: party,
    marketId: market.id,
    feeShare: {
      party,
      equityLikeShare: fraction(virtualStake, all, 16),
      averageEntryValuation: String((all * BigInt(dice.between(700, 1000))) / 1000n),
      averageScore: fraction(BigInt(now.score), 1000n, 3),
      virtualStake: String(virtualStake),
    },
    sla: {
      party,
      currentEpochFractionOfTimeOnBook: tenThousandths(now.timeOnBook),
      lastEpochFractionOfTimeOnBook: tenThousandths(last.timeOnBook),
      lastEpochFeePenalty: tenThousandths(last.feePenalty),
      lastEpochBondPenalty: tenThousandths(last.bondPenalty),
      hysteresisPeriodFeePenalties: [tenThousandths(last.feePenalty)],
      requiredLiquidity: String(amount),
      notionalVolumeBuys: String((amount * BigInt(dice.between(90, 160))) / 100n),
      notionalVolumeSells: String((amount * BigInt(dice.between(90, 160))) / 100n),
    },
  };
}

/** The performance in an epoch before a provider's first one. */
const NO_PERFORMANCE: Performance = { timeOnBook: 0, feePenalty: 0, bondPenalty: 0, score: 0 };

const tenThousandths = (share: number): string => fraction(BigInt(share), 10_000n, 4);

/** A fraction from 0 to 1 as decimal text without trailing zeros. */
function fraction(part: bigint, whole: bigint, places: number): string {
  const digits = String((part * 10n ** BigInt(places)) / whole).padStart(places + 1, '0');
  const text = `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return text.replace(/\.?0+$/, '');
}
