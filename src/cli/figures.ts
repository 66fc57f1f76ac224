import { joinSafe, type SafeText, safeText } from '../base/text/safe-text.ts';
import { formatTable } from '../base/text/text-table.ts';
import { truncateEnd } from '../base/text/width.ts';
import { type Directory, NO_NAMES } from '../chain/directory/directory.ts';
import { bar } from '../chain/insight/bar.ts';
import { countOf } from '../chain/insight/count-of.ts';
import { kindFormat } from '../chain/insight/kind.ts';
import { shareText } from '../chain/insight/paid-fees.ts';
import {
  type AmountSum,
  createSums,
  groupedSumText,
  isSummable,
  type Sums,
  sumUnit,
} from '../chain/resources/amount-sums.ts';
import { hasNames } from '../chain/resources/columns.ts';
import { findColumn, unknownColumnText } from '../chain/resources/condition.ts';
import { frequencyForms, sumsForms } from '../chain/resources/figure-records.ts';
import type { Column, Resource, Row, RowContext } from '../chain/resources/resource.ts';
import { createTally, type Frequency, frequentValueText } from '../chain/resources/tally.ts';
import type { Flag, ParsedFlags } from './flags.ts';
import { cappedCell, type Format, printAll } from './output.ts';
import type { Sink } from './sink.ts';
import { UsageError } from './usage-error.ts';

export const FIGURE_FLAGS: readonly Flag[] = [
  {
    name: 'freq',
    kind: 'text',
    value: 'COLUMN',
    about: 'count each value of the column in the whole list, instead of printing rows',
  },
  {
    name: 'sum',
    kind: 'text',
    value: 'COLUMN',
    about: 'add up an amount column per asset over the whole list, instead of printing rows',
  },
];

/** A figure printed instead of rows. */
export interface Figure {
  /** Whether it needs all rows at once. */
  readonly needsAll: boolean;
  /** Whether it uses names or units. */
  readonly isNamed: boolean;
  /** Adds rows; `among` holds all rows of their page. */
  readonly add: (among: RowContext, rows: readonly Row[], directory: Directory) => void;
  readonly print: (format: Format, stdout: Sink) => Promise<void>;
  /** The counted items: `4 values`. */
  readonly counted: () => string;
  /** A sentence about rows that could not be added up. */
  readonly unsummed: () => string | undefined;
}

/** Undefined when the rows themselves are wanted. */
export function readFigure(given: ParsedFlags, resource: Resource): Figure | undefined {
  const [freq, sum] = [given.text('freq'), given.text('sum')];
  if (freq === undefined && sum === undefined) return undefined;
  if (freq !== undefined && sum !== undefined) throw new UsageError('--freq and --sum cannot be used together');
  if (given.has('sort')) throw new UsageError('--sort cannot be used with --freq or --sum');
  if (freq !== undefined) return createFrequencyFigure(withoutNames(requireColumn('freq', freq, resource), given));
  const column = requireColumn('sum', sum ?? '', resource);
  if (isSummable(column)) return createSumFigure(withoutNames(column, given));
  const ids = resource.columns.filter(isSummable).map(({ id }) => id);
  const others = ids.length === 0 ? 'this list has no column that can' : `use ${ids.join(', ')}`;
  throw new UsageError(`--sum: column "${column.id}" cannot be added up: ${others}`);
}

function requireColumn(flag: string, name: string, { columns }: Resource): Column {
  const column = findColumn(columns, name);
  if (column === undefined) throw new UsageError(`--${flag}: ${unknownColumnText(columns, name)}`);
  return column;
}

// Without names, units are missing too.
const withoutNames = (column: Column, given: ParsedFlags): Column => {
  if (!given.has('exact')) return column;
  const { named: _, ...plain } = column;
  return plain;
};

function createFrequencyFigure(column: Column): Figure {
  let directory = NO_NAMES;
  let tally = createTally(column, directory);
  let made: Frequency | undefined;
  const result = (): Frequency => {
    made ??= tally.result();
    return made;
  };
  return {
    needsAll: column.worked !== undefined || column.named !== undefined,
    isNamed: hasNames([column]),
    add: (among, rows, names) => {
      if (names !== directory) tally = createTally(column, names);
      directory = names;
      for (const row of rows) tally.add(row, among);
    },
    counted: () => countOf(result().values.length, 'value'),
    unsummed: () => unsummedSentence(column, result()),
    print: (format, stdout) => {
      const table = () => frequencyText(column, result(), directory, stdout.isTerminal);
      return printAll(format, { ...frequencyForms(column, result(), directory), table }, stdout);
    },
  };
}

function createSumFigure(column: Column): Figure {
  let directory = NO_NAMES;
  let sums = createSums(column, directory);
  return {
    needsAll: false,
    isNamed: hasNames([column]),
    add: (_, rows, names) => {
      if (names !== directory) sums = createSums(column, names);
      directory = names;
      for (const row of rows) sums.add(row);
    },
    counted: () => countOf(sums.result().sums.length, 'sum'),
    unsummed: () => unsummedSentence(column, sums.result()),
    print: (format, stdout) => {
      const made = sums.result();
      return printAll(format, { ...sumsForms(column, made), table: () => sumsText(made.sums, directory) }, stdout);
    },
  };
}

const unsummedSentence = ({ id }: Column, { unsummed }: Sums): string | undefined =>
  unsummed === 0
    ? undefined
    : `${countOf(unsummed, 'row')} left out of the sums: column "${id}" is not an amount of a known asset`;

const BAR_CELLS = 20;
const MAX_TERMINAL_CELLS = 60;

/** How often each value occurs, with a bar, and totals of amounts. */
function frequencyText(
  column: Column,
  { values, rows, sums }: Frequency,
  directory: Directory,
  isTerminal: boolean,
): SafeText {
  const most = values[0]?.count ?? 0;
  const cells = values.map(value => {
    const text = frequentValueText(column, value, directory);
    return [
      isTerminal ? truncateEnd(text, MAX_TERMINAL_CELLS) : cappedCell(text),
      String(value.count),
      `${shareText(String(value.count), String(rows)) ?? '-'} %`,
      bar(BigInt(value.count), BigInt(most), BAR_CELLS),
    ];
  });
  const aligns = [kindFormat(column.kind).align, 'right', 'right', 'left'] as const;
  const table = formatTable([column.title, 'COUNT', 'SHARE', ''], cells, aligns);
  return sums.length === 0 ? table : joinSafe([table, safeText`\n`, sumsText(sums, directory)]);
}

const sumsText = (sums: readonly AmountSum[], directory: Directory): SafeText =>
  formatTable(
    ['OF', 'COUNT', 'SUM', 'LEAST', 'LARGEST'],
    sums.map(sum => [
      sumUnit(sum, directory),
      String(sum.count),
      ...[sum.sum, sum.least, sum.largest].map(value => groupedSumText(sum, value)),
    ]),
    ['left', 'right', 'right', 'right', 'right'],
  );
