import { epochNumber, type FeeRow } from '../../../chain/insight/paid-fees.ts';
import { readFeeRow } from '../../../chain/resources/paid-liquidity-fees.ts';
import type { Row } from '../../../chain/resources/resource.ts';

/** What markets had in fees, in the newest epoch that rows were seen of. */
export interface LastFees {
  readonly epoch: string;
  /** By market in lower case, then by asset; a market without a row is not known to have any. */
  readonly byMarket: ReadonlyMap<string, ReadonlyMap<string, FeeRow>>;
}

/** With the rows of a page of paid fees. Rows of older epochs are left out. */
export function withFeeRows(known: LastFees | null, rows: readonly Row[]): LastFees | null {
  const fees = rows.map(readFeeRow).filter(({ epochSeq }) => epochNumber(epochSeq) !== undefined);
  const epochs = [...fees.map(({ epochSeq }) => epochSeq), ...(known === null ? [] : [known.epoch])];
  const epoch = epochs.toSorted((one, other) => Number((epochNumber(other) ?? 0n) - (epochNumber(one) ?? 0n)))[0];
  if (epoch === undefined) return known;
  const byMarket = new Map(known?.epoch === epoch ? known.byMarket : []);
  for (const row of fees) {
    const market = row.market.toLowerCase();
    if (row.epochSeq !== epoch || (byMarket.size >= MAX_MARKETS && !byMarket.has(market))) continue;
    byMarket.set(market, new Map([...(byMarket.get(market) ?? []), [row.asset.toLowerCase(), row]]));
  }
  return { epoch, byMarket };
}

/** As many as names are known of. */
const MAX_MARKETS = 5000;
