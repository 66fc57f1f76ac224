import { ArchiveFile, type FileGrowth } from './archive-file.ts';
import { checkTrailingBytes, classifyBody } from './body-kind.ts';
import { ByteFeed, type ByteSource } from './byte-feed.ts';
import { coverageFindings } from './coverage.ts';
import { parseEntryName } from './entry-name.ts';
import { EntryVisitor, type VisitOptions } from './entry-visitor.ts';
import { findErrorAtEnd, nodeErrorText } from './node-error.ts';
import { BodyScan, EntryReadAhead } from './read-ahead.ts';
import {
  ArchiveFault,
  completenessText,
  countRows,
  type EntryReport,
  type Expectation,
  FAULT_KINDS,
  type Finding,
  type ReportedError,
  sortByGravity,
  type Verdict,
} from './verdict.ts';
import { walkZip } from './zip-walk.ts';

interface CheckOptions extends InspectOptions {
  /** An abort rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** For a file that is still being written. Without it the file counts as finished. */
  readonly growth?: FileGrowth | undefined;
}

/**
 * Checks an export on disk. Without an expectation, the names of its CSVs define the expected content. Memory use stays
 * constant at any size. Throws UnreadableError when the file cannot be read, and nothing else.
 */
export async function checkArchive(
  path: string,
  expectation: Expectation | undefined,
  options: CheckOptions = {},
): Promise<Verdict> {
  const { signal, growth, ...inspect } = options;
  const file = new ArchiveFile(path, growth, signal);
  try {
    return await inspectArchive(file, expectation, inspect);
  } finally {
    file.close();
  }
}

interface InspectOptions extends VisitOptions {
  /** Called once at the end. False when the connection failed before the end of the body. */
  readonly isBodyComplete?: (() => boolean) | undefined;
}

/** Errors of a node are short, so only this much of the end is searched for one. */
const ERROR_TAIL_BYTES = 64 * 1024;

/** Reads a body from the start and gives a verdict. Throws only what the source throws. */
export async function inspectArchive(
  source: ByteSource,
  expectation: Expectation | undefined,
  options: InspectOptions,
): Promise<Verdict> {
  const visitor: EntryVisitor = new EntryVisitor(() => scan.bytes, expectation, options);
  const ahead = new EntryReadAhead(source, visitor);
  const scan: BodyScan = new BodyScan(
    source.reader(),
    // A listener needs the CSVs in order and without wrong guesses, so nothing is read ahead for it.
    byteOffset => options.onContent === undefined && ahead.mark(byteOffset),
  );
  const scanned = scan.run();
  // It may fail while the walk is still running, which then fails too.
  scanned.catch(() => {});
  const feed = new ByteFeed(source);
  const opening = await classifyBody(feed);
  const walk = opening.kind === 'zip' ? await walkBody(feed, ahead, visitor) : { findings: [opening.finding] };
  await ahead.stop();
  await scanned;
  const fault = walk.fault && findingsOrNodeError(walk.fault, source.tail(ERROR_TAIL_BYTES), scan.bytes);
  // A node error where the directory belongs looks like wrong directory records.
  const fromDirectory = fault?.nodeError ? [] : visitor.findings;
  const isEndKnown = options.isBodyComplete?.() ?? true;
  const unconfirmed = isEndKnown || fault || opening.kind !== 'zip' ? [] : [unconfirmedEnd(scan.bytes)];
  const coverage = walk.fault || opening.kind !== 'zip' ? [] : coverageFindings(visitor.placed, expectation);
  const entries = visitor.finish(fault?.nodeError !== undefined);
  // A node that fails within a segment still closes the entry (export-behaviour.md section 1.6).
  const isCutByNode = walk.findings.some(finding => finding.fault === 'node-error');
  return decideVerdict({
    entries: isCutByNode ? entries.map((entry, index) => ({ ...entry, isWhole: entries.length - 1 > index })) : entries,
    findings: [...(fault ? [fault.finding] : []), ...walk.findings, ...fromDirectory, ...coverage, ...unconfirmed],
    notes: visitor.notes,
    nodeError: fault?.nodeError ?? walk.nodeError ?? ('nodeError' in opening ? opening.nodeError : undefined),
    isRefused: opening.kind === 'refused',
    bytes: scan.bytes,
    sha256: scan.sha256(),
  });
}

interface WalkResult {
  readonly findings: readonly Finding[];
  readonly nodeError?: ReportedError | undefined;
  /** The fault that stopped the walk. */
  readonly fault?: Finding;
}

async function walkBody(feed: ByteFeed, ahead: EntryReadAhead, visitor: EntryVisitor): Promise<WalkResult> {
  try {
    return await checkTrailingBytes(await walkZip(feed, ahead, visitor));
  } catch (error) {
    if (error instanceof ArchiveFault) return { findings: [], fault: error.finding };
    throw error;
  }
}

/** An archive that a node error interrupts has no end record, and the error text where data should be. */
function findingsOrNodeError(fault: Finding, tail: Buffer, bytes: number) {
  const last = findErrorAtEnd(tail);
  if (!last) return { finding: fault, nodeError: undefined };
  const byteOffset = bytes - tail.length + last.from;
  const reason = `The node ended the archive with an error after ${byteOffset} bytes`;
  return { finding: { fault: 'node-error', reason, at: { byteOffset } } as const, nodeError: last.error };
}

function unconfirmedEnd(byteOffset: number): Finding {
  const reason = 'The connection failed before the end of the export, so an error message may be missing.';
  return { fault: 'unconfirmed-end', reason, at: { byteOffset } };
}

/** Everything the check found about a body. */
export interface Evidence {
  readonly entries: readonly EntryReport[];
  readonly findings: readonly Finding[];
  readonly notes: readonly string[];
  readonly nodeError: ReportedError | undefined;
  /** The node sent an error instead of an archive. */
  readonly isRefused: boolean;
  readonly bytes: number;
  readonly sha256: string;
}

/** More findings are only counted. */
const MAX_FINDINGS = 1000;

/** The gravest finding decides the verdict. An error that the node reports explains all others. */
export function decideVerdict(evidence: Evidence): Verdict {
  const { entries, nodeError, bytes, sha256 } = evidence;
  const all = [...evidence.findings, ...entries.flatMap(entry => entry.findings)];
  const found = sortByGravity(all);
  const findings = found.slice(0, MAX_FINDINGS);
  const more = found.length - findings.length;
  const unlisted = `${more} more faults are not listed: these are the ${MAX_FINDINGS} gravest.`;
  const notes = more > 0 ? [...evidence.notes, unlisted] : evidence.notes;
  const gravest = findings[0];
  const checked = { findings, notes, entries, bytes, sha256 };
  if (!gravest) return { ...checked, kind: 'complete', reason: completeReason(entries) };
  const reason = gravestReason(gravest, nodeError);
  const error = nodeError ? { nodeError } : {};
  if (evidence.isRefused) return { ...checked, ...error, kind: 'refused', reason };
  const at = gravest.at ? { at: gravest.at } : {};
  if (FAULT_KINDS[gravest.fault] === 'damaged') return { ...checked, ...at, kind: 'damaged', reason };
  return { ...checked, ...at, ...error, kind: 'incomplete', reason };
}

/** The reason of a node error ends without a full stop, so that the message of the node can follow. */
function gravestReason(finding: Finding, nodeError: ReportedError | undefined): string {
  if (!nodeError || finding.reason.endsWith('.')) return finding.reason;
  return `${finding.reason}: ${nodeErrorText(nodeError)}.`;
}

function completeReason(entries: readonly EntryReport[]): string {
  const [first] = entries;
  const rows = countRows(entries);
  const files = entries.length === 1 ? '1 CSV file' : `${entries.length} CSV files`;
  const range = `blocks ${first?.fromBlock} to ${entries.at(-1)?.toBlock}`;
  if (rows === null) return `${files} of ${range}; the archive and its headers are sound, the rows were not read.`;
  return `${files} of ${range} with ${rows} rows; ${completenessText(parseEntryName(first?.name ?? '')?.table)}.`;
}
