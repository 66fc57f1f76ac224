import { type Directory, nameOf } from '../../chain/directory/directory.ts';
import { groupDigits, toWholeUnits } from '../../chain/insight/decimal.ts';
import { columnSchema } from '../../tables/columns.ts';
import type { AnswerColumn, ReadyAnswer } from './question.ts';

/** A row of the engine, by column. */
export type RawRow = (column: string) => string | null;

/** A column of an answer, and how to get its cell from a row of the engine. */
export interface ComputedColumn extends AnswerColumn {
  readonly cell: (row: RawRow) => string | null;
}

/** Converts a result of the engine to an answer. */
export function createAnswer(
  sql: string,
  {
    columns: names,
    rows,
  }: { readonly columns: readonly { readonly name: string }[]; readonly rows: ReadyAnswer['rows'] },
  columns: readonly ComputedColumn[],
): Omit<ReadyAnswer, 'notes'> & { readonly raw: readonly RawRow[] } {
  const at = new Map(names.map(({ name }, index) => [name, index]));
  const raw = rows.map(
    (cells): RawRow =>
      name =>
        cells[at.get(name) ?? -1] ?? null,
  );
  return {
    sql,
    raw,
    columns: columns.map(({ cell: _, ...column }) => column),
    rows: raw.map(row => columns.map(({ cell }) => cell(row))),
  };
}

export const textColumn = (id: string, title: string, from: string = id): ComputedColumn => ({
  id,
  title,
  align: 'left',
  in: 'both',
  unit: '',
  cell: row => row(from),
});

export const countColumn = (id: string, title: string): ComputedColumn => ({
  ...textColumn(id, title),
  align: 'right',
});

/** A number that tells which one, such as an epoch. */
export const ordinalColumn = (id: string, title: string): ComputedColumn => ({
  ...countColumn(id, title),
  kind: 'ordinal',
});

/** Columns for an id: people see the name, programs get id and name. */
export function namedColumns(
  names: Directory,
  entity: 'asset' | 'market' | 'party',
  id: string,
): readonly ComputedColumn[] {
  const named = (row: RawRow): string | null => nameOf(names, entity, row(id) ?? '') ?? null;
  return [
    { ...textColumn(id, id), in: 'table', cell: row => named(row) ?? row(id) },
    { ...textColumn(`${id}Id`, id, id), in: 'data' },
    { ...textColumn(`${id}Name`, id), in: 'data', cell: named },
  ];
}

/** The decimal places of an amount; null if unknown. */
interface PlacesOfRow {
  (row: RawRow): number | null;
  /** What the amount counts. */
  readonly unit: string;
  readonly kind?: AnswerColumn['kind'];
}

/** Columns for an amount in smallest units. People see whole units if the places are known, programs get both. */
export function unitColumns(
  id: string,
  title: string,
  places: PlacesOfRow,
  from: string = id,
): readonly ComputedColumn[] {
  const inUnits = (row: RawRow): string | null => {
    const [value, decimals] = [row(from), places(row)];
    return value === null || decimals === null ? null : (toWholeUnits(value, decimals) ?? null);
  };
  const shown = (row: RawRow): string | null => {
    const [whole, value] = [inUnits(row), row(from)];
    if (whole !== null) return groupDigits(whole);
    return value === null ? null : `${groupDigits(value)} smallest`;
  };
  const { unit, kind } = places;
  const of = { title, align: 'right', ...(kind !== undefined && { kind }) } as const;
  return [
    { ...of, id, in: 'table', unit, cell: shown },
    { ...of, id, in: 'data', unit, cell: inUnits },
    { ...of, id: smallestId(id), in: 'data', unit: `smallest ${unit}`, cell: row => row(from) },
  ];
}

/** The id of the column with an amount in smallest units. */
export const smallestId = (id: string): string => `${id}Smallest`;

export const assetPlaces = ({ assets }: Directory, column = 'asset'): PlacesOfRow =>
  Object.assign((row: RawRow) => assets.get(row(column) ?? '')?.decimals ?? null, { unit: 'units of the asset' });

/** The decimal places of prices, sizes or turnover of a market, or of its settlement asset. */
export function marketPlaces({ markets, assets }: Directory, of: keyof typeof MARKET_UNITS): PlacesOfRow {
  const places = (row: RawRow): number | null => {
    const market = markets.get(row('market') ?? '');
    if (market === undefined) return null;
    const { decimalPlaces: price, positionDecimalPlaces: size, asset } = market;
    switch (of) {
      case 'price':
        return price;
      case 'size':
        return size;
      case 'turnover':
        return price === null || size === null ? null : price + size;
      case 'asset':
        return assets.get(asset.toLowerCase())?.decimals ?? null;
    }
  };
  return Object.assign(places, { unit: MARKET_UNITS[of], ...(of === 'price' && { kind: of }) });
}

/** Columns for the settlement asset of a market. */
export function marketAsset(names: Directory): readonly ComputedColumn[] {
  const assetOf = (row: RawRow): string | null => names.markets.get(row('market') ?? '')?.asset.toLowerCase() || null;
  return namedColumns(names, 'asset', 'asset').map(column => ({
    ...column,
    cell: row => column.cell(name => (name === 'asset' ? assetOf(row) : row(name))),
  }));
}

const MARKET_UNITS = {
  price: 'quote units of the market',
  size: 'base units of the market',
  turnover: 'quote units of the market',
  asset: 'units of the asset',
} as const;

/** A note if amounts are in smallest units. */
export function unknownPlacesNote(
  rows: readonly RawRow[],
  column: string,
  places: PlacesOfRow,
  of: string,
): readonly string[] {
  const ids = new Set(rows.filter(row => places(row) === null).map(row => row(column) ?? ''));
  if (ids.size === 0) return [];
  const some = [...ids].slice(0, 3).join(', ');
  return [
    `${of} ${some}${ids.size > 3 ? ` and ${ids.size - 3} more` : ''} are not known: amounts are in smallest units`,
  ];
}

/** The same for the amounts of markets: prices and sizes, and fees in the settlement asset. */
export const unknownMarketPlaces = (rows: readonly RawRow[], names: Directory): readonly string[] => [
  ...unknownPlacesNote(rows, 'market', marketPlaces(names, 'turnover'), 'the decimals of market'),
  ...unknownPlacesNote(rows, 'market', marketPlaces(names, 'asset'), 'the decimals of the settlement asset of market'),
];

/**
 * Types of moves between accounts of the same party, including its own AMM (account-ids.md section 3), or between accounts
 * of the network.
 */
export const OWN_MOVE_TYPES: readonly string[] = [
  ...['MARGIN_LOW', 'MARGIN_HIGH', 'ORDER_MARGIN_LOW', 'ORDER_MARGIN_HIGH', 'ISOLATED_MARGIN_LOW'],
  ...['ISOLATED_MARGIN_HIGH', 'BOND_LOW', 'BOND_HIGH', 'HOLDING_LOCK', 'HOLDING_RELEASE', 'REWARDS_VESTED'],
  ...['CLEAR_ACCOUNT', 'AMM_LOW', 'AMM_HIGH', 'AMM_RELEASE'],
].map(type => `TRANSFER_TYPE_${type}`);

/** Why money moved, in words; the type itself if it is unknown. */
export const moveReason = (type: string | null): string => valueMeaning('ledger', 'type', type);

/** The meaning of a value; the value itself if it is unknown. */
export function valueMeaning(table: string, column: string, value: string | null): string {
  if (value === null) return 'not given';
  const words = columnSchema(table, column)?.values;
  return (words !== undefined && Object.hasOwn(words, value) ? words[value] : undefined) ?? value;
}
