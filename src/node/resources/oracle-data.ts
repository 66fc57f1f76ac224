import type { NodeHead } from '../demo/chain.ts';
import type { UnaryOperation } from '../gateway/operation.ts';
import { cursorObject, cursorTimeUs, goTime, readCursor } from '../paging/cursor-content.ts';
import type { Listing } from '../paging/keyset-listing.ts';
import { rowNumber, rowText, type Store } from '../store.ts';
import { idIs, listOperation, refuseOtherThanIds } from './operations.ts';

const FAILED = { code: 190001, message: 'failed retrieve data for oracle spec' };

export const oracleDataOperations = (store: Store, head: () => NodeHead): readonly UnaryOperation[] => [
  listOperation(store, {
    path: '/api/v2/oracle/data',
    wrapper: 'oracleData',
    read: query => {
      // An empty id counts as unset: the list then has the data of all specs.
      const specId = query.text('oracle_spec_id') ?? '';
      return () => oracleData(specId, head());
    },
  }),
];

function oracleData(specId: string, { timeNs }: NodeHead): Listing {
  refuseOtherThanIds([specId], FAILED);
  return {
    table: 'oracle_data',
    columns: ['body'],
    where: [{ sql: 'vega_us <= ?', values: [timeNs / 1000n] }, ...idIs('spec_id', specId)],
    sortBy: [{ column: 'vega_us' }, { column: 'spec_id' }],
    cursor: row => JSON.stringify({ vegaTime: goTime(rowNumber(row, 'vega_us')), specId: rowText(row, 'spec_id') }),
    position,
    node: row => rowText(row, 'body'),
  };
}

function position(content: string) {
  return readCursor(FAILED.code, FAILED.message, () => {
    const members = cursorObject(content, 'OracleDataCursor');
    const specId = members.get('specId');
    return [cursorTimeUs(members, 'vegaTime'), typeof specId === 'string' ? specId : ''];
  });
}
