import { areSameRanges } from '../../chain/insight/range.ts';
import { AnswerError } from '../engine/answer-error.ts';
import type { DatasetHistory } from './open-dataset.ts';
import type { FoundExport, TableBlocks } from './recognise.ts';

/** Something that is not read, and why, as a few words. */
export interface UnusedExport {
  readonly path: string;
  readonly why: string;
}

/** The part of the found exports that is read, so that no row counts twice. */
interface ChosenExports {
  readonly paths: readonly string[];
  /** Tables of a Parquet folder that are read from other exports. */
  readonly without: ReadonlyMap<string, ReadonlySet<string>>;
  /** Exports and files that are not used, and why. */
  readonly left: readonly UnusedExport[];
  /** The blocks to read, as far as known before opening. */
  readonly blocks: readonly TableBlocks[];
}

/** The exports that a user selected. */
export interface SelectedExports extends ChosenExports {
  /** Files with saved names that were named, or are in a folder that was searched. */
  readonly names: readonly string[];
  /** Whether a folder was searched. */
  readonly isSearched: boolean;
  /** They are of a history on disk. */
  readonly history?: DatasetHistory;
}

/** Which exports to select. */
export interface SelectionOptions {
  /** In a folder only exports with one of these tables, if there are any: other files need not be read. */
  readonly tables?: readonly string[] | undefined;
  /** And those with one of these. */
  readonly naming?: readonly string[] | undefined;
  /** Only ZIPs and slices, which can be converted and audited. */
  readonly isToConvert?: boolean;
  readonly evenIncomplete?: boolean;
}

/** A table of an export. */
interface ExportedPiece extends TableBlocks {
  readonly of: FoundExport;
}

/**
 * For each table and block one of the exports that have it: the largest one, and of equal ones Parquet, which needs no
 * conversion. Another one is left out if the others have all of its blocks. Throws AnswerError if some blocks would be lost,
 * or if two archives of the same blocks differ.
 */
export function chooseExports(found: readonly FoundExport[]): ChosenExports {
  const pieces = found.flatMap(of => of.tables.map(table => ({ ...table, of })));
  const left = new Map<ExportedPiece, ExportedPiece>();
  for (const [, ofTable] of Map.groupBy(pieces, ({ table, of }) => `${table} ${of.chainId}`)) {
    const taken: ExportedPiece[] = [];
    const rest: ExportedPiece[] = [];
    for (const piece of ofTable.toSorted(comparePieces))
      (taken.some(other => isOverlap(piece, other)) ? rest : taken).push(piece);
    for (const piece of rest) left.set(piece, findCoveringPiece(piece, taken));
  }
  const paths = found.filter(
    each => each.tables.length === 0 || pieces.some(piece => piece.of === each && !left.has(piece)),
  );
  const without = new Map<string, Set<string>>();
  for (const { of, table } of left.keys())
    if (of.kind === 'parquet' && paths.includes(of))
      without.set(of.path, (without.get(of.path) ?? new Set()).add(table));
  return {
    paths: paths.map(({ path }) => path),
    without,
    blocks: pieces.filter(piece => !left.has(piece)),
    left: [...left].map(([{ of, table }, { of: other }]) => ({
      path: of.tables.length > 1 ? `${table} of ${of.path}` : of.path,
      why: `its blocks are read from ${other.path}`,
    })),
  };
}

/** One of the pieces that have all of its blocks. */
function findCoveringPiece(piece: ExportedPiece, taken: readonly ExportedPiece[]): ExportedPiece {
  const others = taken.filter(other => isOverlap(piece, other));
  const ranges = others.flatMap(other => other.ranges).toSorted((a, b) => (a.from < b.from ? -1 : 1));
  const [first = piece] = others;
  const twin = others.find(other => areSameRanges(piece.ranges, other.ranges));
  if (twin?.content !== undefined && piece.content !== undefined && twin.content !== piece.content)
    throw new AnswerError(
      `${twin.of.path} and ${piece.of.path} have different rows for ${piece.table} of the same blocks`,
      'check which one is right (blockglass verify), and pass that one',
      'untrusted',
    );
  for (const { from, to } of piece.ranges) {
    let next = from;
    for (const range of ranges) if (range.from <= next && range.to >= next) next = range.to + 1n;
    if (next <= to) throw wouldBeCountedTwice(first, piece);
  }
  return first;
}

function wouldBeCountedTwice(one: ExportedPiece, other: ExportedPiece): AnswerError {
  const [common] = one.ranges.flatMap(a =>
    other.ranges.flatMap(b => {
      const [from, to] = [a.from > b.from ? a.from : b.from, a.to < b.to ? a.to : b.to];
      return from <= to ? [{ from, to }] : [];
    }),
  );
  return new AnswerError(
    `${one.of.path} and ${other.of.path} both have ${one.table} of blocks ${common?.from} to ${common?.to}, which would be counted twice`,
    'leave one out',
  );
}

const isOverlap = (one: ExportedPiece, other: ExportedPiece): boolean =>
  one.ranges.some(a => other.ranges.some(b => a.from <= b.to && b.from <= a.to));

const countBlocks = ({ ranges }: ExportedPiece): bigint =>
  ranges.reduce((sum, { from, to }) => sum + to - from + 1n, 0n);

/** Complete before incomplete, then by blocks. */
function comparePieces(one: ExportedPiece, other: ExportedPiece): number {
  const unfinished = Number(one.of.unfinished !== undefined) - Number(other.of.unfinished !== undefined);
  if (unfinished !== 0) return unfinished;
  const [a, b] = [countBlocks(one), countBlocks(other)];
  if (a !== b) return a > b ? -1 : 1;
  return Number(other.of.kind === 'parquet') - Number(one.of.kind === 'parquet');
}
