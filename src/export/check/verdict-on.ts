import { parseEntryName } from './entry-name.ts';
import { nodeErrorText } from './node-error.ts';
import {
  type EntryReport,
  FAULT_KINDS,
  type Finding,
  gravestFirst,
  type ReportedError,
  rowsOf,
  type Verdict,
} from './verdict.ts';
import { whatWasChecked } from './what-was-checked.ts';

/** Everything found out about a body. */
export interface Evidence {
  readonly entries: readonly EntryReport[];
  readonly findings: readonly Finding[];
  readonly notes: readonly string[];
  readonly nodeError: ReportedError | undefined;
  /** The node sent an error where the archive should be. */
  readonly isRefused: boolean;
  readonly bytes: number;
  readonly sha256: string;
}

/** Nobody reads more, and each takes memory. */
const MOST_FINDINGS = 1000;

/** The gravest finding decides; an error the node itself reports explains all others. */
export function verdictOn(evidence: Evidence): Verdict {
  const { entries, nodeError, bytes, sha256 } = evidence;
  const all = [...evidence.findings, ...entries.flatMap(entry => entry.findings)];
  const found = gravestFirst(all);
  const findings = found.slice(0, MOST_FINDINGS);
  const more = found.length - findings.length;
  const untold = `${more} more things are wrong with it: the gravest ${MOST_FINDINGS} are told.`;
  const notes = more > 0 ? [...evidence.notes, untold] : evidence.notes;
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

/** A finding about a node's error ends without a full stop, for the node's own words to follow. */
function gravestReason(finding: Finding, nodeError: ReportedError | undefined): string {
  if (!nodeError || finding.reason.endsWith('.')) return finding.reason;
  return `${finding.reason}: ${nodeErrorText(nodeError)}.`;
}

function completeReason(entries: readonly EntryReport[]): string {
  const [first] = entries;
  const rows = rowsOf(entries);
  const files = entries.length === 1 ? '1 CSV file' : `${entries.length} CSV files`;
  const range = `blocks ${first?.fromBlock} to ${entries.at(-1)?.toBlock}`;
  if (rows === null) return `${files} of ${range}; the archive and its headers are sound, the rows were not read.`;
  return `${files} of ${range} with ${rows} rows; ${whatWasChecked(parseEntryName(first?.name ?? '')?.table)}.`;
}
