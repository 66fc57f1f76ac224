import type { ChartRequest, FindRequest, RowsRequest } from '../answers/index.ts';
import type { SessionState } from './model/state.ts';
import { isLoaded, type OpenTable, openTableOf, spanWanted, type ViewedFiles } from './model/viewer.ts';
import { viewerRows } from './reduce/viewer-state.ts';

/** Something about tables on the disk; `viewer` is the ticket by which their files were opened. */
export type ViewerWish = ViewedFilesWish | OffersWish | TableWish;

/** What can be done with the export of this ticket. */
interface OffersWish {
  readonly key: string;
  readonly ticket: number;
  readonly kind: 'view-offers';
  readonly table: string;
}

/** Runs as long as they are looked at: whoever ends it closes them. */
interface ViewedFilesWish {
  readonly key: string;
  readonly ticket: number;
  readonly kind: 'view-files';
  readonly asked: ViewedFiles;
}

type TableWish = { readonly key: string; readonly ticket: number; readonly viewer: number } & (
  | { readonly kind: 'view-rows'; readonly looked: RowsRequest; readonly from: number; readonly rows: number }
  | { readonly kind: 'view-arrange'; readonly looked: RowsRequest }
  | { readonly kind: 'view-find'; readonly question: FindRequest }
  | { readonly kind: 'view-count'; readonly looked: RowsRequest; readonly column: string }
  | { readonly kind: 'view-chart'; readonly question: ChartRequest }
);

export const isViewerWish = <Other extends { readonly kind: string }>(wish: ViewerWish | Other): wish is ViewerWish =>
  wish.kind.startsWith('view-');

export function viewerWishes(state: SessionState): readonly ViewerWish[] {
  const { viewer } = state;
  if (viewer === null) return offersWishes(state);
  if (viewer.files.status === 'failed') return [];
  const { ticket, asked } = viewer;
  const held: ViewerWish = { key: `view-files ${ticket}`, kind: 'view-files', ticket, asked };
  const open = openTableOf(viewer);
  return open === undefined ? [held] : [held, ...tableWishes(state, open)];
}

// Once the export is there, and its result on the screen.
function offersWishes({ tab, job, offers, wizard }: SessionState): readonly ViewerWish[] {
  if (tab !== 'export' || wizard.step !== 'result' || job?.status !== 'ended' || offers?.job === job.ticket) return [];
  if (job.result.kind !== 'saved' && job.result.kind !== 'saved-slices') return [];
  const { ticket, plan } = job;
  return [{ key: `view-offers ${ticket}`, kind: 'view-offers', ticket, table: plan.table.id }];
}

function tableWishes(state: SessionState, open: OpenTable): readonly ViewerWish[] {
  const { viewer, view, table } = open;
  const { shown, arranging, finding } = view;
  const of = { viewer: viewer.ticket };
  const looked = { table: table.name, look: shown.look };
  return [
    ...rowWishes(state, open),
    ...(arranging === null
      ? []
      : [
          {
            ...of,
            key: `view-arrange ${arranging.ticket}`,
            kind: 'view-arrange',
            ticket: arranging.ticket,
            looked: { table: table.name, look: arranging.look },
          } as const,
        ]),
    ...(finding === null
      ? []
      : [
          {
            ...of,
            key: `view-find ${finding.ticket}`,
            kind: 'view-find',
            ticket: finding.ticket,
            question: { ...looked, text: view.find, from: finding.from, direction: finding.direction },
          } as const,
        ]),
    ...overWishes(open),
  ];
}

function rowWishes(state: SessionState, { viewer, view, table }: OpenTable): readonly ViewerWish[] {
  const span = spanWanted(view, viewerRows(state));
  if (state.tab !== 'export' || view.problem !== null || isLoaded(view, span)) return [];
  const { ticket, look } = view.shown;
  const key = `view-rows ${ticket} ${span.from} ${span.rows}`;
  return [{ key, kind: 'view-rows', viewer: viewer.ticket, ticket, looked: { table: table.name, look }, ...span }];
}

function overWishes({ viewer, view, table }: OpenTable): readonly ViewerWish[] {
  const { over, shown } = view;
  if (over === null || !('ticket' in over.answer)) return [];
  const { ticket } = over.answer;
  const looked = { table: table.name, look: shown.look };
  if (over.kind === 'counts')
    return [
      { key: `view-count ${ticket}`, kind: 'view-count', viewer: viewer.ticket, ticket, looked, column: over.column },
    ];
  const { column, measure, stepMs } = over;
  const question = { ...looked, column, measure, stepMs, firstMs: table.firstMs ?? 0 };
  return [{ key: `view-chart ${ticket}`, kind: 'view-chart', viewer: viewer.ticket, ticket, question }];
}
