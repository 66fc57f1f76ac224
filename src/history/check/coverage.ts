import { type EntryName, hazardOf, shownName } from './entry-name.ts';
import type { Expectation, Fault, Finding } from './verdict.ts';

/** An entry with its place in the archive. */
export interface PlacedEntry {
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

/** What is wrong with the name of an entry. */
export function nameFindings(entry: PlacedEntry, context: NameContext): readonly Finding[] {
  const { previous, isRepeated, expectation } = context;
  const findings: Finding[] = [];
  const add = (fault: Fault, reason: string) => findings.push({ fault, reason, at: { byteOffset: entry.byteOffset } });
  const { name, parsed } = entry;
  const shown = JSON.stringify(shownName(name));
  const hazard = hazardOf(name);
  if (hazard) add('hostile-name', `The name of an entry ${hazard}: ${shown}.`);
  if (isRepeated) add('name', `Two entries have the name ${shown}.`);
  if (!parsed) {
    add('name', `An entry is not named like a CSV of an export: ${shown}.`);
    return findings;
  }
  if (parsed.fromBlock > parsed.toBlock) add('name', `The name of an entry has a reversed range: ${shown}.`);
  if (previous) findings.push(...successionFindings(entry, parsed, previous));
  const stranger = strangeness(parsed, expectation, previous);
  if (stranger) add('request', `${shownName(name)} ${stranger}.`);
  return findings;
}

/** Whether the entries together are exactly the expected ones. Only for an archive that was read to the end. */
export function coverageFindings(
  entries: readonly PlacedEntry[],
  expectation: Expectation | undefined,
): readonly Finding[] {
  const names = entries.flatMap(({ parsed }) => (parsed ? [parsed] : []));
  const first = names[0];
  const last = names.at(-1);
  if (entries.length === 0) return [missing('The archive contains no CSV.')];
  if (!expectation || !first || !last || names.length < entries.length) return [];
  const { fromBlock = first.fromBlock, toBlock = last.toBlock, runs } = expectation;
  const findings: Finding[] = [];
  if (first.fromBlock > fromBlock) findings.push(missing(missingBlocks(fromBlock, first.fromBlock - 1n)));
  if (last.toBlock < toBlock) findings.push(missing(missingBlocks(last.toBlock + 1n, toBlock)));
  if (first.fromBlock < fromBlock || last.toBlock > toBlock) {
    const range = `blocks ${first.fromBlock} to ${last.toBlock}`;
    findings.push({
      fault: 'request',
      reason: `The archive has ${range}; ${fromBlock} to ${toBlock} was requested.`,
    });
  }
  return findings.length > 0 || !runs ? findings : runFindings(names, runs);
}

function successionFindings(entry: PlacedEntry, name: EntryName, previous: EntryName): readonly Finding[] {
  const at = { byteOffset: entry.byteOffset };
  if (name.schemaVersion === undefined || previous.schemaVersion === undefined) {
    return [
      { fault: 'name', reason: `${shownName(entry.name)} is one of several CSVs and must name a schema version.`, at },
    ];
  }
  const next = previous.toBlock + 1n;
  if (name.fromBlock > next) return [{ ...missing(missingBlocks(next, name.fromBlock - 1n)), at }];
  if (name.fromBlock < next) {
    return [{ fault: 'order', reason: `${shownName(entry.name)} overlaps the CSV before it, or is out of order.`, at }];
  }
  return [];
}

function strangeness(name: EntryName, expectation: Expectation | undefined, previous: EntryName | undefined) {
  const table = expectation?.table ?? previous?.table ?? name.table;
  const chainId = expectation?.chainId ?? previous?.chainId ?? name.chainId;
  if (name.table !== table) return `is of table ${shownName(name.table)}, not ${shownName(table)}`;
  if (name.chainId !== chainId) return `is of chain ${shownName(name.chainId)}, not ${shownName(chainId)}`;
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

const MOST_LISTED = 10;

function runList(runs: readonly Pick<EntryName, 'schemaVersion' | 'fromBlock' | 'toBlock'>[]): string {
  const listed = runs
    .slice(0, MOST_LISTED)
    .map(run => `schema ${run.schemaVersion ?? '?'} for ${run.fromBlock} to ${run.toBlock}`);
  return [...listed, ...(runs.length > MOST_LISTED ? [`${runs.length - MOST_LISTED} more`] : [])].join(', ');
}

function missing(reason: string): Finding {
  return { fault: 'missing-range', reason };
}

function missingBlocks(from: bigint, to: bigint): string {
  return from === to ? `Block ${from} is missing.` : `Blocks ${from} to ${to} are missing.`;
}
