import type { BrowseEvent } from '../../src/session/model/browse-event.ts';
import type { Session } from '../../src/session/session.ts';

/** An event to the list of a tab, as if it had come from that list. */
export const tell = (session: Session, event: BrowseEvent, resource = session.state().tab): void =>
  session.dispatch({ type: 'root-event', screen: 'browse', tabs: [resource], event });
