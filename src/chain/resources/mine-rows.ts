import { member } from '../api/json.ts';
import { type Directory, isMine, ownIds } from '../directory/directory.ts';
import type { Entity } from '../directory/entity.ts';
import { definitionKey, usesOfSpec } from '../directory/market-specs.ts';
import { isMineEntity } from '../directory/mine.ts';
import { isOwnLink, linksOf } from './links.ts';
import type { Resource, Row } from './resource.ts';

/**
 * Whether a row is the user's own or of an own entity: for validators and markets the row itself, for oracle specs those
 * that an own market uses.
 */
export function holdsMine(resource: Resource, row: Row, directory: Directory): boolean {
  const isOfOwn = resource.columns.some(({ isOwn, entity }) => isOwn === true && isMineEntity(entity));
  return linksOf(resource, row)
    .filter(lead => !isOfOwn || isOwnLink(resource, row, lead))
    .some(({ entity, id }) => isMine(directory, entity, id) || (entity === 'spec' && isUsedByMine(id, row, directory)));
}

function isUsedByMine(id: string, row: Row, directory: Directory): boolean {
  const uses = [...ownIds(directory, 'market')].flatMap(market => directory.markets.get(market)?.specs ?? []);
  if (uses.length === 0) return false;
  const definition = definitionKey(member(member(row.externalDataSourceSpec, 'spec'), 'data'));
  return usesOfSpec(uses, { id, definition }).length > 0;
}

/** Whether rows of this list can have ids that can be the user's. */
export const mayHoldMine = ({ columns, entities = {} }: Resource): boolean =>
  [...columns.map(({ entity }) => entity), ...Object.values(entities)].some(
    (entity: Entity | undefined) => isMineEntity(entity) || entity === 'spec',
  );
