import { type LocatedEntry, nameFindings } from './coverage.ts';
import { EntryCheck } from './entry-check.ts';
import type { ContentCheck, StreamedData } from './entry-data.ts';
import { parseEntryName } from './entry-name.ts';
import type { EntryListener } from './entry-reading.ts';
import { ArchiveFault, type CheckProgress, type EntryReport, type Expectation, type Finding } from './verdict.ts';
import type { LocalHeader } from './zip-records.ts';
import type { ZipVisitor } from './zip-walk.ts';

const MAX_ENTRIES = 10_000;
const MAX_COMPRESSION_RATIO = 1000;
/** The ratio is only checked from this much content on. */
const RATIO_FROM_BYTES = 1024 * 1024;
const PROGRESS_EVERY_MS = 100;

const monotonicMs = () => performance.now();

export interface VisitOptions {
  readonly onProgress?: ((progress: CheckProgress) => void) | undefined;
  /** False: check structure, checksums, names and headers, but not rows. Default true. */
  readonly readsRows?: boolean | undefined;
  readonly nowMs?: (() => number) | undefined;
  /**
   * Called with all content, one CSV after another, after it was checked. The final verdict applies to it too. A chunk is
   * valid only during the call; the next one waits for the promise.
   */
  readonly onContent?: ((csv: ContentCheck, chunk: Buffer) => Promise<void> | undefined) | undefined;
}

/** Collects the results while an archive is read: one check per entry, faults in names, progress. */
export class EntryVisitor implements ZipVisitor, EntryListener {
  readonly #bytesRead: () => number;
  readonly #expectation: Expectation | undefined;
  readonly #options: VisitOptions;
  readonly #placed: LocatedEntry[] = [];
  readonly #names = new Set<string>();
  readonly #entries: EntryReport[] = [];
  /** Contradictions between directory and entries, by index of the entry. */
  readonly #disagreements = new Map<number, Finding>();
  readonly #findings: Finding[] = [];
  readonly #notes: string[] = [];
  #current: EntryCheck | undefined;
  #currentOffset = 0;
  #currentFindings: readonly Finding[] = [];
  #progressDueMs = 0;

  constructor(bytesRead: () => number, expectation: Expectation | undefined, options: VisitOptions) {
    this.#bytesRead = bytesRead;
    this.#expectation = expectation;
    this.#options = options;
  }

  get placed(): readonly LocatedEntry[] {
    return this.#placed;
  }

  /** Findings that belong to no single entry. */
  get findings(): readonly Finding[] {
    return this.#findings;
  }

  get notes(): readonly string[] {
    return this.#notes;
  }

  checkOf({ name }: LocalHeader): EntryCheck {
    return new EntryCheck(name, parseEntryName(name), this.#options.readsRows ?? true);
  }

  advanced(check: EntryCheck, streamed: StreamedData, chunk: Buffer): Promise<void> | undefined {
    if (check === this.#current) this.#weigh(check, streamed);
    this.#reportProgress();
    return this.#options.onContent?.(check, chunk);
  }

  entryStarted({ name }: LocalHeader, check: EntryCheck, byteOffset: number): void {
    const entry = { name, parsed: parseEntryName(name), byteOffset };
    this.#currentFindings = nameFindings(entry, {
      previous: this.#placed.at(-1)?.parsed,
      isRepeated: this.#names.has(name),
      expectation: this.#expectation,
    });
    this.#placed.push(entry);
    this.#names.add(name);
    this.#current = check;
    this.#currentOffset = byteOffset;
    if (this.#placed.length > MAX_ENTRIES) this.#suspect(`The archive has more than ${MAX_ENTRIES} entries.`);
  }

  entryEnded(streamed: StreamedData, findings: readonly Finding[]): void {
    const check = this.#current;
    if (!check) return;
    this.#weigh(check, streamed);
    check.end(streamed);
    const report = check.report(true, [...this.#currentFindings, ...findings]);
    this.#entries.push({ ...report, byteOffset: this.#currentOffset });
    this.#notes.push(...check.notes);
    this.#current = undefined;
    this.#reportProgress();
  }

  disagreed(entry: number, finding: Finding): void {
    this.#disagreements.set(entry, finding);
  }

  found(finding: Finding): void {
    this.#findings.push(finding);
  }

  noted(note: string): void {
    this.#notes.push(note);
  }

  /**
   * All reports. If a node error was found inside the last entry or the directory, its text was read as ZIP data, so the
   * findings about that part mean nothing.
   */
  finish(isNodeErrorInData: boolean): readonly EntryReport[] {
    const check = this.#current;
    const ended = isNodeErrorInData ? this.#entries : this.#entries.map((report, index) => this.#judged(report, index));
    if (!check) return ended;
    const report = { ...check.report(false, this.#currentFindings), byteOffset: this.#currentOffset };
    return [...ended, isNodeErrorInData ? { ...report, findings: [] } : report];
  }

  #judged(report: EntryReport, index: number): EntryReport {
    const finding = this.#disagreements.get(index);
    return finding === undefined ? report : { ...report, findings: [...report.findings, finding] };
  }

  #weigh(check: EntryCheck, { bytes, compressedBytes }: StreamedData): void {
    if (bytes <= RATIO_FROM_BYTES || bytes <= MAX_COMPRESSION_RATIO * compressedBytes) return;
    this.#suspect(`${check.name} unpacks to more than ${MAX_COMPRESSION_RATIO} times its size.`);
  }

  /** Stops at a possible attack on disk space or time. */
  #suspect(reason: string): never {
    throw new ArchiveFault('suspicious', reason, this.#currentOffset);
  }

  #reportProgress(): void {
    if (!this.#options.onProgress) return;
    const nowMs = (this.#options.nowMs ?? monotonicMs)();
    if (nowMs < this.#progressDueMs) return;
    this.#progressDueMs = nowMs + PROGRESS_EVERY_MS;
    this.#options.onProgress({
      bytesChecked: this.#bytesRead(),
      entryName: this.#current?.name,
      entryRows: this.#current?.rows ?? 0,
      entriesDone: [...this.#entries],
    });
  }
}
