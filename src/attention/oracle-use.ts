import type { MarketEntry, SpecUse } from '../directory/directory.ts';
import { definitionKey, usesOfSpec } from '../directory/market-specs.ts';
import type { OracleSpec } from '../resources/oracle-specs.ts';

/** A market that depends on an oracle spec. */
export interface DependentMarket {
  readonly id: string;
  readonly uses: readonly SpecUse['use'][];
}

/** The markets that a spec still matters to. */
export const dependentMarkets = (
  markets: ReadonlyMap<string, MarketEntry>,
  { id, data }: Pick<OracleSpec, 'id' | 'data'>,
): readonly DependentMarket[] => {
  const spec = { id, definition: definitionKey(data) };
  return [...markets].flatMap(([market, entry]) => {
    const uses = usesOfSpec(neededBy(entry), spec);
    return uses.length === 0 ? [] : [{ id: market, uses }];
  });
};

/** The specs that a market still needs: nothing ends trading again once it has ended, but settlement follows. */
export function neededBy({ state, specs }: Pick<MarketEntry, 'state' | 'specs'>): readonly SpecUse[] {
  if (OVER.has(state)) return [];
  return state === 'STATE_TRADING_TERMINATED' ? specs.filter(({ use }) => use === 'settlement') : specs;
}

const OVER: ReadonlySet<string> = new Set(['STATE_REJECTED', 'STATE_CANCELLED', 'STATE_CLOSED', 'STATE_SETTLED']);

export const USE_WORDS: { readonly [use in SpecUse['use']]: string } = {
  settlement: 'settles on it',
  termination: 'ends trading with it',
  schedule: 'is scheduled by it',
  'mark-price': 'uses it for its mark price',
  'internal-composite-price': 'uses it for its funding price',
};
