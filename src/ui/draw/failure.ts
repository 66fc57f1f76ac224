import type { Failure } from '../../session/failure.ts';
import type { NodeState } from '../../session/state.ts';
import { sanitize } from '../../text/safe-text.ts';
import { wrapWords } from '../../text/width.ts';
import { BLANK, type Line, line, textLine } from '../line.ts';

/** An error with everything that is known of it, and what to do. */
export function drawFailure(failure: Failure, node: NodeState, cells: number, hasRowsBehind: boolean): readonly Line[] {
  const wrapped = (text: string, style: 'plain' | 'quiet'): readonly Line[] =>
    wrapWords(sanitize(text), Math.max(10, cells - 4)).map(part => [...textLine('  '), ...line(part, style)]);
  const waitS = Math.ceil((node.blockedUntilMs - node.nowMs) / 1000);
  const countdown = waitS > 0 ? [textLine(`  ${waitS} s to wait`, 'pending'), BLANK] : [];
  const keys = waitS > 0 ? '' : 'r tries again';
  return [
    BLANK,
    textLine(`  ${failure.title}`, 'bad'),
    BLANK,
    ...failure.lines.flatMap(text => wrapped(text, 'plain')),
    BLANK,
    ...countdown,
    ...wrapped(`What to try: ${failure.hint}`, 'plain'),
    ...(failure.url === '' ? [] : wrapped(failure.url, 'quiet')),
    BLANK,
    textLine(
      `  ${[keys, hasRowsBehind ? 'Esc shows the rows again' : ''].filter(text => text !== '').join('   ')}`,
      'quiet',
    ),
  ];
}
