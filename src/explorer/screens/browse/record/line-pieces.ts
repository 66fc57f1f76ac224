import { isBranch, type TreeNode } from '../../../../resources/tree.ts';
import { EMPTY, joinSafe, type SafeText, safeText, sanitize, sliceSafe } from '../../../../text/safe-text.ts';
import { fitCells, truncateMiddle, widthCells, wrapWords } from '../../../../text/width.ts';

/** Cells of a label, unless it is longer. */
const LABEL_CELLS = 20;

/** Cells before what a line says: the mark of the selected one, and that of a branch. */
const MARKS = 4;

export const indentOf = (depth: number): SafeText => sanitize('  '.repeat(Math.min(depth, DEEPEST_INDENT)));

const DEEPEST_INDENT = 12;

export function labelOf(node: TreeNode): SafeText {
  const label = sanitize(node.label);
  return isBranch(node) || widthCells(label) > LABEL_CELLS ? label : fitCells(label, LABEL_CELLS);
}

/** Cells that are left for the value of a line. */
export function roomFor(node: TreeNode, depth: number, columns: number): number {
  const before = columns - MARKS - widthCells(indentOf(depth));
  return node.label === '' ? before : before - widthCells(labelOf(node)) - 1;
}

/**
 * What a line of an explanation says, in as many lines as it takes; ids are shortened first. A line of the record, and
 * one that has no room for words, stays as it is: undefined.
 */
export function piecesOf(node: TreeNode, depth: number, columns: number): readonly SafeText[] | undefined {
  const room = roomFor(node, depth, columns);
  if (node.copied === undefined || typeof node.value !== 'string' || room < NARROWEST) return undefined;
  const text = sanitize(node.value.slice(0, MOST_CHARACTERS));
  if (node.value.length > MOST_CHARACTERS || widthCells(text) <= room) return undefined;
  const shorter = withShortIds(text, room);
  return widthCells(shorter) <= room ? [shorter] : wrapWords(shorter, room);
}

const NARROWEST = 12;

/** More is shown whole by Enter. */
const MOST_CHARACTERS = 1000;

/** Each id as short as it takes for the text to fit, both ends of it at least. */
function withShortIds(text: SafeText, room: number): SafeText {
  let excess = widthCells(text) - room;
  let done = 0;
  const parts: SafeText[] = [];
  for (const { 0: id, index } of text.matchAll(LONG_ID)) {
    const cells = Math.max(SHORTEST_ID, id.length - Math.max(0, excess));
    excess -= id.length - cells;
    parts.push(sliceSafe(text, done, index), truncateMiddle(sliceSafe(text, index, index + id.length), cells));
    done = index + id.length;
  }
  return safeText`${joinSafe(parts, EMPTY)}${sliceSafe(text, done)}`;
}

const LONG_ID = /\b(?:0x)?[0-9a-f]{40,}\b/gi;

const SHORTEST_ID = 10;
