import { printJson } from '../api/json.ts';
import { type Directory, NO_NAMES } from '../directory/directory.ts';
import { countOf } from '../insight/count-of.ts';
import { createSums, isSummable, type Sums } from '../resources/amount-sums.ts';
import { hasNames } from '../resources/columns.ts';
import { columnNamed, noColumn } from '../resources/condition.ts';
import { frequencyCsv, frequencyJson, sumRecord, sumsCsv, sumsJson, valueRecord } from '../resources/figure-records.ts';
import type { Among, Column, Resource, Row } from '../resources/resource.ts';
import { createTally, type Frequency } from '../resources/tally.ts';
import { safeJson } from '../text/safe-text.ts';
import { frequencyText, sumsText } from './figure-text.ts';
import type { Flag, Given } from './options.ts';
import { type Format, printValue, writeCsv } from './output.ts';
import type { Sink } from './sink.ts';
import { UsageError } from './usage-error.ts';

export const FIGURE_FLAGS: readonly Flag[] = [
  {
    name: 'freq',
    kind: 'text',
    value: 'COLUMN',
    about: 'how often each value of the column occurs, in place of the rows; of the whole list',
  },
  {
    name: 'sum',
    kind: 'text',
    value: 'COLUMN',
    about: 'what the amounts of the column come to, each asset by itself, in place of the rows; of the whole list',
  },
];

/** What is printed in place of rows. */
export interface Figure {
  /** Whether it can be said of a row only when all rows are there. */
  readonly needsAll: boolean;
  /** Whether names or units have a part in it. */
  readonly isNamed: boolean;
  /** Counts rows, of all that they are among. */
  readonly add: (among: Among, rows: readonly Row[], directory: Directory) => void;
  readonly print: (format: Format, stdout: Sink) => Promise<void>;
  /** What was counted: `4 values`. */
  readonly counted: () => string;
  /** What could not be added up: a sentence. */
  readonly unsummed: () => string | undefined;
}

/** Undefined when the rows themselves are wanted. */
export function figureFrom(given: Given, resource: Resource): Figure | undefined {
  const [freq, sum] = [given.text('freq'), given.text('sum')];
  if (freq === undefined && sum === undefined) return undefined;
  if (freq !== undefined && sum !== undefined) throw new UsageError('--freq and --sum exclude each other');
  if (given.has('sort')) throw new UsageError('--sort sorts rows: not with --freq or --sum');
  if (freq !== undefined) return frequencyOf(asSent(columnFor('freq', freq, resource), given));
  const column = columnFor('sum', sum ?? '', resource);
  if (isSummable(column)) return sumsOf(asSent(column, given));
  const ids = resource.columns.filter(isSummable).map(({ id }) => id);
  const others = ids.length === 0 ? 'nor can any other of this list' : `there are ${ids.join(', ')}`;
  throw new UsageError(`--sum: ${column.id} cannot be added up: ${others}`);
}

function columnFor(flag: string, name: string, { columns }: Resource): Column {
  const column = columnNamed(columns, name);
  if (column === undefined) throw new UsageError(`--${flag}: ${noColumn(columns, name)}`);
  return column;
}

// With no names there are no units; a name that is worked out has none in it, either.
const asSent = (column: Column, given: Given): Column => {
  if (!given.has('exact')) return column;
  const { named: _, ...plain } = column;
  return plain;
};

function frequencyOf(column: Column): Figure {
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
      const frequency = result();
      switch (format) {
        case 'json':
          return stdout.data(printValue(frequencyJson(column, frequency, directory), 'json'), safeJson);
        case 'ndjson': {
          const records = frequency.values.map(value => valueRecord(column, value, frequency, directory));
          return stdout.data(records.map(record => `${printJson(record)}\n`).join(''), safeJson);
        }
        case 'csv':
          return writeCsv(frequencyCsv(column, frequency, directory), stdout);
        case 'table':
          return stdout.safe(frequencyText(column, frequency, directory, stdout.isTerminal));
      }
    },
  };
}

function sumsOf(column: Column): Figure {
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
      switch (format) {
        case 'json':
          return stdout.data(printValue({ column: column.id, ...sumsJson(made) }, 'json'), safeJson);
        case 'ndjson':
          return stdout.data(made.sums.map(sum => `${printJson(sumRecord(sum))}\n`).join(''), safeJson);
        case 'csv':
          return writeCsv(sumsCsv(made), stdout);
        case 'table':
          return stdout.safe(sumsText(made.sums, directory));
      }
    },
  };
}

const unsummedSentence = ({ id }: Column, { unsummed }: Sums): string | undefined =>
  unsummed === 0
    ? undefined
    : `${countOf(unsummed, 'row')} left out of the sums: ${id} is no amount of a known asset there`;
