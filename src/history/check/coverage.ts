import { type EntryName, pathHazard, shortenEntryName } from './entry-name.ts';
import type { Expectation, Fault, Finding } from './verdict.ts';

/** An entry with its place in the archive. */
export interface LocatedEntry {
  readonly name: string;
  readonly parsed: EntryName | undefined;
  readonly byteOffset: number;
}

/** What a name is compared with. */
interface NameContext {
  readonly previous: EntryName | undefined;
  readonly isRepeated: boolean;
  readonly expectation: Expectation | undefined;
}

/** Problems with the name of an entry. */
export function nameFindings(entry: LocatedEntry, context: NameContext): readonly Finding[] {
  const { previous, isRepeated, expectation } = context;
  const findings: Finding[] = [];
  const add = (fault: Fault, reason: string) => findings.push({ fault, reason, at: { byteOffset: entry.byteOffset } });
  const { name, parsed } = entry;
  const shown = JSON.stringify(shortenEntryName(name));
  const hazard = pathHazard(name);
  if (hazard) add('hostile-name', `The name of an entry ${hazard}: ${shown}.`);
  if (isRepeated) add('name', `Two entries have the name ${shown}.`);
  if (!parsed) {
    add('name', `An entry is not named like a CSV of an export: ${shown}.`);
    return findings;
  }
  if (parsed.fromBlock > parsed.toBlock) add('name', `The name of an entry has a reversed range: ${shown}.`);
  if (previous) findings.push(...orderFindings(entry, parsed, previous));
  const stranger = describeMismatch(parsed, expectation, previous);
  if (stranger) add('request', `${shortenEntryName(name)} ${stranger}.`);
  return findings;
}

/** Whether the entries together are exactly the expected ones. Only for an archive that was read to the end. */
export function coverageFindings(
  entries: readonly LocatedEntry[],
  expectation: Expectation | undefined,
): readonly Finding[] {
  const names = entries.flatMap(({ parsed }) => (parsed ? [parsed] : []));
  const first = names[0];
  const last = names.at(-1);
  if (entries.length === 0) return [missingFinding('The archive contains no CSV.')];
  if (!expectation || !first || !last || names.length < entries.length) return [];
  const { fromBlock = first.fromBlock, toBlock = last.toBlock, runs } = expectation;
  const findings: Finding[] = [];
  if (first.fromBlock > fromBlock) findings.push(missingFinding(missingBlocksText(fromBlock, first.fromBlock - 1n)));
  if (last.toBlock < toBlock) findings.push(missingFinding(missingBlocksText(last.toBlock + 1n, toBlock)));
  if (first.fromBlock < fromBlock || last.toBlock > toBlock) {
    const range = `blocks ${first.fromBlock} to ${last.toBlock}`;
    findings.push({
      fault: 'request',
      reason: `The archive has ${range}; ${fromBlock} to ${toBlock} was requested.`,
    });
  }
  return findings.length > 0 || !runs ? findings : runFindings(names, runs);
}

function orderFindings(entry: LocatedEntry, name: EntryName, previous: EntryName): readonly Finding[] {
  const at = { byteOffset: entry.byteOffset };
  if (name.schemaVersion === undefined || previous.schemaVersion === undefined) {
    return [
      {
        fault: 'name',
        reason: `${shortenEntryName(entry.name)} is one of several CSVs and needs a schema version in its name.`,
        at,
      },
    ];
  }
  const next = previous.toBlock + 1n;
  if (name.fromBlock > next) return [{ ...missingFinding(missingBlocksText(next, name.fromBlock - 1n)), at }];
  if (name.fromBlock < next) {
    return [
      { fault: 'order', reason: `${shortenEntryName(entry.name)} overlaps the CSV before it, or is out of order.`, at },
    ];
  }
  return [];
}

function describeMismatch(name: EntryName, expectation: Expectation | undefined, previous: EntryName | undefined) {
  const table = expectation?.table ?? previous?.table ?? name.table;
  const chainId = expectation?.chainId ?? previous?.chainId ?? name.chainId;
  if (name.table !== table) return `is of table ${shortenEntryName(name.table)}, not ${shortenEntryName(table)}`;
  if (name.chainId !== chainId)
    return `is of chain ${shortenEntryName(name.chainId)}, not ${shortenEntryName(chainId)}`;
  return undefined;
}

function runFindings(names: readonly EntryName[], runs: Expectation['runs'] & {}): readonly Finding[] {
  if (names.length === 1 && names[0]?.schemaVersion === undefined && runs.length === 1) return [];
  const isAsExpected =
    names.length === runs.length &&
    runs.every((run, index) => {
      const name = names[index];
      return (
        name?.schemaVersion === run.schemaVersion && name.fromBlock === run.fromBlock && name.toBlock === run.toBlock
      );
    });
  if (isAsExpected) return [];
  const reason = `There should be ${runList(runs) || 'no CSV'}; the archive has ${runList(names)}.`;
  return [{ fault: 'request', reason }];
}

const MAX_LISTED_RUNS = 10;

function runList(runs: readonly Pick<EntryName, 'schemaVersion' | 'fromBlock' | 'toBlock'>[]): string {
  const listed = runs
    .slice(0, MAX_LISTED_RUNS)
    .map(run => `schema ${run.schemaVersion ?? '?'} for ${run.fromBlock} to ${run.toBlock}`);
  return [...listed, ...(runs.length > MAX_LISTED_RUNS ? [`${runs.length - MAX_LISTED_RUNS} more`] : [])].join(', ');
}

function missingFinding(reason: string): Finding {
  return { fault: 'missing-range', reason };
}

function missingBlocksText(from: bigint, to: bigint): string {
  return from === to ? `Block ${from} is missing.` : `Blocks ${from} to ${to} are missing.`;
}
