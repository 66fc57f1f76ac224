import { AnswerError } from '../engine/answer-error.ts';
import { fetchedBy } from '../parquet/missing-blocks.ts';
import type { TablePart } from './parquet-folder.ts';

/** The parts of each table by name, sorted by blocks. Throws AnswerError if they cannot be one table. */
export function joinParts(parts: readonly TablePart[]): ReadonlyMap<string, readonly TablePart[]> {
  refuseSeveralChains(parts);
  const tables = new Map<string, readonly TablePart[]>();
  for (const name of parts.map(({ table }) => table.name).toSorted()) {
    if (tables.has(name)) continue;
    const ordered = parts.filter(({ table }) => table.name === name).toSorted(byBlocks);
    refuseOverlap(ordered);
    tables.set(name, ordered);
  }
  return tables;
}

/** Notes on tables made of these parts: missing blocks between parts, and incomplete parts. */
export function notesOn(tables: ReadonlyMap<string, readonly TablePart[]>): readonly string[] {
  return [...tables].flatMap(([name, parts]) => [
    ...parts
      .filter(({ table, isFinished }) => !table.isComplete || !isFinished)
      .map(({ label }) => `${name} of ${label} is not complete`),
    // Missing blocks within a part are in its own notes.
    ...neighbours(parts).flatMap(([one, other]) => {
      const [from, to] = [BigInt(one.table.toBlock) + 1n, BigInt(other.table.fromBlock) - 1n];
      return from > to
        ? []
        : [`${name}: no part was given that holds blocks ${from} to ${to}${fetchedBy(name, from, to)}`];
    }),
    ...parts.flatMap(({ table }) => table.notes.map(note => `${name}: ${note}`)),
    ...parts.flatMap(({ table }) =>
      table.columns.flatMap(({ name: column, note }) => (note === undefined ? [] : [`${name}.${column}: ${note}`])),
    ),
  ]);
}

function refuseSeveralChains(parts: readonly TablePart[]): void {
  const [first, ...others] = parts.filter(({ chainId }) => chainId !== '');
  const other = others.find(({ chainId }) => chainId !== first?.chainId);
  if (first === undefined || other === undefined) return;
  throw new AnswerError(
    `${first.label} is of chain ${first.chainId}, ${other.label} of ${other.chainId}`,
    'ask about one chain at a time',
  );
}

function refuseOverlap(ordered: readonly TablePart[]): void {
  for (const [one, other] of neighbours(ordered)) {
    const [from, to] = [BigInt(other.table.fromBlock), BigInt(one.table.toBlock)];
    if (from > to) continue;
    const least = to < BigInt(other.table.toBlock) ? to : BigInt(other.table.toBlock);
    throw new AnswerError(
      `${one.label} and ${other.label} both hold ${one.table.name} of blocks ${from} to ${least}: they would be counted twice`,
      'name one of them',
    );
  }
}

const neighbours = <T>(items: readonly T[]): readonly (readonly [T, T])[] =>
  items.flatMap((item, index) => {
    const next = items[index + 1];
    return next === undefined ? [] : [[item, next] as const];
  });

function byBlocks(one: TablePart, other: TablePart): number {
  const [a, b] = [BigInt(one.table.fromBlock), BigInt(other.table.fromBlock)];
  return a < b ? -1 : a > b ? 1 : 0;
}
