import { fillRows, type Line, line } from '../../explorer/core/line.ts';
import { resourceById } from '../../resources/registry.ts';
import type { SessionState } from '../../session/model/state.ts';
import { selectedRow } from '../../session/model/visible-rows.ts';
import { safeText, sanitize } from '../../text/safe-text.ts';
import { wrapWords } from '../../text/width.ts';

/** What the selected row is about, in so many rows; what does not fit is in the inspector. */
export function drawAbout(state: SessionState, rows: number): readonly Line[] {
  if (rows === 0) return [];
  const resource = resourceById(state.tab);
  const browser = state.browsers[state.tab];
  if (resource === undefined || browser === undefined) return fillRows([], rows);
  const { page, spokenOf } = browser;
  const row = spokenOf !== null && spokenOf.page === page ? spokenOf.row : selectedRow(resource, browser);
  if (row === undefined) return fillRows([], rows);
  const text = resource.about?.(row) ?? resource.aboutAmong?.(row, page === null ? [row] : page.rows) ?? '';
  const lines = wrapWords(sanitize(text), state.screen.columns - 2);
  return fillRows(
    lines.map(text => line(safeText` ${text}`)),
    rows,
  );
}
