import { isJsonArray, type JsonObject, jsonText, member, printJson } from '../../api/json.ts';
import { readPage } from '../../api/page.ts';
import type { NodeRequest } from '../../api/request.ts';
import { type FeeShare, type FeeWeight, feeShareOf } from '../../insight/fee-share.ts';
import { wholeAmount } from '../../insight/paid-fees.ts';
import type { Version } from '../../resources/provision-row.ts';
import type { Ask } from '../explanation.ts';

/** What decides a provider's fees, as the node sent it (protocol.md section 2.2); '' for missing values. */
export interface Provider extends FeeWeight {
  readonly feeShare: FeeShare;
  /** Smallest units, not always whole ones. */
  readonly virtualStake: string;
  readonly averageEntryValuation: string;
  /** Fractions of the epoch. */
  readonly timeOnBook: { readonly currentEpoch: string; readonly lastEpoch: string };
  readonly penalties: { readonly fee: string; readonly bond: string; readonly earlierFees: readonly string[] };
  /** Smallest units, not always whole ones. */
  readonly liquidity: { readonly required: string; readonly buys: string; readonly sells: string };
}

/** A provider, or why nothing is known about it. */
export type ProviderFound =
  | { readonly kind: 'found'; readonly provider: Provider }
  | { readonly kind: 'not-served' }
  | { readonly kind: 'not-listed' }
  /** The node lists it more than once, with different values. */
  | { readonly kind: 'listed-twice' };

/** A provider of a market; its fee share depends on all providers there. */
export async function providerOf(ask: Ask, { marketId, partyId }: Version): Promise<ProviderFound> {
  const all = await listed(ask, providersOf({ marketId }), marketId);
  const own = (rows: readonly JsonObject[] | undefined): readonly JsonObject[] =>
    rows?.filter(row => isSameId(row.partyId, partyId)) ?? [];
  const [first, ...others] = own(all?.rows);
  if (first === undefined) {
    if (all === undefined) return { kind: 'not-served' };
    if (all.problem === undefined) return { kind: 'not-listed' };
    const [alone, ...more] = own((await listed(ask, providersOf({ marketId, partyId }), marketId))?.rows);
    if (alone === undefined) return { kind: 'not-listed' };
    if (isAnother(alone, more)) return { kind: 'listed-twice' };
    return { kind: 'found', provider: readProvider(alone, { problem: all.problem }) };
  }
  if (isAnother(first, others)) return { kind: 'listed-twice' };
  const { rows = [], problem } = all ?? {};
  const share = problem === undefined ? feeShareOf(weightOf(first), weightsOf(rows)) : { problem };
  return { kind: 'found', provider: readProvider(first, share) };
}

const TOO_MANY = 'the node does not list all providers of this market at once';

/** The balance of a provider's bond account, in smallest units; undefined if the node does not say. */
export async function bondOf(ask: Ask, { marketId, partyId }: Version): Promise<string | undefined> {
  const answer = await ask({
    path: 'api/v2/accounts',
    query: [
      ['filter.partyIds', partyId],
      ['filter.marketIds', marketId],
      ['filter.accountTypes', BOND],
      ['pagination.first', '5000'],
    ],
  });
  const records = answer === undefined ? undefined : readPage(answer, 'accounts')?.records;
  // A node that does not know the filters sends other accounts too.
  const bonds = records?.filter(
    ({ owner, marketId: market, type }) =>
      isSameId(owner, partyId) && isSameId(market, marketId) && jsonText(type) === BOND,
  );
  const [balance, ...others] = new Set(bonds?.map(bond => jsonText(bond.balance)));
  return balance === undefined || others.length > 0 || wholeAmount(balance) === undefined ? undefined : balance;
}

const BOND = 'ACCOUNT_TYPE_BOND';

const providersOf = (filters: { readonly [name: string]: string }): NodeRequest => ({
  path: 'api/v2/liquidity/providers',
  query: [...Object.entries(filters), ['pagination.first', '5000']],
});

interface Listed {
  readonly rows: readonly JsonObject[];
  /** Why the rows are not, or may not be, all providers of the market. */
  readonly problem?: string;
}

/** Only rows of this market, in case the node does not know the filter. */
async function listed(ask: Ask, request: NodeRequest, marketId: string): Promise<Listed | undefined> {
  const answer = await ask(request);
  const page = answer === undefined ? undefined : readPage(answer, 'liquidityProviders');
  if (page === undefined) return undefined;
  const rows = page.records.filter(row => isSameId(row.marketId, marketId));
  const [flaw] = page.flaws;
  if (flaw !== undefined) return { rows, problem: `the list of providers contradicts itself: ${flaw}` };
  return page.hasNextPage ? { rows, problem: TOO_MANY } : { rows };
}

const isSameId = (sent: JsonObject[string] | undefined, id: string): boolean =>
  id !== '' && jsonText(sent).toLowerCase() === id.toLowerCase();

const isAnother = (one: JsonObject, others: readonly JsonObject[]): boolean =>
  others.some(other => printJson(other) !== printJson(one));

/** One per provider; a repeated row counts once. */
const weightsOf = (rows: readonly JsonObject[]): readonly FeeWeight[] =>
  [...new Map(rows.map(row => [printJson(row), row])).values()].map(weightOf);

const weightOf = (row: JsonObject): FeeWeight => {
  const { equityLikeShare, averageScore } = feeShareIn(row);
  return { equityLikeShare, averageScore };
};

function feeShareIn(row: JsonObject) {
  const sent = ownPart(row, 'feeShare');
  const text = (name: string): string => jsonText(member(sent, name));
  return {
    equityLikeShare: text('equityLikeShare'),
    averageScore: text('averageScore'),
    virtualStake: text('virtualStake'),
    averageEntryValuation: text('averageEntryValuation'),
  };
}

/** A part of the row, unless it names another party. */
function ownPart(row: JsonObject, name: 'feeShare' | 'sla') {
  const part = row[name];
  const party = jsonText(member(part, 'party'));
  return party === '' || isSameId(row.partyId, party) ? part : undefined;
}

function readProvider(row: JsonObject, feeShare: FeeShare): Provider {
  const sla = ownPart(row, 'sla');
  const text = (name: string): string => jsonText(member(sla, name));
  const earlier = member(sla, 'hysteresisPeriodFeePenalties');
  return {
    ...feeShareIn(row),
    feeShare,
    timeOnBook: {
      currentEpoch: text('currentEpochFractionOfTimeOnBook'),
      lastEpoch: text('lastEpochFractionOfTimeOnBook'),
    },
    penalties: {
      fee: text('lastEpochFeePenalty'),
      bond: text('lastEpochBondPenalty'),
      earlierFees: isJsonArray(earlier) ? earlier.map(jsonText) : [],
    },
    liquidity: {
      required: text('requiredLiquidity'),
      buys: text('notionalVolumeBuys'),
      sells: text('notionalVolumeSells'),
    },
  };
}
