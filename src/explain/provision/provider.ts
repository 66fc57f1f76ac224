import { isJsonArray, type JsonObject, jsonText, member, printJson } from '../../api/json.ts';
import { readPage } from '../../api/page.ts';
import type { NodeRequest } from '../../api/request.ts';
import type { Unit } from '../../directory/directory.ts';
import { compareDecimals, groupDigits, plainDecimal, scaled } from '../../insight/decimal.ts';
import { type FeeShare, type FeeWeight, feeShareOf, fractionShown, isFraction } from '../../insight/fee-share.ts';
import { BOND_ACCOUNT, bondAmong } from '../../resources/bond-accounts.ts';
import type { Version } from '../../resources/liquidity-provisions.ts';
import type { Ask, ExplainedLine, Part } from '../explanation.ts';

/** How the fees of the market are shared; empty if not requested. */
export function providerParts(found: ProviderFound | undefined, unit: Unit | undefined): readonly Part[] {
  if (found === undefined) return [];
  const lines = found.kind === 'found' ? providerLines(found.provider, unit) : [WITHOUT[found.kind]];
  return [{ title: 'How fees are shared', lines }];
}

const WITHOUT: { readonly [kind in Exclude<ProviderFound['kind'], 'found'>]: ExplainedLine } = {
  'not-served': { label: '', text: 'The node did not list the liquidity providers of this market.', tone: 'quiet' },
  'not-listed': { label: '', text: 'This party is not among the liquidity providers the node lists.', tone: 'quiet' },
  'listed-twice': {
    label: '',
    text: 'The node lists this party more than once on this market, with different values.',
    tone: 'bad',
  },
};

function providerLines(provider: Provider, unit: Unit | undefined): readonly ExplainedLine[] {
  const { feeShare, timeOnBook, penalties, liquidity } = provider;
  const share = 'percent' in feeShare ? `${feeShare.percent} %, before penalties` : `not known: ${feeShare.problem}`;
  return [
    { label: 'share of fees', text: share },
    fraction('equity-like share', provider.equityLikeShare),
    fraction('liquidity score', provider.averageScore),
    amount('virtual stake', provider.virtualStake, unit),
    amount('entry valuation', provider.averageEntryValuation, unit),
    together('time on the book', [
      ['this epoch', timeOnBook.currentEpoch],
      ['last epoch', timeOnBook.lastEpoch],
    ]),
    together('last penalties', [
      ['fees', penalties.fee],
      ['bond', penalties.bond],
    ]),
    ...(penalties.earlierFees.length === 0 ? [] : [earlierLine(penalties.earlierFees)]),
    ...liquidityLines(liquidity, unit),
  ].filter(({ text }) => text !== '');
}

/** A missing value has no line. */
const fraction = (label: string, text: string): ExplainedLine => ({
  label,
  text: text === '' ? '' : inWords(text),
  copied: text,
});

const inWords = (text: string): string => fractionShown(text) ?? 'not a fraction of 1';

const together = (label: string, values: readonly (readonly [name: string, text: string])[]): ExplainedLine => {
  const parts = values.flatMap(([name, text]) => (text === '' ? [] : [`${name} ${inWords(text)}`]));
  const isHit =
    label === 'last penalties' && values.some(([, text]) => isFraction(text) && compareDecimals(text, '0') > 0);
  return { label, text: parts.join(', '), ...(isHit && { tone: 'bad' as const }) };
};

function earlierLine(penalties: readonly string[]): ExplainedLine {
  const shown = penalties.slice(-MOST_EARLIER).map(inWords).join(', ');
  const more = penalties.length > MOST_EARLIER ? `, the last ${MOST_EARLIER} of ${penalties.length}` : '';
  return { label: 'past fee penalties', text: `${shown}${more}` };
}

const MOST_EARLIER = 10;

const amount = (label: string, text: string, unit: Unit | undefined): ExplainedLine => ({
  label,
  text: text === '' ? '' : decimalAmount(text, unit),
  copied: text,
});

/** An amount with every digit; averages may have fractions of the smallest unit. */
function decimalAmount(text: string, unit: Unit | undefined): string {
  const [, integer = '', part = ''] = /^(\d{1,300})(?:\.(\d{1,100}))?$/.exec(text) ?? [];
  if (integer === '') return 'not an amount';
  const value = unit === undefined ? undefined : scaled(`${integer}${part}`, unit.decimals + part.length);
  if (unit !== undefined && value !== undefined) return `${groupDigits(value)} ${unit.symbol}`;
  return `${groupDigits(plainDecimal(text) ?? text)} smallest units`;
}

function liquidityLines({ required, buys, sells }: Provider['liquidity'], unit: Unit | undefined) {
  if (required === '') return [];
  const sides = [
    ['buys', buys],
    ['sells', sells],
  ] as const;
  const orders = sides.flatMap(([side, text]) => (text === '' ? [] : [`${side} ${decimalAmount(text, unit)}`]));
  const isShort = sides.some(([, text]) => isAmount(text) && isAmount(required) && compareDecimals(text, required) < 0);
  return [
    amount('required liquidity', required, unit),
    { label: 'orders in range', text: orders.join(', '), ...(isShort && { tone: 'bad' as const }) },
  ];
}

const isAmount = (text: string): boolean => /^\d{1,300}(?:\.\d{1,100})?$/.test(text);

/** The same as JSON: every number as the node sent it. */
export function providerJson(found: ProviderFound | undefined): JsonObject | null {
  if (found?.kind !== 'found') return null;
  const { feeShare, timeOnBook, penalties, liquidity, ...shares } = found.provider;
  return {
    sharePercent: 'percent' in feeShare ? feeShare.percent : null,
    shareProblem: 'problem' in feeShare ? feeShare.problem : null,
    ...orNull(shares),
    timeOnBook: orNull(timeOnBook),
    penalties: { ...orNull({ fee: penalties.fee, bond: penalties.bond }), earlierFees: penalties.earlierFees },
    liquidity: orNull(liquidity),
  };
}

const orNull = (members: { readonly [name: string]: string }): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([name, text]) => [name, text === '' ? null : text]));

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
      ['filter.accountTypes', BOND_ACCOUNT],
      ['pagination.first', '5000'],
    ],
  });
  const records = answer === undefined ? undefined : readPage(answer, 'accounts')?.records;
  return records === undefined ? undefined : bondAmong(records, { marketId, partyId });
}

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
