import { EMPTY, repeatSafe, type SafeText, safeText, sanitize } from '../../../../base/text/safe-text.ts';
import { truncateMiddle, widthCells } from '../../../../base/text/width.ts';
import type { Directory } from '../../../../chain/directory/directory.ts';
import { spellAddresses } from '../../../../chain/insight/address.ts';
import { valueTone } from '../../../../chain/insight/kind.ts';
import { nameOnLine, valueOnLine } from '../../../../chain/resources/line-text.ts';
import type { Resource } from '../../../../chain/resources/resource.ts';
import { isBranch, nodeText } from '../../../../chain/resources/tree.ts';
import {
  BLANK,
  barLine,
  cutLine,
  highlighted,
  justifyLine,
  type Line,
  lineWidth,
  span,
  textLine,
} from '../../../core/line.ts';
import type { ListPanes } from '../panes.ts';
import type { Inspector } from '../state.ts';
import {
  CONTINUATION_INDENT,
  cutLongText,
  indentOf,
  lineCount,
  nodeLabel,
  nodeValueText,
  RIGHT_MARGIN_CELLS,
  rawLines,
  type TreeLine,
  treeLines,
  valueCellsOf,
} from './inspector.ts';
import { matchText } from './inspector-matches.ts';

interface InspectorFrame {
  readonly layout: ListPanes;
  readonly directory: Directory;
  readonly nowMs: number;
  /** The line at the cursor is drawn marked as a whole. */
  readonly isWholeMarked: boolean;
}

/** The record as a tree, or as the JSON that came. */
export function drawInspector(
  resource: Resource,
  inspector: Inspector,
  { layout, directory, nowMs, isWholeMarked }: InspectorFrame,
): readonly Line[] {
  const { inspectorColumns: cells, inspectorRows } = layout;
  const heading = drawHeading(resource, inspector, layout);
  const { top, cursor } = inspector;
  const atCursor = (line: Line, isSelected: boolean): Line =>
    isSelected && isWholeMarked ? barLine(line, cells, 'selection') : line;
  if (inspector.isRaw) {
    const lines = rawLines(inspector.row).slice(top, top + inspectorRows);
    return [
      heading,
      ...lines.map((text, index) => {
        const isSelected = top + index === cursor;
        return atCursor(cutLine([mark(isSelected), span(cutLongText(text))], cells - RIGHT_MARGIN_CELLS), isSelected);
      }),
    ];
  }
  const lines = treeLines(resource, inspector);
  if (lines.length === 0)
    return [heading, BLANK, textLine(`  nothing here matches "${inspector.find}": Esc clears the search`, 'quiet')];
  return [
    heading,
    ...lines.slice(top, top + inspectorRows).map((item, index) => {
      const isSelected = top + index === cursor;
      const line = drawTreeLine(item, isSelected, { cells, directory, nowMs });
      return highlighted(atCursor(line, isSelected), inspector.find);
    }),
  ];
}

function drawHeading(resource: Resource, inspector: Inspector, layout: ListPanes): Line {
  const { inspectorColumns: cells, inspectorRows } = layout;
  const isSearched = inspector.find !== '' && !inspector.isRaw;
  const text = truncateMiddle(sanitize(inspector.find), MAX_FIND_CELLS);
  const find = isSearched ? safeText`  /${text}  ${sanitize(matchText(resource, inspector))}` : EMPTY;
  const room = Math.max(8, cells - 34 - widthCells(find));
  const key = truncateMiddle(sanitize(spellAddresses(resource.keyOf(inspector.row))), room);
  const total = lineCount(resource, inspector);
  const place = total > inspectorRows ? `${inspector.cursor + 1}/${total}` : '';
  return justifyLine(
    [span(safeText`  `), span(sanitize(resource.singular), 'strong'), span(safeText`  ${key}`), span(find, 'accent')],
    textLine(`${inspector.isRaw ? 'raw ' : ''}${place} `, 'quiet'),
    cells,
  );
}

const MAX_FIND_CELLS = 20;

interface TreeView {
  readonly cells: number;
  readonly directory: Directory;
  readonly nowMs: number;
}

function drawTreeLine({ node, depth, isOpen, piece }: TreeLine, isSelected: boolean, view: TreeView): Line {
  const cells = view.cells - RIGHT_MARGIN_CELLS;
  const indent = indentOf(depth);
  const fold = isBranch(node) ? (isOpen ? safeText`\u25be ` : safeText`\u25b8 `) : safeText`  `;
  const head = [mark(isSelected), span(safeText`${indent}${fold}`, 'quiet')];
  if (node.value === undefined)
    return cutLine([...head, span(sanitize(node.label), isSelected ? 'selected' : 'strong')], cells);
  if (node.label === '')
    return cutLine(
      [
        ...head,
        span(piece?.text ?? cutLongText(nodeText(node)), node.tone ?? (node.copied === undefined ? 'accent' : 'plain')),
      ],
      cells,
    );
  if (piece?.isBelow) return cutLine([...head, span(CONTINUATION_INDENT), span(piece.text, valueStyle(node))], cells);
  const label = nodeLabel(node);
  const room = valueCellsOf(node, depth, view.cells);
  const shown = piece?.isFirst === false ? repeatSafe(safeText` `, widthCells(label)) : label;
  const line: Line = [
    ...head,
    span(shown, isSelected ? 'selected' : 'plain'),
    span(safeText` `),
    span(piece?.text ?? valueWithin(node, room, view), valueStyle(node)),
  ];
  const bar = span(safeText`  ${sanitize(node.bar ?? '')}`, 'accent');
  const hasRoom = piece === undefined && lineWidth([...line, bar]) <= cells;
  return cutLine(hasRoom ? [...line, bar] : line, cells);
}

function valueWithin(node: TreeLine['node'], room: number, { directory, nowMs }: TreeView): SafeText {
  if (node.kind !== 'id' && node.kind !== 'address') return nodeValueText(node, directory, nowMs);
  const name = nameOnLine(node, directory);
  if (name === undefined) return truncateMiddle(nodeValueText(node, directory, nowMs), Math.max(8, room));
  // The name whole, and of the id what room there is.
  const left = Math.max(10, room - widthCells(name) - BETWEEN.length);
  return safeText`${name}${BETWEEN}${truncateMiddle(valueOnLine(node, directory, nowMs), left)}`;
}

const BETWEEN = safeText`  `;

function valueStyle(node: TreeLine['node']): 'plain' | 'quiet' | 'good' | 'pending' | 'bad' {
  if (node.copied !== undefined) return node.tone ?? 'plain';
  if (isBranch(node) || node.value === null || node.value === '') return 'quiet';
  return typeof node.value === 'string' ? (valueTone(node.kind, node.value) ?? 'plain') : 'plain';
}

const mark = (isSelected: boolean) => (isSelected ? span(safeText`> `, 'selected') : span(safeText`  `));
