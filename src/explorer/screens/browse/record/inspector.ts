import { LONG_IDS } from '../../../../base/text/ids.ts';
import {
  EMPTY,
  joinSafe,
  type SafeText,
  safeText,
  sanitize,
  sliceSafe,
  trimEndSafe,
} from '../../../../base/text/safe-text.ts';
import { fitCells, longestWordCells, truncateMiddle, widthCells, wrapWords } from '../../../../base/text/width.ts';
import { printJson } from '../../../../chain/api/json.ts';
import { type Directory, NO_NAMES } from '../../../../chain/directory/directory.ts';
import { lineText } from '../../../../chain/resources/line-text.ts';
import { nearbyRows } from '../../../../chain/resources/list-page.ts';
import type { RecordContext, Resource, Row } from '../../../../chain/resources/resource.ts';
import { isBranch, nodeText, recordTree, type TreeNode } from '../../../../chain/resources/tree.ts';
import { selectLine } from '../../../core/window.ts';
import type { Inspector, LoadedPage, Meaning } from '../state.ts';
import { initialMeaning, SENT_FIELDS_PATH, withMeaning } from './meaning.ts';

/** A line of the unfolded part of the tree. */
export interface TreeLine {
  readonly node: TreeNode;
  readonly depth: number;
  readonly isOpen: boolean;
  /** The line itself matches the search; the others lead to such lines. */
  readonly isFound?: true;
  /** The part of its text that fits on the line, if the text needs several lines or shorter ids. */
  readonly piece?: Piece;
}

interface Piece {
  readonly text: SafeText;
  readonly isFirst: boolean;
  /** Begins below the label: for a word, or a number with its unit, that has no room to the right. */
  readonly isBelow?: true;
}

/** More children than this are folded until asked for. */
const MANY_CHILDREN = 12;

/** The inspector on a row; the request with this id works out its meaning. */
export const openInspector = (resource: Resource, row: Row, page: LoadedPage, requestId: number): Inspector => ({
  row,
  around: pageContextOf(page, row),
  receivedAtMs: page.receivedAtMs,
  cursor: 0,
  top: 0,
  folds: {},
  find: '',
  names: NO_NAMES,
  isRaw: false,
  meaning: initialMeaning(resource, requestId),
  columns: 0,
});

/** What a row of a page came with. */
export const pageContextOf = (page: LoadedPage, row: Row): RecordContext => ({
  filters: page.request.filters,
  rows: nearbyRows(page, row),
});

export const recordTreeNodes = (resource: Resource, { row, around, meaning }: Inspector): readonly TreeNode[] =>
  withMeaning(meaning, row, recordTree(resource, row, around));

const flattened = new WeakMap<
  Row,
  Pick<Inspector, 'folds' | 'find' | 'names' | 'meaning' | 'columns'> & { readonly lines: readonly TreeLine[] }
>();

/** The lines to draw: the unfolded ones, or all matches during a search. */
export function treeLines(resource: Resource, inspector: Inspector): readonly TreeLine[] {
  const { row, folds, find, names, meaning, columns } = inspector;
  const known = flattened.get(row);
  const isSearched = known?.find === find && (find === '' || known.names === names);
  const isSame = known?.folds === folds && known.meaning === meaning && known.columns === columns;
  if (isSearched && isSame) return known.lines;
  const roots = recordTreeNodes(resource, inspector);
  const lines: TreeLine[] = [];
  if (find === '') addUnfolded(lines, roots, folds, 0);
  else addMatching(lines, roots, { find: find.toLowerCase(), names, nowMs: inspector.receivedAtMs }, 0);
  const pieces = lines.flatMap(line => splitIntoPieces(line, columns));
  flattened.set(row, { folds, find, names, meaning, columns, lines: pieces });
  return pieces;
}

function splitIntoPieces(line: TreeLine, columns: number): readonly TreeLine[] {
  const pieces = explanationPieces(line.node, line.depth, columns);
  return pieces?.map(piece => ({ ...line, piece })) ?? [line];
}

/** What a line shows behind its label, not yet cut to its width. */
export function nodeValueText(node: TreeNode, names: Directory, nowMs: number): SafeText {
  const raw = nodeText(node);
  if (raw.length > MAX_VALUE_LENGTH) return cutLongText(raw);
  return lineText(node, names, nowMs);
}

/** As much of a long text as a line may need, with a mark where it was cut. */
export const cutLongText = (text: string): SafeText =>
  text.length > MAX_VALUE_LENGTH ? safeText`${sanitize(text.slice(0, MAX_VALUE_LENGTH))}\u2026` : sanitize(text);

// More than any line can show; Enter shows the whole value.
const MAX_VALUE_LENGTH = 1000;

/** The record as the node sent it, indented. */
export function rawLines(row: Row): readonly string[] {
  return printJson(row, 2).split('\n');
}

export function lineCount(resource: Resource, inspector: Inspector): number {
  return inspector.isRaw ? rawLines(inspector.row).length : treeLines(resource, inspector).length;
}

/**
 * The inspector once more of the record's meaning is known. The line under the cursor stays the same, and in its row of
 * the screen if there are enough lines; a user who is reading the fields continues to read them.
 */
export function replaceMeaning(resource: Resource, inspector: Inspector, meaning: Meaning): Inspector {
  const { isRaw, cursor, folds } = inspector;
  const other = { ...inspector, meaning };
  if (isRaw) return other;
  const reads = cursor > treeLines(resource, inspector).findIndex(({ node }) => node.path === SENT_FIELDS_PATH);
  const isRead = reads && inspector.meaning.status !== 'none';
  return keepCursorOnLine(
    resource,
    inspector,
    isRead ? { ...other, folds: { ...folds, [SENT_FIELDS_PATH]: true } } : other,
  );
}

/** The inspector in another width: lines are broken elsewhere, and the cursor stays on the one it is on. */
export const withScreenWidth = (resource: Resource, inspector: Inspector, columns: number): Inspector =>
  inspector.isRaw ? { ...inspector, columns } : keepCursorOnLine(resource, inspector, { ...inspector, columns });

/** With the cursor on the line that it was on, and that line in its row of the screen. */
export function keepCursorOnLine(resource: Resource, before: Inspector, after: Inspector): Inspector {
  const { cursor, top } = before;
  const path = treeLines(resource, before)[cursor]?.node.path;
  const at = treeLines(resource, after).findIndex(({ node }) => node.path === path);
  return at < 0 ? { ...after, cursor: 0, top: 0 } : { ...after, cursor: at, top: Math.max(0, top + at - cursor) };
}

export const lineAtCursor = (resource: Resource, inspector: Inspector): TreeLine | undefined =>
  inspector.isRaw ? undefined : treeLines(resource, inspector)[inspector.cursor];

/** The full text of what the cursor is on. */
export function valueAtCursor(
  resource: Resource,
  inspector: Inspector,
): { readonly title: string; readonly text: string } | undefined {
  const line = lineAtCursor(resource, inspector);
  if (line === undefined || line.node.value === undefined) return undefined;
  const { value, path, label, copied } = line.node;
  const text = typeof value === 'object' ? printJson(value, 2) : nodeText(line.node);
  if (copied === undefined) return { title: path, text };
  return { title: label === '' ? resource.singular : label, text: copied === text ? text : `${text}\n${copied}` };
}

/** Folds or unfolds the branch under the cursor; a leaf folds the branch it is in. */
export function setFold(
  resource: Resource,
  inspector: Inspector,
  isOpen: boolean | 'toggle',
  height: number,
): Inspector {
  const line = lineAtCursor(resource, inspector);
  if (line === undefined) return inspector;
  if (isBranch(line.node) && !(isOpen === false && !line.isOpen)) {
    const open = isOpen === 'toggle' ? !line.isOpen : isOpen;
    return { ...inspector, folds: { ...inspector.folds, [line.node.path]: open } };
  }
  return isOpen === true
    ? inspector
    : moveInspectorTo(inspector, parentIndex(treeLines(resource, inspector), inspector.cursor), resource, height);
}

export function setAllFolds(resource: Resource, inspector: Inspector, isOpen: boolean): Inspector {
  const folds = new Map<string, boolean>();
  // The sections and their content.
  const deepest = inspector.meaning.status === 'none' ? 1 : 2;
  let branches = 0;
  const visit = (nodes: readonly TreeNode[], depth: number): void => {
    for (const node of nodes) {
      if (!isBranch(node) || branches === MAX_BRANCHES) continue;
      branches++;
      folds.set(node.path, isOpen);
      if (isOpen || depth < deepest) visit(node.children(), depth + 1);
    }
  };
  visit(recordTreeNodes(resource, inspector), 0);
  return { ...inspector, folds: Object.fromEntries(folds), cursor: 0, top: 0 };
}

// Unfolding everything of a hostile document must end.
const MAX_BRANCHES = 20_000;
const MAX_DEPTH = 64;

// An answer and a document in it are read 1000 levels deep each.
const MAX_SEARCH_DEPTH = 2048;

export function moveInspectorTo(inspector: Inspector, line: number, resource: Resource, height: number): Inspector {
  const { row, top } = selectLine(
    { row: inspector.cursor, top: inspector.top },
    line,
    lineCount(resource, inspector),
    height,
  );
  return { ...inspector, cursor: row, top };
}

// A node may send a member called `constructor`.
const foldOf = (folds: Inspector['folds'], path: string): boolean | undefined =>
  Object.hasOwn(folds, path) ? folds[path] : undefined;

function addUnfolded(lines: TreeLine[], nodes: readonly TreeNode[], folds: Inspector['folds'], depth: number): void {
  for (const node of nodes) {
    const isOpen = isBranch(node) && depth < MAX_DEPTH && (foldOf(folds, node.path) ?? isOpenAtFirst(node));
    lines.push({ node, depth, isOpen });
    if (isOpen) addUnfolded(lines, node.children(), folds, depth + 1);
  }
}

const isOpenAtFirst = (node: TreeNode): boolean =>
  node.isOpenAtFirst ?? (node.size <= MANY_CHILDREN && node.kind !== 'json');

interface Search {
  readonly find: string;
  readonly names: Directory;
  readonly nowMs: number;
}

/** Adds the lines that match and those above them; true when there are any. */
function addMatching(lines: TreeLine[], nodes: readonly TreeNode[], search: Search, depth: number): boolean {
  if (depth > MAX_SEARCH_DEPTH) return false;
  const before = lines.length;
  for (const node of nodes) {
    const at = lines.length;
    const found = matches(node, search) ? ({ isFound: true } as const) : {};
    lines.push({ node, depth, isOpen: true, ...found });
    const hasBelow = isBranch(node) && addMatching(lines, node.children(), search, depth + 1);
    if (hasBelow) continue;
    if (found.isFound === true) lines[at] = { node, depth, isOpen: false, ...found };
    else lines.pop();
  }
  return lines.length > before;
}

// By its name, by its value as it came, and as the line shows it.
const matches = (node: TreeNode, { find, names, nowMs }: Search): boolean =>
  [node.label, nodeText(node), nodeValueText(node, names, nowMs)].some(text => text.toLowerCase().includes(find));

function parentIndex(lines: readonly TreeLine[], index: number): number {
  const depth = lines[index]?.depth ?? 0;
  for (let above = index - 1; above >= 0; above--) if ((lines[above]?.depth ?? 0) < depth) return above;
  return index;
}

/** Cells of a label, unless it is longer. */
const LABEL_CELLS = 20;

/** Cells before the text of a line: the mark of the selected line, and that of a branch. */
const MARKS = 4;

/** Cells that stay free behind it. */
export const RIGHT_MARGIN_CELLS = 1;

export const indentOf = (depth: number): SafeText => sanitize('  '.repeat(Math.min(depth, MAX_INDENT_DEPTH)));

const MAX_INDENT_DEPTH = 12;

export function nodeLabel(node: TreeNode): SafeText {
  const label = sanitize(node.label);
  return isBranch(node) || widthCells(label) > LABEL_CELLS ? label : fitCells(label, LABEL_CELLS);
}

/** Cells that are left for the value of a line. */
export function valueCellsOf(node: TreeNode, depth: number, columns: number): number {
  const before = columns - RIGHT_MARGIN_CELLS - MARKS - widthCells(indentOf(depth));
  return node.label === '' ? before : before - widthCells(nodeLabel(node)) - 1;
}

/**
 * The text of a line of an explanation, in as many lines as needed; ids are shortened first. A line of the record, and
 * one without room for words, stays unchanged: undefined.
 */
function explanationPieces(node: TreeNode, depth: number, columns: number): readonly Piece[] | undefined {
  const room = valueCellsOf(node, depth, columns);
  if (node.copied === undefined || typeof node.value !== 'string' || room < MIN_EXPLANATION_CELLS) return undefined;
  const text = sanitize(node.value.slice(0, MAX_VALUE_LENGTH));
  if (node.value.length > MAX_VALUE_LENGTH || widthCells(text) <= room) return undefined;
  const shorter = withShortIds(withoutLabelId(node, text), room);
  // Cells of a row stay below each other, with less between them.
  const closer = sanitize(shorter.replace(BETWEEN_CELLS, ' '));
  const whole = [shorter, closer].find(line => widthCells(line) <= room);
  if (whole !== undefined) return [{ text: whole, isFirst: true }];
  const below = valueCellsOf({ ...node, label: '' }, depth, columns) - CONTINUATION_INDENT.length;
  const longest = longestWordCells(shorter);
  if (longest <= room || longest > below)
    return wrapWords(shorter, room).map((line, index) => ({ text: line, isFirst: index === 0 }));
  const lines = wrapWords(shorter, below).map(line => ({ text: line, isFirst: false, isBelow: true }) as const);
  return [{ text: EMPTY, isFirst: true }, ...lines];
}

/** Before text that stands below its label. */
export const CONTINUATION_INDENT = safeText`  `;

/** The label is the short form of an id: where the full id has no room, it is not repeated. */
const withoutLabelId = ({ label }: TreeNode, text: SafeText): SafeText =>
  trimEndSafe(sanitize(text.replace(LONG_IDS, id => (truncateMiddle(sanitize(id), MIN_ID_CELLS) === label ? '' : id))));

const BETWEEN_CELLS = /(?<=\S) {2}(?=\S)/g;

const MIN_EXPLANATION_CELLS = 12;

/** Each id only as long as the text has room for, with at least both its ends. */
function withShortIds(text: SafeText, room: number): SafeText {
  let excess = widthCells(text) - room;
  let done = 0;
  const parts: SafeText[] = [];
  for (const { 0: id, index } of text.matchAll(LONG_IDS)) {
    const cells = Math.max(MIN_ID_CELLS, id.length - Math.max(0, excess));
    excess -= id.length - cells;
    parts.push(sliceSafe(text, done, index), truncateMiddle(sliceSafe(text, index, index + id.length), cells));
    done = index + id.length;
  }
  return safeText`${joinSafe(parts, EMPTY)}${sliceSafe(text, done)}`;
}

const MIN_ID_CELLS = 10;
