import { type Directory, mineOf, namesOf } from './directory.ts';
import type { Entity } from './entity.ts';
import { isMineEntity } from './mine.ts';

/** The known ids of a kind: the user's, those the chain names, then those only the user names. */
export function idsNamed(directory: Directory, entity: Entity): readonly string[] {
  const others = NAMED.filter(other => other !== entity).flatMap(other => [...namesOf(directory, other).keys()]);
  const elsewhere = new Set(others);
  const own = [...directory.aliases.keys()].filter(id => !elsewhere.has(id));
  const mine = isMineEntity(entity) ? mineOf(directory, entity) : [];
  return [...new Set([...mine, ...namesOf(directory, entity).keys(), ...own])];
}

const NAMED = ['market', 'asset', 'node', 'submitter', 'party'] as const satisfies readonly Entity[];
