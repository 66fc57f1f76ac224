import { EMPTY, joinSafe, repeatSafe, type SafeText, safeLine, safeText, sanitize } from '../../base/text/safe-text.ts';
import { fitCells, widthCells } from '../../base/text/width.ts';
import type { Directory } from '../directory/directory.ts';
import { lineText } from './line-text.ts';
import type { RecordContext, Resource, Row } from './resource.ts';
import { isBranch, nodeText, recordTree, type TreeNode } from './tree.ts';

interface RecordView {
  readonly around: RecordContext;
  readonly directory: Directory;
  /** The clock without it. */
  readonly nowMs?: number;
}

/** Every section of the inspector, unfolded and uncut. */
export const recordText = (resource: Resource, row: Row, view: RecordView): SafeText =>
  joinSafe([...recordPieces(resource, row, view)]);

/** The same in pieces, for records whose text is too long to hold in memory. */
export function* recordPieces(
  resource: Resource,
  row: Row,
  { around, directory, nowMs = Date.now() }: RecordView,
): Generator<SafeText> {
  const lines = { directory, nowMs };
  let separator = EMPTY;
  for (const section of recordTree(resource, row, around)) {
    yield safeText`${separator}${safeLine(section.label)}`;
    let piece: SafeText[] = [];
    for (const node of section.eachChild?.() ?? section.children())
      for (const line of nodeLines(node, 1, lines)) {
        piece.push(line);
        if (piece.length < LINES_OF_PIECE) continue;
        yield joinSafe(piece);
        piece = [];
      }
    yield joinSafe(piece);
    separator = safeText`\n`;
  }
}

const LINES_OF_PIECE = 500;

const DEEPEST = 64;

interface Lines {
  readonly directory: Directory;
  readonly nowMs: number;
}

function* nodeLines(node: TreeNode, depth: number, lines: Lines): Generator<SafeText> {
  const indent = repeatSafe(safeText`  `, depth);
  if (node.label === '') yield safeText`${indent}${safeLine(nodeText(node))}`;
  else if (isBranch(node) && depth < DEEPEST) {
    yield safeText`${indent}${safeLine(node.label)}`;
    for (const child of node.eachChild?.() ?? node.children()) yield* nodeLines(child, depth + 1, lines);
  } else yield safeText`${indent}${labelledLine(node.label, lineText(node, lines.directory, lines.nowMs))}`;
}

/** A line of a record: label and value. A label of more cells pushes its value aside. */
export function labelledLine(label: string, text: SafeText, cells = LABEL_CELLS): SafeText {
  const safe = sanitize(label);
  return safeText`${widthCells(safe) > cells ? safe : fitCells(safe, cells)} ${text}\n`;
}

/** The cells of labels whose values are to be aligned. A very long label, which anyone may have sent, is ignored. */
export const labelCells = (labels: readonly string[]): number =>
  labels.reduce((most, label) => {
    const cells = label.length > MAX_LABEL_CELLS ? 0 : widthCells(sanitize(label));
    return cells > MAX_LABEL_CELLS ? most : Math.max(most, cells);
  }, LABEL_CELLS);

const LABEL_CELLS = 22;
const MAX_LABEL_CELLS = 60;
