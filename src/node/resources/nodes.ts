import { invalidArgumentFailure, notFoundFailure } from '../gateway/failure.ts';
import type { UnaryOperation } from '../gateway/operation.ts';
import { cursorObject, cursorText, readCursor } from '../paging/cursor-content.ts';
import { bodiesById, fetchListPage } from '../paging/keyset-listing.ts';
import { pageJson } from '../paging/page.ts';
import { readPageParameters, resolvePageRequest } from '../paging/page-request.ts';
import { rowText, type Store } from '../store.ts';
import { invalidIdMessage, isHexFilterId, normaliseId } from './hex-id.ts';

export function nodeOperations(store: Store): readonly UnaryOperation[] {
  return [listNodes(store), getNode(store)];
}

function listNodes(store: Store): UnaryOperation {
  return {
    kind: 'unary',
    path: '/api/v2/nodes',
    accept: ({ query }) => {
      const sent = readPageParameters(query);
      // The demo chain has the same validators in every epoch: the number is read but has no effect.
      query.uint64('epoch_seq');
      return () => pageJson('nodes', fetchListPage(store, listing, resolvePageRequest(sent)));
    },
  };
}

const listing = bodiesById('nodes', position);

/** Its refusals have no code of their own, so the message has the reason (node-behaviour.md section 10). */
function getNode(store: Store): UnaryOperation {
  return {
    kind: 'unary',
    path: '/api/v2/node/:id',
    accept:
      ({ pathValue }) =>
      () => {
        if (!isHexFilterId(pathValue)) throw invalidArgumentFailure(10000, invalidIdMessage(pathValue), '');
        const row = store.get(listing.table, 'SELECT body FROM nodes WHERE id = ?', [normaliseId(pathValue)]);
        if (row) return `{"node":${rowText(row, 'body')}}`;
        throw notFoundFailure(10000, 'no resource corresponding to this id', '');
      },
  };
}

function position(content: string) {
  return readCursor(110001, 'failed to get nodes', () => [
    cursorText(cursorObject(content, 'NodeCursor'), 'id').toLowerCase(),
  ]);
}
