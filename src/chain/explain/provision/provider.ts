import type { JsonObject } from '../../api/json.ts';
import { readPage } from '../../api/page.ts';
import { type Directory, isMine, nameOf, nameOrEnds, type Unit } from '../../directory/directory.ts';
import { bar } from '../../insight/bar.ts';
import { countOf } from '../../insight/count-of.ts';
import { compareDecimals, groupDigits, plainDecimal, toWholeUnits } from '../../insight/decimal.ts';
import { type FeeShare, fractionAsPercent, isFraction } from '../../insight/fee-share.ts';
import { BOND_ACCOUNT, findBond } from '../../resources/bond-accounts.ts';
import type { SentVersion } from '../../resources/liquidity-provisions.ts';
import type { Ask, ExplainedLine, ExplanationPart } from '../explanation.ts';
import type { MarketProviders, Provider, ProviderResult } from './market-providers.ts';

/** How the fees of the market are shared; empty if not requested. */
export function providerParts(found: ProviderResult | undefined, unit: Unit | undefined): readonly ExplanationPart[] {
  if (found === undefined) return [];
  const lines = found.kind === 'found' ? providerLines(found, unit) : [WITHOUT[found.kind]];
  return [{ title: TITLE, lines }];
}

const TITLE = 'How fees are shared';

const WITHOUT: { readonly [kind in Exclude<ProviderResult['kind'], 'found'>]: ExplainedLine } = {
  'not-served': { label: '', text: 'The node did not list the liquidity providers of this market.', tone: 'quiet' },
  'not-listed': { label: '', text: 'This party is not among the liquidity providers the node lists.', tone: 'quiet' },
  'listed-twice': {
    label: '',
    text: 'The node lists this party more than once on this market, with different values.',
    tone: 'bad',
  },
};

function providerLines(
  { provider, equityPart }: Extract<ProviderResult, { readonly kind: 'found' }>,
  unit: Unit | undefined,
): readonly ExplainedLine[] {
  const { shares, timeOnBook, feePenalty, bondPenalty, earlierFeePenalties, liquidity } = provider;
  return [
    { label: 'share of fees', text: shareText(shares.before, 'before penalties'), short: percentText(shares.before) },
    // The reason is the same where the share itself is unknown.
    ...('problem' in shares.before
      ? []
      : [
          {
            label: 'after penalties',
            text: shareText(shares.after, 'if this epoch has the penalties of the last'),
            short: percentText(shares.after),
          },
        ]),
    ...ruleLines(equityPart),
    fraction('equity-like share', provider.equityLikeShare),
    fraction('liquidity score', provider.averageScore),
    amount('virtual stake', provider.virtualStake, unit),
    amount('entry valuation', provider.averageEntryValuation, unit),
    together('time on the book', [
      ['this epoch', timeOnBook.currentEpoch],
      ['last epoch', timeOnBook.lastEpoch],
    ]),
    together('last penalties', [
      ['fees', feePenalty],
      ['bond', bondPenalty],
    ]),
    ...(earlierFeePenalties.length === 0 ? [] : [earlierLine(earlierFeePenalties)]),
    ...liquidityLines(liquidity, unit),
  ].filter(({ text }) => text !== '');
}

const shareText = (share: FeeShare, when: string): string =>
  'problem' in share ? `not known: ${share.problem}` : `${share.percent} %, ${when}`;

/** The reason for a share; nothing if the node does not report it. */
function ruleLines(equityPart: string): readonly ExplainedLine[] {
  const part = fractionAsPercent(equityPart);
  if (part === undefined) return [];
  const byEquity = 'equity-like share x liquidity score, not by commitment';
  const text =
    compareDecimals(equityPart, '1') === 0
      ? `by ${byEquity}`
      : `${part} by ${byEquity}; the rest by score. Automated market makers share it too, and are not listed`;
  return [{ label: 'fees are shared', text }];
}

/** A missing value has no line. */
const fraction = (label: string, text: string): ExplainedLine => ({
  label,
  text: text === '' ? '' : inWords(text),
  short: text === '' ? '' : inWords(text),
  copied: text,
});

const inWords = (text: string): string => fractionAsPercent(text) ?? 'not a fraction of 1';

const together = (label: string, values: readonly (readonly [name: string, text: string])[]): ExplainedLine => {
  const parts = values.flatMap(([name, text]) => (text === '' ? [] : [`${name} ${inWords(text)}`]));
  const isHit =
    label === 'last penalties' && values.some(([, text]) => isFraction(text) && compareDecimals(text, '0') > 0);
  return { label, text: parts.join(', '), ...(isHit && { tone: 'bad' as const }) };
};

function earlierLine(penalties: readonly string[]): ExplainedLine {
  const shown = penalties.slice(-MAX_PENALTIES_SHOWN).map(inWords).join(', ');
  const more = penalties.length > MAX_PENALTIES_SHOWN ? `, the last ${MAX_PENALTIES_SHOWN} of ${penalties.length}` : '';
  return { label: 'past fee penalties', text: `${shown}${more}` };
}

const MAX_PENALTIES_SHOWN = 10;

const amount = (label: string, text: string, unit: Unit | undefined): ExplainedLine => ({
  label,
  text: text === '' ? '' : decimalAmount(text, unit),
  copied: text,
});

/** An amount with every digit; averages may have fractions of the smallest unit. */
function decimalAmount(text: string, unit: Unit | undefined): string {
  const [, integer = '', part = ''] = /^(\d{1,300})(?:\.(\d{1,100}))?$/.exec(text) ?? [];
  if (integer === '') return 'not an amount';
  const value = unit === undefined ? undefined : toWholeUnits(`${integer}${part}`, unit.decimals + part.length);
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
export function providerJson(found: ProviderResult | undefined): JsonObject | null {
  if (found?.kind !== 'found') return null;
  return { equityPart: found.equityPart || null, ...figuresJson(found.provider) };
}

/** The exact shares of a provider, and the values that they derive from. */
function figuresJson(provider: Provider): JsonObject {
  const { shares, timeOnBook, feePenalty, bondPenalty, earlierFeePenalties, liquidity } = provider;
  const { equityLikeShare, averageScore, virtualStake, averageEntryValuation } = provider;
  const { before, after } = shares;
  return {
    sharePercent: 'problem' in before ? null : before.percent,
    shareProblem: 'problem' in before ? before.problem : null,
    share: 'problem' in before ? null : { ...before },
    afterPenalties: 'problem' in after ? null : { ...after },
    afterPenaltiesProblem: 'problem' in after ? after.problem : null,
    ...orNull({ equityLikeShare, averageScore, virtualStake, averageEntryValuation }),
    timeOnBook: orNull(timeOnBook),
    penalties: { ...orNull({ fee: feePenalty, bond: bondPenalty }), earlierFees: earlierFeePenalties },
    liquidity: orNull(liquidity),
  };
}

const orNull = (members: { readonly [name: string]: string }): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([name, text]) => [name, text === '' ? null : text]));

/** How the liquidity fees of a market are shared among its providers, the largest share first. */
export function marketProviderParts(
  found: MarketProviders | undefined,
  directory: Directory,
): readonly ExplanationPart[] {
  if (found === undefined) return [{ title: TITLE, lines: [WITHOUT['not-served']] }];
  const providers = sortByShare(found.providers);
  if (providers.length === 0)
    return [{ title: TITLE, lines: [{ label: '', text: 'The node lists no liquidity providers.', tone: 'quiet' }] }];
  const ranked = providers.map((provider, index) => ({ provider, rank: index + 1 }));
  const isShown = ({ provider, rank }: Ranked): boolean =>
    rank <= MAX_PROVIDERS_SHOWN || isMine(directory, 'party', provider.partyId);
  const [shown, more] = [ranked.filter(isShown), ranked.filter(one => !isShown(one))];
  const largest = shareSize(providers[0]) ?? 0n;
  const lines = (some: readonly Ranked[]): readonly ExplainedLine[] => [
    HEADING,
    ...some.map(one => tableLine(one, directory, largest)),
  ];
  return [
    { title: TITLE, lines: [...ruleLines(found.equityPart), ...problemLines(providers), ...lines(shown)] },
    ...(more.length === 0
      ? []
      : [{ title: `The other ${countOf(more.length, 'provider')}`, isFolded: true as const, lines: lines(more) }]),
  ];
}

interface Ranked {
  readonly provider: Provider;
  /** From 1. */
  readonly rank: number;
}

/** The user's own are shown as well, with their rank. */
const MAX_PROVIDERS_SHOWN = 10;

/** The largest share first; by equity-like share where shares are unknown. */
function sortByShare(providers: readonly Provider[]): readonly Provider[] {
  return providers.toSorted((one, other) => {
    const [first, second] = [shareSize(one), shareSize(other)];
    if (first !== undefined && second !== undefined && first !== second) return first > second ? -1 : 1;
    return compareDecimals(other.equityLikeShare, one.equityLikeShare) || (one.partyId < other.partyId ? -1 : 1);
  });
}

function shareSize(provider: Pick<Provider, 'shares'> | undefined): bigint | undefined {
  if (provider === undefined || 'problem' in provider.shares.before) return undefined;
  const { numerator, denominator } = provider.shares.before;
  return (BigInt(numerator) * SCALE) / BigInt(denominator);
}

const SCALE = 10n ** 30n;

/** Narrow enough for a record next to its list on 120 columns. */
const columns = (cells: readonly string[]): string =>
  cells.map((cell, index) => cell.padStart(WIDTHS[index] ?? 0)).join('');

const WIDTHS = [5, 7, 7, 6, 6];

/** Next to the largest share. */
const BAR_CELLS = 6;

const HEADING: ExplainedLine = {
  label: 'provider, in %',
  text: columns(['share', 'after*', 'equity', 'score', 'lost']),
  tone: 'quiet',
};

function tableLine({ provider, rank }: Ranked, directory: Directory, largest: bigint) {
  const { partyId, shares, equityLikeShare, averageScore, feePenalty } = provider;
  const name = nameOrEnds(directory, 'party', partyId);
  const isApart = rank > MAX_PROVIDERS_SHOWN && isMine(directory, 'party', partyId);
  const percent = (share: FeeShare): string => ('problem' in share ? '-' : share.percent);
  const fractions = [equityLikeShare, averageScore, feePenalty].map(
    text => fractionAsPercent(text)?.replace(' %', '') ?? '-',
  );
  return {
    label: isApart ? `${rank}. ${name}` : name,
    text: columns([percent(shares.before), percent(shares.after), ...fractions]),
    short: percentText(shares.before).padStart(SHARE_CELLS),
    bar: bar(shareSize({ shares }) ?? 0n, largest, BAR_CELLS),
    copied: partyId,
    ...(partyId !== '' && { leadsTo: { entity: 'party' as const, id: partyId } }),
  };
}

const percentText = (share: FeeShare): string => ('problem' in share ? '-' : `${share.percent} %`);

/** `100.0 %` */
const SHARE_CELLS = 7;

/** Why shares are not known, and what the columns mean. */
function problemLines(providers: readonly Provider[]): readonly ExplainedLine[] {
  const [first] = providers;
  if (first === undefined) return [];
  const { before, after } = first.shares;
  if ('problem' in before) return [{ label: 'share', text: `not known: ${before.problem}`, tone: 'quiet' }];
  return [
    'problem' in after
      ? { label: 'after*', text: `not known: ${after.problem}`, tone: 'quiet' }
      : { label: 'after*', text: 'share if penalties stay as in the last epoch; withheld fees go to the others' },
    { label: 'lost', text: 'fee penalty of the last epoch' },
  ];
}

/** The providers of a market as JSON, the largest share first. */
export const marketProvidersJson = (found: MarketProviders | undefined, directory: Directory): JsonObject | null =>
  found === undefined
    ? null
    : {
        equityPart: found.equityPart || null,
        problem: found.problem ?? null,
        providers: sortByShare(found.providers).map(provider => ({
          party: { id: provider.partyId, name: nameOf(directory, 'party', provider.partyId) ?? null },
          ...figuresJson(provider),
        })),
      };

/** The balance of a provider's bond account, in smallest units; undefined if not reported. */
export async function fetchBond(ask: Ask, { marketId, partyId }: SentVersion): Promise<string | undefined> {
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
  return records === undefined ? undefined : findBond(records, { marketId, partyId });
}
