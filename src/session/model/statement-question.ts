import { jsonText } from '../../api/json.ts';
import { feeId } from '../../explain/statement/fee-id.ts';
import type { FeeQuestion } from '../../explain/statement/fee-question.ts';
import { liquidityProvisions } from '../../resources/liquidity-provisions.ts';
import { feeRowOf, paidLiquidityFees } from '../../resources/paid-liquidity-fees.ts';
import { resourceById } from '../../resources/registry.ts';
import type { Row } from '../../resources/resource.ts';
import { nodeText } from '../../resources/tree.ts';
import { lineAtCursor } from './inspector.ts';
import type { Browser, SessionState } from './state.ts';
import { selectedRow } from './visible-rows.ts';

export type FeeSubject = Pick<FeeQuestion, 'party' | 'market' | 'asset'>;

/** Lists that a statement can be opened from. */
export const hasStatements = ({ tab }: SessionState): boolean =>
  tab === paidLiquidityFees.id || tab === liquidityProvisions.id;

/** Whose statement the row or the filters of the list call for; undefined where they name nobody. */
export function subjectHere(state: SessionState): FeeSubject | undefined {
  const browser = state.browsers[state.tab];
  const resource = resourceById(state.tab);
  if (browser === undefined || resource === undefined) return undefined;
  const row = browser.inspector?.row ?? selectedRow(resource, browser);
  if (state.tab === paidLiquidityFees.id) return feesSubject(browser, row);
  if (state.tab !== liquidityProvisions.id) return undefined;
  const own = row && resource.columns.find(({ entity }) => entity === 'party')?.value(row);
  const party = feeId('partyIds', own ?? '') || filtered(browser, 'partyId');
  return party === '' ? undefined : { party, market: '', asset: '' };
}

/** Whose statement an id that was pasted or typed calls for: of a market where it is known as one, else of a party. */
export function subjectOf(state: SessionState, text: string, entity?: 'market' | 'party'): FeeSubject | undefined {
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
