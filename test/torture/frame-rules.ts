import { sanitize } from '../../src/base/text/safe-text.ts';
import { widthCells } from '../../src/base/text/width.ts';
import { drawScreen } from '../../src/explorer/app/frame/screen.ts';
import { screenRowHeight } from '../../src/explorer/core/line.ts';
import type { SessionState } from '../../src/explorer/core/state.ts';
import { paintedLines, plain } from '../explorer/support/frame.ts';

/** Everything that no terminal should be sent as text: controls, what turns or hides text, what is no character. */
export const UNSAFE =
  /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2028\u2029\ufff9-\ufffb]/u;

/** What is wrong with the frame of a state: it has to fill the screen exactly and hold harmless text only. */
export function falseInFrame(state: SessionState): readonly string[] {
  const { columns, rows } = state.screen;
  const drawn = drawScreen(state);
  const height = drawn.reduce((sum, row) => sum + screenRowHeight(row), 0);
  const found = height === rows ? [] : [`the frame has ${height} lines on ${rows} rows`];
  // A small table is boxed by Ink, which cuts it.
  const isCutElsewhere = drawn.some(({ kind }) => kind === 'table');
  for (const [row, line] of paintedLines(state).entries()) {
    const text = plain(line);
    if (UNSAFE.test(text)) found.push(`line ${row} holds ${JSON.stringify(UNSAFE.exec(text)?.[0])}`);
    const width = widthCells(sanitize(text));
    if (width > columns && !isCutElsewhere) found.push(`line ${row} is ${width} cells wide on ${columns}`);
  }
  return found;
}
