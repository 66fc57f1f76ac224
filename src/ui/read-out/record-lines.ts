import type { Directory } from '../../directory/directory.ts';
import type { Resource } from '../../resources/resource.ts';
import { isBranch } from '../../resources/tree.ts';
import { rawLines, shownText, type TreeLine, treeLines } from '../../session/model/inspector.ts';
import type { Inspector } from '../../session/model/state.ts';

/** More are read by going on. */
const MOST_LINES = 40;

/** The record as it is unfolded, what it means first. */
export function recordLines(resource: Resource, inspector: Inspector, directory: Directory): readonly string[] {
  const lines = inspector.isRaw
    ? rawLines(inspector.row)
    : treeLines(resource, inspector).map(line => lineText(line, inspector, directory));
  const left = lines.length - MOST_LINES;
  return [
    `${resource.singular} ${resource.keyOf(inspector.row)}`,
    ...lines.slice(0, MOST_LINES),
    ...(left > 0 ? [`and ${left} lines more: down goes on`] : []),
  ];
}

/** The line that keys act on. */
export function recordLine(resource: Resource, inspector: Inspector, directory: Directory): string {
  if (inspector.isRaw) return rawLines(inspector.row)[inspector.cursor] ?? '';
  const line = treeLines(resource, inspector)[inspector.cursor];
  return line === undefined ? '' : lineText(line, inspector, directory);
}

function lineText({ node, isOpen, piece }: TreeLine, { receivedAtMs }: Inspector, directory: Directory): string {
  const label = piece?.isFirst === false ? '' : node.label;
  const fold = isBranch(node) ? (isOpen ? ', open' : ', folded') : '';
  if (node.value === undefined) return `${label}${fold}`;
  const text = piece?.text ?? shownText(node, directory, receivedAtMs);
  return `${label === '' ? '' : `${label}: `}${text}${fold}`;
}
