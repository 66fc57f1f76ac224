import { type Dialect, escapedText } from './dialect.ts';

export const clickhouseDialect: Dialect = {
  column: name => `\`${name}\``,
  table: name => `\`${name}\``,
  text: escapedText,
  bytes: {
    of: hexText => `unhex(${hexText})`,
    hex: bytes => `lower(hex(${bytes}))`,
    length: bytes => `length(${bytes})`,
    sha256: value => `CAST(SHA256(${value}) AS String)`,
    none: 'CAST(NULL AS Nullable(String))',
  },
  // Its integers wrap silently, so each amount has at most 38 digits: 256 bits hold a sum of 10^38 amounts.
  whole: {
    of: integer => `toInt256(${integer})`,
    ofText: (value, column) =>
      `(toInt256OrNull(${value}) + throwIf(coalesce(NOT match(${value}, '^-?[0-9]{1,38}$'), false), ${escapedText(`${column} has a value that is not a whole number of up to 38 digits`)}))`,
    zero: 'toInt256(0)',
    none: 'CAST(NULL AS Nullable(Int256))',
  },
  toText: value => `toString(${value})`,
  time: moment => `toDateTime64(${escapedText(moment)}, 6, 'UTC')`,
  constants: (name, columns, rows) => {
    const selects = rows.map(row => `SELECT ${row.map((cell, at) => `${cell} AS ${columns[at]}`).join(', ')}`);
    const none = `SELECT ${columns.map(column => `'' AS ${column}`).join(', ')} WHERE false`;
    return `${name} AS (${selects.length === 0 ? none : `\n  ${selects.join(' UNION ALL\n  ')}`})`;
  },
  // By default a missing match is '' instead of NULL, and an alias hides the column of its name.
  statement: sql => `${sql}\nSETTINGS join_use_nulls = 1, prefer_column_name_to_alias = 1`,
};
