import { sqlName, sqlText } from '../../engine/sql-text.ts';
import { type Dialect, valuesTable } from './dialect.ts';

export const trinoDialect: Dialect = {
  column: sqlName,
  table: name => `hive.default.${sqlName(name)}`,
  text: sqlText,
  bytes: {
    of: hexText => `from_hex(${hexText})`,
    hex: bytes => `lower(to_hex(${bytes}))`,
    length: bytes => `length(${bytes})`,
    sha256: text => `sha256(to_utf8(${text}))`,
    none: 'CAST(NULL AS VARBINARY)',
  },
  whole: {
    of: integer => `CAST(${integer} AS DECIMAL(38,0))`,
    // A cast rounds 1.5 and refuses a word, so any other text becomes a word.
    ofText: text =>
      `CAST(CASE WHEN regexp_like(${text}, '^-?[0-9]+$') THEN ${text} WHEN ${text} IS NOT NULL THEN 'not a whole number: ' || ${text} END AS DECIMAL(38,0))`,
    zero: 'CAST(0 AS DECIMAL(38,0))',
    none: 'CAST(NULL AS DECIMAL(38,0))',
  },
  toText: value => `CAST(${value} AS VARCHAR)`,
  time: text => `TIMESTAMP ${sqlText(text)}`,
  constants: valuesTable,
  statement: sql => sql,
};
