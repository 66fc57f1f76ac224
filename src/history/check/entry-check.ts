import { columnSchema } from '../../tables/columns.ts';
import { describeValue, type ValueCheck, valueCheck } from './column-values.ts';
import { checkHeader } from './csv-header.ts';
import { type CsvFlaw, CsvScan, type RowRules } from './csv-scan.ts';
import type { ContentCheck, StreamedData } from './entry-data.ts';
import { type EntryName, shortenEntryName } from './entry-name.ts';
import type { EntryReport, Fault, Finding } from './verdict.ts';
import { crcHex } from './zip-records.ts';

/** Nodes silently drop the rest of a segment after a longer line (export-behaviour.md section 1.7). */
const MAX_COPIED_LINE_BYTES = 65_535;
const NEARLY_TOO_LONG_BYTES = 60_000;

interface Counted {
  readonly finding: Finding;
  more: number;
}

/** Checks the content of one entry against the rules of its table while it streams by. */
export class EntryCheck implements ContentCheck {
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

  /** With `readsRows` false only the header is checked. */
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

  /** Remarks on a sound entry, as sentences with its name. */
  get notes(): readonly string[] {
    const longest = this.#scan.longestLineBytes;
    if (!this.#readsRows || longest < NEARLY_TOO_LONG_BYTES) return this.#notes;
    const limit = `the node silently drops the rest of a segment after a row over ${MAX_COPIED_LINE_BYTES} bytes`;
    return [...this.#notes, `${shortenEntryName(this.#name)}: the longest line has ${longest} bytes, and ${limit}.`];
  }

  onBytes(chunk: Buffer, streamed: StreamedData): void {
    this.#streamed = streamed;
    this.#scan.scan(chunk);
  }

  /** Call when the content was read to the end. */
  end(streamed: StreamedData): void {
    this.#streamed = streamed;
    if (streamed.bytes === 0) this.#add('empty-entry', () => 'is empty, without even a header, so the export failed');
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
      crc32: crcHex(this.#streamed.crc),
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
    const { columns, columnCount, fault, notes, known } = checkHeader(row, this.#parsed);
    this.#columns = columns;
    if (fault) this.#add('header', () => `has a header that ${fault}`);
    this.#notes.push(...notes.map(note => `${shortenEntryName(this.#name)}: ${note}`));
    return {
      columns: columnCount,
      watched: this.#watchHeights(),
      notNull: this.#notNull(known),
      checks: this.#checks(known),
      isEnough: !this.#readsRows,
    };
  }

  /** Only columns of a known schema are checked for NULL. */
  #notNull(known: readonly string[]): Uint8Array {
    const table = this.#parsed?.table ?? '';
    const held = new Set(known.filter(column => columnSchema(table, column)?.mayBeNull === false));
    return Uint8Array.from(this.#columns, column => (held.has(column) ? 1 : 0));
  }

  #checks(known: readonly string[]): readonly (ValueCheck | undefined)[] {
    return this.#columns.map(column => {
      const type = known.includes(column) ? columnSchema(this.#parsed?.table ?? '', column) : undefined;
      return type && valueCheck(type);
    });
  }

  #watchHeights(): number {
    if (this.#parsed?.table !== 'blocks' || !this.#readsRows) return -1;
    const { fromBlock, toBlock } = this.#parsed;
    this.#heights = new BlockHeights(fromBlock, toBlock, (fault, text) => {
      this.#add(fault, () => (fault === 'missing-rows' ? `is not complete: ${text()}` : `has a row that ${text()}`));
    });
    return this.#columns.indexOf('height');
  }

  /** Records the first of each fault and counts the others, as a garbled file has millions. */
  #add(fault: Fault, text: () => string): void {
    const known = this.#found.get(fault);
    if (known) known.more++;
    else {
      const at = { csv: this.#name, ...this.#row };
      this.#found.set(fault, { finding: { fault, reason: `${shortenEntryName(this.#name)} ${text()}.`, at }, more: 0 });
    }
  }

  #flawText(flaw: CsvFlaw): string {
    switch (flaw.flaw) {
      case 'columns':
        return `has a row of ${flaw.has} columns where the header has ${flaw.expected}`;
      case 'null':
        return `has no ${this.#columns[flaw.column]} in row ${this.#row.row}, where NULL is not allowed`;
      case 'value': {
        const column = this.#columns[flaw.column] ?? '';
        const type = columnSchema(this.#parsed?.table ?? '', column);
        return `has ${column} ${JSON.stringify(flaw.value)} in row ${this.#row.row}, which is not ${type === undefined ? 'possible' : describeValue(type)}`;
      }
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
  value: 'value',
  'no-final-newline': 'unfinished-row',
} as const satisfies Record<CsvFlaw['flaw'], Fault>;

const FLAW_TEXTS = {
  'text-after-quote': 'has text after a closing quote',
  'quote-in-field': 'has a quote inside an unquoted field',
  'bare-return': 'has a carriage return outside quotes',
  'unclosed-quote': 'ends inside a quoted field',
  nul: 'contains a zero byte',
  'long-line': 'has a line over 64 MiB',
  'long-header': 'has a header over 16 KiB',
  encoding: 'contains bytes that are not UTF-8',
  'no-final-newline': 'ends in the middle of a row',
} as const;

/** Checks that table `blocks` has one row for each height, in order. */
export class BlockHeights {
  readonly #toBlock: bigint;
  readonly #onFault: (fault: Fault, text: () => string) => void;
  #next: bigint;
  /** `#next` as text, so that most rows need no parsing. */
  #nextText: string;

  /** `text` is only called for faults that are reported. */
  constructor(fromBlock: bigint, toBlock: bigint, onFault: (fault: Fault, text: () => string) => void) {
    this.#next = fromBlock;
    this.#nextText = String(fromBlock);
    this.#toBlock = toBlock;
    this.#onFault = onFault;
  }

  take(text: string): void {
    if (text === this.#nextText && this.#next <= this.#toBlock) this.#expect(this.#next + 1n);
    else this.#takeOther(text);
  }

  end(): void {
    if (this.#next <= this.#toBlock) this.#missing(this.#toBlock);
  }

  #takeOther(text: string): void {
    const height = /^\d{1,19}$/.test(text) ? BigInt(text) : undefined;
    if (height === undefined) this.#onFault('height', () => 'has no block height');
    else if (height > this.#toBlock) this.#onFault('height', () => `is for block ${height}, outside the range`);
    else if (height === this.#next) this.#expect(height + 1n);
    // Genesis and the first block are both number 1 for a node.
    else if (height === 1n && this.#next === 2n) return;
    else if (height < this.#next) {
      this.#onFault('height', () => `repeats block ${height} or is out of order`);
    } else {
      this.#missing(height - 1n);
      this.#expect(height + 1n);
    }
  }

  #expect(next: bigint): void {
    this.#next = next;
    this.#nextText = String(next);
  }

  #missing(last: bigint): void {
    const next = this.#next;
    const which = next === last ? `block ${last} is` : `blocks ${next} to ${last} are`;
    this.#onFault(
      'missing-rows',
      () => `${which} missing: the node left ${next === last ? 'it' : 'them'} out, or the file was changed`,
    );
  }
}
