/** The request, or its known parts. Heights are inclusive. */
export interface Expectation {
  /** Lower-case, as in file names: `ledger`. */
  readonly table?: string;
  readonly fromBlock?: bigint;
  readonly toBlock?: bigint;
  readonly chainId?: string;
  /** Runs of segments with the same schema version, in height order. Each one is a CSV (export-behaviour.md section 1.4). */
  readonly runs?: readonly ExpectedCsv[];
}

export interface ExpectedCsv {
  readonly schemaVersion: number;
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

/** A place in the archive or in a CSV. Rows count from 1 (the header is row 0), bytes from 0. */
type FindingLocation =
  | { readonly byteOffset: number }
  | { readonly csv: string; readonly row: number; readonly byteOffset: number };

export interface NodeErrorDetail {
  /** The detail's `@type`; absent texts are ''. */
  readonly type: string;
  readonly code: string;
  readonly message: string;
  readonly inner: string;
  /** The whole detail as JSON, for members not named above. */
  readonly json: string;
}

/** The error a node sent instead of, or after, an archive. */
export interface ReportedError {
  readonly code: number;
  readonly message: string;
  readonly details: readonly NodeErrorDetail[];
}

/** All faults, gravest first. The gravest one found decides the verdict. */
export const FAULT_KINDS = {
  'node-error': 'incomplete',
  gzip: 'damaged',
  'not-zip': 'damaged',
  deflate: 'damaged',
  structure: 'damaged',
  crc: 'damaged',
  directory: 'damaged',
  'trailing-bytes': 'damaged',
  'hostile-name': 'damaged',
  name: 'damaged',
  request: 'damaged',
  order: 'damaged',
  suspicious: 'damaged',
  header: 'damaged',
  quoting: 'damaged',
  encoding: 'damaged',
  'repeated-header': 'damaged',
  columns: 'damaged',
  null: 'damaged',
  height: 'damaged',
  value: 'damaged',
  'empty-body': 'incomplete',
  cut: 'incomplete',
  'empty-entry': 'incomplete',
  'missing-range': 'incomplete',
  'missing-rows': 'incomplete',
  'unfinished-row': 'incomplete',
  'unconfirmed-end': 'incomplete',
} as const;

export type Fault = keyof typeof FAULT_KINDS;

export interface Finding {
  readonly fault: Fault;
  /** One sentence. It contains unsanitised text of the node. */
  readonly reason: string;
  readonly at?: FindingLocation;
}

/** One CSV of the archive. `isWhole` is false when its end was not reached. */
export interface EntryReport {
  readonly name: string;
  /** Offset of its local header in the archive. */
  readonly byteOffset: number;
  /** Undefined when the name has none. */
  readonly schemaVersion: number | undefined;
  /** Undefined if the name does not contain it. */
  readonly fromBlock: bigint | undefined;
  readonly toBlock: bigint | undefined;
  /** CSV rows without the header. Null when rows were not read. */
  readonly rows: number | null;
  readonly columns: readonly string[];
  readonly bytes: number;
  readonly compressedBytes: number;
  /** Eight lower-case hexadecimal digits. */
  readonly crc32: string;
  readonly longestLineBytes: number;
  readonly isWhole: boolean;
  readonly findings: readonly Finding[];
}

/** Whether a CSV was read to the end without findings. */
export const isFlawless = ({ isWhole, findings }: Pick<EntryReport, 'isWhole' | 'findings'>): boolean =>
  isWhole && findings.length === 0;

/** Rows of all CSVs; null when rows were not read. */
export function countRows(entries: readonly Pick<EntryReport, 'rows'>[]): number | null {
  return entries.reduce<number | null>((sum, { rows }) => (sum === null || rows === null ? null : sum + rows), 0);
}

interface Checked {
  /** One sentence. */
  readonly reason: string;
  /** All faults, gravest first. */
  readonly findings: readonly Finding[];
  /** Remarks that are not faults. */
  readonly notes: readonly string[];
  readonly entries: readonly EntryReport[];
  /** Of the whole file, including anything after the archive. */
  readonly bytes: number;
  readonly sha256: string;
}

export type Verdict =
  | (Checked & { readonly kind: 'complete' })
  | (Checked & { readonly kind: 'incomplete'; readonly at?: FindingLocation; readonly nodeError?: ReportedError })
  | (Checked & { readonly kind: 'damaged'; readonly at?: FindingLocation })
  | (Checked & { readonly kind: 'refused'; readonly nodeError?: ReportedError });

export interface CheckProgress {
  /** Bytes of the file read so far. */
  readonly bytesChecked: number;
  /** The CSV being read. */
  readonly entryName: string | undefined;
  readonly entryRows: number;
  readonly entriesDone: readonly EntryReport[];
}

const faultRank = Object.keys(FAULT_KINDS);

/** Sorts findings, gravest first. */
export function sortByGravity(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted((a, b) => faultRank.indexOf(a.fault) - faultRank.indexOf(b.fault));
}

/** Thrown inside the check when the rest of the archive cannot be read. */
export class ArchiveFault extends Error {
  readonly finding: Finding;

  constructor(fault: Fault, reason: string, byteOffset: number) {
    super(reason);
    this.name = 'ArchiveFault';
    this.finding = { fault, reason, at: { byteOffset } };
  }
}

/** Part of each statement that an export is complete. */
export const ALL_CHECKS_PASSED = 'all checks passed';

/**
 * What a complete export of a table proves about its rows. Nodes may drop rows silently (export-behaviour.md section 1.7), and
 * only `blocks` has a known number of rows.
 */
export const rowCompletenessText = (table: string | undefined): string =>
  table === 'blocks' ? 'there is one row for every block' : 'not checked: rows the node dropped silently';

/** What "complete" means for a table. */
export const completenessText = (table: string | undefined): string =>
  `${ALL_CHECKS_PASSED}; ${rowCompletenessText(table)}`;
