import { BodyScan } from './body-scan.ts';
import { ByteFeed, type ByteSource } from './byte-feed.ts';
import { coverageFindings } from './coverage.ts';
import { EntryVisitor, type VisitOptions } from './entry-visitor.ts';
import { nodeErrorAtEnd } from './node-error.ts';
import { bodyOpening, trailingFinding } from './opening.ts';
import { ReadAhead } from './read-ahead.ts';
import { ArchiveFault, type Expectation, type Finding, type ReportedError, type Verdict } from './verdict.ts';
import { verdictOn } from './verdict-on.ts';
import { walkZip } from './zip-walk.ts';

export interface InspectOptions extends VisitOptions {
  /** Asked once at the end: false when the connection failed before the body was over. */
  readonly isBodyComplete?: (() => boolean) | undefined;
}

/** Errors of a node are short; the end of a body is searched this far back for one. */
const ERROR_TAIL_BYTES = 64 * 1024;

/** Reads a body from the front and judges it. Throws only what the source throws. */
export async function inspectArchive(
  source: ByteSource,
  expectation: Expectation | undefined,
  options: InspectOptions,
): Promise<Verdict> {
  const visitor: EntryVisitor = new EntryVisitor(() => scan.bytes, expectation, options);
  const ahead = new ReadAhead(source, visitor);
  const scan: BodyScan = new BodyScan(
    source.reader(),
    // Whoever hears the content wants one CSV after another, and none that is only a guess.
    byteOffset => options.onContent === undefined && ahead.mark(byteOffset),
  );
  const scanned = scan.run();
  // It may fail while the walk, which will fail as well, is still busy.
  scanned.catch(() => {});
  const feed = new ByteFeed(source);
  const opening = await bodyOpening(feed);
  const walk = opening.kind === 'zip' ? await walkBody(feed, ahead, visitor) : { findings: [opening.finding] };
  await ahead.stop();
  await scanned;
  const fault = walk.fault && faultOrNodeError(walk.fault, source.tail(ERROR_TAIL_BYTES), scan.bytes);
  // A node's error in place of directory records reads like a directory that lists the wrong things.
  const fromDirectory = fault?.nodeError ? [] : visitor.findings;
  const isEndKnown = options.isBodyComplete?.() ?? true;
  const unconfirmed = isEndKnown || fault || opening.kind !== 'zip' ? [] : [unconfirmedEnd(scan.bytes)];
  const coverage = walk.fault || opening.kind !== 'zip' ? [] : coverageFindings(visitor.placed, expectation);
  const entries = visitor.finish(fault?.nodeError !== undefined);
  // A node that fails in a segment closes the entry it was in as if it were whole.
  const isCutByNode = walk.findings.some(finding => finding.fault === 'node-error');
  return verdictOn({
    entries: isCutByNode ? entries.map((entry, index) => ({ ...entry, isWhole: entries.length - 1 > index })) : entries,
    findings: [...(fault ? [fault.finding] : []), ...walk.findings, ...fromDirectory, ...coverage, ...unconfirmed],
    notes: visitor.notes,
    nodeError: fault?.nodeError ?? walk.nodeError ?? ('nodeError' in opening ? opening.nodeError : undefined),
    isRefused: opening.kind === 'refused',
    bytes: scan.bytes,
    sha256: scan.sha256(),
  });
}

interface Walk {
  readonly findings: readonly Finding[];
  readonly nodeError?: ReportedError | undefined;
  /** Where the walk had to stop. */
  readonly fault?: Finding;
}

async function walkBody(feed: ByteFeed, ahead: ReadAhead, visitor: EntryVisitor): Promise<Walk> {
  try {
    return await trailingFinding(await walkZip(feed, ahead, visitor));
  } catch (error) {
    if (error instanceof ArchiveFault) return { findings: [], fault: error.finding };
    throw error;
  }
}

/** An error that cuts into an archive leaves no end record, and its text where the inflater expects data. */
function faultOrNodeError(fault: Finding, tail: Buffer, bytes: number) {
  const last = nodeErrorAtEnd(tail);
  if (!last) return { finding: fault, nodeError: undefined };
  const byteOffset = bytes - tail.length + last.from;
  const reason = `The node broke the archive off after ${byteOffset} bytes with an error`;
  return { finding: { fault: 'node-error', reason, at: { byteOffset } } as const, nodeError: last.error };
}

function unconfirmedEnd(byteOffset: number): Finding {
  const reason = 'The connection failed before the node had said that the export is over, so an error may be missing.';
  return { fault: 'unconfirmed-end', reason, at: { byteOffset } };
}
