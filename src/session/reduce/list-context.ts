import type { ScreenContext } from '../../explorer/core/screen.ts';
import type { Action } from '../model/action.ts';
import type { BrowseEvent } from '../model/browse-event.ts';
import type { Notice } from '../model/notice.ts';
import type { Browser, SessionState } from '../model/state.ts';

/** What a list sees beside its own state. */
export interface ListContext extends Pick<ScreenContext, 'shared' | 'area' | 'isOnTop' | 'coveredBy'> {
  /** A message that brings an event back to this very list, for what it opens. */
  readonly to: (event: BrowseEvent) => Action;
  /** Reads this list as it is then, below what it opens; `otherwise` where it is gone. */
  readonly live: <Answer>(
    read: (list: Browser, context: ListContext) => Answer,
    otherwise: Answer,
  ) => (below: SessionState) => Answer;
}

/** A message for the line of notices. */
export const noticed = (text: string, tone: Notice['tone'] = 'info'): Action => ({ type: 'noticed', text, tone });

/** What comes of an event to a list: its state after it, then messages to the program, in this order. */
export interface ListStep {
  readonly state: Browser;
  readonly messages?: readonly Action[];
}
