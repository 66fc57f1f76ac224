import { resourceById } from '../../resources/registry.ts';
import type { Column } from '../../resources/resource.ts';
import { cellValue } from './cell-text.ts';
import { treeLines } from './inspector.ts';
import { isTabCovered } from './layer.ts';
import { layoutOf } from './layout.ts';
import type { SessionState } from './state.ts';
import { shownColumns, visibleRows } from './visible-rows.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const NS_PER_MS = 1_000_000n;

/** Whether cells of a column are ages, which grow. */
export const isAge = ({ kind, isOfClock }: Column): boolean =>
  (kind === 'time' || kind === 'unix-time') && isOfClock !== true;

/** How long until an age on the screen is another one: a second while one of them is below a minute. */
export function nextAgeMs(state: SessionState): number | undefined {
  const times = agesShown(state);
  if (times.length === 0) return undefined;
  const isYoung = times.some(timeMs => Math.abs(state.node.nowMs - timeMs) < MINUTE_MS);
  return isYoung ? SECOND_MS : MINUTE_MS;
}

/** The times whose ages are on the screen, in Unix ms. */
function agesShown(state: SessionState): readonly number[] {
  const resource = resourceById(state.tab);
  const browser = state.browsers[state.tab];
  const isCovered = isTabCovered(state);
  if (resource === undefined || !browser?.page || browser.failure !== null || isCovered) return [];
  const { page, inspector, view } = browser;
  const { tableColumns, tableRows, inspectorRows } = layoutOf(state);
  const fields = inspector === null || inspector.isRaw ? [] : treeLines(resource, inspector);
  const inFields = fields
    .slice(inspector?.top ?? 0, (inspector?.top ?? 0) + inspectorRows)
    .flatMap(({ node }) => (node.kind === 'time' ? msOf('time', node.value ?? '') : []));
  if (tableColumns === 0) return inFields;
  const columns = shownColumns(resource, browser).filter(isAge);
  const rows = columns.length === 0 ? [] : visibleRows(resource, browser).slice(view.top, view.top + tableRows);
  const inRows = columns.flatMap(column => rows.flatMap(row => msOf(column.kind, cellValue(column, row, page))));
  return [...inRows, ...inFields];
}

function msOf(kind: Column['kind'], value: unknown): readonly number[] {
  const text = String(value);
  if (!/^-?\d{2,20}$/.test(text)) return [];
  return [kind === 'unix-time' ? Number(text) * SECOND_MS : Number(BigInt(text) / NS_PER_MS)];
}
