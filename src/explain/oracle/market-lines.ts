import type { SpecUse } from '../../directory/directory.ts';
import type { ExplainedLine } from '../explanation.ts';
import { fewOf } from './few.ts';
import type { KnownSpec, WaitingMarket } from './known-spec.ts';

/** The markets that wait for a spec. */
export function marketLines({ markets, knownMarkets }: KnownSpec): readonly ExplainedLine[] {
  if (markets === undefined) return [];
  if (markets.length === 0)
    return [{ label: 'markets', text: `none of the ${knownMarkets} known here waits for it`, tone: 'quiet' }];
  return fewOf(markets, 'markets').map(market =>
    typeof market === 'string' ? { label: 'markets', text: market, tone: 'quiet' } : marketLine(market),
  );
}

export const marketLine = ({ id, name, state, uses }: WaitingMarket): ExplainedLine => ({
  label: 'markets',
  text: `${name ?? id} ${uses.map(use => WORDS[use]).join(' and ')}${state === '' ? '' : `, ${state.replace(/^STATE_/, '')}`}`,
  copied: id,
  leadsTo: { entity: 'market', id },
});

const WORDS: { readonly [use in SpecUse['use']]: string } = {
  settlement: 'settles on it',
  termination: 'ends trading by it',
  schedule: 'is scheduled by it',
};
