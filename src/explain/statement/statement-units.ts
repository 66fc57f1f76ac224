import { type Directory, type Unit, unitOfAsset } from '../../directory/directory.ts';
import { groupDigits, rounded, scaled } from '../../insight/decimal.ts';
import type { Statement } from '../../insight/statement.ts';

/** How the amounts of one asset are written in a table. */
export interface AmountForm {
  readonly unit: Unit | undefined;
  /** Decimal places. */
  readonly places: number;
  readonly isRounded: boolean;
}

/** The form of each asset's amounts: all amounts of one asset have the same number of decimal places. */
export const amountForms = (statement: Statement, directory: Directory): ReadonlyMap<string, AmountForm> =>
  new Map(statement.totals.map(({ asset }) => [asset, formOf(asset, statement, directory)]));

function formOf(asset: string, { lines }: Statement, directory: Directory): AmountForm {
  const unit = unitOfAsset(directory, asset);
  if (unit === undefined) return { unit, places: 0, isRounded: false };
  const amounts = lines.flatMap(line =>
    line.kind === 'allocated' && line.asset === asset
      ? [line.amount, line.marketTotal].flatMap(raw => scaled(raw, unit.decimals) ?? [])
      : [],
  );
  return { unit, ...placesFor(amounts) };
}

function placesFor(amounts: readonly string[]): Pick<AmountForm, 'places' | 'isRounded'> {
  const fractions = amounts.map(amount => amount.split('.')[1] ?? '');
  const needed = fractions.reduce((most, { length }) => Math.max(most, length), 0);
  const isBelowOne = amounts.every(amount => amount.startsWith('0'));
  const zeros = Math.min(
    ...fractions.filter(digits => digits !== '').map(digits => /^0*/.exec(digits)?.[0].length ?? 0),
  );
  const enough = isBelowOne && Number.isFinite(zeros) ? zeros + SIGNIFICANT : USUAL;
  return { places: Math.min(needed, enough), isRounded: needed > enough };
}

const USUAL = 2;
const SIGNIFICANT = 4;

/** An amount for a cell with grouped digits; other text stays as it is. */
export function amountText(raw: string, form: AmountForm | undefined): string {
  const whole = form?.unit === undefined ? raw : scaled(raw, form.unit.decimals);
  const text = rounded(whole ?? '', form?.places ?? 0);
  if (text === undefined) return raw;
  // A tiny amount must not look like 0.
  if (/[1-9]/.test(raw) && !/[1-9]/.test(text)) return `< ${text.replace(/0$/, '1')}`;
  return groupDigits(text);
}
