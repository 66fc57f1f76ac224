import type { TableLook, ValueCounts, ViewerCell, ViewerColumn } from '../../../answers/index.ts';
import { sanitize } from '../../../base/text/safe-text.ts';
import { truncateMiddle } from '../../../base/text/width.ts';
import { groupDigits } from '../../../chain/insight/decimal.ts';
import type { CountedSum, Counts } from '../../core/counts.ts';
import type { ScreenContext, Step } from '../../core/screen.ts';
import { open } from '../../openings.ts';
import { fileText, standaloneCellText } from './cells.ts';
import { columnAlign } from './columns.ts';
import type { ViewerEvent } from './events.ts';
import { queryFilterText } from './head.ts';
import { mixedUnitsOf } from './mixed-units.ts';
import { tableNames } from './row-format.ts';
import { lookWanted, type OpenTable, type Viewer } from './state.ts';
import { viewerNotice, withView } from './steps.ts';

/** The column to count, and its scope. */
interface WhatToCount {
  readonly column: string;
  /** Those that are shown, or will be once they have arrived, where this is left out. */
  readonly look?: TableLook;
  /** The value that is selected at first. */
  readonly value?: ViewerCell;
  /** They were counted before. */
  readonly counts?: Counts;
}

/** Counts all rows of a look by the values of one of their columns. */
export function openTableCounts(
  known: OpenTable,
  { column: name, look = lookWanted(known.view), ...before }: WhatToCount,
  { to }: ScreenContext,
): Step<Viewer> {
  const { table, tables } = known;
  const column = table.columns.find(candidate => candidate.name === name);
  if (column === undefined) return viewerNotice(known.viewer, `no column "${name}" in this table`);
  const bring = (event: ViewerEvent) => to(event);
  const opening = open('counts', {
    ...before,
    source: {
      count: async (_, signal) =>
        countsOf(await tables.count({ table: table.name, look, column: name }, signal), { known, column, look }),
    },
    column: { id: name, title: name, align: columnAlign(column), isNumber: column.shape === 'number', isByDay: false },
    shows: 'values',
    scope: null,
    narrowing: shared => [
      { title: 'table', text: sanitize(table.name) },
      ...look.filters.map(filter => ({
        title: filter.column,
        text: truncateMiddle(queryFilterText(table, filter, tableNames(tables, shared)), MAX_VALUE_CELLS),
      })),
    ],
    file: { parts: [table.name, name, 'counts'] },
    tab: 'history',
    narrow: ({ value }, counts) => ({ actions: [bring({ type: 'rows-of-value', column: name, look, value, counts })] }),
    again: bring({ type: 'count', column: name, look }),
    otherColumn: to({ type: 'menu', name: 'count' }),
  });
  return withView(known, known.view, [opening]);
}

const MAX_VALUE_CELLS = 20;

interface CountedTable {
  readonly known: OpenTable;
  readonly column: ViewerColumn;
  readonly look: TableLook;
}

function countsOf(counted: ValueCounts, { known, column, look }: CountedTable): Counts {
  const { rows, distinct, values, sums } = counted;
  const { viewer, table, tables } = known;
  const mixed = mixedUnitsOf(known, column.name, look);
  return {
    ...{ rows, distinct, values },
    sums: sums === null || mixed !== undefined ? [] : [sumOf(sums, unitOf(column))],
    unsummed: sums === null || mixed === undefined ? [] : [notSummed(column, mixed)],
    textAt: (place, shared) => {
      const value = values[place]?.value ?? null;
      return viewer.isRaw
        ? fileText(value)
        : standaloneCellText({ column, table: table.name }, value, tableNames(tables, shared));
    },
    content: form => ({
      ...{ kind: 'records', form, head: [column.name, 'count'] },
      records: values.map(({ value, count }) => [value, String(count)]),
    }),
  };
}

function sumOf({ sum, least, largest, count }: NonNullable<ValueCounts['sums']>, unit: string): CountedSum {
  const text = (value: string) => sanitize(groupDigits(value));
  return { sum: text(sum), least: text(least), largest: text(largest), count, unit: () => sanitize(unit) };
}

/** Numbers in units of different sizes neither add up nor compare. */
const notSummed = ({ unit, counted }: ViewerColumn, mixed: 'asset' | 'market'): string =>
  `no sum: the ${mixed}s may differ; the values are in ${counted === undefined ? unit : 'smallest units'}`;

/** Rows are shown in units, and these figures are not. */
const unitOf = ({ unit, counted }: ViewerColumn): string =>
  counted === undefined || unit.startsWith('smallest') ? unit : ['smallest units', unit].filter(Boolean).join(', ');
