import { invalidArgumentFailure, notFoundFailure } from '../gateway/failure.ts';
import type { UnaryOperation } from '../gateway/operation.ts';
import { cursorObject, cursorText, cursorTimeUs, goTime, readCursor } from '../paging/cursor-content.ts';
import { fetchListPage, type Listing } from '../paging/keyset-listing.ts';
import { pageJson } from '../paging/page.ts';
import { readPageParameters, resolvePageRequest } from '../paging/page-request.ts';
import { rowNumber, rowText, type Store } from '../store.ts';
import { isFullHexId } from './hex-id.ts';

export function oracleSpecOperations(store: Store): readonly UnaryOperation[] {
  return [listSpecs(store), getSpec(store)];
}

function listSpecs(store: Store): UnaryOperation {
  return {
    kind: 'unary',
    path: '/api/v2/oracle/specs',
    accept: ({ query }) => {
      const sent = readPageParameters(query);
      return () => pageJson('oracleSpecs', fetchListPage(store, listing, resolvePageRequest(sent)));
    },
  };
}

/**
 * One version per id, the first in fetch order: newest or oldest by direction and newestFirst (node-behaviour.md
 * section 5).
 */
const listing: Listing = {
  table: 'oracle_specs',
  columns: ['body'],
  where: [],
  sortBy: [{ column: 'id' }, { column: 'vega_us' }],
  oneRowPer: 'id',
  cursor: row => JSON.stringify({ vegaTime: goTime(rowNumber(row, 'vega_us')), id: rowText(row, 'id') }),
  position,
  node: row => rowText(row, 'body'),
};

function getSpec(store: Store): UnaryOperation {
  return {
    kind: 'unary',
    path: '/api/v2/oracle/spec/:id',
    accept:
      ({ pathValue }) =>
      () => {
        if (!isFullHexId(pathValue)) throw invalidArgumentFailure(10000, 'invalid oracle spec ID', '');
        const sql = 'SELECT body FROM oracle_specs WHERE id = ? ORDER BY vega_us DESC LIMIT 1';
        const row = store.get(listing.table, sql, [pathValue.toLowerCase()]);
        if (row) return `{"oracleSpec":${rowText(row, 'body')}}`;
        const inner = `OracleSpecId: ${pathValue}: no resource corresponding to this id`;
        throw notFoundFailure(190001, 'failed retrieve data for oracle spec', inner);
      },
  };
}

function position(content: string) {
  return readCursor(190002, 'failed retrieve data for oracle specs', () => {
    const members = cursorObject(content, 'OracleSpecCursor');
    return [cursorText(members, 'id').toLowerCase(), cursorTimeUs(members, 'vegaTime')];
  });
}
