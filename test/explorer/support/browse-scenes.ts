import type { Session } from '../../../src/explorer/app/session.ts';
import type { BrowseEvent } from '../../../src/explorer/screens/browse/events.ts';

/** An event to the list of a tab, as if it had come from that list. */
export const tell = (session: Session, event: BrowseEvent, resource = session.state().tab): void =>
  session.dispatch({ type: 'root-event', screen: 'browse', tabs: [resource], event });
