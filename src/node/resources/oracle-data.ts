import type { NodeHead } from '../demo/chain.ts';
import { invalidArgumentFailure } from '../gateway/failure.ts';
import type { UnaryOperation } from '../gateway/operation.ts';
import { cursorObject, cursorTimeUs, goTime, readCursor } from '../paging/cursor-content.ts';
import { fetchListPage, type Listing } from '../paging/keyset-listing.ts';
import { pageJson } from '../paging/page.ts';
import { readPageParameters, resolvePageRequest } from '../paging/page-request.ts';
import { rowNumber, rowText, type Store } from '../store.ts';
import { invalidIdMessage, isHexFilterId, normaliseId } from './hex-id.ts';

const FAILED_CODE = 190001;
const FAILED = 'failed retrieve data for oracle spec';

export function oracleDataOperations(store: Store, head: () => NodeHead): readonly UnaryOperation[] {
  return [
    {
      kind: 'unary',
      path: '/api/v2/oracle/data',
      accept: ({ query }) => {
        const sent = readPageParameters(query);
        // An empty id counts as unset: the list then has the data of all specs.
        const specId = query.text('oracle_spec_id') ?? '';
        return () => pageJson('oracleData', fetchListPage(store, oracleData(specId, head()), resolvePageRequest(sent)));
      },
    },
  ];
}

function oracleData(specId: string, { timeNs }: NodeHead): Listing {
  if (!isHexFilterId(specId)) throw invalidArgumentFailure(FAILED_CODE, FAILED, invalidIdMessage(specId));
  return {
    table: 'oracle_data',
    columns: ['body'],
    where: [
      { sql: 'vega_us <= ?', values: [timeNs / 1000n] },
      ...(specId === '' ? [] : [{ sql: 'spec_id = ?', values: [normaliseId(specId)] }]),
    ],
    sortBy: [{ column: 'vega_us' }, { column: 'spec_id' }],
    cursor: row => JSON.stringify({ vegaTime: goTime(rowNumber(row, 'vega_us')), specId: rowText(row, 'spec_id') }),
    position,
    node: row => rowText(row, 'body'),
  };
}

function position(content: string) {
  return readCursor(FAILED_CODE, FAILED, () => {
    const members = cursorObject(content, 'OracleDataCursor');
    const specId = members.get('specId');
    return [cursorTimeUs(members, 'vegaTime'), typeof specId === 'string' ? specId : ''];
  });
}
