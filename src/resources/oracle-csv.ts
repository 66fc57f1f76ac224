import { jsonText, printJson } from '../api/json.ts';
import { readOracleSpec } from './oracle-spec.ts';
import type { CsvForm, Row } from './resource.ts';

/** One record per spec, with its definition as JSON, since each kind of source has other members. */
export const oracleCsv: CsvForm = {
  columns: [
    { id: 'id', title: 'ID', kind: 'id', value: row => jsonText(row.id) },
    { id: 'status', title: 'STATUS', kind: 'text', value: row => jsonText(row.status) },
    { id: 'source', title: 'SOURCE', kind: 'text', value: row => jsonText(row.source) },
    { id: 'created', title: 'CREATED', kind: 'time', value: row => jsonText(row.created) },
    { id: 'delivers', title: 'DELIVERS', kind: 'text', value: row => jsonText(row.delivers) },
    { id: 'updated', title: 'UPDATED', kind: 'time', value: row => jsonText(row.updated) },
    { id: 'data', title: 'DATA', kind: 'json', value: row => jsonText(row.data) },
  ],
  rowsOf: row => [flat(row)],
};

// Reads the row once for all columns.
function flat(row: Row): Row {
  const { id, status, createdAt, updatedAt, source, delivers, data } = readOracleSpec(row);
  return {
    ...{ id, status, source: source.variant, created: createdAt, updated: updatedAt },
    delivers,
    data: printJson(data),
  };
}
