import { sanitize } from '../../../base/text/safe-text.ts';
import { widthCells } from '../../../base/text/width.ts';
import type { Directory } from '../../../chain/directory/directory.ts';
import type { EpochChoice, FeeQuery } from '../../../chain/explain/statement/fee-node.ts';
import { covers, type FeeStatement, feeStatement } from '../../../chain/explain/statement/fee-statement.ts';
import type { FeeProgress, FetchedFees } from '../../../chain/explain/statement/fetch-fees.ts';
import { type StatementTable, statementTable } from '../../../chain/explain/statement/statement-table.ts';
import type { ScreenFailure } from '../../services/failure.ts';

/** What a party or a market was allocated in fees. */
export type ShownStatement = {
  readonly question: FeeQuery;
  /** Every epoch, not only the last ones. */
  readonly isAll: boolean;
  /** The first line drawn below the heading. */
  readonly top: number;
} /** `attempt` tells one request from the one before it. */ & (
  | { readonly status: 'asking'; readonly attempt: number; readonly progress: FeeProgress | null }
  | { readonly status: 'known'; readonly fetched: FetchedFees }
  | { readonly status: 'failed'; readonly failure: ScreenFailure }
);

/** Epochs that a statement shows at first. */
export const LAST_EPOCHS = 10;

export const epochChoice = (isAll: boolean): EpochChoice =>
  isAll ? { kind: 'all' } : { kind: 'last', count: LAST_EPOCHS };

/** Whether the other choice of epochs can be shown without asking the node again. */
export const hasOtherEpochs = (statement: ShownStatement): boolean =>
  statement.status === 'known' && covers(statement.fetched, epochChoice(!statement.isAll));

export interface PreparedStatement {
  readonly statement: FeeStatement;
  readonly table: StatementTable;
  /** Cells of each column, so that they stand still while it is scrolled. */
  readonly widths: readonly ColumnCells[];
}

const made = new WeakMap<FetchedFees, PreparedStatement & { readonly isAll: boolean; readonly directory: Directory }>();

/** The statement shown; undefined while its rows are missing. It is built once for each choice of epochs. */
export function prepareStatement(asked: ShownStatement, directory: Directory): PreparedStatement | undefined {
  if (asked.status !== 'known') return undefined;
  const { fetched, isAll } = asked;
  const known = made.get(fetched);
  if (known?.isAll === isAll && known.directory === directory) return known;
  const statement = feeStatement(fetched, epochChoice(isAll));
  const table = statementTable(statement, directory);
  const fresh = { statement, table, widths: columnWidths(table), isAll, directory };
  made.set(fetched, fresh);
  return fresh;
}

interface ColumnCells {
  /** Of the widest value. */
  readonly values: number;
  /** With the title. */
  readonly all: number;
}

const columnWidths = ({ columns, rows }: StatementTable): readonly ColumnCells[] =>
  columns.map(({ title }, index) => {
    const values = rows.reduce((most, { cells }) => Math.max(most, widthCells(sanitize(cells[index] ?? ''))), 0);
    return { values, all: Math.max(values, widthCells(sanitize(title))) };
  });
