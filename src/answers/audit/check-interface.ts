import type { Range } from '../../chain/insight/range.ts';
import type { AuditRow } from './rows.ts';

/** The rows of the tables of a check, block by block in the order of time. */
export interface RunningCheck {
  /** The next block does not follow on the one before, or is the first. Openings are known from block 1 on. */
  readonly beginRange?: (isFromFirstBlock: boolean, range: Range) => void;
  /** Rows of a block come by table: in the order of AUDITED_TABLES. */
  readonly row: (row: AuditRow) => void;
  readonly endBlock: (block: BlockPlace) => void;
  readonly end?: () => void;
}

export interface BlockPlace {
  readonly timeUs: number;
  /** Undefined without `blocks`. */
  readonly height: bigint | undefined;
  /** Of the CSVs of each table: changes where a file ends. */
  readonly files: string;
}
