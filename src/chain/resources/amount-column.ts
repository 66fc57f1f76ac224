import { EMPTY, type SafeText, safeText, sanitize } from '../../base/text/safe-text.ts';
import { truncateMiddle, widthCells } from '../../base/text/width.ts';
import { type Denomination, unitOfDenomination } from '../directory/denomination.ts';
import type { Directory, Unit } from '../directory/directory.ts';
import {
  type ColumnScale,
  columnScale,
  fitDigits,
  groupDigits,
  roundDecimal,
  toWholeUnits,
} from '../insight/decimal.ts';
import type { Column, Row } from './resource.ts';

/** How the amounts of one column are written, all the same way, so that they can be compared down the column. */
export interface AmountColumn {
  /** The unit in the heading, if the sampled rows share one; a row with another unit shows its own. */
  readonly unit: Unit | null;
  /** Used while no unit is known. */
  readonly scale: ColumnScale | null;
  /** Decimal places, by the symbol of the unit. */
  readonly places: ReadonlyMap<SafeText, number>;
  /** Whether digits are left out; the heading then shows that. */
  readonly isRounded: boolean;
}

/** How a column of amounts is to be written. */
export interface AmountOptions {
  readonly directory: Directory;
  /** Show every digit. */
  readonly isExact: boolean;
}

/** How to write a column of amounts, judged by some of its rows; other rows show differences in their cells. */
export const amountColumn = (
  column: Column,
  rows: readonly Row[],
  { directory, isExact }: AmountOptions,
): AmountColumn =>
  amountForm(
    rows.map(row => ({ value: column.value(row), unit: cellUnit(column, row, directory) })),
    isExact,
    column.places,
  );

/** A number of smallest units; the unit is undefined while its decimals are unknown. */
export interface Amount {
  readonly value: string;
  readonly unit: Unit | undefined;
}

/** The same for amounts of any column. */
export function amountForm(all: readonly Amount[], isExact: boolean, usual = USUAL_PLACES): AmountColumn {
  const amounts = all.filter(({ value }) => value !== '');
  const known = amounts.flatMap(({ value, unit }) => (unit === undefined ? [] : [{ value, unit }]));
  const [first] = known;
  if (amounts.length === 0) return { ...NOTHING, scale: null };
  if (first === undefined) return { ...NOTHING, scale: amountScale(amounts, isExact) };
  const byUnit = [...Map.groupBy(known, ({ unit }) => unit.symbol)].map(([symbol, alike]) => {
    const exact = alike.flatMap(({ value, unit }) => toWholeUnits(value, unit.decimals) ?? []);
    const sent = exact.reduce((places, text) => Math.max(places, fractionOf(text).length), 0);
    return { symbol, sent, places: isExact ? sent : Math.min(sent, chooseDecimalPlaces(exact, usual)) };
  });
  return {
    unit: byUnit.length === 1 ? first.unit : null,
    scale: null,
    places: new Map(byUnit.map(({ symbol, places }) => [symbol, places])),
    isRounded: byUnit.some(({ sent, places }) => places < sent),
  };
}

const NOTHING = { unit: null, places: new Map(), isRounded: false } as const;

const amountScale = (amounts: readonly { readonly value: string }[], isExact: boolean): ColumnScale =>
  columnScale(isExact ? [] : amounts.map(({ value }) => value));

/** The titles of the column, longest first; the unit of its amounts is in each. */
export function amountTitles(title: string, { unit, scale, isRounded }: AmountColumn): readonly SafeText[] {
  const safe = sanitize(title);
  if (scale !== null) return unknownTitles(safe, scale);
  const symbol = unit === null ? EMPTY : shortSymbol(unit.symbol);
  const rounding = isRounded ? safeText`, rounded` : EMPTY;
  if (symbol === EMPTY) return [safeText`${safe}${rounding}`, safe];
  const named = safeText`${safe} ${symbol}`;
  return [safeText`${named}${rounding}`, named, symbol];
}

/** Without its exponent an amount would be another one, so every title has it. */
function unknownTitles(title: SafeText, { exponent, isRounded }: ColumnScale): readonly SafeText[] {
  const power = safeText`x 10^${exponent}`;
  const scaled = exponent === 0 ? title : safeText`${title} ${power}`;
  const rounding = isRounded ? safeText`, rounded` : EMPTY;
  return [
    safeText`${scaled}, decimals not known${rounding}`,
    safeText`${scaled}, raw`,
    exponent === 0 ? safeText`raw` : power,
  ];
}

/** How a cell is written: in its column, with the current names, in `cells` cells. */
interface AmountCell {
  readonly form: AmountColumn;
  readonly directory: Directory;
  readonly cells: number;
}

/** The amount of a row as its column is written. */
export const amountInColumn = (column: Column, row: Row, { form, directory, cells }: AmountCell): SafeText =>
  amountInForm({ value: column.value(row), unit: cellUnit(column, row, directory) }, form, cells);

/** An amount as its column is written; anything but a whole number is shown as sent. */
export function amountInForm({ value, unit }: Amount, form: AmountColumn, cells = Number.POSITIVE_INFINITY): SafeText {
  if (unit === undefined) return smallestText(value, form, cells);
  const exact = toWholeUnits(value, unit.decimals);
  if (exact === undefined) return sanitize(value);
  const places = form.places.get(unit.symbol) ?? USUAL_PLACES;
  const isNamed = form.unit?.symbol === unit.symbol || unit.symbol === '';
  const symbol = isNamed ? EMPTY : safeText` ${shortSymbol(unit.symbol)}`;
  const digits = fitAmountDigits(exact, { places, isRounded: form.isRounded }, cells - widthCells(symbol));
  return safeText`${sanitize(digits)}${symbol}`;
}

function smallestText(value: string, { scale }: AmountColumn, cells: number): SafeText {
  if (value === '') return EMPTY;
  if (scale === null) {
    return safeText`${sanitize(fitDigits(value, cells - RAW_UNIT.length))}${RAW_UNIT}`;
  }
  const exact = toWholeUnits(value, scale.exponent);
  return sanitize(exact === undefined ? value : fitAmountDigits(exact, scale, cells));
}

const RAW_UNIT = safeText` raw`;

function fitAmountDigits(exact: string, places: Pick<ColumnScale, 'places' | 'isRounded'>, cells: number): string {
  const text = roundToPlaces(exact, places);
  return text.length <= cells ? text : fitDigits(exact, cells);
}

// Only 0 is shown as 0, since a commitment of 0 is a cancellation.
function roundToPlaces(exact: string, { places, isRounded }: Pick<ColumnScale, 'places' | 'isRounded'>): string {
  if (!isRounded && fractionOf(exact).length > places) return groupDigits(exact);
  const text = roundDecimal(exact, places) ?? exact;
  if (exact === '0' || /[1-9]/.test(text)) return groupDigits(text);
  return `${exact.startsWith('-') ? '>-' : '<'}${tiniest(places)}`;
}

const tiniest = (places: number): string => (places === 0 ? '1' : `0.${'1'.padStart(places, '0')}`);

export const cellUnit = (column: Column, row: Row, directory: Directory): Unit | undefined =>
  unitFor(column.unit?.(row), directory);

const unitFor = (counted: Denomination | undefined, directory: Directory): Unit | undefined =>
  counted === undefined ? undefined : unitOfDenomination(directory, counted);

/** The usual number if most amounts are 1 or more; else enough places that most do not look like 0. */
function chooseDecimalPlaces(exact: readonly string[], usual: number): number {
  const amounts = exact.filter(text => text !== '0');
  const zeros = amounts.map(leadingZeros).toSorted((one, other) => one - other)[Math.floor(amounts.length / 2)] ?? 0;
  const small = amounts.filter(text => /^-?0\./.test(text)).length;
  return 2 * small < amounts.length ? usual : Math.min(MAX_PLACES, zeros + USUAL_PLACES);
}

/** Zeros between the decimal point and the first digit of a number below 1; 0 for other numbers. */
const leadingZeros = (text: string): number =>
  /^-?0\./.test(text) ? (/^0*/.exec(fractionOf(text))?.[0].length ?? 0) : 0;

const fractionOf = (text: string): string => text.split('.')[1] ?? '';

const shortSymbol = (symbol: SafeText): SafeText => truncateMiddle(symbol, MAX_SYMBOL_CELLS);

const USUAL_PLACES = 2;
const MAX_PLACES = 6;

// A symbol comes from the chain and may have any length.
const MAX_SYMBOL_CELLS = 12;
