import type { SpecUse } from '../../directory/directory.ts';
import { listed } from '../../insight/oracle/sentence.ts';
import type { ExplainedLine } from '../explanation.ts';
import { fewOf } from './few.ts';
import type { KnownSpec, UsingMarket } from './known-spec.ts';

/** The markets that use a spec. */
export function marketLines({ markets, knownMarkets }: KnownSpec): readonly ExplainedLine[] {
  if (markets === undefined) return [];
  if (markets.length === 0)
    return [
      {
        label: 'markets',
        text:
          knownMarkets === 1 ? 'not used by the 1 market loaded' : `used by none of the ${knownMarkets} markets loaded`,
        tone: 'quiet',
      },
    ];
  return fewOf(markets, 'markets').map(market =>
    typeof market === 'string' ? { label: 'markets', text: market, tone: 'quiet' } : marketLine(market),
  );
}

export const marketLine = ({ id, name, state, uses }: UsingMarket): ExplainedLine => ({
  label: 'markets',
  text: `${name ?? id} ${listed(uses.map(use => WORDS[use]))}${state === '' ? '' : `, ${state.replace(/^STATE_/, '')}`}`,
  copied: id,
  leadsTo: { entity: 'market', id },
});

const WORDS: { readonly [use in SpecUse['use']]: string } = {
  settlement: 'settles on it',
  termination: 'ends trading with it',
  schedule: 'is scheduled by it',
  'mark-price': 'uses it for its mark price',
  'internal-composite-price': 'uses it for its funding price',
};
