import { goJson } from '../gateway/go-json.ts';
import type { DemoTable } from '../store.ts';
import { blockTimeUs, type Chain, epochAtHeight, firstBlockOfEpoch, lastBlockOfEpoch, startHeight } from './chain.ts';
import { recoveryHeight, slashHeight } from './live-events.ts';
import type { Market } from './markets.ts';
import { ODD_REFERENCES } from './odd-references.ts';
import { Dice, seededHex } from './seeded-random.ts';

type Status = 'UNSPECIFIED' | 'ACTIVE' | 'STOPPED' | 'CANCELLED' | 'REJECTED' | 'UNDEPLOYED' | 'PENDING';

/** A status or an amendment: FEE changes the fee at once, LEAVE cancels the commitment at the next epoch. */
type Step = Status | 'FEE' | 'LEAVE';

/** The life of a commitment: its steps in order, one row each. */
interface Life {
  readonly steps: readonly Step[];
  /** How many of all lives are like this, in per cent. */
  readonly share: number;
  /** Commitments from the time of liquidity orders, with sells and buys. */
  readonly isLegacy?: true;
}

/** An amendment at the end of a life is pending when the node starts. */
const LIVES: readonly Life[] = [
  { steps: ['PENDING', 'ACTIVE', 'PENDING', 'ACTIVE', 'PENDING', 'ACTIVE', 'FEE', 'ACTIVE'], share: 40 },
  { steps: ['PENDING', 'ACTIVE', 'PENDING', 'ACTIVE', 'PENDING'], share: 4 },
  { steps: ['PENDING', 'ACTIVE', 'ACTIVE', 'LEAVE', 'CANCELLED'], share: 14 },
  { steps: ['PENDING', 'ACTIVE', 'ACTIVE', 'STOPPED'], share: 7 },
  { steps: ['REJECTED'], share: 5 },
  { steps: ['PENDING', 'ACTIVE', 'LEAVE'], share: 3 },
  { steps: ['PENDING'], share: 2 },
  // Amended before it first became active (protocol.md section 2.3).
  { steps: ['PENDING', 'PENDING'], share: 1 },
  { steps: ['PENDING', 'PENDING', 'ACTIVE', 'FEE', 'ACTIVE'], share: 1 },
  // The pending change still happens, with the version number that the fee amendment took (protocol.md section 2.3).
  { steps: ['PENDING', 'ACTIVE', 'PENDING', 'FEE'], share: 1 },
  { steps: ['PENDING', 'ACTIVE', 'PENDING', 'FEE', 'ACTIVE', 'FEE'], share: 1 },
  { steps: ['UNDEPLOYED', 'ACTIVE', 'UNDEPLOYED', 'ACTIVE'], share: 12, isLegacy: true },
  { steps: ['ACTIVE', 'UNDEPLOYED'], share: 5, isLegacy: true },
  { steps: ['UNSPECIFIED', 'ACTIVE', 'CANCELLED'], share: 4, isLegacy: true },
];

/** What a provider commits to. */
interface Terms {
  readonly amount: bigint;
  readonly fee: string;
}

/** A row of a commitment. */
interface CommitmentVersion extends Terms {
  readonly height: number;
  readonly version: number;
  readonly status: Status;
  /** The terms that apply; undefined before the commitment is active and after it has ended. */
  readonly active: Terms | undefined;
  /** The bond before penalties: the larger of the active and the pending amount. */
  readonly bond: bigint;
}

export interface Commitment {
  readonly id: string;
  readonly market: Market;
  readonly partyId: string;
  readonly reference: string | null;
  readonly isLegacy: boolean;
  /** Oldest first; the last one may come after the node's start. */
  readonly versions: readonly CommitmentVersion[];
}

/** The terms of a commitment that apply in a block. */
export const activeTerms = ({ versions }: Commitment, height: number): Terms | undefined =>
  versions.findLast(version => version.height <= height)?.active;

/** The table behind `liquidity/provisions`: one row per version and block, with the height of the next row. */
export function liquidityProvisionsTable(chain: Chain, { provisions }: { readonly provisions: number }): DemoTable {
  return {
    name: 'liquidity_provisions',
    columns: [
      'id TEXT NOT NULL',
      'vega_us INTEGER NOT NULL',
      'height INTEGER NOT NULL',
      'next_height INTEGER',
      'market_id TEXT NOT NULL',
      'party_id TEXT NOT NULL',
      'reference TEXT',
      'version INTEGER NOT NULL',
      'status TEXT NOT NULL',
      'body TEXT NOT NULL',
    ],
    primaryKey: 'id, vega_us',
    indices: ['vega_us, id', 'market_id, vega_us, id', 'party_id, vega_us, id', 'height, id'],
    rows: () => provisionRows(chain, provisions),
    ...(chain.isLive && { changedBy: amendments(chain, provisions) }),
  };
}

function* provisionRows(chain: Chain, rowCount: number) {
  for (const commitment of createCommitments(chain, rowCount)) yield* versionRows(chain, commitment);
}

/** Rows of a live chain are generated some epochs ahead: the list shows those of existing blocks. */
const EPOCHS_AHEAD = 30;

/** The rows of commitments that are amended, with the one that each amendment follows. */
function amendments(chain: Chain, rowCount: number) {
  let known = epochAtHeight(chain, startHeight(chain));
  const before = new Map<string, number>();
  return function* (height: number) {
    const epoch = epochAtHeight(chain, height);
    if (epoch < known) return;
    known = epoch + EPOCHS_AHEAD;
    for (const commitment of amendCommitments(chain, createCommitments(chain, rowCount), known)) {
      const { id, versions } = commitment;
      const isAmended = versions.length > (before.get(id) ?? 0);
      before.set(id, versions.length);
      if (isAmended) yield* versionRows(chain, commitment);
    }
  };
}

/**
 * Commitments with this number of rows at the start of the node; the last commitment only with its newest versions. A
 * party has one commitment per market as long as there are enough parties.
 */
export function* createCommitments(chain: Chain, rowCount: number): Iterable<Commitment> {
  const head = startHeight(chain);
  let left = rowCount;
  for (let index = 0; left > 0; index++) {
    const commitment = createCommitment(chain, index);
    const seen = commitment.versions.filter(({ height }) => height <= head).length;
    yield { ...commitment, versions: commitment.versions.slice(Math.max(0, seen - left)) };
    left -= Math.min(left, seen);
  }
}

/** An amendment begins in every third epoch. */
const EPOCHS_PER_AMENDMENT = 3;

/** The commitments of a live chain with the amendments that begin up to an epoch; each takes effect in the next one. */
export function amendCommitments(chain: Chain, commitments: Iterable<Commitment>, last: number): readonly Commitment[] {
  const all = [...commitments];
  if (!chain.isLive) return all;
  const first = epochAtHeight(chain, startHeight(chain)) + 1;
  const recovery = recoveryHeight(chain);
  for (let epoch = first; epoch <= last; epoch += EPOCHS_PER_AMENDMENT) {
    const dice = new Dice(`${chain.seed}/amendment/${epoch}`);
    const begin = firstBlockOfEpoch(chain, epoch);
    // The next one that can be amended, from a place that the dice choose, or the one that was slashed.
    const isRecovery = begin >= recovery && firstBlockOfEpoch(chain, epoch - EPOCHS_PER_AMENDMENT) < recovery;
    const from = isRecovery ? Math.max(0, findSlashedCommitment(chain, all)) : dice.below(all.length);
    const order = [...all.keys()].map(at => (at + from) % all.length);
    const place = order.find(at => canBeAmended(all[at], begin));
    const commitment = place === undefined ? undefined : all[place];
    if (place === undefined || commitment === undefined) continue;
    const versions = amendmentVersions(chain, commitment, { epoch, begin, dice });
    all[place] = { ...commitment, versions: [...commitment.versions, ...versions] };
  }
  return all;
}

/** The place of the commitment of a live chain that is slashed; -1 without one. */
export const findSlashedCommitment = (chain: Chain, commitments: readonly Commitment[]): number =>
  commitments.findIndex(
    ({ market, isLegacy, versions }) =>
      market.id === chain.markets[0].id &&
      !isLegacy &&
      versions.findLast(({ height }) => height <= slashHeight(chain))?.status === 'ACTIVE',
  );

function canBeAmended(commitment: Commitment | undefined, height: number): boolean {
  const newest = commitment?.versions.at(-1);
  return commitment?.isLegacy === false && newest?.status === 'ACTIVE' && newest.height < height;
}

interface Amendment {
  readonly epoch: number;
  readonly begin: number;
  readonly dice: Dice;
}

function amendmentVersions(
  chain: Chain,
  { versions }: Commitment,
  { epoch, begin, dice }: Amendment,
): readonly CommitmentVersion[] {
  const before = versions.at(-1);
  if (before?.active === undefined) return [];
  const { active } = before;
  const terms = {
    amount: randomAmendedAmount(active.amount, dice),
    fee: dice.chance(30) ? randomFee(dice) : active.fee,
  };
  const version = before.version + 1;
  const bond = terms.amount > active.amount ? terms.amount : active.amount;
  return [
    { ...terms, height: begin + dice.between(5, 60), version, status: 'PENDING', active, bond },
    {
      ...terms,
      height: firstBlockOfEpoch(chain, epoch + 1),
      version,
      status: 'ACTIVE',
      active: terms,
      bond: terms.amount,
    },
  ];
}

function createCommitment(chain: Chain, index: number): Commitment {
  const dice = new Dice(`${chain.seed}/provision/${index}`);
  const round = Math.floor(index / chain.markets.length);
  const at = index % chain.markets.length;
  const market = chain.markets[at] ?? chain.markets[0];
  const life = pickLife(dice, market);
  const id = seededHex(`${chain.seed}/provision/${index}`);
  return {
    id,
    market,
    partyId: chain.parties[(round + 7 * at) % chain.parties.length] ?? chain.parties[0],
    reference: pickReference(index, dice),
    isLegacy: life.isLegacy ?? false,
    versions: createVersions(market, spreadSteps(chain, market, life, dice), new Dice(`${id}/versions`)),
  };
}

interface LifeEvent {
  readonly step: Step;
  readonly height: number;
}

/** Liquidity orders ended with the upgrade at block 14500. */
const LAST_LEGACY_HEIGHT = 14_400;

/**
 * Spreads the steps over the life of the market. A pending step takes effect at the next epoch. A pending step at the end
 * is pending when the node starts, and takes effect after that.
 */
function spreadSteps(
  chain: Chain,
  { createdHeight }: Market,
  { steps, isLegacy }: Life,
  dice: Dice,
): readonly LifeEvent[] {
  const head = startHeight(chain);
  const stride = Math.floor(((isLegacy ? LAST_LEGACY_HEIGHT : head) - createdHeight - 1) / steps.length);
  const lastFree = steps.findLastIndex(step => !isAmendment(step));
  const events: LifeEvent[] = [];
  const roomAfter = (index: number): number => (index === steps.length - 1 ? 0 : AMENDMENT_SPACE_BLOCKS);
  let due: 'ACTIVE' | 'CANCELLED' | undefined;
  let amendedAt = 0;
  for (const [index, step] of steps.entries()) {
    const before = events.at(-1)?.height ?? 0;
    const spread = Math.max(before, createdHeight + index * stride + dice.below(stride)) + 1;
    let height = spread;
    if (due === step) height = firstBlockOfEpoch(chain, epochAtHeight(chain, amendedAt) + 1);
    else if (due !== undefined) height = before + dice.between(1, AMENDMENT_SPACE_BLOCKS);
    else if (index > lastFree)
      height = dice.between(firstBlockOfEpoch(chain, epochAtHeight(chain, head)), head - 1 - roomAfter(index));
    else if (isPending(step)) height = Math.max(before + 1, leaveSpaceForAmendment(chain, spread));
    events.push({ step, height });
    if (due === step) due = undefined;
    if (!isPending(step)) continue;
    amendedAt = height;
    due = step === 'LEAVE' ? 'CANCELLED' : 'ACTIVE';
  }
  if (due !== undefined)
    events.push({ step: due, height: firstBlockOfEpoch(chain, epochAtHeight(chain, amendedAt) + 1) });
  return events;
}

const isPending = (step: Step): boolean => step === 'PENDING' || step === 'LEAVE';
const isAmendment = (step: Step): boolean => isPending(step) || step === 'FEE';

/** The blocks left between an amendment and the end of its epoch, so that another amendment fits. */
const AMENDMENT_SPACE_BLOCKS = 20;
function leaveSpaceForAmendment(chain: Chain, height: number): number {
  const last = lastBlockOfEpoch(chain, epochAtHeight(chain, height));
  return Math.min(height, last - AMENDMENT_SPACE_BLOCKS - 1);
}

function pickLife(dice: Dice, { createdHeight }: Market): Life {
  let left = dice.below(100);
  for (const life of LIVES) {
    left -= life.share;
    if (left < 0 && (!life.isLegacy || createdHeight < LAST_LEGACY_HEIGHT - 2000)) return life;
  }
  return { steps: ['ACTIVE'], share: 0 };
}

function pickReference(index: number, dice: Dice): string | null {
  if (dice.chance(12)) return dice.pick(ODD_REFERENCES);
  if (dice.chance(10)) return '';
  if (dice.chance(10)) return null;
  return dice.chance(50) ? `mm-bot-${dice.below(12)}` : seededHex(`reference/${index}`).slice(0, 10).toUpperCase();
}

function createVersions(market: Market, events: readonly LifeEvent[], dice: Dice): readonly CommitmentVersion[] {
  const versions: CommitmentVersion[] = [];
  let terms: Terms = { amount: randomCommitmentAmount(market, dice), fee: randomFee(dice) };
  let version = 1;
  let [active, pending]: (Terms | undefined)[] = [];
  for (const [index, { step, height }] of events.entries()) {
    if (isPending(step)) {
      if (index > 0) {
        version += 1;
        if (step === 'LEAVE') terms = { ...terms, amount: 0n };
        else
          terms = {
            amount: randomAmendedAmount(terms.amount, dice),
            fee: dice.chance(30) ? randomFee(dice) : terms.fee,
          };
      }
      pending = terms;
    } else if (step === 'FEE') {
      // A pending change has taken the next number already.
      if (pending === undefined) version += 1;
      active = { amount: (active ?? terms).amount, fee: randomFee(dice) };
      terms = active;
    } else if (step === 'ACTIVE') {
      terms = pending ?? terms;
      [active, pending] = [terms, undefined];
    } else [active, pending] = [undefined, undefined];
    const bond = [active?.amount ?? 0n, pending?.amount ?? 0n].reduce((a, b) => (a > b ? a : b));
    const status = step === 'FEE' ? 'ACTIVE' : step === 'LEAVE' ? 'PENDING' : step;
    versions.push({ ...terms, height, version, status, active, bond });
  }
  return versions;
}

function* versionRows(chain: Chain, { id, market, partyId, reference, isLegacy, versions }: Commitment) {
  const orders = isLegacy ? legacyOrders(id, new Dice(`${id}/orders`)) : { sells: [], buys: [] };
  for (const [index, { height, version, status, amount, fee }] of versions.entries()) {
    const body = goJson({
      id,
      partyId,
      createdAt: nanoseconds(blockTimeUs(chain, versions[0]?.height ?? height)),
      updatedAt: nanoseconds(blockTimeUs(chain, height)),
      marketId: market.id,
      commitmentAmount: String(amount),
      fee,
      ...orders,
      version: String(version),
      status: `STATUS_${status}`,
      reference: reference ?? '',
    });
    const key = [id, blockTimeUs(chain, height), height, versions[index + 1]?.height ?? null] as const;
    yield [...key, market.id, partyId, reference, version, `STATUS_${status}`, body] as const;
  }
}

/** 400 to 360,000 quanta, some with digits in every place. */
function randomCommitmentAmount({ settlementAsset: { quantum } }: Market, dice: Dice): bigint {
  const whole = BigInt(dice.between(20, 600) * dice.between(20, 600)) * BigInt(quantum);
  return dice.chance(30) ? whole + BigInt(dice.digits(quantum.length - 1)) : whole;
}

/** Two fifths to nearly twice the amount. */
const randomAmendedAmount = (amount: bigint, dice: Dice): bigint => (amount * BigInt(dice.between(40, 190))) / 100n;

const randomFee = (dice: Dice): string => dice.pick(FEES);
const FEES = ['0.001', '0.0005', '0.0015', '0.002', '0.0025', '0.003', '0.005', '0.0075', '0.01', '0.02'] as const;

function legacyOrders(id: string, dice: Dice) {
  const order = (side: string, reference: string, index: number) => ({
    liquidityOrder: { reference, proportion: dice.between(1, 50), offset: String(dice.between(1, 5000)) },
    // An order that the market has not placed yet has no id.
    orderId: dice.chance(20) ? '' : seededHex(`${id}/${side}/${index}`),
  });
  const sides = Array.from({ length: dice.between(1, 3) }, (_, index) => index);
  return {
    sells: sides.map(index => order('sell', index === 0 ? 'PEGGED_REFERENCE_MID' : 'PEGGED_REFERENCE_BEST_ASK', index)),
    buys: sides.map(index => order('buy', index === 0 ? 'PEGGED_REFERENCE_MID' : 'PEGGED_REFERENCE_BEST_BID', index)),
  };
}

/**
 * Microseconds as nanoseconds in text, the form that nodes send: the last three digits are always 000
 * (node-behaviour.md section 1.5).
 */
export function nanoseconds(timeUs: number): string {
  return `${timeUs}000`;
}
