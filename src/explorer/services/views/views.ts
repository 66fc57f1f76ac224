import type { ViewToSave } from '../../../base/settings/saved-view.ts';
import type { WorldEffect } from '../effect.ts';
import { errorMessage } from '../failure.ts';

/** How the lists of nodes are left, so that they can be opened like that again. */
export interface SavedViews {
  /** The view that the lists of the node in use were opened with, as text. */
  readonly opened: string;
  /** The view of a node that was left, until it is saved. */
  readonly saving: ({ readonly requestId: number } & ViewToSave) | null;
}

export interface ViewSaved {
  readonly type: 'view-saved';
  readonly requestId: number;
  /** Why it could not be saved. */
  readonly problem: string | null;
}

/** What saved views need of the world. */
export interface ViewsWorld {
  /** Saves how the lists of a node were left. Throws when it cannot. */
  readonly saveView: (view: ViewToSave) => Promise<void>;
}

export function viewsAfter(views: SavedViews, { requestId }: ViewSaved): SavedViews {
  return views.saving?.requestId === requestId ? { ...views, saving: null } : views;
}

export function viewsEffects({ saving }: SavedViews): readonly WorldEffect<ViewsWorld, ViewSaved>[] {
  if (saving === null) return [];
  const { requestId } = saving;
  const effect: WorldEffect<ViewsWorld, ViewSaved> = {
    key: `view ${requestId}`,
    run: async world => {
      await world.saveView(saving);
      return [{ type: 'view-saved', requestId, problem: null }];
    },
    failed: error => [{ type: 'view-saved', requestId, problem: errorMessage(error) }],
    mustFinish: true,
  };
  return [effect];
}
