import type { Market } from './markets.ts';

/** The state and trading mode of a market from a block on. */
export interface MarketStage {
  readonly height: number;
  readonly state: string;
  readonly mode: string;
}

/** The stages of every market, in blocks after its proposal. */
const STAGES = [
  { after: 0, state: 'STATE_PROPOSED', mode: 'TRADING_MODE_OPENING_AUCTION' },
  { after: 45, state: 'STATE_PENDING', mode: 'TRADING_MODE_OPENING_AUCTION' },
  { after: 300, state: 'STATE_ACTIVE', mode: 'TRADING_MODE_CONTINUOUS' },
  { after: 5100, state: 'STATE_SUSPENDED', mode: 'TRADING_MODE_MONITORING_AUCTION' },
  { after: 5420, state: 'STATE_ACTIVE', mode: 'TRADING_MODE_CONTINUOUS' },
  { after: 8800, state: 'STATE_ACTIVE', mode: 'TRADING_MODE_CONTINUOUS' },
] as const;

/** The stages of a market, in the order of their blocks. */
export const marketStages = ({ createdHeight }: Market): readonly MarketStage[] =>
  STAGES.map(({ after, state, mode }) => ({ height: createdHeight + after, state, mode }));

/** The state of a market in a block. */
interface MarketState {
  readonly state: string;
  /** Whether it comes after the opening auction. */
  readonly isFirst: boolean;
}

/** Whether an auction of a market ends in a block. */
export const isAuctionEnd = ({ createdHeight }: Market, height: number): boolean =>
  AUCTION_ENDS.has(height - createdHeight);

const AUCTION_ENDS: ReadonlySet<number> = new Set(
  STAGES.filter(({ mode }, at) => mode === 'TRADING_MODE_CONTINUOUS' && STAGES[at - 1]?.mode !== mode).map(
    ({ after }) => after,
  ),
);

/** Undefined before it is proposed. */
export function marketStateAt({ createdHeight }: Market, height: number): MarketState | undefined {
  const at = STAGES.findLastIndex(({ after }) => createdHeight + after <= height);
  const stage = STAGES[at];
  if (stage === undefined) return undefined;
  return { state: stage.state, isFirst: STAGES[at - 1]?.mode === 'TRADING_MODE_OPENING_AUCTION' };
}
