import type { Directory } from '../directory/directory.ts';
import { joinSafe, repeatSafe, type SafeText, safeLine, safeText, sanitize } from '../text/safe-text.ts';
import { fitCells } from '../text/width.ts';
import { lineText } from './line-text.ts';
import type { Around, Resource, Row } from './resource.ts';
import { isBranch, nodeText, recordTree, type TreeNode } from './tree.ts';

interface RecordView {
  readonly around: Around;
  readonly directory: Directory;
}

/** Every section of the inspector, unfolded, nothing cut. */
export function recordText(resource: Resource, row: Row, { around, directory }: RecordView): SafeText {
  const lines = { directory, nowMs: Date.now() };
  const sections = recordTree(resource, row, around).map(section =>
    joinSafe([safeLine(section.label), ...section.children().map(node => nodeLines(node, 1, lines))]),
  );
  return joinSafe(sections, safeText`\n`);
}

const DEEPEST = 64;

interface Lines {
  readonly directory: Directory;
  readonly nowMs: number;
}

function nodeLines(node: TreeNode, depth: number, lines: Lines): SafeText {
  const indent = repeatSafe(safeText`  `, depth);
  if (node.label === '') return safeText`${indent}${safeLine(nodeText(node))}`;
  if (isBranch(node) && depth < DEEPEST) {
    const children = node.children().map(child => nodeLines(child, depth + 1, lines));
    return safeText`${indent}${safeLine(node.label)}${joinSafe(children)}`;
  }
  return safeText`${indent}${labelled(node.label, lineText(node, lines.directory, lines.nowMs))}`;
}

/** A line of a record: its name, and its value beside it. */
export const labelled = (label: string, text: SafeText): SafeText => safeText`${fitLabel(label)} ${text}\n`;

function fitLabel(label: string): SafeText {
  const safe = sanitize(label);
  return safe.length > LABEL_CELLS ? safe : fitCells(safe, LABEL_CELLS);
}

const LABEL_CELLS = 22;
