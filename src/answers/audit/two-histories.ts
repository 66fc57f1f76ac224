import type { ExportRange } from '../../chain/directory/export-range.ts';
import { breaksText } from '../../chain/range/segment-links.ts';
import type { AuditArchive } from './table-inputs.ts';

/** What the segments of an exported range were linked to, as saved with the export. */
export type SavedSegments = Pick<ExportRange, 'table' | 'fromBlock' | 'toBlock' | 'segments'>;

/**
 * Evidence that the archives come from two histories; undefined if none is found. Each segment refers to the previous
 * one, so exports of neighbouring blocks must agree on the segment where they meet. Rows do not always show it.
 */
export function twoHistoriesProblem(
  archives: readonly AuditArchive[],
  saved: readonly SavedSegments[],
): string | undefined {
  return unlinkedSegments(archives, saved) ?? differentEndIds(archives, saved);
}

function differentEndIds(archives: readonly AuditArchive[], saved: readonly SavedSegments[]): string | undefined {
  const ends = new Map<bigint, { readonly id: string; readonly path: string }>();
  for (const { path, table, fromBlock, toBlock } of archives) {
    const ids = saved.find(
      range => range.table === table && BigInt(range.fromBlock) === fromBlock && BigInt(range.toBlock) === toBlock,
    )?.segments;
    if (ids === undefined) continue;
    for (const [block, id] of [
      [fromBlock - 1n, ids.before],
      [toBlock, ids.last],
    ] as const) {
      // A node that has dropped its oldest segments may name none before the first it has.
      if (id === '') continue;
      const known = ends.get(block);
      if (known !== undefined && known.id !== id)
        return `${known.path} and ${path} name different segments up to block ${block}, so the files are of two histories, such as two starts of one chain. Export all tables from one node (each run with --demo starts a new chain: use blockglass serve)`;
      ends.set(block, known ?? { id, path });
    }
  }
  return undefined;
}

/** Where the segments of the node did not form one chain when it was asked, and files have the blocks of both sides. */
function unlinkedSegments(archives: readonly AuditArchive[], saved: readonly SavedSegments[]): string | undefined {
  const has = (block: bigint): boolean =>
    archives.some(({ fromBlock, toBlock }) => fromBlock <= block && block <= toBlock);
  const breaks = saved
    .flatMap(range => (archives.some(({ table }) => table === range.table) ? (range.segments?.breaks ?? []) : []))
    .map(({ at, against, reason }) => ({ at: BigInt(at), against: BigInt(against), reason }))
    .filter(({ at, against }) => has(at) && has(against));
  const broken = breaksText(breaks);
  return broken === undefined
    ? undefined
    : `when the files were exported, ${broken}. They may be of two histories: export them from another node`;
}
