import { BlockHeights } from './block-heights.ts';
import type { CsvFlaw, RowRules } from './csv-flaw.ts';
import { CsvScan } from './csv-scan.ts';
import type { CheckedContent, StreamedData } from './entry-data.ts';
import { type EntryName, shownName } from './entry-name.ts';
import { judgeHeader } from './header-check.ts';
import { mayBeNull } from './nullable-columns.ts';
import type { EntryReport, Fault, Finding } from './verdict.ts';
import { hex } from './zip-records.ts';

/** A deployed node copies line by line and drops the rest of a segment at the first longer line, silently. */
const LONGEST_COPIED_LINE_BYTES = 65_535;
const NEARLY_TOO_LONG_BYTES = 60_000;

interface Counted {
  readonly finding: Finding;
  more: number;
}

/** Holds the content of one entry to the rules of its table while it streams by. */
export class EntryCheck implements CheckedContent {
  readonly #name: string;
  readonly #parsed: EntryName | undefined;
  readonly #readsRows: boolean;
  readonly #scan: CsvScan;
  readonly #found = new Map<Fault, Counted>();
  readonly #notes: string[] = [];
  #heights: BlockHeights | undefined;
  #columns: readonly string[] = [];
  #row = { row: 0, byteOffset: 0 };
  #streamed: StreamedData = { crc: 0, compressedBytes: 0, bytes: 0 };

  /** `readsRows` false: of the content only the header is held to the rules. */
  constructor(name: string, parsed: EntryName | undefined, readsRows: boolean) {
    this.#name = name;
    this.#parsed = parsed;
    this.#readsRows = readsRows;
    this.#scan = new CsvScan({
      onHeader: row => this.#takeHeader(row),
      onWatched: (text, row, byteOffset) => {
        this.#row = { row, byteOffset };
        this.#heights?.take(text);
      },
      onFlaw: (flaw, row, byteOffset) => {
        this.#row = { row, byteOffset };
        this.#add(FLAW_FAULTS[flaw.flaw], () => this.#flawText(flaw));
      },
    });
  }

  get name(): string {
    return this.#name;
  }

  get columns(): readonly string[] {
    return this.#columns;
  }

  get rows(): number {
    return this.#scan.rows;
  }

  get wholeRowsBytes(): number {
    return this.#scan.wholeRowsBytes;
  }

  get rowsEndedByReturn(): number {
    return this.#scan.rowsEndedByReturn;
  }

  /** Remarks on a sound entry, as sentences that name it. */
  get notes(): readonly string[] {
    const longest = this.#scan.longestLineBytes;
    if (!this.#readsRows || longest < NEARLY_TOO_LONG_BYTES) return this.#notes;
    const limit = `a row over ${LONGEST_COPIED_LINE_BYTES} bytes cannot pass a deployed node`;
    const loss = 'if there was one, it and the rest of its segment are missing';
    return [...this.#notes, `${shownName(this.#name)}: the longest line has ${longest} bytes; ${limit}; ${loss}.`];
  }

  onBytes(chunk: Buffer, streamed: StreamedData): void {
    this.#streamed = streamed;
    this.#scan.scan(chunk);
  }

  /** The content was read to its end. */
  end(streamed: StreamedData): void {
    this.#streamed = streamed;
    if (streamed.bytes === 0) this.#add('empty-entry', () => 'is empty, without even a header: the export failed');
    else this.#endContent(streamed.bytes);
  }

  report(isWhole: boolean, more: readonly Finding[]): Omit<EntryReport, 'byteOffset'> {
    return {
      name: this.#name,
      schemaVersion: this.#parsed?.schemaVersion,
      fromBlock: this.#parsed?.fromBlock,
      toBlock: this.#parsed?.toBlock,
      rows: this.#readsRows ? this.rows : null,
      columns: this.#columns,
      bytes: this.#streamed.bytes,
      compressedBytes: this.#streamed.compressedBytes,
      crc32: hex(this.#streamed.crc),
      longestLineBytes: this.#scan.longestLineBytes,
      isWhole,
      findings: [...more, ...[...this.#found.values()].map(counted => this.#withCount(counted))],
    };
  }

  #endContent(bytes: number): void {
    this.#row = { row: this.rows, byteOffset: bytes };
    this.#scan.end();
    if (!this.#scan.isStopped) this.#heights?.end();
  }

  #takeHeader(row: Buffer): RowRules {
    const { columns, columnCount, fault, notes, known } = judgeHeader(row, this.#parsed);
    this.#columns = columns;
    if (fault) this.#add('header', () => `has a header that ${fault}`);
    this.#notes.push(...notes.map(note => `${shownName(this.#name)}: ${note}`));
    return {
      columns: columnCount,
      watched: this.#watchHeights(),
      notNull: this.#notNull(known),
      isEnough: !this.#readsRows,
    };
  }

  /** Only columns that the schema is known to have are held to it. */
  #notNull(known: readonly string[]): Uint8Array {
    const table = this.#parsed?.table ?? '';
    const held = new Set(known.filter(column => !mayBeNull(table, column)));
    return Uint8Array.from(this.#columns, column => (held.has(column) ? 1 : 0));
  }

  #watchHeights(): number {
    if (this.#parsed?.table !== 'blocks' || !this.#readsRows) return -1;
    const { fromBlock, toBlock } = this.#parsed;
    this.#heights = new BlockHeights(fromBlock, toBlock, (fault, text) => {
      this.#add(fault, () => (fault === 'missing-rows' ? `is not whole: ${text()}` : `has a row that ${text()}`));
    });
    return this.#columns.indexOf('height');
  }

  /** The first of each fault is kept and the others are counted: a garbled file has millions. */
  #add(fault: Fault, text: () => string): void {
    const known = this.#found.get(fault);
    if (known) known.more++;
    else {
      const at = { csv: this.#name, ...this.#row };
      this.#found.set(fault, { finding: { fault, reason: `${shownName(this.#name)} ${text()}.`, at }, more: 0 });
    }
  }

  #flawText(flaw: CsvFlaw): string {
    switch (flaw.flaw) {
      case 'columns':
        return `has a row of ${flaw.has} columns where the header has ${flaw.expected}`;
      case 'null':
        return `has no ${this.#columns[flaw.column]} in row ${this.#row.row}, where NULL cannot be`;
      case 'repeated-header':
        return `repeats its header as row ${this.#row.row}`;
      default:
        return FLAW_TEXTS[flaw.flaw];
    }
  }

  #withCount({ finding, more }: Counted): Finding {
    const { fault } = finding;
    const others = (this.#scan.counts.get(fault) ?? more + 1) - 1;
    return others > 0 ? { ...finding, reason: `${finding.reason} ${others} more like it.` } : finding;
  }
}

const FLAW_FAULTS = {
  'text-after-quote': 'quoting',
  'quote-in-field': 'quoting',
  'bare-return': 'quoting',
  'unclosed-quote': 'quoting',
  nul: 'quoting',
  'long-line': 'suspicious',
  'long-header': 'header',
  'repeated-header': 'repeated-header',
  encoding: 'encoding',
  columns: 'columns',
  null: 'null',
  'no-final-newline': 'unfinished-row',
} as const satisfies Record<CsvFlaw['flaw'], Fault>;

const FLAW_TEXTS = {
  'text-after-quote': 'has text after a closing quote',
  'quote-in-field': 'has a quote inside an unquoted field',
  'bare-return': 'has a carriage return outside quotes',
  'unclosed-quote': 'ends inside a quoted field',
  nul: 'holds a zero byte',
  'long-line': 'has a line over 64 MiB',
  'long-header': 'has a header over 16 KiB',
  encoding: 'holds bytes that are not UTF-8',
  'no-final-newline': 'ends in the middle of a row',
} as const;
