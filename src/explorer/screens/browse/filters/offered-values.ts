import { type SafeText, safeText, sanitize } from '../../../../base/text/safe-text.ts';
import { truncateMiddle, widthCells } from '../../../../base/text/width.ts';
import { type Directory, nameOrEnds, unitOfAsset } from '../../../../chain/directory/directory.ts';
import type { Entity } from '../../../../chain/directory/entity.ts';
import { groupDigits } from '../../../../chain/insight/decimal.ts';
import { wholeAmount } from '../../../../chain/insight/paid-fees.ts';
import { amountText } from '../../../../chain/resources/amount-text.ts';
import { resourceById } from '../../../../chain/resources/registry.ts';
import { BLANK, type Line, line } from '../../../core/line.ts';
import { listLines } from '../../../core/list.ts';
import type { Area, SharedState } from '../../../core/screen.ts';
import { fitTable, type ListColumn, tableHead, tableRow } from '../../../core/table.ts';
import { FIRST_LINE, type MoveAction, moveWindow, selectLine, type Window } from '../../../core/window.ts';
import type { LastFees } from '../../../services/names/last-fees.ts';
import type { BrowseState } from '../state.ts';
import { type FilterBar, type Suggestions, selectedValueIndex, suggestions } from './filter-bar.ts';

/**
 * The values for the focused field with the known data about each, while the node requires a filter and there are no
 * rows.
 */
export function drawOfferedValues(
  browser: BrowseState,
  shared: SharedState,
  { columns, rows }: Area,
): readonly Line[] | undefined {
  if (browser.filterBar === null || !offersValues(browser)) return undefined;
  const offered = listedValues(browser, shared);
  const height = rows - ABOVE;
  if (offered === undefined || offered.values.length === 0 || height < 1) return [];
  const table = offeredValuesTable(offered.entity, offered.values, shared);
  const fitted = fitTable(valueColumns(table), columns);
  const { top } = valuesWindow(offered, height);
  const window = { row: offered.place, top };
  const drawn = listLines(
    table.rows.slice(top, top + height),
    window,
    { area: { columns, rows }, shared },
    (row, isChosen) => tableRow(fitted, row, isChosen),
  );
  return [BLANK, tableHead(fitted, columns), ...drawn];
}

export const offersValues = ({ page, demand, failure }: BrowseState): boolean =>
  page === null && demand !== null && failure === null;

/** The values in the list below the filter bar. */
interface ListedValues extends Suggestions {
  readonly bar: FilterBar;
  readonly entity: Entity;
  /** Of the one that is selected; -1 where none is. */
  readonly place: number;
}

/** The values listed for the focused field; undefined without a list below the filter bar. */
export function listedValues(
  browser: BrowseState,
  known: Pick<SharedState, 'seen' | 'directory'>,
): ListedValues | undefined {
  const { filterBar: bar } = browser;
  const resource = resourceById(browser.resource);
  if (bar === null || resource === undefined || !offersValues(browser)) return undefined;
  const entity = resource.filters[bar.field]?.entity;
  if (entity === undefined) return undefined;
  const offered = suggestions(known, resource, bar);
  return { ...offered, bar, entity, place: selectedValueIndex(bar, offered) };
}

/** The bar after a movement key in the list below it: the value moved to is selected, and no field holds it yet. */
export function moveInListedValues(listed: ListedValues, action: MoveAction, rows: number): FilterBar {
  const height = Math.max(1, rows - ABOVE);
  const { row } = moveWindow(valuesWindow(listed, height), action, listed.values.length, height);
  return withValueSelected(listed, row);
}

/** With the value at this place selected; before the first one none is. */
export const withValueSelected = ({ bar, values }: ListedValues, place: number): FilterBar => ({
  ...bar,
  chosen: values[Math.max(-1, Math.min(place, values.length - 1))] ?? null,
  problem: null,
});

const valuesWindow = ({ place, values }: ListedValues, height: number): Window =>
  selectLine(FIRST_LINE, Math.max(0, place), values.length, height);

/** A blank line and the heading. */
const ABOVE = 2;

const EMPTY_CELL = safeText``;

/** A long name is cut before the known data about it. */
const valueColumns = ({ titles, rows }: Table): readonly ListColumn<readonly SafeText[]>[] =>
  titles.map((title, place) => {
    const cells = Math.max(widthCells(title), ...rows.map(row => widthCells(row[place] ?? EMPTY_CELL)));
    return {
      ...{ title, cells, least: place === 0 ? Math.min(cells, SHORT_ID) : cells, isName: true },
      cell: (row, width) => {
        const text = row[place] ?? EMPTY_CELL;
        return line(place === 0 ? truncateMiddle(text, width) : text);
      },
    };
  });

interface Table {
  readonly titles: readonly SafeText[];
  readonly rows: readonly (readonly SafeText[])[];
}

function offeredValuesTable(entity: Entity, values: readonly string[], { directory, lastFees }: SharedState): Table {
  const called = (id: string): SafeText => nameOrEnds(directory, entity, id, SHORT_ID);
  if (entity !== 'market') return { titles: [sanitize(entity.toUpperCase())], rows: values.map(id => [called(id)]) };
  // Shown once if it applies to every amount.
  const unitless = [...(lastFees?.byMarket.values() ?? [])].every(byAsset =>
    [...byAsset.values()].every(({ asset }) => unitOfAsset(directory, asset) === undefined),
  );
  return {
    titles: [
      safeText`MARKET`,
      safeText`STATE`,
      safeText`SETTLES IN`,
      ...(lastFees === null
        ? []
        : [safeText`FEES OF EPOCH ${sanitize(lastFees.epoch)}${unitless ? safeText`, smallest units` : EMPTY_CELL}`]),
    ],
    rows: values.map(id => {
      const { state: word = '', asset = '' } = directory.markets.get(id.toLowerCase()) ?? {};
      return [
        called(id),
        sanitize(word.replace(/^STATE_/, '')),
        assetName(directory, asset),
        ...(lastFees === null ? [] : [feesText(lastFees, id, unitless ? undefined : directory)]),
      ];
    }),
  };
}

const assetName = (directory: Directory, id: string): SafeText =>
  id === '' ? EMPTY_CELL : nameOrEnds(directory, 'asset', id, SHORT_ID);

const SHORT_ID = 16;

/** Empty where no row was seen, or its amount cannot be read. */
const feesText = (fees: LastFees, marketId: string, directory: Directory | undefined): SafeText =>
  sanitize(
    [...(fees.byMarket.get(marketId.toLowerCase())?.values() ?? [])]
      .filter(({ totalFeesPaid }) => wholeAmount(totalFeesPaid) !== undefined)
      .map(({ asset, totalFeesPaid }) =>
        directory === undefined ? groupDigits(totalFeesPaid) : amountText(totalFeesPaid, unitOfAsset(directory, asset)),
      )
      .join(', '),
  );
