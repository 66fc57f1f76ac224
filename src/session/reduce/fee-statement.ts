import { jsonText } from '../../api/json.ts';
import { feeId } from '../../explain/statement/fee-page.ts';
import { type FeeSubject, open } from '../../explorer/openings.ts';
import type { Filter } from '../../resources/filter.ts';
import { liquidityProvisions } from '../../resources/liquidity-provisions.ts';
import { feeRowOf, paidLiquidityFees } from '../../resources/paid-liquidity-fees.ts';
import { resourceById } from '../../resources/registry.ts';
import type { Row } from '../../resources/resource.ts';
import { nodeText } from '../../resources/tree.ts';
import { lineAtCursor } from '../model/inspector.ts';
import type { Browser, SessionState } from '../model/state.ts';
import { selectedRow } from '../model/visible-rows.ts';
import { filterValues, idFor } from './filter-words.ts';
import { openScreen } from './layers.ts';
import type { ListStep } from './list-context.ts';
import { withNotice } from './transitions.ts';
import type { Verb } from './verb.ts';

// Where a statement is opened from, and of whom.

/** The statement of an id that was pasted or typed. */
export function showStatement(
  state: SessionState,
  { id, entity }: { readonly id: string; readonly entity?: 'market' | 'party' },
): SessionState {
  const subject = subjectOf(state, id, entity);
  if (subject !== undefined) return openScreen(state, { screen: 'statement', opening: subject });
  return withNotice(state, 'a statement is of the id of a party or a market: hex digits', 'bad');
}

/** The statement of what the row or the filters of the list name. */
export function openStatement(list: Browser): ListStep {
  const subject = subjectHere(list);
  return subject === undefined ? { state: list } : { state: list, messages: [open('statement', subject)] };
}

/** Why a statement cannot be opened from here. */
export function noStatement(list: Browser): string | undefined {
  if (!hasStatements(list)) return 'statements are of fees: T works on paid fees and on provisions';
  return subjectHere(list) === undefined ? 'no party and no market is named here' : undefined;
}

/** Lists that a statement can be opened from. */
const hasStatements = ({ resource }: Browser): boolean =>
  resource === paidLiquidityFees.id || resource === liquidityProvisions.id;

/** Whose statement the row or the filters of the list call for; undefined where they name nobody. */
function subjectHere(list: Browser): FeeSubject | undefined {
  const resource = resourceById(list.resource);
  if (resource === undefined) return undefined;
  const row = list.inspector?.row ?? selectedRow(resource, list);
  if (resource.id === paidLiquidityFees.id) return feesSubject(list, row);
  if (resource.id !== liquidityProvisions.id) return undefined;
  const own = row && resource.columns.find(({ entity }) => entity === 'party')?.value(row);
  const party = feeId('partyIds', own ?? '') || filtered(list, 'partyId');
  return party === '' ? undefined : { party, market: '', asset: '' };
}

/** Whose statement an id that was pasted or typed calls for: of a market where it is known as one, else of a party. */
function subjectOf(state: SessionState, text: string, entity?: 'market' | 'party'): FeeSubject | undefined {
  const id = text.trim();
  const isSeen = (state.seen.market ?? []).some(market => market.toLowerCase() === id.toLowerCase());
  return feeSubject(entity ?? (isSeen || state.directory.markets.has(id.toLowerCase()) ? 'market' : 'party'), id);
}

/** Of the id of a market or a party; undefined for what is no id. */
export function feeSubject(entity: 'market' | 'party', text: string): FeeSubject | undefined {
  const id = feeId('partyIds', text);
  if (id === '') return undefined;
  return entity === 'market' ? { party: '', market: id, asset: '' } : { party: id, market: '', asset: '' };
}

/** A party that one stands upon or filters by comes before the market of the row. */
function feesSubject(browser: Browser, row: Row | undefined): FeeSubject | undefined {
  const [market, asset] = [filtered(browser, 'marketId'), filtered(browser, 'assetId')];
  const party = partyAtCursor(browser, row) || filtered(browser, 'partyIds');
  if (party !== '') return { party, market, asset };
  const own = feeId('marketId', jsonText(row?.market)) || market;
  return own === '' ? undefined : { party: '', market: own, asset };
}

/** A party of the row that the cursor of the inspector stands on. */
function partyAtCursor({ inspector }: Browser, row: Row | undefined): string {
  const line = inspector === null ? undefined : lineAtCursor(paidLiquidityFees, inspector);
  if (line === undefined || row === undefined) return '';
  const text = line.node.copied ?? nodeText(line.node);
  const paid = feeRowOf(row).feesPaidPerParty.find(({ party }) => party !== '' && party === text);
  return feeId('partyIds', paid?.party ?? '');
}

/** The one value of a filter of the rows that are shown; several are no answer. */
function filtered({ page, filters }: Browser, name: string): string {
  const [value = '', ...others] = (page?.request.filters ?? filters)[name] ?? [];
  return others.length === 0 ? value.toLowerCase() : '';
}

/** Fees of a party or a market: by its id, or by a name that is one word. */
export const STATEMENT_VERB: Verb = {
  help: ['statement ID', 'fees allocated to a party or on a market'],
  read: (state, words) => {
    const typed = words.join('');
    if (typed === '') return { problem: 'statement of whom? the id of a party or a market' };
    const id = SUBJECTS.map(filter => idFor(state, filter, typed)).find(found => found !== typed) ?? typed;
    return { actions: [{ type: 'show-statement', id }] };
  },
  complete: (state, words) =>
    words.length > 1 ? [] : SUBJECTS.flatMap(filter => filterValues(state, filter, '').map(({ word }) => word)),
};

const SUBJECTS: readonly Filter[] = liquidityProvisions.filters.filter(
  ({ entity }) => entity === 'market' || entity === 'party',
);
