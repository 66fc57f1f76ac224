import { sanitize } from '../../base/text/safe-text.ts';
import { truncateMiddle } from '../../base/text/width.ts';
import { type Directory, subjectName } from '../../chain/directory/directory.ts';
import type { Entity } from '../../chain/directory/entity.ts';

/** The name of an id, else both ends of the id. */
export const nameOrId = (directory: Directory, entity: Entity, id: string): string =>
  subjectName(directory, entity, id) ??
  (id === '' ? `an unnamed ${entity}` : truncateMiddle(sanitize(id), SHORT_ID_CELLS));

const SHORT_ID_CELLS = 12;

/** The first names and how many more there are. */
export function listFewNames(names: readonly string[]): string {
  const [last, ...before] = names.slice(0, MAX_LISTED_NAMES).toReversed();
  const more = names.length - MAX_LISTED_NAMES;
  if (more > 0) return `${names.slice(0, MAX_LISTED_NAMES).join(', ')} and ${more} more`;
  return before.length === 0 ? (last ?? '') : `${before.toReversed().join(', ')} and ${last}`;
}

const MAX_LISTED_NAMES = 3;
