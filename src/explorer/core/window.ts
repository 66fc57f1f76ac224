/** A selected line and the first drawn one, as indexes. */
export interface Window {
  readonly row: number;
  readonly top: number;
}

/** What a turn of the wheel moves. */
export const WHEEL_LINES = 3;

/** Selects a line: kept inside the list, the window moved as little as possible. */
export function selectLine(window: Window, row: number, count: number, height: number): Window {
  const selected = Math.max(0, Math.min(row, count - 1));
  const lowestTop = Math.max(0, count - height);
  let top = Math.min(window.top, lowestTop);
  if (selected < top) top = selected;
  if (selected >= top + height) top = selected - height + 1;
  return { row: selected, top };
}

/** A page's way: window and selection both move by it, so that the selection keeps its place but at the ends. */
export function movePage(window: Window, direction: 1 | -1, step: number, count: number, height: number): Window {
  const lowestTop = Math.max(0, count - height);
  const top = Math.max(0, Math.min(window.top + direction * step, lowestTop));
  return selectLine({ row: window.row, top }, window.row + direction * step, count, height);
}
