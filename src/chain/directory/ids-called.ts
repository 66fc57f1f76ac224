import { nearest } from '../../base/text/nearest.ts';
import { type Directory, nameOf, plainNameOf } from './directory.ts';
import type { Entity } from './entity.ts';
import { idsNamed } from './ids-named.ts';
import { keyPattern } from './key-pattern.ts';
import { passesForOther } from './shown-names.ts';

/**
 * The ids of one kind that a text stands for, wherever an id can be given: the user's alias, the name that a table shows,
 * a code, symbol or name of the chain, or what is shown of an id (`8a2f..01be`). Several if it is ambiguous.
 */
export function idsCalled(
  directory: Directory,
  entity: Entity,
  text: string,
  isId: (id: string) => boolean = () => true,
): readonly string[] {
  const names = namesById(directory, entity);
  const [wanted, alias] = [spelling(text), spelling(text.trim().replace(/^@/, ''))];
  const pattern = keyPattern(text.trim());
  const levels: readonly ((id: string) => boolean)[] = [
    id => alias !== '' && spelling(directory.aliases.get(id) ?? '') === alias,
    // No two are shown alike, and what is seen wins over a name that is not.
    id => wanted !== '' && shownOf(directory, entity, id).some(name => spelling(name) === wanted),
    id => wanted !== '' && names.get(id)?.some(name => spelling(name) === wanted) === true,
    id => pattern.match(id) !== undefined,
  ];
  for (const isMeant of levels) {
    const ids = [...names.keys()].filter(id => isMeant(id) && isId(id));
    if (ids.length > 0) return ids;
  }
  return [];
}

/** `ID NAME` of each of several ids that a name stands for. */
export function idLines(directory: Directory, entity: Entity, ids: readonly string[]): readonly string[] {
  const more = ids.length - MOST_LISTED;
  return [
    ...ids.slice(0, MOST_LISTED).map(id => [id, nameOf(directory, entity, id) ?? ''].join(' ').trim()),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
}

/** Names that could have been meant by one that nothing has. */
export function namesLike(directory: Directory, entity: Entity, text: string): readonly string[] {
  const names = [...new Set([...namesById(directory, entity).values()].flat())];
  const wanted = spelling(text);
  const holding = names.filter(name => wanted !== '' && spelling(name).includes(wanted)).slice(0, MOST_LIKE);
  const near = nearest(text, names);
  return holding.length === 0 && near !== undefined ? [near] : holding;
}

const MOST_LIKE = 3;

const MOST_LISTED = 12;

/** Every known id with its names: as shown, with and without the mark of what is the user's, and as the chain has them. */
function namesById(directory: Directory, entity: Entity): ReadonlyMap<string, readonly string[]> {
  const sent = Map.groupBy(sentNames(directory, entity), ([id]) => id);
  sent.delete('');
  return new Map(
    [...new Set([...idsNamed(directory, entity), ...sent.keys()])].map(id => {
      const shown = shownOf(directory, entity, id);
      const own = (sent.get(id) ?? []).flatMap(([, ...names]) => names.filter(name => !passesForOther(name)));
      return [id, [...new Set([...shown, ...own])].filter(name => name.trim() !== '')] as const;
    }),
  );
}

/** With and without the mark of what is the user's. */
const shownOf = (directory: Directory, entity: Entity, id: string): readonly string[] =>
  [plainNameOf(directory, entity, id), nameOf(directory, entity, id)].map(name => String(name ?? ''));

function sentNames({ markets, assets, validators }: Directory, entity: Entity): (readonly [string, ...string[]])[] {
  switch (entity) {
    case 'market':
      return [...markets].map(([id, { code, name }]) => [id, code, name]);
    case 'asset':
      return [...assets].map(([id, { symbol, name }]) => [id, symbol, name]);
    case 'node':
      return [...validators].map(([id, { name }]) => [id, name]);
    case 'submitter':
      return [...validators.values()].map(({ ethereumAddress, name }) => [ethereumAddress, name]);
    case 'party':
      return [...validators.values()].map(({ publicKey, name }) => [publicKey, name]);
    case 'spec':
    case 'parameter':
    case 'epoch':
      return [];
  }
}

/** Names that look the same are the same: in letters of either case, in any normal form, with any blanks. */
export const spelling = (text: string): string => text.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
