import { type Dialect, escapedText, valuesTable } from './dialect.ts';

export const sparkDialect: Dialect = {
  column: name => `\`${name}\``,
  table: name => `\`${name}\``,
  text: escapedText,
  bytes: {
    of: hexText => `unhex(${hexText})`,
    hex: bytes => `lower(hex(${bytes}))`,
    length: bytes => `octet_length(${bytes})`,
    sha256: value => `unhex(sha2(${value}, 256))`,
    none: 'CAST(NULL AS BINARY)',
  },
  whole: {
    of: integer => `CAST(${integer} AS DECIMAL(38,0))`,
    ofText: (value, column) =>
      `CASE WHEN ${value} IS NULL OR ${value} RLIKE '^-?[0-9]+$' THEN CAST(${value} AS DECIMAL(38,0)) ELSE raise_error(${escapedText(`${column} has a value that is not a whole number`)}) END`,
    zero: 'CAST(0 AS DECIMAL(38,0))',
    none: 'CAST(NULL AS DECIMAL(38,0))',
  },
  toText: value => `CAST(${value} AS STRING)`,
  time: moment => `TIMESTAMP_NTZ ${escapedText(moment)}`,
  constants: valuesTable,
  // Without ANSI mode, the default before Spark 4, an amount of over 38 digits would be NULL and missing in a sum.
  statement: sql => `SET spark.sql.ansi.enabled = true;\n${sql}`,
};
