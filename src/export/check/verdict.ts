/** What was asked of the node, as far as the caller knows it. Heights are inclusive. */
export interface Expectation {
  /** Lower-case, as in file names: `ledger`. */
  readonly table?: string;
  readonly fromBlock?: bigint;
  readonly toBlock?: bigint;
  readonly chainId?: string;
  /** Maximal runs of segments with one schema version, in height order: one CSV each. */
  readonly runs?: readonly ExpectedRun[];
}

export interface ExpectedRun {
  readonly schemaVersion: number;
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

/** A place in the archive, or in a CSV: data rows count from 1 (the header is row 0), bytes from 0. */
export type FindingPlace =
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

/** Every fault that can be found, gravest first; the gravest one found gives the verdict its kind and reason. */
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
  /** One sentence. Texts of the node are in it as they came: sanitise before drawing. */
  readonly reason: string;
  readonly at?: FindingPlace;
}

/** One CSV of the archive, as found. `isWhole` is false while, or because, its end was not reached. */
export interface EntryReport {
  readonly name: string;
  /** Where in the archive its local header begins. */
  readonly byteOffset: number;
  /** Undefined when the name carries none. */
  readonly schemaVersion: number | undefined;
  /** Undefined when the name does not say. */
  readonly fromBlock: bigint | undefined;
  readonly toBlock: bigint | undefined;
  /** CSV rows without the header; physical lines may be more. Null when they were not read. */
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

/** Whether a CSV was read to its end and nothing is wrong with it. */
export const isGood = ({ isWhole, findings }: Pick<EntryReport, 'isWhole' | 'findings'>): boolean =>
  isWhole && findings.length === 0;

/** Rows of all CSVs; null when they were not read. */
export function rowsOf(entries: readonly Pick<EntryReport, 'rows'>[]): number | null {
  return entries.reduce<number | null>((sum, { rows }) => (sum === null || rows === null ? null : sum + rows), 0);
}

interface Checked {
  /** One sentence. */
  readonly reason: string;
  /** Everything that was found wrong, gravest first. */
  readonly findings: readonly Finding[];
  /** What a reader should know though it is no fault. */
  readonly notes: readonly string[];
  readonly entries: readonly EntryReport[];
  /** Of the whole file, with whatever follows the archive. */
  readonly bytes: number;
  readonly sha256: string;
}

export type Verdict =
  | (Checked & { readonly kind: 'complete' })
  | (Checked & { readonly kind: 'incomplete'; readonly at?: FindingPlace; readonly nodeError?: ReportedError })
  | (Checked & { readonly kind: 'damaged'; readonly at?: FindingPlace })
  | (Checked & { readonly kind: 'refused'; readonly nodeError?: ReportedError });

export interface CheckProgress {
  /** Bytes of the file read so far. */
  readonly bytesChecked: number;
  /** The CSV being read. */
  readonly entryName: string | undefined;
  readonly entryRows: number;
  readonly entriesDone: readonly EntryReport[];
}

const gravity = Object.keys(FAULT_KINDS);

export function gravestFirst(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted((a, b) => gravity.indexOf(a.fault) - gravity.indexOf(b.fault));
}

/** Thrown inside the check where the walk through the archive cannot go on. */
export class ArchiveFault extends Error {
  readonly finding: Finding;

  constructor(fault: Fault, reason: string, byteOffset: number) {
    super(reason);
    this.name = 'ArchiveFault';
    this.finding = { fault, reason, at: { byteOffset } };
  }
}
