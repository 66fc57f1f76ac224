import { isJsonArray, isJsonObject, type Json, jsonText } from '../api/json.ts';
import type { Entity } from '../directory/entity.ts';
import { cellIds } from './columns.ts';
import { type FilterValues, filterProblem, normalizeValue } from './filter.ts';
import { RESOURCES, resourceById } from './registry.ts';
import type { Resource, Row } from './resource.ts';

/** An id and the kind of entity that it identifies. */
export interface Link {
  readonly entity: Entity;
  readonly id: string;
}

/** Where an id leads: to a list filtered by it, or to its record. */
export type LinkTarget = ListTarget | { readonly kind: 'record'; readonly resource: string; readonly lead: Link };

export interface ListTarget {
  readonly kind: 'list';
  readonly resource: string;
  readonly filter: string;
  readonly lead: Link;
}

/** The ids in a record, as its resource describes them, most useful first. */
export function linksOf(resource: Resource, row: Row): readonly Link[] {
  const inColumns = resource.columns.flatMap(column =>
    column.entity === undefined ? [] : leads(column.entity, cellIds(column, row)),
  );
  const others = Object.entries(resource.entities ?? {}).flatMap(([path, entity]) =>
    leads(entity, textsAtPath(row, path.split('.'))),
  );
  return distinct([...inColumns, ...others]).toSorted(
    (a, b) => LINK_RANK.indexOf(a.entity) - LINK_RANK.indexOf(b.entity),
  );
}

/** Most useful first. */
export const LINK_RANK: readonly Entity[] = [
  'market',
  'party',
  'node',
  'submitter',
  'spec',
  'asset',
  'epoch',
  'parameter',
];

/** Lists that can be filtered by the id, then lists that have its record. */
export function linkTargets(lead: Link): readonly LinkTarget[] {
  const lists = RESOURCES.flatMap(({ id, filters }) =>
    filters
      .filter(filter => filter.entity === lead.entity && filterProblem(filter, lead.id) === undefined)
      .map(filter => ({ kind: 'list', resource: id, filter: filter.name, lead }) as const),
  );
  const records = RESOURCES.filter(({ columns }) =>
    columns.some(({ entity, isOwn }) => isOwn === true && entity === lead.entity),
  ).map(({ id }) => ({ kind: 'record', resource: id, lead }) as const);
  return [...lists, ...records];
}

/** Without lists of paths that the node does not serve. */
export const servedTargets = (lead: Link, notServed: readonly string[]): readonly LinkTarget[] =>
  linkTargets(lead).filter(({ resource }) => !notServed.includes(resourceById(resource)?.path ?? ''));

/** The filters of a list narrowed to the id, with the usual ones. */
export function targetFilters({ resource, filter: name, lead }: ListTarget): FilterValues {
  const list = resourceById(resource);
  const filter = list?.filters.find(candidate => candidate.name === name);
  return filter === undefined ? {} : { ...list?.usualFilters, [name]: [normalizeValue(filter, lead.id)] };
}

/** Id of the column such a list is sorted by, largest first; undefined to keep the node's order. */
export const sortColumnOfTarget = ({ resource, filter: name }: ListTarget): string | undefined =>
  resourceById(resource)?.filters.find(filter => filter.name === name)?.largestFirst;

/** Whether the id is the record's own. */
export const isOwnLink = (resource: Resource, row: Row, { entity, id }: Link): boolean =>
  resource.columns.some(
    column =>
      column.isOwn === true &&
      column.entity === entity &&
      cellIds(column, row).some(own => own.toLowerCase() === id.toLowerCase()),
  );

const leads = (entity: Entity, ids: readonly string[]): readonly Link[] =>
  ids.filter(id => id !== '').map(id => ({ entity, id }));

function distinct(all: readonly Link[]): readonly Link[] {
  return [...new Map(all.map(lead => [`${lead.entity} ${lead.id}`, lead])).values()];
}

function textsAtPath(value: Json | undefined, [name, ...rest]: readonly string[]): readonly string[] {
  if (value === undefined) return [];
  if (name === undefined) return isJsonArray(value) || isJsonObject(value) ? [] : [jsonText(value)];
  if (name === '*') return isJsonArray(value) ? value.flatMap(item => textsAtPath(item, rest)) : [];
  return isJsonObject(value) && Object.hasOwn(value, name) ? textsAtPath(value[name], rest) : [];
}
