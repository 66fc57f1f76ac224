import { type Directory, namesOf } from './directory.ts';
import type { Entity } from './entity.ts';

/** The ids of a kind that have a name: of the chain, then those that the user named and the chain did not. */
export function idsNamed(directory: Directory, entity: Entity): readonly string[] {
  const others = NAMED.filter(other => other !== entity).flatMap(other => [...namesOf(directory, other).keys()]);
  const elsewhere = new Set(others);
  const own = [...directory.aliases.keys()].filter(id => !elsewhere.has(id));
  return [...new Set([...namesOf(directory, entity).keys(), ...own])];
}

const NAMED = ['market', 'asset', 'node', 'submitter', 'party'] as const satisfies readonly Entity[];
