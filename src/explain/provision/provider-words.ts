import type { JsonObject } from '../../api/json.ts';
import type { Unit } from '../../directory/directory.ts';
import { compareDecimals, groupDigits, plainDecimal, scaled } from '../../insight/decimal.ts';
import { fractionShown, isFraction } from '../../insight/fee-share.ts';
import type { ExplainedLine, Part } from '../explanation.ts';
import type { Provider, ProviderFound } from './provider-asks.ts';

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
  const said = values.flatMap(([name, text]) => (text === '' ? [] : [`${name} ${inWords(text)}`]));
  const isHit =
    label === 'last penalties' && values.some(([, text]) => isFraction(text) && compareDecimals(text, '0') > 0);
  return { label, text: said.join(', '), ...(isHit && { tone: 'bad' as const }) };
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
