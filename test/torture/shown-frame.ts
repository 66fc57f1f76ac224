import { drawScreen } from '../../src/explorer/app/frame/screen.ts';
import { screenRowHeight } from '../../src/explorer/core/line.ts';
import type { SessionState } from '../../src/explorer/core/state.ts';
import { paintedLines, plain } from '../explorer/support/frame.ts';
import type { Emulator } from '../explorer/terminal/output/emulator.ts';
import { visibleText } from '../support/terminal-frame.ts';

/** The first line on a terminal that is not as the state is drawn; '' when there is none. Fields draw themselves. */
export function differenceFrom(state: SessionState, terminal: Emulator): string {
  const rows = drawScreen(state);
  // Boxes are drawn by a component, and may be cut.
  if (rows.some(({ kind }) => kind === 'table')) return '';
  const wanted = paintedLines(state).map(line => plain(line).trimEnd());
  const shown = visibleText(terminal).split('\n');
  let at = 0;
  for (const row of rows) {
    if (row.kind === 'line' && shown[at]?.trimEnd() !== wanted[at])
      return `line ${at} shows ${JSON.stringify(shown[at])}, not ${JSON.stringify(wanted[at])}`;
    at += screenRowHeight(row);
  }
  return '';
}
