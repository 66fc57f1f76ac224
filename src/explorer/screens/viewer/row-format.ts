import type { ViewerCell, ViewerColumn, ViewerRow, ViewerTable } from '../../../answers/index.ts';
import { isId } from '../../../base/text/ids.ts';
import { STAKE_DENOMINATION, unitOfDenomination } from '../../../chain/directory/denomination.ts';
import { type Directory, NO_NAMES, nameOf, namesOf, ownIds } from '../../../chain/directory/directory.ts';
import type { Entity } from '../../../chain/directory/entity.ts';
import { isMineEntity } from '../../../chain/directory/mine.ts';
import { type Amount, type AmountColumn, amountForm } from '../../../chain/resources/amount-column.ts';
import { LINK_RANK, type Link } from '../../../chain/resources/links.ts';
import type { SharedState } from '../../core/screen.ts';
import { accountParts, type TableNames } from './accounts.ts';
import { type OpenTable, rowAt } from './state.ts';

/**
 * How the rows that are loaded are written: names for ids and units for amounts, or the values as the file has them. Only
 * the rows around the screen are looked at, however many the table has.
 */
export interface RowFormat {
  readonly isRaw: boolean;
  readonly names: TableNames;
  /** How amounts are written, by the place of their column. */
  readonly amounts: ReadonlyMap<number, AmountColumn>;
  /** The assets of accounts that the rows name. */
  readonly assets: ReadonlyMap<string, string>;
  readonly ids: IdPlaces;
}

/** The columns of a row that identify the unit of its amounts; -1 for a missing one. */
interface IdPlaces {
  readonly asset: number;
  readonly market: number;
  readonly accounts: readonly number[];
}

/** Of the rows that are loaded. */
export const currentRowFormat = ({ viewer, tables, table, view }: OpenTable, shared: SharedState): RowFormat =>
  rowFormatOf({ table, rows: view.loaded?.rows ?? NO_ROWS, names: tableNames(tables, shared), isRaw: viewer.isRaw });

interface RowFormatInput {
  readonly table: Pick<ViewerTable, 'name' | 'columns'>;
  readonly rows: readonly ViewerRow[];
  readonly names: TableNames;
  readonly isRaw: boolean;
}

const NO_ROWS: readonly ViewerRow[] = [];

const RAW: RowFormat = {
  ...{ isRaw: true, names: NO_NAMES, amounts: new Map(), assets: new Map() },
  ids: { asset: -1, market: -1, accounts: [] },
};

const formats = new WeakMap<readonly ViewerRow[], WeakMap<Directory, RowFormat>>();

export function rowFormatOf({ table, rows, names, isRaw }: RowFormatInput): RowFormat {
  if (isRaw) return RAW;
  const known = formats.get(rows) ?? new WeakMap<Directory, RowFormat>();
  if (rows !== NO_ROWS) formats.set(rows, known);
  const rowFormat = known.get(names) ?? newRowFormat(table.columns, rows, names);
  known.set(names, rowFormat);
  return rowFormat;
}

function newRowFormat(columns: readonly ViewerColumn[], rows: readonly ViewerRow[], names: TableNames): RowFormat {
  const ids = idPlaces(columns);
  const isByAccount = columns.some(({ counted }) => counted === 'account');
  const assets = isByAccount ? assetsOfAccounts(ids, rows, names) : new Map<string, string>();
  const amounts = columns.flatMap(({ counted }, index) => {
    if (counted === undefined) return [];
    const form = amountForm(
      rows.map(row => amountOfCell({ columns, row, index }, { names, assets, ids })),
      // Those of several markets stand in one column, so no number of decimal places suits all.
      counted === 'price' || counted === 'size',
    );
    return [[index, form] as const];
  });
  return { isRaw: false, names, assets, ids, amounts: new Map(amounts) };
}

function idPlaces(columns: readonly ViewerColumn[]): IdPlaces {
  const placeOf = (column: RegExp): number => columns.findIndex(({ name }) => column.test(name));
  const accounts = columns.flatMap(({ name }, index) => (ACCOUNT.test(name) ? [index] : []));
  return { asset: placeOf(ASSET), market: placeOf(MARKET), accounts };
}

const ASSET = /^asset(?:_id)?$/;
const MARKET = /^market(?:_id)?$/;
const ACCOUNT = /^account(?:_from|_to)?_id$/;

export interface CellPlace {
  readonly columns: readonly ViewerColumn[];
  readonly row: ViewerRow;
  readonly index: number;
}

/** The amount of a cell; a fraction of a smallest unit becomes whole in a smaller one. */
export function amountOfCell(place: CellPlace, rowFormat: WithUnits): Amount {
  const value = place.row[place.index] ?? '';
  const unit = cellUnit(place, rowFormat);
  const [, whole = '', fraction = ''] = /^(-?\d+)\.(\d+)$/.exec(value) ?? [];
  if (unit === undefined || fraction === '') return { value, unit };
  return { value: `${whole}${fraction}`, unit: { ...unit, decimals: unit.decimals + fraction.length } };
}

type WithUnits = Pick<RowFormat, 'names' | 'assets' | 'ids'>;

function cellUnit({ columns, row, index }: CellPlace, { names, assets, ids }: WithUnits) {
  const counted = columns[index]?.counted;
  const asset = row[ids.asset] ?? '';
  const market = row[ids.market] ?? '';
  switch (counted) {
    case undefined:
      return undefined;
    case 'asset':
      return unitOfDenomination(names, { of: 'asset', id: asset });
    case 'stake':
      return unitOfDenomination(names, STAKE_DENOMINATION);
    case 'market':
    case 'price':
    case 'size':
      return unitOfDenomination(names, { of: counted, id: market });
    case 'account': {
      const id = asset || (accountIds(ids, row).flatMap(account => assets.get(account) ?? [])[0] ?? '');
      return unitOfDenomination(names, { of: 'asset', id }) ?? unitOfDenomination(names, { of: 'market', id: market });
    }
  }
}

const accountIds = ({ accounts }: IdPlaces, row: ViewerRow): readonly string[] =>
  accounts.flatMap(index => row[index] ?? []);

/** Both accounts of a row hold the same asset, so one that is known tells the other. */
function assetsOfAccounts(ids: IdPlaces, rows: readonly ViewerRow[], names: TableNames): ReadonlyMap<string, string> {
  const accounts = accountParts(names);
  const assets = new Map<string, string>();
  const all = rows.map(row => accountIds(ids, row));
  for (const id of all.flat()) {
    const asset = accounts.get(id)?.asset;
    if (asset !== undefined) assets.set(id, asset);
  }
  let before = -1;
  while (assets.size > before) {
    before = assets.size;
    for (const pair of all) {
      const asset = pair.flatMap(id => assets.get(id) ?? [])[0];
      if (asset !== undefined) for (const id of pair) assets.set(id, asset);
    }
  }
  return assets;
}

type SourceNames = Pick<OpenTable['tables'], 'names' | 'parties' | 'chainId'>;

const mergedNamesCache = new WeakMap<Directory, WeakMap<Directory, TableNames>>();
const ownNamesCache = new WeakMap<Directory, WeakMap<Directory['aliases'], TableNames>>();

/** The names that were saved with the export, then those of the node, unless that is of another chain. */
export function tableNames(source: SourceNames, shared: Pick<SharedState, 'directory' | 'node'>): TableNames {
  const { names, parties } = source;
  const { directory } = shared;
  if (otherChain(source, shared) !== undefined) {
    const known = ownNamesCache.get(names) ?? new WeakMap<Directory['aliases'], TableNames>();
    ownNamesCache.set(names, known);
    const own = known.get(directory.aliases) ?? { ...names, parties, aliases: directory.aliases };
    known.set(directory.aliases, own);
    return own;
  }
  const known = mergedNamesCache.get(names) ?? new WeakMap<Directory, TableNames>();
  mergedNamesCache.set(names, known);
  const both = known.get(directory) ?? {
    ...directory,
    parties,
    markets: new Map([...directory.markets, ...names.markets]),
    assets: new Map([...directory.assets, ...names.assets]),
    validators: new Map([...directory.validators, ...names.validators]),
  };
  known.set(directory, both);
  return both;
}

/** The chain of the node, if it is known to be another one than that of the files. */
export function otherChain(
  { chainId }: Pick<SourceNames, 'chainId'>,
  { node }: Pick<SharedState, 'node'>,
): string | undefined {
  const ofNode = node.chainId ?? '';
  return ofNode === '' || chainId === '' || ofNode === chainId ? undefined : ofNode;
}

/** What the ids of a column identify; undefined if no list has it. */
export function entityOf({ name, shape }: ViewerColumn, table: string): Entity | undefined {
  if (table === 'markets' && name === 'id') return 'market';
  if (shape !== 'id') return /^epoch_id$/.test(name) ? 'epoch' : undefined;
  return ENTITIES.find(([ending]) => ending.test(name))?.[1];
}

const ENTITIES = [
  [/(?:^|_)market(?:_id)?$/, 'market'],
  [/(?:^|_)asset(?:_id)?$/, 'asset'],
  [/(?:^|_)(?:party(?:_id)?|buyer|seller)$/, 'party'],
  [/^node_id$/, 'node'],
] as const;

/** The party of the network in the files. */
export const isNetwork = (id: ViewerCell): boolean => id === '03';

/** The ids of the selected row, the most useful first; of a known account those that it is made of. */
export function selectedRowLeads(known: OpenTable, shared: SharedState): readonly Link[] {
  const { table, view } = known;
  const row = rowAt(view, view.row);
  if (row === undefined) return [];
  const accounts = accountParts(tableNames(known.tables, shared));
  const leads = table.columns.flatMap((column, index): readonly Link[] => {
    const id = row[index] ?? '';
    const entity = entityOf(column, table.name);
    if (id === '' || isNetwork(id)) return [];
    if (entity !== undefined) return [{ entity, id }];
    const parts = ACCOUNT.test(column.name) ? accounts.get(id) : undefined;
    return parts === undefined
      ? []
      : (['party', 'market', 'asset'] as const).flatMap(of => leadsToEntity(of, parts[of]));
  });
  const distinct = [...new Map(leads.map(lead => [`${lead.entity} ${lead.id}`, lead])).values()];
  return distinct.toSorted((one, other) => LINK_RANK.indexOf(one.entity) - LINK_RANK.indexOf(other.entity));
}

const leadsToEntity = (entity: Entity, id: string): readonly Link[] => (isId(id) ? [{ entity, id }] : []);

/**
 * The text that a search looks for in the file: the id of a displayed name, if only one id has it; otherwise the text
 * itself.
 */
export function searchedText({ viewer, tables, table, view }: OpenTable, shared: SharedState): string {
  if (viewer.isRaw) return view.find;
  const names = tableNames(tables, shared);
  const wanted = view.find.toLowerCase();
  const entities = new Set(table.columns.flatMap(column => entityOf(column, table.name) ?? []));
  const ids = [...entities].flatMap(entity =>
    [
      ...namesOf(names, entity).keys(),
      ...names.aliases.keys(),
      ...(isMineEntity(entity) ? ownIds(names, entity) : []),
    ].filter(id => nameOf(names, entity, id)?.toLowerCase() === wanted),
  );
  const [only, ...others] = new Set(ids);
  return only === undefined || others.length > 0 ? view.find : only;
}
