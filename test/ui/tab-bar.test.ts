import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TABS, type Tab } from '../../src/session/model/tabs.ts';
import { drawTabs } from '../../src/ui/draw/tab-bar.ts';
import { lineWidth } from '../../src/ui/line.ts';
import { paint } from '../../src/ui/paint.ts';
import { MONO, plain } from './frame.ts';

const titled = (...titles: readonly string[]): readonly Tab[] =>
  titles.map((title, index) => ({ id: title, title, key: String(index + 1) }));

const EIGHT = titled(
  'Parameters',
  'Provisions',
  'Paid fees',
  'Signer bundles',
  'Oracles',
  'Markets',
  'Nodes',
  'Export',
);

const bar = (tabs: readonly Tab[], shown: string, columns: number): string =>
  plain(paint(drawTabs(tabs, shown, columns), MONO)).trimEnd();

const bars = (columns: number): string => `\n${EIGHT.map(({ id }) => bar(EIGHT, id, columns)).join('\n')}\n`;

describe('the bar of tabs', () => {
  it('has every title where there is room', () => {
    expect(bars(120)).toMatchInlineSnapshot(`
      "
      [1 Parameters]2 Provisions 3 Paid fees 4 Signer bundles 5 Oracles 6 Markets 7 Nodes 8 Export
       1 Parameters[2 Provisions]3 Paid fees 4 Signer bundles 5 Oracles 6 Markets 7 Nodes 8 Export
       1 Parameters 2 Provisions[3 Paid fees]4 Signer bundles 5 Oracles 6 Markets 7 Nodes 8 Export
       1 Parameters 2 Provisions 3 Paid fees[4 Signer bundles]5 Oracles 6 Markets 7 Nodes 8 Export
       1 Parameters 2 Provisions 3 Paid fees 4 Signer bundles[5 Oracles]6 Markets 7 Nodes 8 Export
       1 Parameters 2 Provisions 3 Paid fees 4 Signer bundles 5 Oracles[6 Markets]7 Nodes 8 Export
       1 Parameters 2 Provisions 3 Paid fees 4 Signer bundles 5 Oracles 6 Markets[7 Nodes]8 Export
       1 Parameters 2 Provisions 3 Paid fees 4 Signer bundles 5 Oracles 6 Markets 7 Nodes[8 Export]
      "
    `);
  });

  it('has as many titles as fit into 80 cells', () => {
    expect(bars(80)).toMatchInlineSnapshot(`
      "
      [1 Parameters]2 Provisions 3 Paid fees 4 5 Oracles 6 Markets 7 Nodes 8 Export
       1 Parameters[2 Provisions]3 Paid fees 4 5 Oracles 6 Markets 7 Nodes 8 Export
       1 Parameters 2 Provisions[3 Paid fees]4 5 Oracles 6 Markets 7 Nodes 8 Export
       1 2 3 Paid fees[4 Signer bundles]5 Oracles 6 Markets 7 Nodes 8 Export
       1 Parameters 2 Provisions 3 Paid fees 4[5 Oracles]6 Markets 7 Nodes 8 Export
       1 Parameters 2 Provisions 3 Paid fees 4 5 Oracles[6 Markets]7 Nodes 8 Export
       1 Parameters 2 Provisions 3 Paid fees 4 5 Oracles 6 Markets[7 Nodes]8 Export
       1 Parameters 2 Provisions 3 Paid fees 4 5 Oracles 6 Markets 7 Nodes[8 Export]
      "
    `);
  });

  it('has the title of the tab shown in 40 cells, and a short one beside it', () => {
    expect(bars(40)).toMatchInlineSnapshot(`
      "
      [1 Parameters]2 3 4 5 6 7 Nodes 8
       1[2 Provisions]3 4 5 6 7 Nodes 8
       1 2[3 Paid fees]4 5 6 7 Nodes 8 Export
       1 2 3[4 Signer bundles]5 6 7 Nodes 8
       1 2 3 4[5 Oracles]6 7 Nodes 8 Export
       1 2 3 4 5[6 Markets]7 Nodes 8 Export
       1 2 3 4 5 6 Markets[7 Nodes]8 Export
       1 2 3 4 5 6 Markets 7 Nodes[8 Export]
      "
    `);
  });

  const widths = fc.integer({ min: 40, max: 160 });
  const anyTabs = fc
    .array(fc.stringMatching(/^[A-Z][a-z ]{1,13}[a-z]$/), { minLength: 1, maxLength: 9 })
    .map(titles => titled(...new Set(titles)));

  it('is never wider than the screen, and has each digit and the whole title of the tab shown', () => {
    fc.assert(
      fc.property(fc.oneof(anyTabs, fc.constant(TABS)), widths, fc.nat(), (tabs, columns, at) => {
        const shown = tabs[at % tabs.length];
        if (shown === undefined) throw new Error('there are no tabs');
        const line = bar(tabs, shown.id, columns);
        expect(lineWidth(drawTabs(tabs, shown.id, columns))).toBeLessThanOrEqual(columns);
        expect(line).toContain(`[${shown.key} ${shown.title}]`);
        expect(line.match(/\d/g)).toEqual(tabs.map(({ key }) => key));
      }),
    );
  });

  it('leaves out no title for which there is room', () => {
    fc.assert(
      fc.property(fc.oneof(anyTabs, fc.constant(TABS)), widths, fc.nat(), (tabs, columns, at) => {
        const shown = tabs[at % tabs.length]?.id ?? '';
        const width = lineWidth(drawTabs(tabs, shown, columns));
        const line = bar(tabs, shown, columns);
        for (const { key, title } of tabs)
          if (!line.includes(`${key} ${title}`)) expect(width + title.length + 1).toBeGreaterThan(columns);
      }),
    );
  });

  it('has a digit for each tab of the program', () => {
    expect(TABS.map(({ key }) => key)).toEqual(TABS.map((_, index) => `${index + 1}`));
    expect(TABS.length).toBeLessThan(10);
  });
});
