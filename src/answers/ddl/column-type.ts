import { AnswerError } from '../engine/answer-error.ts';
import { CONVERT_ELSEWHERE } from '../parquet/parquet-manifest.ts';

/** A type of a column in a Parquet folder. */
export type ColumnType =
  | {
      readonly kind: 'blob' | 'text' | 'timestamp' | 'bigint' | 'integer' | 'smallint' | 'boolean' | 'double' | 'date';
    }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }
  | { readonly kind: 'list'; readonly of: ColumnType };

const PLAIN: { readonly [name: string]: ColumnType | undefined } = {
  BLOB: { kind: 'blob' },
  VARCHAR: { kind: 'text' },
  TIMESTAMP: { kind: 'timestamp' },
  BIGINT: { kind: 'bigint' },
  INTEGER: { kind: 'integer' },
  SMALLINT: { kind: 'smallint' },
  BOOLEAN: { kind: 'boolean' },
  DOUBLE: { kind: 'double' },
  DATE: { kind: 'date' },
};

/** Parses DuckDB's name of a type. Throws AnswerError for any type that this program does not write: it goes into SQL. */
export function parseColumnType(name: string): ColumnType {
  const plain = Object.hasOwn(PLAIN, name) ? PLAIN[name] : undefined;
  if (plain !== undefined) return plain;
  if (name.endsWith('[]')) return { kind: 'list', of: parseColumnType(name.slice(0, -2)) };
  const [, precision, scale] = /^DECIMAL\((\d{1,2}),(\d{1,2})\)$/.exec(name) ?? [];
  const decimal = { kind: 'decimal' as const, precision: Number(precision), scale: Number(scale) };
  if (decimal.precision >= 1 && decimal.precision <= 38 && decimal.scale <= decimal.precision) return decimal;
  throw new AnswerError(
    `"${name.slice(0, 60)}" is not a column type that this program writes`,
    CONVERT_ELSEWHERE,
    'untrusted',
  );
}

/** The name of a type in a dialect: a name for each kind, a form for decimals and lists. */
export interface TypeNames {
  readonly blob: string;
  readonly text: string;
  readonly timestamp: string;
  readonly bigint: string;
  readonly integer: string;
  readonly smallint: string;
  readonly boolean: string;
  readonly double: string;
  readonly date: string;
  readonly decimal: (precision: number, scale: number) => string;
  readonly list: (of: string) => string;
}

export function dialectType(names: TypeNames, type: ColumnType): string {
  switch (type.kind) {
    case 'decimal':
      return names.decimal(type.precision, type.scale);
    case 'list':
      return names.list(dialectType(names, type.of));
    default:
      return names[type.kind];
  }
}
