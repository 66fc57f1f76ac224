import { readTypedAddress, readTypedId } from '../../base/text/ids.ts';
import { nearestWord } from '../../base/text/nearest-word.ts';
import { type Directory, nameOf, plainNameOf, sentNames } from './directory.ts';
import { looksMisleading } from './distinct-names.ts';
import type { Entity } from './entity.ts';
import { keyPattern } from './key-pattern.ts';
import { allKnownIds } from './known-ids.ts';
import { WORD_IDS } from './word-ids.ts';

/** A whole id in the form that nodes compare, however it was typed; undefined for a name, or a part of an id. */
export function readWholeId(kind: 'id' | 'address', text: string): string | undefined {
  if (kind === 'address') return readTypedAddress(text);
  const word = text.trim();
  return NAMED_IDS.includes(word) ? word : readTypedId(word);
}

const NAMED_IDS: readonly string[] = [...WORD_IDS.values()];

/**
 * The ids of one kind that a text stands for, wherever an id can be given: a whole id, known or not; the user's alias,
 * the name that a table shows, a code, symbol or name of the chain, or the short form of an id (`8a2f..01be`). Several if
 * it is ambiguous.
 */
export function findIds(
  directory: Directory,
  entity: Entity,
  text: string,
  { isId = () => true, seen = [] }: FindOptions = {},
): readonly string[] {
  const whole = readWholeId(entity === 'submitter' ? 'address' : 'id', text);
  if (whole !== undefined && isId(whole)) return [whole];
  const names = namesById(directory, entity);
  const [wanted, alias] = [normalizeName(text), normalizeName(text.trim().replace(/^@/, ''))];
  const pattern = keyPattern(text.trim());
  const levels: readonly ((id: string) => boolean)[] = [
    id => pattern.match(id) === 'whole',
    id => alias !== '' && normalizeName(directory.aliases.get(id) ?? '') === alias,
    // No two displayed names are equal, and a displayed name wins over one that is not.
    id => wanted !== '' && displayedNames(directory, entity, id).some(name => normalizeName(name) === wanted),
    id => wanted !== '' && names.get(id)?.some(name => normalizeName(name) === wanted) === true,
    id => pattern.match(id) !== undefined,
  ];
  for (const isMeant of levels) {
    const ids = [...names.keys()].filter(id => isMeant(id) && isId(id));
    if (ids.length > 0) return ids;
  }
  return seen.filter(id => pattern.match(id) !== undefined && isId(id));
}

interface FindOptions {
  /** Whether an id is one that can be given here. */
  readonly isId?: (id: string) => boolean;
  /** Ids without a name, by their beginnings. */
  readonly seen?: readonly string[];
}

/** `ID NAME` of each of several ids that a name stands for. */
export function idLines(directory: Directory, entity: Entity, ids: readonly string[]): readonly string[] {
  const more = ids.length - MAX_LISTED_IDS;
  return [
    ...ids.slice(0, MAX_LISTED_IDS).map(id => [id, nameOf(directory, entity, id) ?? ''].join(' ').trim()),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
}

/** Names that could have been meant by one that nothing has. */
export function similarNames(directory: Directory, entity: Entity, text: string): readonly string[] {
  const names = [...new Set([...namesById(directory, entity).values()].flat())];
  const wanted = normalizeName(text);
  const holding = names
    .filter(name => wanted !== '' && normalizeName(name).includes(wanted))
    .slice(0, MAX_SUGGESTED_NAMES);
  const near = nearestWord(text, names);
  return holding.length === 0 && near !== undefined ? [near] : holding;
}

const MAX_SUGGESTED_NAMES = 3;

const MAX_LISTED_IDS = 12;

/** Every known id with its names: as shown, with and without the mark for the user's own, and as sent by the chain. */
function namesById(directory: Directory, entity: Entity): ReadonlyMap<string, readonly string[]> {
  const sent = Map.groupBy(sentNames(directory, entity), ([id]) => id);
  sent.delete('');
  return new Map(
    [...new Set([...allKnownIds(directory, entity), ...sent.keys()])].map(id => {
      const shown = displayedNames(directory, entity, id);
      const own = (sent.get(id) ?? []).flatMap(([, ...names]) => names.filter(name => !looksMisleading(name)));
      return [id, [...new Set([...shown, ...own])].filter(name => name.trim() !== '')] as const;
    }),
  );
}

/** With and without the mark for the user's own entities. */
const displayedNames = (directory: Directory, entity: Entity, id: string): readonly string[] =>
  [plainNameOf(directory, entity, id), nameOf(directory, entity, id)].map(name => String(name ?? ''));

/** Names that look the same are the same: in letters of either case, in any normal form, with any blanks. */
const normalizeName = (text: string): string => text.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
