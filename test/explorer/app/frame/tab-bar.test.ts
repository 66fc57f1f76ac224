import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawTabs } from '../../../../src/explorer/app/frame/tab-bar.ts';
import { lineWidth } from '../../../../src/explorer/core/line.ts';
import { TABS, type Tab } from '../../../../src/explorer/tabs.ts';
import { paint } from '../../../../src/explorer/terminal/paint.ts';
import { MONO, plain } from '../../support/frame.ts';

const titled = (...titles: readonly string[]): readonly Tab[] =>
  titles.map((title, index) => ({ id: title, title, short: title.slice(0, 5), key: String(index + 1) }));

const bar = (tabs: readonly Tab[], shown: string, columns: number): string =>
  plain(paint(drawTabs(tabs, shown, columns), MONO)).trimEnd();

const bars = (columns: number): string => `\n${TABS.map(({ id }) => bar(TABS, id, columns)).join('\n')}\n`;

describe('Tab bar', () => {
  it('The tab bar has every title, further apart where there is room', () => {
    expect(bars(120)).toMatchInlineSnapshot(`
      "
      [Home] 1 Params  2 LPs  3 Fees  4 Bundles  5 Oracles  6 Markets  7 Validators  8 History
      0 Home [Params] 2 LPs  3 Fees  4 Bundles  5 Oracles  6 Markets  7 Validators  8 History
      0 Home  1 Params [LPs] 3 Fees  4 Bundles  5 Oracles  6 Markets  7 Validators  8 History
      0 Home  1 Params  2 LPs [Fees] 4 Bundles  5 Oracles  6 Markets  7 Validators  8 History
      0 Home  1 Params  2 LPs  3 Fees [Bundles] 5 Oracles  6 Markets  7 Validators  8 History
      0 Home  1 Params  2 LPs  3 Fees  4 Bundles [Oracles] 6 Markets  7 Validators  8 History
      0 Home  1 Params  2 LPs  3 Fees  4 Bundles  5 Oracles [Markets] 7 Validators  8 History
      0 Home  1 Params  2 LPs  3 Fees  4 Bundles  5 Oracles  6 Markets [Validators] 8 History
      0 Home  1 Params  2 LPs  3 Fees  4 Bundles  5 Oracles  6 Markets  7 Validators [History]
      "
    `);
  });

  it('The tab bar has every title in 80 cells', () => {
    expect(bars(80)).toMatchInlineSnapshot(`
      "
      [Home]1 Params 2 LPs 3 Fees 4 Bundles 5 Oracles 6 Markets 7 Validators 8 History
      0 Home[Params]2 LPs 3 Fees 4 Bundles 5 Oracles 6 Markets 7 Validators 8 History
      0 Home 1 Params[LPs]3 Fees 4 Bundles 5 Oracles 6 Markets 7 Validators 8 History
      0 Home 1 Params 2 LPs[Fees]4 Bundles 5 Oracles 6 Markets 7 Validators 8 History
      0 Home 1 Params 2 LPs 3 Fees[Bundles]5 Oracles 6 Markets 7 Validators 8 History
      0 Home 1 Params 2 LPs 3 Fees 4 Bundles[Oracles]6 Markets 7 Validators 8 History
      0 Home 1 Params 2 LPs 3 Fees 4 Bundles 5 Oracles[Markets]7 Validators 8 History
      0 Home 1 Params 2 LPs 3 Fees 4 Bundles 5 Oracles 6 Markets[Validators]8 History
      0 Home 1 Params 2 LPs 3 Fees 4 Bundles 5 Oracles 6 Markets 7 Validators[History]
      "
    `);
  });

  it('The tab bar has three letters of each title next to the current tab in 60 cells', () => {
    expect(bars(60)).toMatchInlineSnapshot(`
      "
      [Home]1 Par 2 LPs 3 Fee 4 Bun 5 Ora 6 Mar 7 Val 8 His
      0 Hom[Params]2 LPs 3 Fee 4 Bun 5 Ora 6 Mar 7 Val 8 His
      0 Hom 1 Par[LPs]3 Fee 4 Bun 5 Ora 6 Mar 7 Val 8 His
      0 Hom 1 Par 2 LPs[Fees]4 Bun 5 Ora 6 Mar 7 Val 8 His
      0 Hom 1 Par 2 LPs 3 Fee[Bundles]5 Ora 6 Mar 7 Val 8 His
      0 Hom 1 Par 2 LPs 3 Fee 4 Bun[Oracles]6 Mar 7 Val 8 His
      0 Hom 1 Par 2 LPs 3 Fee 4 Bun 5 Ora[Markets]7 Val 8 His
      0 Hom 1 Par 2 LPs 3 Fee 4 Bun 5 Ora 6 Mar[Validators]8 His
      0 Hom 1 Par 2 LPs 3 Fee 4 Bun 5 Ora 6 Mar 7 Val[History]
      "
    `);
  });

  it('The tab bar has only digits next to the current tab in 40 cells', () => {
    expect(bars(40)).toMatchInlineSnapshot(`
      "
      [Home]1 2 3 4 5 6 7 8
      0[Params]2 3 4 5 6 7 8
      0 1[LPs]3 4 5 6 7 8
      0 1 2[Fees]4 5 6 7 8
      0 1 2 3[Bundles]5 6 7 8
      0 1 2 3 4[Oracles]6 7 8
      0 1 2 3 4 5[Markets]7 8
      0 1 2 3 4 5 6[Validators]8
      0 1 2 3 4 5 6 7[History]
      "
    `);
  });

  const widths = fc.integer({ min: 40, max: 160 });
  const anyTabs = fc
    .array(fc.stringMatching(/^[A-Z][a-z ]{1,12}[a-z]$/), { minLength: 1, maxLength: 9 })
    .map(titles => titled(...new Set(titles)));

  it('The tab bar is never wider than the screen, and has the digit of each other tab and the whole title of the open one', () => {
    fc.assert(
      fc.property(fc.oneof(anyTabs, fc.constant(TABS)), widths, fc.nat(), (tabs, columns, at) => {
        const shown = tabs[at % tabs.length];
        if (shown === undefined) throw new Error('there are no tabs');
        const line = bar(tabs, shown.id, columns);
        expect(lineWidth(drawTabs(tabs, shown.id, columns))).toBeLessThanOrEqual(columns);
        expect(line).toContain(`[${shown.short}]`);
        expect(line.match(/\d/g) ?? []).toEqual(tabs.filter(tab => tab !== shown).map(({ key }) => key));
      }),
    );
  });

  it('The tab bar has the longest set of titles for which there is room', () => {
    fc.assert(
      fc.property(fc.oneof(anyTabs, fc.constant(TABS)), widths, fc.nat(), (tabs, columns, at) => {
        const shown = tabs[at % tabs.length]?.id ?? '';
        const widest = Array.from({ length: columns - 39 }, (_, index) => bar(tabs, shown, 40 + index));
        const lengths = widest.map(({ length }) => length);
        expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
        expect(lineWidth(drawTabs(tabs, shown, 1000))).toBe(lineWidth(drawTabs(tabs, shown, 2000)));
      }),
    );
  });

  it('The tab bar distinguishes the lists by three letters', () => {
    expect(new Set(TABS.map(({ short }) => short.slice(0, 3))).size).toBe(TABS.length);
  });

  it('The tab bar has a digit for each tab of the program', () => {
    expect(TABS.map(({ key }) => key)).toEqual(TABS.map((_, index) => `${index}`));
    expect(TABS.length).toBeLessThanOrEqual(10);
  });
});
