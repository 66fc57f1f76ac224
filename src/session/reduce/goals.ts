import { isJsonArray, isJsonObject, jsonText } from '../../api/json.ts';
import type { Entity } from '../../directory/entity.ts';
import type { FilterValues } from '../../resources/filter.ts';
import { filtersOf, type Goal, goalsOf, isNamed, type Lead, leadsOf } from '../../resources/leads.ts';
import { resourceById } from '../../resources/registry.ts';
import type { Resource, Row } from '../../resources/resource.ts';
import { lineAtCursor } from '../model/inspector.ts';
import type { Browser, Inspector, SessionState } from '../model/state.ts';
import { selectedRow } from '../model/visible-rows.ts';

/** Where the ids of the selected row lead; those of the inspector's line come first. */
export function goalsHere(state: SessionState): readonly Goal[] {
  const resource = resourceById(state.tab);
  const browser = state.browsers[state.tab];
  if (resource === undefined || browser === undefined) return [];
  const { inspector } = browser;
  const row = inspector?.row ?? selectedRow(resource, browser);
  if (row === undefined) return [];
  const leads = leadsOf(resource, row);
  const first = inspector === null ? [] : leadsOfLine(resource, inspector, leads);
  const others = leads.filter(({ entity, id }) => !first.some(lead => lead.entity === entity && lead.id === id));
  return [...first, ...others]
    .slice(0, MOST_LEADS)
    .flatMap(goalsOf)
    .filter(goal => !isHere(goal, { resource, browser, row }));
}

// A row may name thousands of parties; nobody looks for one in a menu of so many: the inspector's line has its own.
const MOST_LEADS = 50;

const NOUNS: { readonly [entity in Entity]: string } = {
  market: 'market',
  party: 'party',
  asset: 'asset',
  submitter: 'address',
  epoch: 'epoch',
  node: 'validator',
  spec: 'oracle spec',
  parameter: 'parameter',
};

/** `provisions of this market`, `the market itself`. */
export function goalTitle({ kind, resource, lead }: Goal): string {
  if (kind === 'record' && lead.entity === 'submitter') return 'the validator with this address';
  if (kind === 'record') return `the ${NOUNS[lead.entity]} itself`;
  return `${resourceById(resource)?.title.toLowerCase()} of this ${NOUNS[lead.entity]}`;
}

/** The ids that the line under the cursor holds, itself or one step below. */
function leadsOfLine(resource: Resource, inspector: Inspector, leads: readonly Lead[]): readonly Lead[] {
  const node = lineAtCursor(resource, inspector)?.node;
  if (node?.leadsTo !== undefined) return [node.leadsTo];
  const value = node?.value;
  if (value === undefined || isJsonArray(value)) return [];
  const held = new Set(isJsonObject(value) ? Object.values(value).map(shallowText) : [jsonText(value)]);
  return leads.filter(({ id }) => held.has(id));
}

const shallowText = (value: Parameters<typeof jsonText>[0]): string =>
  isJsonArray(value) || isJsonObject(value) ? '' : jsonText(value);

interface Here {
  readonly resource: Resource;
  readonly browser: Browser;
  readonly row: Row;
}

function isHere(goal: Goal, { resource, browser, row }: Here): boolean {
  if (goal.resource !== resource.id) return false;
  if (goal.kind === 'record') return isNamed(resource, row, goal.lead);
  return isSameList(browser.filters, filtersOf(goal));
}

const isSameList = (one: FilterValues, other: FilterValues): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([name, values]) => values.join(' ') === other[name]?.join(' '));
