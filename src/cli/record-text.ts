import { longText } from '../insight/kind.ts';
import type { Around, Resource, Row } from '../resources/resource.ts';
import { isBranch, isScalar, nodeText, recordTree, type TreeNode } from '../resources/tree.ts';
import { joinSafe, repeatSafe, type SafeText, safeLine, safeText, sanitize } from '../text/safe-text.ts';
import { fitCells } from '../text/width.ts';

/** Every section of the inspector, unfolded, nothing cut. */
export function recordText(resource: Resource, row: Row, around: Around): SafeText {
  const nowMs = Date.now();
  const sections = recordTree(resource, row, around).map(section =>
    joinSafe([safeLine(section.label), ...section.children().map(node => nodeLines(node, 1, nowMs))]),
  );
  return joinSafe(sections, safeText`\n`);
}

const DEEPEST = 64;

function nodeLines(node: TreeNode, depth: number, nowMs: number): SafeText {
  const indent = repeatSafe(safeText`  `, depth);
  if (node.label === '') return safeText`${indent}${safeLine(nodeText(node))}`;
  if (isBranch(node) && depth < DEEPEST) {
    const children = node.children().map(child => nodeLines(child, depth + 1, nowMs));
    return safeText`${indent}${safeLine(node.label)}${joinSafe(children)}`;
  }
  const text = isScalar(node.value) ? longText(node.kind, nodeText(node), nowMs) : sanitize(nodeText(node));
  return safeText`${indent}${labelled(node.label, text)}`;
}

/** A line of a record: its name, and its value beside it. */
export const labelled = (label: string, text: SafeText): SafeText => safeText`${fitLabel(label)} ${text}\n`;

function fitLabel(label: string): SafeText {
  const safe = sanitize(label);
  return safe.length > LABEL_CELLS ? safe : fitCells(safe, LABEL_CELLS);
}

const LABEL_CELLS = 22;
