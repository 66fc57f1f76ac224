import { describe, expect, it } from 'vitest';
import { parseFetchRange } from '../../../../src/explorer/services/chain-history/fetch-range.ts';

describe('Range of a fetch', () => {
  it.each([
    ['', { kind: 'all' }],
    ['all', { kind: 'all' }],
    [' Last 3 ', { kind: 'last', segments: 3 }],
    ['last-month', { kind: 'period', word: 'last-month' }],
    ['2026', { kind: 'between', from: '2026-01-01', to: '2026-12-31' }],
    ['e20..e25', { kind: 'between', from: 'e20', to: 'e25' }],
    ['1..5000', { kind: 'between', from: '1', to: '5000' }],
    ['2026-10-01..', { kind: 'open', from: '2026-10-01' }],
    ['.. e25', { kind: 'open', to: 'e25' }],
  ])('The range of a fetch can be typed as "%s"', (text, range) => {
    expect(parseFetchRange(text)).toEqual(range);
  });

  it.each(['..', 'last 0', 'soon', 'soon..', '1..2..3'])('The range of a fetch is refused as "%s"', text => {
    expect(parseFetchRange(text)).toBeUndefined();
  });
});
