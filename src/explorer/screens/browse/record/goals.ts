import { isJsonArray, isJsonObject, jsonText } from '../../../../chain/api/json.ts';
import type { Directory } from '../../../../chain/directory/directory.ts';
import type { Entity } from '../../../../chain/directory/entity.ts';
import { countOf } from '../../../../chain/insight/count-of.ts';
import { cellIds } from '../../../../chain/resources/columns.ts';
import type { FilterValues } from '../../../../chain/resources/filter.ts';
import {
  isOwnLink,
  LINK_RANK,
  type Link,
  type LinkTarget,
  linksOf,
  linkTargets,
  targetFilters,
} from '../../../../chain/resources/links.ts';
import { resourceById } from '../../../../chain/resources/registry.ts';
import type { Resource, Row } from '../../../../chain/resources/resource.ts';
import type { Choice } from '../../../core/choice.ts';
import { NOUNS } from '../../../core/goal-title.ts';
import { goalChoice, subjectChoices } from '../../../goal-choices.ts';
import { markedColumn } from '../list/column-layout.ts';
import { selectedRow } from '../list/visible-rows.ts';
import type { ListContext } from '../list-context.ts';
import type { BrowseState, Inspector } from '../state.ts';
import { lineAtCursor } from './inspector.ts';

/** Where one can go from here: by the ids of the cell or line under the cursor, then by the others of the record. */
interface ReachableGoals {
  readonly goals: readonly LinkTarget[];
  /** Ids left out because there are too many, by kind. */
  readonly leftOut: readonly OmittedIds[];
}

interface OmittedIds {
  readonly entity: Entity;
  readonly count: number;
  /** Others of its kind are not left out. */
  readonly isRest: boolean;
}

interface ReachableLeads {
  /** The ids of the cell or line under the cursor. */
  readonly near: readonly Link[];
  /** All ids of the record. */
  readonly all: readonly Link[];
  /** The record; undefined if there is none. */
  readonly row: Row | undefined;
}

export function reachableLeads(list: BrowseState, context: ListContext): ReachableLeads {
  const resource = resourceById(list.resource);
  const { inspector } = list;
  const row = resource === undefined ? undefined : (inspector?.row ?? selectedRow(resource, list));
  if (resource === undefined || row === undefined) return { near: [], all: [], row: undefined };
  const markets = marketLeads(resource, row, context.shared.directory);
  const all = distinctLeads([...linksOf(resource, row), ...markets, ...explainedLeads(inspector)]);
  const near =
    inspector === null
      ? leadsOfCell(resource, row, markedColumn(list, context))
      : leadsOfLine(resource, inspector, all);
  return { near, all, row };
}

/** With `isWhole` all ids of the record, up to what a menu can hold. */
function goalsHere(list: BrowseState, context: ListContext, isWhole = false): ReachableGoals {
  const resource = resourceById(list.resource);
  const { near, all: leads, row } = reachableLeads(list, context);
  if (resource === undefined || row === undefined) return NO_GOALS;
  const first = distinctLeads(near).slice(0, MAX_LEADS);
  const nearKeys = new Set(first.map(keyOfLead));
  const others = leads.filter(lead => !nearKeys.has(keyOfLead(lead)));
  const most = isWhole ? MAX_LEADS : MAX_LEADS_PER_ENTITY;
  const ofEntity = LINK_RANK.map(entity => ({ entity, leads: others.filter(lead => lead.entity === entity) }));
  const isLeftOut = (group: (typeof ofEntity)[number]): boolean => group.leads.length > most;
  const shown = ofEntity.flatMap(group =>
    isLeftOut(group) ? (isWhole ? group.leads.slice(0, most) : []) : group.leads,
  );
  return {
    goals: [...first, ...shown].flatMap(linkTargets).filter(goal => !isCurrentPlace(goal, { resource, list, row })),
    leftOut: ofEntity.filter(isLeftOut).map(({ entity, leads: { length } }) => ({
      entity,
      count: length - (isWhole ? most : 0),
      isRest: isWhole || first.some(lead => lead.entity === entity),
    })),
  };
}

/** Why one can go nowhere from here. */
export function noGoalsReason(list: BrowseState, context: ListContext): string | undefined {
  const { goals, leftOut } = goalsHere(list, context);
  return goals.length + leftOut.length > 0 ? undefined : 'no ids to open; first row: Home key';
}

const NO_GOALS: ReachableGoals = { goals: [], leftOut: [] };

/** Maximum ids of one kind in addition to the line under the cursor; further ones are behind a line of their own. */
const MAX_LEADS_PER_ENTITY = 5;

// A row may name thousands of parties; a line of the inspector has its own.
const MAX_LEADS = 200;

/** The markets that refer to the record. */
const marketLeads = ({ marketsOf }: Resource, row: Row, directory: Directory): readonly Link[] =>
  marketsOf?.(row, directory).map((id): Link => ({ entity: 'market', id })) ?? [];

/** What the explanation of the record names. */
const explainedLeads = (inspector: Inspector | null): readonly Link[] =>
  inspector?.meaning.status !== 'known'
    ? []
    : inspector.meaning.explanation.parts
        .flatMap(({ lines }) => lines)
        .flatMap(({ leadsTo }) => (leadsTo === undefined ? [] : [leadsTo]));

/** Spelt as first met: an explanation has a checksum where the record has small letters. */
const distinctLeads = (all: readonly Link[]): readonly Link[] =>
  [...Map.groupBy(all, keyOfLead).values()].flatMap(([first]) => first ?? []);

const keyOfLead = ({ entity, id }: Link): string => `${entity} ${id.toLowerCase()}`;

/** The ids of the marked cell of the row. */
function leadsOfCell(resource: Resource, row: Row, marked: string | null): readonly Link[] {
  const column = resource.columns.find(({ id }) => id === marked);
  const entity = column?.entity;
  return column === undefined || entity === undefined ? [] : cellIds(column, row).map(id => ({ entity, id }));
}

/** The ids that the line under the cursor holds, itself or one step below. */
function leadsOfLine(resource: Resource, inspector: Inspector, leads: readonly Link[]): readonly Link[] {
  const node = lineAtCursor(resource, inspector)?.node;
  if (node?.leadsTo !== undefined) return [node.leadsTo];
  const value = node?.value;
  if (value === undefined || isJsonArray(value)) return [];
  const held = new Set(isJsonObject(value) ? Object.values(value).map(shallowText) : [jsonText(value)]);
  return leads.filter(({ id }) => held.has(id));
}

const shallowText = (value: Parameters<typeof jsonText>[0]): string =>
  isJsonArray(value) || isJsonObject(value) ? '' : jsonText(value);

interface CurrentPlace {
  readonly resource: Resource;
  readonly list: BrowseState;
  readonly row: Row;
}

function isCurrentPlace(goal: LinkTarget, { resource, list, row }: CurrentPlace): boolean {
  if (goal.resource !== resource.id) return false;
  if (goal.kind === 'record') return isOwnLink(resource, row, goal.lead);
  return isSameList(list.filters, targetFilters(goal));
}

const isSameList = (one: FilterValues, other: FilterValues): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([name, values]) => values.join(' ') === other[name]?.join(' '));

/** Where the ids here lead: lists and records, then the fees of its markets and parties; `isWhole`: all ids of the record. */
export function goChoices(list: BrowseState, context: ListContext, isWhole: boolean): readonly Choice[] {
  const { goals, leftOut } = goalsHere(list, context, isWhole);
  const { directory } = context.shared;
  const leads = new Map(goals.map(({ lead }) => [keyOfLead(lead), lead]));
  return [
    ...goals.map(goal => goalChoice(goal, directory)),
    ...[...leads.values()].flatMap(lead => subjectChoices(lead, directory)),
    ...leftOut.map(group => leftOutItem(group, context, isWhole)),
  ];
}

function leftOutItem({ entity, count, isRest }: OmittedIds, { to }: ListContext, isWhole: boolean): Choice {
  const ids = countOf(count, NOUNS[entity], PLURALS[entity]);
  const elsewhere = 'open the record: g on a line goes where that one leads';
  return {
    mark: '',
    label: `the ${isRest ? 'other ' : ''}${ids} of this record`,
    detail: isWhole ? elsewhere : 'Enter lists them',
    action: to({ type: 'open-menu', id: 'go-all' }),
    ...(isWhole && { disabledReason: elsewhere }),
  };
}

const PLURALS: { readonly [entity in Entity]?: string } = { party: 'parties', submitter: 'addresses' };
