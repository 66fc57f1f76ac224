import type { ConvertOptions } from '../answers/index.ts';
import type { Flag, ParsedFlags } from './flags.ts';
import { UsageError } from './usage-error.ts';

/** Columns of Parquet files, for convert and for export --parquet. */
export const COLUMN_FLAGS: readonly Flag[] = [
  {
    name: 'ids',
    kind: 'text',
    group: 'Parquet',
    value: 'FORM',
    about: 'ids and hashes as bytes, or as hex text (bytes)',
    check: text => parseIdForm(text),
  },
  { name: 'columns', kind: 'text', group: 'Parquet', value: 'A,B', about: 'only these columns' },
  { name: 'exclude', kind: 'text', group: 'Parquet', value: 'C,D', about: 'all columns except these' },
  {
    name: 'with-f64',
    kind: 'switch',
    group: 'Parquet',
    about: 'add a floating-point column, NAME_f64, for each exact number',
  },
];

type ColumnOptions = Pick<ConvertOptions, 'ids' | 'columns' | 'exclude' | 'withF64'>;

export function columnOptions(given: ParsedFlags): ColumnOptions {
  const text = given.text('ids');
  const ids = text === undefined ? undefined : parseIdForm(text);
  const [columns, exclude] = [readColumnNames(given, 'columns'), readColumnNames(given, 'exclude')];
  return {
    ...(ids !== undefined && { ids }),
    ...(columns !== undefined && { columns }),
    ...(exclude !== undefined && { exclude }),
    ...(given.has('with-f64') && { withF64: true }),
  };
}

function parseIdForm(text: string): 'bytes' | 'hex' {
  if (text === 'bytes' || text === 'hex') return text;
  throw new UsageError(`--ids must be bytes or hex, not "${text}"`);
}

function readColumnNames(given: ParsedFlags, flag: string): readonly string[] | undefined {
  const text = given.text(flag);
  if (text === undefined) return undefined;
  const names = text.split(',').map(name => name.trim());
  if (names.includes('')) throw new UsageError(`--${flag} needs column names with commas between them`);
  return names;
}
