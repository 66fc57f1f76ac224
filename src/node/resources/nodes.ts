import { newInvalidArgumentFailure, newNotFoundFailure } from '../gateway/failure.ts';
import type { UnaryOperation } from '../gateway/operation.ts';
import { cursorObject, cursorText, readCursor } from '../paging/cursor-content.ts';
import { bodiesById } from '../paging/keyset-listing.ts';
import type { Store } from '../store.ts';
import { invalidIdMessage, isHexFilterId, normaliseId } from './hex-id.ts';
import { listOperation, recordOperation } from './operations.ts';

export const nodeOperations = (store: Store): readonly UnaryOperation[] => [
  listOperation(store, {
    path: '/api/v2/nodes',
    wrapper: 'nodes',
    read: query => {
      // The demo chain has the same validators in every epoch: the number is read but has no effect.
      query.uint64('epoch_seq');
      return () => listing;
    },
  }),
  // Its refusals have no code of their own, so the message has the reason (node-behaviour.md section 10).
  recordOperation({
    path: '/api/v2/node/:id',
    wrapper: 'node',
    find: id => {
      if (!isHexFilterId(id)) throw newInvalidArgumentFailure(10000, invalidIdMessage(id), '');
      return store.get(listing.table, 'SELECT body FROM nodes WHERE id = ?', [normaliseId(id)]);
    },
    missing: () => newNotFoundFailure(10000, 'no resource corresponding to this id', ''),
  }),
];

const listing = bodiesById('nodes', position);

function position(content: string) {
  return readCursor(110001, 'failed to get nodes', () => [
    cursorText(cursorObject(content, 'NodeCursor'), 'id').toLowerCase(),
  ]);
}
