import { resourceById } from '../../../../chain/resources/registry.ts';
import type { Row } from '../../../../chain/resources/resource.ts';
import { showsRecordBeside } from '../../../core/appearance.ts';
import type { SharedState } from '../../../core/screen.ts';
import { withNewRequest } from '../list/pager.ts';
import { selectedRow } from '../list/visible-rows.ts';
import type { ListContext } from '../list-context.ts';
import { hasRoomBeside } from '../panes.ts';
import type { BrowseState, Inspector, LoadedPage, Preview } from '../state.ts';
import { goChoices } from './goals.ts';
import { openInspector } from './inspector.ts';

// The selected record next to the list: it follows the selection once that rests.

/** Whether the preview has to change to another row. */
export function isPreviewDue(list: BrowseState, shared: Pick<SharedState, 'looks' | 'preferences'>): boolean {
  if (!canShowPreview(list, shared)) return false;
  const row = selectedRowOf(list);
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

/** Whether the pane has another record than the selected row, or none while that one is on its way. */
export function isPreviewLeft(list: BrowseState): boolean {
  const { inspector, preview, nextPreview } = list;
  if (inspector !== null || preview === null) return inspector === null && nextPreview !== null;
  return preview.row !== selectedRowOf(list);
}

/** The list without the record that was left: with what is known of the selected one, or with none while the selection moves. */
export function withoutPreviewLeft(list: BrowseState): BrowseState {
  const { nextPreview } = list;
  const isOfSelected = nextPreview !== null && nextPreview.row === selectedRowOf(list);
  return { ...list, preview: isOfSelected ? nextPreview : null, nextPreview: isOfSelected ? null : nextPreview };
}

function selectedRowOf(list: BrowseState): Row | undefined {
  const resource = resourceById(list.resource);
  return resource && selectedRow(resource, list);
}

/** The list with the selected record on its way to its side: the former one stays for the moment that a quick answer takes. */
export function withPreviewRequested(list: BrowseState): BrowseState {
  const resource = resourceById(list.resource);
  const { page } = list;
  const row = resource && selectedRow(resource, list);
  if (resource === undefined || page === null || row === undefined) return list;
  if (list.preview?.row === row) return { ...list, nextPreview: null };
  return withNewRequest(list, (shown, id) => {
    const opened = toPreview(openInspector(resource, row, page, id), page);
    const isKnown = opened.meaning.status === 'none';
    return { ...shown, preview: isKnown ? opened : shown.preview, nextPreview: isKnown ? null : opened };
  });
}

/** The keys go to the previewed record. */
export function withPreviewFocused(list: BrowseState, { page: _, leadsOn: __, ...inspector }: Preview): BrowseState {
  return { ...list, inspector, preview: null, nextPreview: null };
}

/** The record without the keys, from its first line on. */
export const toPreview = (inspector: Inspector, page: LoadedPage): Preview => ({
  ...inspector,
  cursor: 0,
  top: 0,
  folds: {},
  find: '',
  isRaw: false,
  page,
  leadsOn: null,
});

/** Whether the keys of the selected record are shown beside the list. */
export const hasKeysOfPreview = ({ inspector, hasPreviewPane }: BrowseState): boolean =>
  inspector === null && hasPreviewPane;

/** The list with where one gets to from the record beside it, which its meaning adds to. */
export function withLeadsOn(list: BrowseState, context: ListContext): BrowseState {
  const { preview } = list;
  if (preview === null || preview.leadsOn?.meaning === preview.meaning) return list;
  const choices = goChoices({ ...list, inspector: preview }, context, false);
  const labels = [...new Set(choices.map(({ label }) => label))];
  return { ...list, preview: { ...preview, leadsOn: { meaning: preview.meaning, labels } } };
}
