import { describe, expect, it } from 'vitest';
import { LateListFormat, LateSegmenter } from '../../build/late-intl.ts';

describe('Lazy Intl objects', () => {
  it('`LateSegmenter` splits text like `Intl.Segmenter`', () => {
    const text = 'a e\u0301 \u{1f469}\u200d\u{1f680} \uac01\n';
    const how = ['en', { granularity: 'grapheme' }] as const;
    expect([...new LateSegmenter(...how).segment(text)]).toEqual([...new Intl.Segmenter(...how).segment(text)]);
    expect([...new LateSegmenter().segment(text)]).toEqual([...new Intl.Segmenter().segment(text)]);
  });

  it('`LateListFormat` joins words like `Intl.ListFormat`', () => {
    const how = ['en', { style: 'long', type: 'disjunction' }] as const;
    for (const words of [[], ['a'], ['a', 'b', 'c']])
      expect(new LateListFormat(...how).format(words)).toBe(new Intl.ListFormat(...how).format(words));
  });
});
