import { type Directory, isMine, nameOf, namesOf, ownIds } from './directory.ts';
import type { Entity } from './entity.ts';
import { isMineEntity } from './mine.ts';

/** The known ids of a kind: the user's, those the chain names, then those only the user names. */
export function allKnownIds(directory: Directory, entity: Entity): readonly string[] {
  const others = NAMED.filter(other => other !== entity).flatMap(other => [...namesOf(directory, other).keys()]);
  const elsewhere = new Set(others);
  const own = [...directory.aliases.keys()].filter(id => !elsewhere.has(id));
  const mine = isMineEntity(entity) ? ownIds(directory, entity) : [];
  return [...new Set([...mine, ...namesOf(directory, entity).keys(), ...own])];
}

const NAMED = ['market', 'asset', 'node', 'submitter', 'party'] as const satisfies readonly Entity[];

/** The user's own first, then by name, markets that are over behind the others, then ids without a name as they came. */
export function sortIdsByName(directory: Directory, entity: Entity, ids: readonly string[]): readonly string[] {
  const places = ids.map(id => ({
    id,
    name: nameOf(directory, entity, id)?.toLowerCase(),
    rank: rankOf(directory, entity, id),
  }));
  return places
    .toSorted((one, other) => one.rank - other.rank || compareNames(one.name, other.name))
    .map(({ id }) => id);
}

/** The user's own markets first, then as the node lists them, the newest first; those that are over behind the others. */
export function sortMarketIds(directory: Directory, ids: readonly string[]): readonly string[] {
  const places = new Map([...directory.markets.keys()].map((id, place) => [id, place]));
  const ranked = ids.map(id => ({
    id,
    rank: rankOf(directory, 'market', id),
    place: places.get(id.toLowerCase()) ?? places.size,
  }));
  return ranked.toSorted((one, other) => one.rank - other.rank || one.place - other.place).map(({ id }) => id);
}

function rankOf(directory: Directory, entity: Entity, id: string): number {
  if (isMine(directory, entity, id)) return 0;
  return entity === 'market' && isMarketOver(directory, id) ? 2 : 1;
}

function compareNames(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  return one < other ? -1 : one > other ? 1 : 0;
}

const isMarketOver = (directory: Directory, id: string): boolean =>
  OVER.includes(directory.markets.get(id.toLowerCase())?.state ?? '');

const OVER: readonly string[] = ['STATE_REJECTED', 'STATE_CANCELLED', 'STATE_CLOSED', 'STATE_SETTLED'];
