import { newInvalidArgumentFailure, newNotFoundFailure } from '../gateway/failure.ts';
import type { UnaryOperation } from '../gateway/operation.ts';
import { cursorObject, cursorText, cursorTimeUs, goTime, readCursor } from '../paging/cursor-content.ts';
import type { Listing } from '../paging/keyset-listing.ts';
import { rowNumber, rowText, type Store } from '../store.ts';
import { isFullHexId } from './hex-id.ts';
import { listOperation, recordOperation } from './operations.ts';

export const oracleSpecOperations = (store: Store): readonly UnaryOperation[] => [
  listOperation(store, { path: '/api/v2/oracle/specs', wrapper: 'oracleSpecs', read: () => () => listing }),
  recordOperation({
    path: '/api/v2/oracle/spec/:id',
    wrapper: 'oracleSpec',
    find: id => {
      if (!isFullHexId(id)) throw newInvalidArgumentFailure(10000, 'invalid oracle spec ID', '');
      const sql = 'SELECT body FROM oracle_specs WHERE id = ? ORDER BY vega_us DESC LIMIT 1';
      return store.get(listing.table, sql, [id.toLowerCase()]);
    },
    missing: id => {
      const inner = `OracleSpecId: ${id}: no resource corresponding to this id`;
      return newNotFoundFailure(190001, 'failed retrieve data for oracle spec', inner);
    },
  }),
];

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

function position(content: string) {
  return readCursor(190002, 'failed retrieve data for oracle specs', () => {
    const members = cursorObject(content, 'OracleSpecCursor');
    return [cursorText(members, 'id').toLowerCase(), cursorTimeUs(members, 'vegaTime')];
  });
}
