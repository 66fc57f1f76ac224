import { sanitize } from '../../base/text/safe-text.ts';
import { truncateMiddle } from '../../base/text/width.ts';
import { type Directory, subjectNamed } from '../../chain/directory/directory.ts';
import type { Entity } from '../../chain/directory/entity.ts';

/** The name of an id, else both ends of the id. */
export const nameOrId = (directory: Directory, entity: Entity, id: string): string =>
  subjectNamed(directory, entity, id) ?? (id === '' ? `an unnamed ${entity}` : truncateMiddle(sanitize(id), SHORT_ID));

const SHORT_ID = 12;

/** The first names and how many more there are. */
export function few(names: readonly string[]): string {
  const [last, ...before] = names.slice(0, MOST_NAMES).toReversed();
  const more = names.length - MOST_NAMES;
  if (more > 0) return `${names.slice(0, MOST_NAMES).join(', ')} and ${more} more`;
  return before.length === 0 ? (last ?? '') : `${before.toReversed().join(', ')} and ${last}`;
}

const MOST_NAMES = 3;
