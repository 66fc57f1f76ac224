import { isId, readTypedId } from '../../base/text/ids.ts';
import type { Directory } from '../../chain/directory/directory.ts';
import { findIds, idLines, similarNames } from '../../chain/directory/find-ids.ts';
import type { Dataset, DatasetTable } from '../dataset/open-dataset.ts';
import { AnswerError } from '../engine/answer-error.ts';
import { isOneOfSql, type SqlColumns } from './sql-parts.ts';

/** The first of these tables in the dataset. Throws AnswerError if there is none. */
export function requireTable(dataset: Dataset, question: string, names: readonly string[]): DatasetTable {
  for (const name of names) {
    const table = dataset.tables.find(candidate => candidate.name === name);
    if (table !== undefined) return table;
  }
  const there = dataset.tables.map(({ name }) => name).join(', ');
  throw new AnswerError(
    `${question} needs the table ${names.join(' or ')}; the exports have ${there || 'none'}`,
    `export it: blockglass export --table ${names[0]} --from ... --to ...`,
  );
}

/** The ids of parties in lower case. Throws AnswerError for an empty list or an invalid id. */
export function requireParties(question: string, parties: readonly string[] = []): readonly string[] {
  if (parties.length === 0) throw new AnswerError(`${question} needs a party`, 'add --party ID');
  return [...new Set(parties.map(wholeParty))];
}

function wholeParty(text: string): string {
  const id = readTypedId(text);
  if (id !== undefined) return id;
  throw new AnswerError(`a party is 64 hexadecimal digits, not "${text}"`, 'give the whole id: --party ID');
}

/** A condition that a column equals the asset or market of an id, symbol or code; [] without one. */
export function idConditions(
  { names, columns }: { readonly names: Directory; readonly columns: SqlColumns },
  entity: 'asset' | 'market',
  text: string | undefined,
  column: string,
): readonly string[] {
  if (text === undefined) return [];
  return [isOneOfSql(columns, columns.id(column), [resolveId(names, entity, text)])];
}

/** The id of an asset by its id or symbol. Throws AnswerError if the name is unknown or ambiguous. */
export const resolveAssetId = (names: Directory, text: string): string => resolveId(names, 'asset', text);

/** The id for an id or a name. Throws AnswerError if the name is unknown or ambiguous. */
export function resolveId(names: Directory, entity: 'asset' | 'market', text: string): string {
  const ids = findIds(names, entity, text, { isId });
  const [id, ...others] = ids;
  if (id !== undefined && others.length === 0) return id;
  if (id !== undefined)
    throw new AnswerError(
      `"${text}" is the name of ${ids.length} ${entity}s`,
      `use an id: ${idLines(names, entity, ids).join(', ')}`,
    );
  const like = similarNames(names, entity, text);
  throw new AnswerError(
    `${entity} "${text}" not found among the known names`,
    `${like.length === 0 ? '' : `did you mean ${like.join(', or ')}? Or `}give its id: --${entity} ID`,
  );
}
