import type { Head } from '../demo/chain.ts';
import { invalidArgument } from '../gateway/failure.ts';
import type { UnaryOperation } from '../gateway/operation.ts';
import { cursorObject, cursorTimeUs, goTime, readCursor } from '../paging/cursor-content.ts';
import { fetchPage, type Listing } from '../paging/listing.ts';
import { pageJson } from '../paging/page.ts';
import { decidePage, readPageParameters } from '../paging/page-request.ts';
import { numberOf, type Store, textOf } from '../store.ts';
import { isFilterId, notAnId, storedId } from './hex-id.ts';

const FAILED_CODE = 190001;
const FAILED = 'failed retrieve data for oracle spec';

export function oracleDataOperations(store: Store, head: () => Head): readonly UnaryOperation[] {
  return [
    {
      kind: 'unary',
      path: '/api/v2/oracle/data',
      accept: ({ query }) => {
        const sent = readPageParameters(query);
        // An empty id counts as unset: the list then has the data of all specs.
        const specId = query.text('oracle_spec_id') ?? '';
        return () => pageJson('oracleData', fetchPage(store, oracleData(specId, head()), decidePage(sent)));
      },
    },
  ];
}

function oracleData(specId: string, { timeNs }: Head): Listing {
  if (!isFilterId(specId)) throw invalidArgument(FAILED_CODE, FAILED, notAnId(specId));
  return {
    table: 'oracle_data',
    columns: ['body'],
    where: [
      { sql: 'vega_us <= ?', values: [timeNs / 1000n] },
      ...(specId === '' ? [] : [{ sql: 'spec_id = ?', values: [storedId(specId)] }]),
    ],
    sortBy: [{ column: 'vega_us' }, { column: 'spec_id' }],
    cursor: row => JSON.stringify({ vegaTime: goTime(numberOf(row, 'vega_us')), specId: textOf(row, 'spec_id') }),
    position,
    node: row => textOf(row, 'body'),
  };
}

function position(content: string) {
  return readCursor(FAILED_CODE, FAILED, () => {
    const members = cursorObject(content, 'OracleDataCursor');
    const specId = members.get('specId');
    return [cursorTimeUs(members, 'vegaTime'), typeof specId === 'string' ? specId : ''];
  });
}
