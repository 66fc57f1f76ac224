import { goJson } from '../gateway/go-json.ts';
import type { DemoTable } from '../store.ts';
import { type Chain, type DemoScale, epochOf, firstBlockOfEpoch, headAtStart, lastBlockOfEpoch } from './chain.ts';
import { activeTermsAt, amendedBy, type Commitment, commitmentsOf } from './liquidity-provisions.ts';
import { type Performance, performanceOf } from './provider-performance.ts';
import { Dice } from './seeded.ts';

/** The table covers so many epochs after the start; later epochs are answered with the last of them. */
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
    rows: () => providerRows(chain, provisions, epochOf(chain, headAtStart(chain))),
    ...(chain.isLive && { changedBy: laterEpochs(chain, provisions) }),
  };
}

/** The epochs of a live chain beyond those that the table has from the start. */
function laterEpochs(chain: Chain, provisions: number) {
  let last = epochOf(chain, headAtStart(chain)) + EPOCHS_AHEAD;
  return function* (height: number) {
    const epoch = epochOf(chain, height);
    if (epoch <= last) return;
    last = epoch + EPOCHS_AHEAD;
    yield* providerRows(chain, provisions, epoch);
  };
}

function* providerRows(chain: Chain, provisions: number, first: number) {
  const commitments = amendedBy(chain, commitmentsOf(chain, provisions), first + EPOCHS_AHEAD);
  const byMarket = Map.groupBy(commitments, ({ market }) => market.id);
  const head = headAtStart(chain);
  for (let epoch = first; epoch <= first + EPOCHS_AHEAD; epoch++) {
    const height = Math.max(head, firstBlockOfEpoch(chain, epoch));
    for (const [marketId, commitments] of byMarket) {
      const providers = commitments.flatMap(commitment => {
        const amount = activeTermsAt(commitment, height)?.amount ?? 0n;
        return amount === 0n ? [] : [{ commitment, amount, virtualStake: virtualStakeOf(commitment, amount) }];
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
function virtualStakeOf({ id }: Commitment, amount: bigint): bigint {
  return (amount * BigInt(1000 + new Dice(`${id}/growth`).below(60))) / 1000n;
}

/** A record with the members of protocol.md section 2.2. */
function providerRecord(
  chain: Chain,
  { commitment, amount, virtualStake }: Provider,
  { epoch, all }: { readonly epoch: number; readonly all: bigint },
) {
  const { id, partyId: party, market } = commitment;
  const now = performanceOf(id, epoch);
  const wasThere = activeTermsAt(commitment, lastBlockOfEpoch(chain, epoch - 1)) !== undefined;
  const last = wasThere ? performanceOf(id, epoch - 1) : NOT_THERE;
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
const NOT_THERE: Performance = { timeOnBook: 0, feePenalty: 0, bondPenalty: 0, score: 0 };

const tenThousandths = (share: number): string => fraction(BigInt(share), 10_000n, 4);

/** A fraction from 0 to 1 as decimal text without trailing zeros. */
function fraction(part: bigint, whole: bigint, places: number): string {
  const digits = String((part * 10n ** BigInt(places)) / whole).padStart(places + 1, '0');
  const text = `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return text.replace(/\.?0+$/, '');
}
