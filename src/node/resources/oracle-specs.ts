import { invalidArgument, notFound } from '../gateway/failure.ts';
import type { UnaryOperation } from '../gateway/operation.ts';
import { cursorObject, cursorText, cursorTimeUs, goTime, readCursor } from '../paging/cursor-content.ts';
import { fetchPage, type Listing } from '../paging/listing.ts';
import { pageJson } from '../paging/page.ts';
import { decidePage, readPageParameters } from '../paging/page-request.ts';
import { numberOf, type Store, textOf } from '../store.ts';
import { isWholeId } from './hex-id.ts';

export function oracleSpecOperations(store: Store): readonly UnaryOperation[] {
  return [listSpecs(store), getSpec(store)];
}

function listSpecs(store: Store): UnaryOperation {
  return {
    kind: 'unary',
    path: '/api/v2/oracle/specs',
    accept: ({ query }) => {
      const sent = readPageParameters(query);
      return () => pageJson('oracleSpecs', fetchPage(store, listing, decidePage(sent)));
    },
  };
}

/**
 * One version per id, the first in fetch order: newest or oldest by direction and newestFirst (node-lists.md
 * section 5).
 */
const listing: Listing = {
  table: 'oracle_specs',
  columns: ['body'],
  where: [],
  sortBy: [{ column: 'id' }, { column: 'vega_us' }],
  oneRowPer: 'id',
  cursor: row => JSON.stringify({ vegaTime: goTime(numberOf(row, 'vega_us')), id: textOf(row, 'id') }),
  position,
  node: row => textOf(row, 'body'),
};

function getSpec(store: Store): UnaryOperation {
  return {
    kind: 'unary',
    path: '/api/v2/oracle/spec/:id',
    accept:
      ({ pathValue }) =>
      () => {
        if (!isWholeId(pathValue)) throw invalidArgument(10000, 'invalid oracle spec ID', '');
        const sql = 'SELECT body FROM oracle_specs WHERE id = ? ORDER BY vega_us DESC LIMIT 1';
        const row = store.get(listing.table, sql, [pathValue.toLowerCase()]);
        if (row) return `{"oracleSpec":${textOf(row, 'body')}}`;
        const inner = `OracleSpecId: ${pathValue}: no resource corresponding to this id`;
        throw notFound(190001, 'failed retrieve data for oracle spec', inner);
      },
  };
}

function position(content: string) {
  return readCursor(190002, 'failed retrieve data for oracle specs', () => {
    const members = cursorObject(content, 'OracleSpecCursor');
    return [cursorText(members, 'id').toLowerCase(), cursorTimeUs(members, 'vegaTime')];
  });
}
