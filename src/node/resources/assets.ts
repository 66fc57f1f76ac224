import { Failure, newInternalFailure, newInvalidArgumentFailure, newNotFoundFailure } from '../gateway/failure.ts';
import type { UnaryOperation } from '../gateway/operation.ts';
import { cursorObject, cursorText, encodeCursor, readCursor } from '../paging/cursor-content.ts';
import { bodiesById, fetchListPage } from '../paging/keyset-listing.ts';
import { type NodePage, pageJson } from '../paging/page.ts';
import { type PageParameters, readPageParameters, resolvePageRequest } from '../paging/page-request.ts';
import { rowText, type Store, type StoreRow } from '../store.ts';
import { invalidIdMessage, isFullHexId, isHexFilterId, normaliseId } from './hex-id.ts';
import { recordOperation } from './operations.ts';

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
      return () => pageJson('assets', assetId === '' ? assetsPage(store, sent) : singleAssetPage(store, assetId));
    },
  };
}

/** Unlike other lists, this one reports a bad page as its own failure (node-behaviour.md section 10). */
function assetsPage(store: Store, sent: PageParameters): NodePage {
  try {
    return fetchListPage(store, listing, resolvePageRequest(sent));
  } catch (error) {
    if (!(error instanceof Failure) || error.detail?.code !== 10028) throw error;
    throw newInternalFailure(200001, FAILED, `${error.detail.inner}: ${error.detail.message}`);
  }
}

const listing = bodiesById('assets', position);

function singleAssetPage(store: Store, assetId: string): NodePage {
  const context = `failed to get asset by ID: ${assetId}`;
  if (!isHexFilterId(assetId))
    throw newInvalidArgumentFailure(200002, FAILED_FOR_ID, `${context}: ${invalidIdMessage(assetId)}`);
  const row = findAsset(store, assetId);
  if (row === undefined) throw newNotFoundFailure(200002, FAILED_FOR_ID, `${context}: ${NOT_FOUND}`);
  const cursor = encodeCursor(JSON.stringify({ id: normaliseId(assetId) }));
  return { edges: [{ node: rowText(row, 'body'), cursor }], hasNextPage: false, hasPreviousPage: false };
}

const getAsset = (store: Store): UnaryOperation =>
  recordOperation({
    path: '/api/v2/asset/:id',
    wrapper: 'asset',
    find: id => {
      if (id !== 'VOTE' && !isFullHexId(id)) throw newInvalidArgumentFailure(10038, 'invalid asset ID', '');
      return findAsset(store, id);
    },
    missing: () => newNotFoundFailure(200002, FAILED_FOR_ID, NOT_FOUND),
  });

const findAsset = (store: Store, id: string): StoreRow | undefined =>
  store.get(listing.table, 'SELECT body FROM assets WHERE id = ?', [normaliseId(id)]);

function position(content: string) {
  return readCursor(200001, FAILED, () => [cursorText(cursorObject(content, 'AssetCursor'), 'id').toLowerCase()]);
}
