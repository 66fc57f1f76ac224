import { sanitize } from '../../base/text/safe-text.ts';
import { wrapWords } from '../../base/text/width.ts';
import type { ScreenFailure } from '../services/failure.ts';
import type { NodeState } from '../services/node/node.ts';
import { previousNode } from '../services/node/nodes.ts';
import { BLANK, type Line, line, textLine } from './line.ts';

/** An error with all known details, and what to do. */
export function drawFailure(
  failure: ScreenFailure,
  node: NodeState,
  cells: number,
  { hasRowsBehind = false, isList = false, again: key = 'r tries again' }: FailureKeys = {},
): readonly Line[] {
  const wrapped = (text: string, style: 'plain' | 'quiet'): readonly Line[] =>
    wrapWords(sanitize(text), Math.max(10, cells - 4)).map(part => [...textLine('  '), ...line(part, style)]);
  const waitS = Math.ceil((node.blockedUntilMs - node.nowMs) / 1000);
  const countdown = waitS > 0 ? [textLine(`  ${waitS} s to wait`, 'pending')] : [];
  const again = waitS > 0 ? '' : key;
  return [
    textLine(`  ${failure.title}`, failure.kind === 'missing' ? 'strong' : 'bad'),
    ...failure.lines.flatMap(text => wrapped(text, 'plain')),
    ...wrapped(`What to try: ${failure.hint}`, 'plain'),
    ...countdown,
    textLine(
      `  ${[again, hasRowsBehind ? 'Esc shows the rows again' : ''].filter(text => text !== '').join('   ')}`,
      'quiet',
    ),
    ...(isList ? otherNodeHint(failure, node) : []),
    BLANK,
    ...(failure.url === '' ? [] : wrapped(failure.url, 'quiet')),
  ];
}

/** What keys do where the error is shown. */
interface FailureKeys {
  readonly hasRowsBehind?: boolean;
  /** What asks once more, where that is not `r`. */
  readonly again?: string;
  /** Shown instead of a list with no record next to it: keys to other nodes are available. */
  readonly isList?: boolean;
}

/** A node that cannot be reached, or that has not answered yet and may not be a node, should not be a dead end. */
function otherNodeHint(failure: ScreenFailure, node: NodeState): readonly Line[] {
  const isGone =
    node.status === 'failed' || failure.kind === 'network' || failure.kind === 'timeout' || !node.hasAnswered;
  const before = previousNode(node);
  if (!isGone && before === undefined) return [];
  return [
    textLine(`  N other nodes${before === undefined ? '' : `   Backspace goes back to ${before.name}`}`, 'quiet'),
  ];
}
