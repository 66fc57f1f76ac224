import { jsonText } from '../../../chain/api/json.ts';
import { feeId } from '../../../chain/explain/statement/fee-page.ts';
import { liquidityProvisions } from '../../../chain/resources/liquidity-provisions.ts';
import { paidLiquidityFees, readFeeRow } from '../../../chain/resources/paid-liquidity-fees.ts';
import { resourceById } from '../../../chain/resources/registry.ts';
import type { Row } from '../../../chain/resources/resource.ts';
import { nodeText } from '../../../chain/resources/tree.ts';
import type { FeeSubject } from '../../core/fee-subject.ts';
import { open } from '../../openings.ts';
import { selectedRow } from './list/visible-rows.ts';
import type { ListStep } from './list-context.ts';
import { lineAtCursor } from './record/inspector.ts';
import type { BrowseState } from './state.ts';

// Whose statement can be opened from a list.

/** The statement of what the row or the filters of the list name. */
export function openStatement(list: BrowseState): ListStep {
  const subject = subjectAtCursor(list);
  return subject === undefined ? { state: list } : { state: list, messages: [open('statement', subject)] };
}

/** Why a statement cannot be opened from here. */
export function noStatement(list: BrowseState): string | undefined {
  if (!hasStatements(list)) return 'T works only on paid fees and provisions';
  return subjectAtCursor(list) === undefined ? 'this row has no party and no market' : undefined;
}

/** Lists that a statement can be opened from. */
const hasStatements = ({ resource }: BrowseState): boolean =>
  resource === paidLiquidityFees.id || resource === liquidityProvisions.id;

/** The party or market whose statement the row or the filters of the list call for; undefined if they contain none. */
function subjectAtCursor(list: BrowseState): FeeSubject | undefined {
  const resource = resourceById(list.resource);
  if (resource === undefined) return undefined;
  const row = list.inspector?.row ?? selectedRow(resource, list);
  if (resource.id === paidLiquidityFees.id) return feesSubject(list, row);
  if (resource.id !== liquidityProvisions.id) return undefined;
  const own = row && resource.columns.find(({ entity }) => entity === 'party')?.value(row);
  const party = feeId('partyIds', own ?? '') || filtered(list, 'partyId');
  return party === '' ? undefined : { party, market: '', asset: '' };
}

/** A party that one stands upon or filters by comes before the market of the row. */
function feesSubject(browser: BrowseState, row: Row | undefined): FeeSubject | undefined {
  const [market, asset] = [filtered(browser, 'marketId'), filtered(browser, 'assetId')];
  const party = partyAtCursor(browser, row) || filtered(browser, 'partyIds');
  if (party !== '') return { party, market, asset };
  const own = feeId('marketId', jsonText(row?.market)) || market;
  return own === '' ? undefined : { party: '', market: own, asset };
}

/** A party of the row that the cursor of the inspector stands on. */
function partyAtCursor({ inspector }: BrowseState, row: Row | undefined): string {
  const line = inspector === null ? undefined : lineAtCursor(paidLiquidityFees, inspector);
  if (line === undefined || row === undefined) return '';
  const text = line.node.copied ?? nodeText(line.node);
  const paid = readFeeRow(row).feesPaidPerParty.find(({ party }) => party !== '' && party === text);
  return feeId('partyIds', paid?.party ?? '');
}

/** The only value of a filter of the shown rows; '' if there are several. */
function filtered({ page, filters }: BrowseState, name: string): string {
  const [value = '', ...others] = (page?.request.filters ?? filters)[name] ?? [];
  return others.length === 0 ? value.toLowerCase() : '';
}
