import { sqlName, sqlText } from '../../engine/sql-text.ts';
import { type Dialect, valuesTable } from './dialect.ts';

export const duckdbDialect: Dialect = {
  column: sqlName,
  table: name => name,
  text: sqlText,
  bytes: {
    of: hexText => `unhex(${hexText})`,
    hex: bytes => `lower(hex(${bytes}))`,
    length: bytes => `octet_length(${bytes})`,
    sha256: text => `unhex(sha256(${text}))`,
    none: 'NULL::BLOB',
  },
  // Its decimals end at 38 digits; BIGNUM has no end.
  whole: {
    of: integer => `${integer}::HUGEINT::BIGNUM`,
    ofText: (text, column) => {
      const refused = `error('${column} has a value that is not a whole number: ' || ${text}::VARCHAR)`;
      return `CASE WHEN ${text} IS NULL OR regexp_full_match(${text}::VARCHAR, '-?[0-9]+') THEN ${text}::VARCHAR::BIGNUM ELSE ${refused} END`;
    },
    zero: '0::HUGEINT::BIGNUM',
    none: 'NULL::BIGNUM',
  },
  toText: value => `CAST(${value} AS VARCHAR)`,
  time: text => `TIMESTAMP ${sqlText(text)}`,
  constants: valuesTable,
  statement: sql => sql,
};
