import { Failure, internalError, invalidArgument, notFound } from '../gateway/failure.ts';
import type { UnaryOperation } from '../gateway/operation.ts';
import { cursorObject, cursorText, encodeCursor, readCursor } from '../paging/cursor-content.ts';
import { fetchPage, type Listing } from '../paging/listing.ts';
import { type Page, pageJson } from '../paging/page.ts';
import { decidePage, type PageParameters, readPageParameters } from '../paging/page-request.ts';
import { type Store, textOf } from '../store.ts';
import { isFilterId, isWholeId, notAnId, storedId } from './hex-id.ts';

export function assetOperations(store: Store): readonly UnaryOperation[] {
  return [listAssets(store), getAsset(store)];
}

const NOT_FOUND = 'no resource corresponding to this id';
const FAILED = 'failed to get assets';
const FAILED_FOR_ID = 'failed to get asset for ID';

function listAssets(store: Store): UnaryOperation {
  return {
    kind: 'unary',
    path: '/api/v2/assets',
    accept: ({ query }) => {
      const sent = readPageParameters(query);
      // An empty id counts as unset; with an id the page parameters are ignored.
      const assetId = query.text('asset_id') ?? '';
      return () => pageJson('assets', assetId === '' ? allAssets(store, sent) : oneAsset(store, assetId));
    },
  };
}

/** Unlike other lists, this one reports a bad page as its own failure (node-lists.md section 10). */
function allAssets(store: Store, sent: PageParameters): Page {
  try {
    return fetchPage(store, listing, decidePage(sent));
  } catch (error) {
    if (!(error instanceof Failure) || error.detail?.code !== 10028) throw error;
    throw internalError(200001, FAILED, `${error.detail.inner}: ${error.detail.message}`);
  }
}

const listing: Listing = {
  table: 'assets',
  columns: ['body'],
  where: [],
  sortBy: [{ column: 'id' }],
  cursor: row => JSON.stringify({ id: textOf(row, 'id') }),
  position,
  node: row => textOf(row, 'body'),
};

function oneAsset(store: Store, assetId: string): Page {
  const context = `failed to get asset by ID: ${assetId}`;
  if (!isFilterId(assetId)) throw invalidArgument(200002, FAILED_FOR_ID, `${context}: ${notAnId(assetId)}`);
  const node = assetCalled(store, assetId);
  if (node === undefined) throw notFound(200002, FAILED_FOR_ID, `${context}: ${NOT_FOUND}`);
  const cursor = encodeCursor(JSON.stringify({ id: storedId(assetId) }));
  return { edges: [{ node, cursor }], hasNextPage: false, hasPreviousPage: false };
}

function getAsset(store: Store): UnaryOperation {
  return {
    kind: 'unary',
    path: '/api/v2/asset/:id',
    accept:
      ({ pathValue }) =>
      () => {
        if (pathValue !== 'VOTE' && !isWholeId(pathValue)) throw invalidArgument(10038, 'invalid asset ID', '');
        const node = assetCalled(store, pathValue);
        if (node === undefined) throw notFound(200002, FAILED_FOR_ID, NOT_FOUND);
        return `{"asset":${node}}`;
      },
  };
}

function assetCalled(store: Store, id: string): string | undefined {
  const row = store.get(listing.table, 'SELECT body FROM assets WHERE id = ?', [storedId(id)]);
  return row && textOf(row, 'body');
}

function position(content: string) {
  return readCursor(200001, FAILED, () => [cursorText(cursorObject(content, 'AssetCursor'), 'id').toLowerCase()]);
}
