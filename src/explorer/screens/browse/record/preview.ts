import { resourceById } from '../../../../chain/resources/registry.ts';
import { showsRecordBeside } from '../../../core/appearance.ts';
import type { SharedState } from '../../../core/screen.ts';
import { withNewRequest } from '../list/pager.ts';
import { selectedRow } from '../list/visible-rows.ts';
import { hasRoomBeside } from '../panes.ts';
import type { BrowseState, Inspector } from '../state.ts';
import { openInspector } from './inspector.ts';

// The selected record next to the list: it follows the selection once that rests.

/** Whether the preview has to change to another row. */
export function isPreviewDue(list: BrowseState, shared: Pick<SharedState, 'looks' | 'preferences'>): boolean {
  if (!canShowPreview(list, shared)) return false;
  const resource = resourceById(list.resource);
  const row = resource && selectedRow(resource, list);
  return row !== undefined && (list.nextPreview ?? list.preview)?.row !== row;
}

/** Whether a preview may be shown now. */
export const canShowPreview = (list: BrowseState, shared: Pick<SharedState, 'looks' | 'preferences'>): boolean =>
  list.inspector === null && hasPreviewPane(list, list.laidOutIn ?? 0, shared);

/** Whether the list leaves room for a record, whether that has the keys or not. */
export const hasPreviewPane = (
  { page, failure }: BrowseState,
  columns: number,
  shared: Pick<SharedState, 'looks' | 'preferences'>,
): boolean =>
  hasRoomBeside(columns) && page !== null && page.rows.length > 0 && failure === null && showsRecordBeside(shared);

/** The list with the selected record on its way to its side: the former one stays until the new meaning is known. */
export function withPreviewRequested(list: BrowseState): BrowseState {
  const resource = resourceById(list.resource);
  const { page } = list;
  const row = resource && selectedRow(resource, list);
  if (resource === undefined || page === null || row === undefined) return list;
  if (list.preview?.row === row) return { ...list, nextPreview: null };
  return withNewRequest(list, (shown, id) => {
    const opened = openInspector(resource, row, page, id);
    const isKnown = opened.meaning.status === 'none';
    return { ...shown, preview: isKnown ? opened : shown.preview, nextPreview: isKnown ? null : opened };
  });
}

/** The keys go to the previewed record. */
export const withPreviewFocused = (list: BrowseState, preview: Inspector, cursor = 0): BrowseState => ({
  ...list,
  inspector: { ...preview, cursor },
  preview: null,
  nextPreview: null,
});

/** The record without the keys, from its first line on. */
export const toPreview = (inspector: Inspector): Inspector => ({
  ...inspector,
  cursor: 0,
  top: 0,
  folds: {},
  find: '',
  isRaw: false,
});
