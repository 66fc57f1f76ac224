import { type Directory, nameOf, unitOfAsset } from '../../../../directory/directory.ts';
import type { Entity } from '../../../../directory/entity.ts';
import { groupDigits } from '../../../../insight/decimal.ts';
import { wholeAmount } from '../../../../insight/paid-fees.ts';
import { amountText } from '../../../../resources/amount-text.ts';
import { resourceById } from '../../../../resources/registry.ts';
import { type SafeText, safeText, sanitize } from '../../../../text/safe-text.ts';
import { fitCells, truncateMiddle, widthCells } from '../../../../text/width.ts';
import { BLANK, headLine, type Line, line, span } from '../../../core/line.ts';
import { selectedLine } from '../../../core/looks.ts';
import type { Area, Shared } from '../../../core/screen.ts';
import { select } from '../../../core/window.ts';
import type { LastFees } from '../../../services/names/last-fees.ts';
import type { BrowseState } from '../state.ts';
import { chosenOffer, suggestions } from './filter-bar.ts';

/** The values of the field in focus with what is known of each, while the node wants a filter and there are no rows. */
export function drawOfferedValues(
  browser: BrowseState,
  shared: Shared,
  { columns, rows }: Area,
): readonly Line[] | undefined {
  const { resource: id, filterBar } = browser;
  if (filterBar === null || !offersValues(browser)) return undefined;
  const resource = resourceById(id);
  const entity = resource?.filters[filterBar.field]?.entity;
  if (resource === undefined || entity === undefined) return [];
  const { values } = suggestions(shared, resource, filterBar);
  const height = rows - ABOVE;
  if (values.length === 0 || height < 1) return [];
  const table = tableOf(entity, values, shared);
  const widths = widthsOf(table, columns);
  const chosen = chosenOffer(filterBar);
  const { top } = select({ row: 0, top: 0 }, Math.max(0, chosen), values.length, height);
  const drawn = table.rows.slice(top, top + height).map((row, index): Line => {
    const isChosen = top + index === chosen;
    const cells = line(
      safeText`${isChosen ? safeText`> ` : safeText`  `}${inColumns(row, widths)}`,
      isChosen ? 'selected' : 'plain',
    );
    return isChosen ? selectedLine(cells, columns, shared) : cells;
  });
  return [BLANK, headLine([span(safeText`  ${inColumns(table.titles, widths)}`)], columns), ...drawn];
}

export const offersValues = ({ page, demand, failure }: BrowseState): boolean =>
  page === null && demand !== null && failure === null;

/** The value in a row below the filter bar, by its place. */
export function offeredInRow(browser: BrowseState, row: number, shared: Shared, rows: number): number | undefined {
  const { filterBar } = browser;
  const resource = resourceById(browser.resource);
  if (filterBar === null || resource === undefined || !offersValues(browser)) return undefined;
  if (resource.filters[filterBar.field]?.entity === undefined) return undefined;
  const { length } = suggestions(shared, resource, filterBar).values;
  const height = rows - ABOVE;
  const { top } = select({ row: 0, top: 0 }, Math.max(0, chosenOffer(filterBar)), length, Math.max(1, height));
  const index = top + row - ABOVE;
  return row < ABOVE || row - ABOVE >= height || index >= length ? undefined : index;
}

/** A blank line and the heading. */
const ABOVE = 2;

const EMPTY_CELL = safeText``;

function inColumns(cells: readonly SafeText[], widths: readonly number[]): SafeText {
  return cells.reduce(
    (text, cell, index) =>
      safeText`${text}${index === 0 ? EMPTY_CELL : safeText`  `}${fitCells(index === 0 ? truncateMiddle(cell, widths[0] ?? 0) : cell, widths[index] ?? 0)}`,
    EMPTY_CELL,
  );
}

/** A long name is cut before what is known of it. */
function widthsOf({ titles, rows }: Table, columns: number): readonly number[] {
  const [first = 0, ...others] = titles.map((title, column) =>
    Math.max(widthCells(title), ...rows.map(row => widthCells(row[column] ?? EMPTY_CELL))),
  );
  const room = columns - MARK_CELLS - others.reduce((sum, cells) => sum + GAP_CELLS + cells, 0);
  return [Math.min(first, Math.max(SHORT_ID, room)), ...others];
}

const MARK_CELLS = 2;

const GAP_CELLS = 2;

interface Table {
  readonly titles: readonly SafeText[];
  readonly rows: readonly (readonly SafeText[])[];
}

function tableOf(entity: Entity, values: readonly string[], { directory, lastFees }: Shared): Table {
  const called = (id: string): SafeText => nameOf(directory, entity, id) ?? truncateMiddle(sanitize(id), SHORT_ID);
  if (entity !== 'market') return { titles: [sanitize(entity.toUpperCase())], rows: values.map(id => [called(id)]) };
  // Said once where it holds for every amount.
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
  id === '' ? EMPTY_CELL : (nameOf(directory, 'asset', id) ?? truncateMiddle(sanitize(id), SHORT_ID));

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
