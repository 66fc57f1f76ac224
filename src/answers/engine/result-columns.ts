import type { DuckDBResult, DuckDBType } from '@duckdb/node-api';
import { AnswerError } from './answer-error.ts';
import type { Engine } from './load-engine.ts';

export interface ResultColumn {
  readonly name: string;
  /** The engine's name: `DECIMAL(38,0)`. */
  readonly type: string;
}

/** The columns of a result. Throws AnswerError if the values of one would be lost on the way here. */
export function resultColumns(engine: Engine, result: DuckDBResult): readonly ResultColumn[] {
  return result.columnNames().map((name, index) => {
    const type = columnTypeAt(result, index);
    if (type === undefined)
      throw new AnswerError(`"${name}" has a type that cannot be shown`, 'cast it to text: ::VARCHAR');
    if (losesMembers(engine, type))
      throw new AnswerError(
        `"${name}" is a struct with unnamed or duplicate members`,
        "name them: {'first': a, 'second': b}",
      );
    return { name, type: String(type) };
  });
}

/** Undefined for a type that the binding does not support. */
function columnTypeAt(result: DuckDBResult, index: number): DuckDBType | undefined {
  try {
    return result.columnType(index);
  } catch {
    return undefined;
  }
}

/** The binding makes an object of a struct, which loses unnamed members and `__proto__`. */
function losesMembers(engine: Engine, type: DuckDBType): boolean {
  const { DuckDBArrayType, DuckDBListType, DuckDBMapType, DuckDBStructType, DuckDBUnionType } = engine;
  const loses = (inner: DuckDBType): boolean => losesMembers(engine, inner);
  if (type instanceof DuckDBListType || type instanceof DuckDBArrayType) return loses(type.valueType);
  if (type instanceof DuckDBMapType) return loses(type.keyType) || loses(type.valueType);
  if (type instanceof DuckDBUnionType) return type.memberTypes.some(loses);
  if (!(type instanceof DuckDBStructType)) return false;
  const { entryNames: names, entryTypes } = type;
  return new Set(names).size < names.length || names.includes('__proto__') || entryTypes.some(loses);
}
