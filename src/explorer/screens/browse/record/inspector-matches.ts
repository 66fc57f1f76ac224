import type { Directory } from '../../../../chain/directory/directory.ts';
import type { Resource } from '../../../../chain/resources/resource.ts';
import { isBranch } from '../../../../chain/resources/tree.ts';
import type { Inspector } from '../state.ts';
import { keepCursorOnLine, type TreeLine, treeLines } from './inspector.ts';

/** The lines that match the search, by their index among the drawn lines. */
export function matchLines(resource: Resource, inspector: Inspector): readonly number[] {
  if (inspector.find === '' || inspector.isRaw) return [];
  return treeLines(resource, inspector).flatMap((line, index) => (isMatch(line) ? [index] : []));
}

// What takes several lines is one match.
const isMatch = ({ isFound, piece }: TreeLine): boolean => isFound === true && piece?.isFirst !== false;

/** The record searched for another text, from its first match on. */
export function startInspectorFind(
  resource: Resource,
  inspector: Inspector,
  { find, names }: { readonly find: string; readonly names: Directory },
): Inspector {
  if (find === '') return endInspectorFind(resource, inspector);
  const searched = { ...inspector, find, names, cursor: 0, top: 0 };
  return { ...searched, cursor: matchLines(resource, searched)[0] ?? 0 };
}

/** On the next match in this direction; behind the last one comes the first. */
export function moveToMatch(resource: Resource, inspector: Inspector, direction: 1 | -1): Inspector {
  const places = matchLines(resource, inspector);
  const { cursor } = inspector;
  const next =
    direction === 1
      ? (places.find(place => place > cursor) ?? places[0])
      : (places.findLast(place => place < cursor) ?? places.at(-1));
  return next === undefined ? inspector : { ...inspector, cursor: next };
}

/** The whole record again, on the line that was found: the branches above it are opened. */
export function endInspectorFind(resource: Resource, inspector: Inspector): Inspector {
  if (inspector.find === '') return inspector;
  const lines = treeLines(resource, inspector);
  const folds: Record<string, boolean> = { ...inspector.folds };
  let depth = lines[inspector.cursor]?.depth ?? 0;
  for (const line of lines.slice(0, inspector.cursor).toReversed()) {
    if (line.depth >= depth) continue;
    depth = line.depth;
    if (isBranch(line.node)) folds[line.node.path] = true;
  }
  return keepCursorOnLine(resource, inspector, { ...inspector, find: '', folds });
}

/** `3 of 12 matches`; of a line that only leads to some their number. */
export function matchText(resource: Resource, inspector: Inspector): string {
  const places = matchLines(resource, inspector);
  const at = places.indexOf(inspector.cursor);
  const count = `${places.length} ${places.length === 1 ? 'match' : 'matches'}`;
  return at < 0 ? count : `${at + 1} of ${count}`;
}
