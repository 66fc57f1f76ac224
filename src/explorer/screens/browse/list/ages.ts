import { MINUTE_MS } from '../../../../base/text/time.ts';
import { cellValue } from '../../../../chain/resources/cell-text.ts';
import { resourceById } from '../../../../chain/resources/registry.ts';
import type { Column } from '../../../../chain/resources/resource.ts';
import type { SessionState } from '../../../core/state.ts';
import { type ListViewport, listPanes } from '../panes.ts';
import { treeLines } from '../record/inspector.ts';
import type { BrowseState } from '../state.ts';
import { shownColumns, visibleRows } from './visible-rows.ts';

const SECOND_MS = 1000;
const NS_PER_MS = 1_000_000n;

/** Whether cells of a column are ages, which grow. */
export const isAge = ({ kind, isOfClock }: Column): boolean =>
  (kind === 'time' || kind === 'unix-time') && isOfClock !== true;

interface AgesContext extends ListViewport {
  readonly shared: Pick<SessionState, 'node'>;
}

/** How long until an age in a list changes: a second while an age is below a minute. */
export function msUntilAgeChanges(list: BrowseState, place: AgesContext): number | undefined {
  const times = agesShown(list, place);
  if (times.length === 0) return undefined;
  const isYoung = times.some(timeMs => Math.abs(place.shared.node.nowMs - timeMs) < MINUTE_MS);
  return isYoung ? SECOND_MS : MINUTE_MS;
}

/** The times whose ages are on the screen, in Unix ms. */
function agesShown(list: BrowseState, place: ListViewport): readonly number[] {
  const resource = resourceById(list.resource);
  const { page, view } = list;
  const { inspector } = list;
  if (resource === undefined || page === null || list.failure !== null || place.coveredBy !== undefined) return [];
  const { tableColumns, tableRows, inspectorRows } = listPanes(list, place);
  const fields = inspector === null || inspector.isRaw ? [] : treeLines(resource, inspector);
  const inFields = fields
    .slice(inspector?.top ?? 0, (inspector?.top ?? 0) + inspectorRows)
    .flatMap(({ node }) => (node.kind === 'time' ? timesMs('time', node.value ?? '') : []));
  if (tableColumns === 0) return inFields;
  const columns = shownColumns(resource, list).filter(isAge);
  const rows = columns.length === 0 ? [] : visibleRows(resource, list).slice(view.top, view.top + tableRows);
  const inRows = columns.flatMap(column => rows.flatMap(row => timesMs(column.kind, cellValue(column, row, page))));
  return [...inRows, ...inFields];
}

function timesMs(kind: Column['kind'], value: unknown): readonly number[] {
  const text = String(value);
  if (!/^-?\d{2,20}$/.test(text)) return [];
  return [kind === 'unix-time' ? Number(text) * SECOND_MS : Number(BigInt(text) / NS_PER_MS)];
}
