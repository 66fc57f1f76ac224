import { describe, expect, it } from 'vitest';
import { firstFrames } from '../../build/first-frames.ts';
import { initialState } from '../../src/session/model/initial.ts';
import { TAB_IDS } from '../../src/session/model/tabs.ts';
import { arriveAtTab } from '../../src/session/reduce/transitions.ts';
import { drawScreen } from '../../src/ui/draw/screen.ts';
import { paint } from '../../src/ui/paint.ts';
import { MONO, plain } from '../ui/frame.ts';

const frames = firstFrames();

/** The first lines that the explorer itself draws, on a screen this wide. */
function ownLines(tab: string, columns: number): readonly string[] {
  const start = { screen: { columns, rows: 24 }, tab, label: '', destination: '.', nowMs: 0 };
  return drawScreen(arriveAtTab(initialState(start), tab)).flatMap(row =>
    row.kind === 'line' ? [plain(paint(row.line, MONO)).trimEnd()] : [],
  );
}

describe.each(TAB_IDS)('the early frame of %s', tab => {
  const widths = Array.from({ length: 121 }, (_, index) => 40 + index);

  it('has the header and the bar of tabs that the explorer draws, at any width', () => {
    for (const columns of widths) {
      const early = frames.mono[tab]?.findLast(({ fromColumns }) => fromColumns <= columns);
      expect(
        early?.lines.slice(0, 2).map(line => plain(line).trimEnd()),
        `${columns} cells`,
      ).toEqual(ownLines(tab, columns).slice(0, 2));
    }
  });

  it('is never wider than the screen', () => {
    for (const { fromColumns, lines } of frames.mono[tab] ?? [])
      for (const line of lines) expect(plain(line).length).toBeLessThanOrEqual(fromColumns);
  });

  it('has the same words with and without colour', () => {
    const words = (colour: 'mono' | 'coloured') =>
      frames[colour][tab]?.map(({ fromColumns, lines }) => [fromColumns, ...lines.map(plain)]);
    expect(words('coloured')).toEqual(words('mono'));
  });
});
