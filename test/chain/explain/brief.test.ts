import { describe, expect, it } from 'vitest';
import { briefOf } from '../../../src/chain/explain/brief.ts';

const line = (label: string, text: string, short?: string) => ({ label, text, ...(short !== undefined && { short }) });

const market = {
  parts: [
    {
      title: '',
      lines: [line('', 'BTC/USDT  Bitcoin'), line('state', 'ACTIVE'), line('product', 'future'), line('', 'odd')],
    },
    { title: 'Oracle specs it uses', lines: [line('settlement', 'aa')] },
    {
      title: 'How fees are shared',
      lines: [line('', 'by share'), line('share', '12'), line('aa', '12.3 4.5', '12.3 %')],
    },
  ],
  json: {},
  copies: [],
};

describe('Explanation in brief', () => {
  it('An explanation in brief has its first sentences, and the facts and the part that its list is opened for', () => {
    expect(briefOf('markets', market)).toEqual({
      sentences: [line('', 'BTC/USDT  Bitcoin')],
      without: ['name'],
      facts: [{ label: 'product', line: line('product', 'future') }],
      next: { title: 'How fees are shared', lines: [line('aa', '12.3 4.5', '12.3 %')] },
    });
  });

  it('An explanation in brief has the same labels before it is known, so that only values move in', () => {
    const labels = (explanation: typeof market | undefined) =>
      briefOf('markets', explanation).facts.map(({ label }) => label);
    expect(labels(undefined)).toEqual(labels(market));
    expect(briefOf('markets', undefined).next.lines).toEqual([]);
  });

  it('An explanation in brief of an unknown list has its sentences', () => {
    expect(briefOf('constructor', market)).toMatchObject({ sentences: [{ text: 'BTC/USDT  Bitcoin' }], facts: [] });
  });
});
