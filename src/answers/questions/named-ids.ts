import { type Directory, nameOf } from '../../directory/directory.ts';
import { nearest } from '../../text/nearest.ts';
import type { Dataset, DatasetTable } from '../dataset/open-dataset.ts';
import { AnswerError } from '../engine/answer-error.ts';
import { type Columns, isOneOf } from './sql-parts.ts';

/** The first of these tables in the dataset. Throws AnswerError if there is none. */
export function tableFor(dataset: Dataset, question: string, names: readonly string[]): DatasetTable {
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
export function partiesOf(question: string, parties: readonly string[] = []): readonly string[] {
  if (parties.length === 0) throw new AnswerError(`${question} needs a party`, 'name one: --party ID');
  return [...new Set(parties.map(wholeParty))];
}

function wholeParty(text: string): string {
  const id = text.trim().toLowerCase();
  if (isHashedId(id)) return id;
  throw new AnswerError(`a party is 64 hexadecimal digits, not "${text}"`, 'give the whole id: --party ID');
}

/** A condition that a column equals the asset or market of an id, symbol or code; [] without one. */
export function equalsNamed(
  { names, columns }: { readonly names: Directory; readonly columns: Columns },
  entity: 'asset' | 'market',
  text: string | undefined,
  column: string,
): readonly string[] {
  if (text === undefined) return [];
  return [isOneOf(columns, columns.id(column), [idNamed(names, entity, text)])];
}

/** The id of an asset by its id or symbol. Throws AnswerError if the name is unknown or ambiguous. */
export const assetNamed = (names: Directory, text: string): string => idNamed(names, 'asset', text);

/** The id for an id, symbol or code. Throws AnswerError if the name is unknown or ambiguous. */
export function idNamed(names: Directory, entity: 'asset' | 'market', text: string): string {
  const wanted = text.trim().toLowerCase();
  if (isHashedId(wanted)) return wanted;
  const known =
    entity === 'asset'
      ? [...names.assets].map(([id, { symbol }]) => [id, symbol] as const)
      : [...names.markets].map(([id, { code }]) => [id, code] as const);
  const ids = known
    .filter(
      ([id, word]) =>
        isHashedId(id) && (word.toLowerCase() === wanted || nameOf(names, entity, id)?.toLowerCase() === wanted),
    )
    .map(([id]) => id);
  const [id, ...others] = ids;
  if (id !== undefined && others.length === 0) return id;
  if (id !== undefined)
    throw new AnswerError(
      `"${text}" is the name of ${ids.length} ${entity}s`,
      `give the id of one of them: ${ids.join(', ')}`,
    );
  const words = known.flatMap(([knownId, word]) => (isHashedId(knownId) && word !== '' ? [word] : []));
  throw new AnswerError(
    `there is no ${entity} "${text}" among the known names`,
    `${nearWords(wanted, words)}give its id: --${entity} ID`,
  );
}

function nearWords(wanted: string, words: readonly string[]): string {
  const holding = words.filter(word => wanted !== '' && word.toLowerCase().includes(wanted)).slice(0, 3);
  const near = nearest(wanted, words);
  const meant = holding.length === 0 && near !== undefined ? [near] : holding;
  return meant.length === 0 ? '' : `did you mean ${meant.join(', or ')}? Or `;
}

/** Nodes hash only ids of this form. */
export const isHashedId = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);
