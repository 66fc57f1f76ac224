import type { ScreenContext, Step } from '../../core/screen.ts';
import { returnToCounts, viewerCountsToReturnTo } from './rows.ts';
import { type OpenTable, openTableOf, type TableView, type Viewer } from './state.ts';
import { withView } from './steps.ts';

// Esc takes back the last thing first, as in the lists, and closes the table last. The first Esc over rows that have just
// arrived closes nothing, since it may have been meant to stop them.

/** What Esc would do instead of closing the table. */
export function escLabel(viewer: Viewer, context: ScreenContext): string | undefined {
  const known = openTableOf(viewer);
  if (known === undefined || known.view.problem !== null) {
    if (viewer.files.status === 'opening') return undefined;
    return hasNothingBehind(viewer, context) ? 'end' : 'back';
  }
  const last = whatEscUndoes(known.view);
  return last === undefined ? undefined : WORDS[last];
}

const WORDS = { runs: 'stop', find: 'end find', counts: 'counts', arranged: 'keep rows' } as const;

/** The running request, the search, the counts that the rows belong to, or rows that have just arrived. */
function whatEscUndoes(view: TableView): keyof typeof WORDS | undefined {
  const { arranging, finding, find, hasJustCome } = view;
  const isCounted = viewerCountsToReturnTo(view) !== null;
  if (finding !== null || (arranging !== null && !isCounted)) return 'runs';
  if (find !== '') return 'find';
  if (isCounted) return 'counts';
  return hasJustCome ? 'arranged' : undefined;
}

export function goBack(known: OpenTable, context: ScreenContext): Step<Viewer> {
  const { view } = known;
  const next =
    viewerCountsToReturnTo(view) !== null
      ? 'Esc again leads to the counts'
      : hasNothingBehind(known.viewer, context)
        ? 'Esc again quits'
        : 'Esc again closes the table';
  const stay = (changed: Partial<TableView>, text: string): Step<Viewer> =>
    withView(known, { ...view, ...changed }, [{ type: 'noticed', text, tone: 'info' }]);
  switch (whatEscUndoes(view)) {
    case 'runs': {
      const find = view.finding === null ? view.find : '';
      return stay({ arranging: null, finding: null, find }, 'stopped: the rows are unchanged');
    }
    case 'find':
      return stay({ find: '', hasJustCome: false }, `the search is over; ${next}`);
    case 'counts': {
      const counted = viewerCountsToReturnTo(view);
      return counted === null ? { state: known.viewer } : returnToCounts(known, counted, context);
    }
    case 'arranged':
      return stay({ hasJustCome: false }, `the rows have arrived; ${next}`);
    case undefined:
      return closeViewer(known.viewer, context);
  }
}

/** Nothing is behind it: no table that it is an answer of, and no node. */
export const hasNothingBehind = ({ opening }: Viewer, { shared }: ScreenContext): boolean =>
  shared.node.status === 'unasked' && opening.isOverTable !== true;

export const closeViewer = (viewer: Viewer, context: ScreenContext): Step<Viewer> =>
  hasNothingBehind(viewer, context) ? { state: viewer, messages: [{ type: 'quit' }] } : { state: null };
