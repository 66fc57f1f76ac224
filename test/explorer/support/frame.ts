import { sanitize } from '../../../src/base/text/safe-text.ts';
import { widthCells } from '../../../src/base/text/width.ts';
import { drawScreen } from '../../../src/explorer/app/frame/screen.ts';
import { drawTabs } from '../../../src/explorer/app/frame/tab-bar.ts';
import type { ScreenRow } from '../../../src/explorer/core/line.ts';
import { cutLine } from '../../../src/explorer/core/line.ts';
import type { SessionState } from '../../../src/explorer/core/state.ts';
import { TABS } from '../../../src/explorer/tabs.ts';
import type { SuspendControl } from '../../../src/explorer/terminal/host.ts';
import { paint } from '../../../src/explorer/terminal/paint.ts';
import { THEMES, type Theme } from '../../../src/explorer/terminal/theme.ts';

export const MONO: Theme = THEMES.mono.utf8;

/** Of a process that nobody stops. */
export const NO_STOPS: SuspendControl = { stop: async () => false, listen: () => () => {} };

/** The screen as lines of text, styles and all; a small table shows its box. */
export const paintedLines = (state: SessionState, theme: Theme = MONO): readonly string[] =>
  drawScreen(state).flatMap(row => rowLines(row, state, theme));

function rowLines(row: ScreenRow, state: SessionState, theme: Theme): readonly string[] {
  const { columns } = state.screen;
  switch (row.kind) {
    case 'line':
    case 'field':
      return [paint(cutLine(row.line, columns), theme)];
    case 'table':
      return boxed(row);
  }
}

/**
 * What a person sees: no styles, no spaces at the ends of lines, and no bar of tabs, which is the same above each and
 * has a test of its own.
 */
export const renderFrame = (state: SessionState): string =>
  `\n${paintedLines(state)
    .map(line => plain(line).trimEnd())
    .filter((line, row) => row !== 1 || line !== tabBar(state))
    .join('\n')}\n`;

const tabBar = ({ tab, screen }: SessionState): string =>
  plain(paint(drawTabs(TABS, tab, screen.columns), MONO)).trimEnd();

export const plain = (painted: string): string => painted.replaceAll(/\u001b\[[\d;]*m/g, '');

/** The way ink-table draws: a rule around each row. */
function boxed({ heading, rows }: Extract<ScreenRow, { readonly kind: 'table' }>): readonly string[] {
  const all = [heading, ...rows];
  const widths = heading.map((_, index) => Math.max(...all.map(row => widthCells(sanitize(row[index] ?? '')))));
  const rule = (left: string, middle: string, right: string): string =>
    `${left}${widths.map(width => '─'.repeat(width + 2)).join(middle)}${right}`;
  const line = (row: (typeof all)[number]): string =>
    `│${widths.map((width, index) => ` ${(row[index] ?? '').padEnd(width)} `).join('│')}│`;
  return [
    rule('┌', '┬', '┐'),
    ...all.flatMap((row, index) => (index === 0 ? [line(row)] : [rule('├', '┼', '┤'), line(row)])),
    rule('└', '┴', '┘'),
  ];
}
