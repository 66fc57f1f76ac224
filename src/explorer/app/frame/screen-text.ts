import { joinSafe, type SafeText, safeText, trimEndSafe } from '../../../text/safe-text.ts';
import { cutLine, type Line } from '../../core/line.ts';
import type { SessionState } from '../../core/state.ts';
import { withoutOverlays } from '../layers.ts';
import { drawScreen } from './screen.ts';

/** What a person sees, without colours: a line a row, but for fields that are being typed into and tables in boxes. */
export function screenText(state: SessionState): SafeText {
  const { columns } = state.screen;
  const lines = drawScreen(withoutOverlays(state)).flatMap(row => (row.kind === 'line' ? [row.line] : []));
  return joinSafe(lines.map(line => lineText(cutLine(line, columns))));
}

const lineText = (line: Line): SafeText => safeText`${trimEndSafe(joinSafe(line.map(({ text }) => text)))}\n`;
