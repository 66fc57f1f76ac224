import { resourceById } from '../../../chain/resources/registry.ts';
import type { Resource } from '../../../chain/resources/resource.ts';
import type { Action, Notice } from '../../core/action.ts';
import type { ScreenContext, Step } from '../../core/screen.ts';
import type { BrowseEvent } from './events.ts';
import type { BrowseState } from './state.ts';

/** Everything a list sees in addition to its own state. */
export interface ListContext extends Omit<ScreenContext<BrowseState>, 'to'> {
  /** A message that returns an event to this same list, for the screens it opens. */
  readonly to: (event: BrowseEvent) => Action;
}

/** A message for the line of notices. */
export const noticeAction = (text: string, tone: Notice['tone'] = 'info'): Action => ({ type: 'noticed', text, tone });

/** The result of an event for a list; a list is never closed. */
export interface ListStep extends Step<BrowseState> {
  readonly state: BrowseState;
}

/** Handles an event with the resource of the list at hand. */
export const withResource =
  <Event>(handler: (list: BrowseState, resource: Resource, event: Event, context: ListContext) => ListStep) =>
  (list: BrowseState, event: Event, context: ListContext): ListStep => {
    const resource = resourceById(list.resource);
    return resource === undefined ? { state: list } : handler(list, resource, event, context);
  };
