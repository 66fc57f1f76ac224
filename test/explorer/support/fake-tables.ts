import type {
  RowsRequest,
  ViewerCell,
  ViewerColumn,
  ViewerRow,
  ViewerTable,
  ViewerTables,
} from '../../../src/answers/index.ts';
import { NO_NAMES } from '../../../src/chain/directory/directory.ts';
import type { TableOpener } from '../../../src/explorer/services/tables.ts';

const column = (name: string, shape: ViewerColumn['shape'], more: Partial<ViewerColumn> = {}): ViewerColumn => ({
  name,
  type: 'VARCHAR',
  shape,
  ...(shape === 'number' && { isSummable: true }),
  about: '',
  unit: '',
  words: {},
  ...more,
});

/** Of a world in which no file can be opened. */
export const NO_TABLES: TableOpener = () => Promise.reject(new Error('there are no files here'));

const BEGIN = Date.UTC(2026, 9, 1);

export const COLUMNS: readonly ViewerColumn[] = [
  column('ledger_entry_time', 'time', { about: 'block time plus index in block' }),
  column('account_from_id', 'id', { about: 'account that pays' }),
  column('account_to_id', 'id', { about: 'account that receives' }),
  column('quantity', 'number', { about: 'amount moved', unit: 'smallest units of the asset' }),
  column('tx_hash', 'id'),
  column('vega_time', 'time'),
  column('account_to_balance', 'number'),
  column('type', 'word', {
    words: { TRANSFER_TYPE_REWARD_PAYOUT: 'reward received', TRANSFER_TYPE_DEPOSIT: 'deposit' },
  }),
  column('transfer_id', 'id'),
];

const idOf = (seed: number): string => (seed * 2_654_435_761).toString(16).padStart(8, '0').slice(-8).repeat(8);

const timeOf = (ms: number): string => new Date(ms).toISOString().replace('T', ' ').replace('Z', '');

const rowOf = (place: number): ViewerRow => {
  const time = timeOf(BEGIN + place * 600_000 + (place > 40 ? 86_400_000 : 0));
  return [
    time,
    idOf(place % 7),
    idOf(1 + (place % 5)),
    place % 11 === 0 ? '0' : String(1_000_000 + place * 37),
    idOf(place),
    time,
    String(BigInt(place) * 10n ** 30n),
    place % 3 === 0 ? 'TRANSFER_TYPE_DEPOSIT' : place % 3 === 1 ? 'TRANSFER_TYPE_REWARD_PAYOUT' : 'TRANSFER_TYPE_NEW',
    place % 4 === 0 ? null : '',
  ];
};

const ROWS: readonly ViewerRow[] = Array.from({ length: 100 }, (_, place) => rowOf(place));

export interface FakeTables extends ViewerTables {
  /** What was asked, the newest last. */
  readonly asked: string[];
  isClosed: boolean;
}

/** A table in memory that answers at once, unless a test holds a question back. */
export function fakeTables(
  options: {
    readonly rows?: number;
    readonly columns?: readonly ViewerColumn[];
    readonly row?: (place: number) => ViewerRow;
    readonly tables?: readonly string[];
    readonly notes?: readonly string[];
    readonly chainId?: string;
    readonly names?: ViewerTables['names'];
    readonly parties?: readonly string[];
    readonly questions?: ViewerTables['questions'];
    /** Of what was counted. */
    readonly mostValues?: number;
    readonly gate?: (asked: string, signal: AbortSignal) => Promise<void>;
  } = {},
): FakeTables {
  const { rows: count = ROWS.length, columns = COLUMNS, row = rowOf, tables: names = ['ledger'] } = options;
  const isUsual = count === ROWS.length && row === rowOf;
  const all = isUsual ? ROWS : Array.from({ length: count }, (_, place) => row(place));
  const indexOf = (name: string): number => columns.findIndex(known => known.name === name);
  const cellOf = (cells: ViewerRow, name: string): ViewerCell => cells[indexOf(name)] ?? null;
  const rowsOf = ({ look }: RowsRequest): readonly ViewerRow[] => {
    const kept = all.filter(cells => look.filters.every(({ column: name, value }) => cellOf(cells, name) === value));
    const { sort } = look;
    if (sort === null) return kept;
    const order = (one: ViewerRow, other: ViewerRow): number => {
      const [a, b] = [cellOf(one, sort.column) ?? '', cellOf(other, sort.column) ?? ''];
      return (a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)) * (sort.isDescending ? -1 : 1);
    };
    return kept.toSorted(order);
  };
  const asked: string[] = [];
  const ask = async (what: string, signal: AbortSignal): Promise<void> => {
    asked.push(what);
    await options.gate?.(what, signal);
    signal.throwIfAborted();
  };
  const table = (name: string): ViewerTable => ({
    name,
    rows: count,
    columns,
    range: 'blocks 501-1500',
    isComplete: true,
  });
  const source: FakeTables = {
    asked,
    isClosed: false,
    tables: names.map(table),
    notes: options.notes ?? [],
    chainId: options.chainId ?? '',
    names: options.names ?? { ...NO_NAMES },
    parties: options.parties ?? [],
    sql: null,
    questions: options.questions ?? [],
    rows: async (question, signal) => {
      await ask(`rows ${question.from} ${question.rows}`, signal);
      return rowsOf(question).slice(question.from, question.from + question.rows);
    },
    arrange: async (looked, signal) => {
      await ask(`arrange ${JSON.stringify(looked.look)}`, signal);
      return rowsOf(looked).length;
    },
    find: async (question, onProgress, signal) => {
      const { text, from, direction } = question;
      await ask(`find ${text} ${from} ${direction}`, signal);
      onProgress(10);
      const found = rowsOf(question);
      for (let step = 0; step < found.length; step++) {
        const place = (from + direction * step + found.length) % found.length;
        const name = columns.find((_, index) => found[place]?.[index]?.includes(text))?.name;
        if (name !== undefined) return { row: place, column: name };
      }
      return null;
    },
    count: async (question, signal) => {
      await ask(`count ${question.column}`, signal);
      const counts = new Map<ViewerCell, number>();
      for (const cells of rowsOf(question)) {
        const value = cellOf(cells, question.column);
        counts.set(value, (counts.get(value) ?? 0) + 1);
      }
      const values = [...counts].map(([value, times]) => ({ value, count: times }));
      const numbers = rowsOf(question).flatMap(cells =>
        BigInt(/^\d+$/.test(cellOf(cells, question.column) ?? '') ? (cellOf(cells, question.column) ?? '0') : '0'),
      );
      const isNumber = columns[indexOf(question.column)]?.shape === 'number';
      const ordered = numbers.toSorted((one, other) => (one < other ? -1 : 1));
      return {
        rows: rowsOf(question).length,
        distinct: values.length,
        values: values.toSorted((one, other) => other.count - one.count).slice(0, options.mostValues),
        sums: isNumber
          ? {
              sum: String(numbers.reduce((sum, value) => sum + value, 0n)),
              least: String(ordered[0] ?? 0),
              largest: String(ordered.at(-1) ?? 0),
              count: numbers.length,
            }
          : null,
      };
    },
    stream: async function* (looked, signal) {
      await ask('stream', signal);
      yield rowsOf(looked);
    },
    close: async () => {
      source.isClosed = true;
    },
  };
  return source;
}
