import { type Directory, namesOf } from './directory.ts';
import type { Entity } from './entity.ts';

/** The named ids of a kind: those the chain names, then those only the user names. */
export function idsNamed(directory: Directory, entity: Entity): readonly string[] {
  const others = NAMED.filter(other => other !== entity).flatMap(other => [...namesOf(directory, other).keys()]);
  const elsewhere = new Set(others);
  const own = [...directory.aliases.keys()].filter(id => !elsewhere.has(id));
  return [...new Set([...namesOf(directory, entity).keys(), ...own])];
}

const NAMED = ['market', 'asset', 'node', 'submitter', 'party'] as const satisfies readonly Entity[];
