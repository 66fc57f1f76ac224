import { join } from 'node:path';
import type { ExportPlan } from '../export/plan/plan.ts';
import type { ExportTable } from '../export/plan/tables.ts';
import { type Boundaries, checkRange } from '../export/range/boundaries.ts';
import type { NamedRange } from '../export/range/named-range.ts';
import { askedRange, rangeWords } from '../export/range/requested-range.ts';
import { availableRanges, type FoundRange } from '../export/range/resolve-range.ts';
import { ARCHIVE_ONLY } from './archive-only.ts';
import type { BucketPlace } from './bucket-place.ts';
import type { Given } from './options.ts';
import { UsageError } from './usage-error.ts';

interface Ground {
  readonly table: ExportTable;
  readonly boundaries: Boundaries;
  readonly place: BucketPlace | undefined;
  readonly named: NamedRange | undefined;
}

/** The export that the flags ask for. Throws UsageError where the node has no such range. */
export function planFrom(given: Given, { table, boundaries, place, named }: Ground, found: FoundRange): ExportPlan {
  const [from, to] = [found.from.height, found.to.height];
  const range = checkRange(boundaries, from, to);
  if (!range.isValid) throw new UsageError(`${range.problem}; ${availableRanges(boundaries)}`);
  return {
    table,
    fromBlock: from,
    toBlock: to,
    asked: askedRange(found, named === undefined ? null : rangeWords(named)),
    ...(boundaries.kind === 'listed' && { chainId: boundaries.chainId }),
    ...(range.runs !== undefined && { runs: range.runs }),
    destination: place === undefined ? (given.text('out') ?? '.') : join(place.folder, place.fileName ?? ''),
    // What lies in the folder of a place in a bucket is an earlier run's that was not complete.
    mayOverwrite: place !== undefined || given.has('overwrite'),
    keepsIncomplete: given.has('keep-incomplete'),
    ...slicesFrom(given),
  };
}

function slicesFrom(given: Given): Pick<ExportPlan, 'slices'> {
  const segmentsPerSlice = given.number('slice', 1, 100_000);
  const parallel = given.number('parallel', 1, 2) ?? 1;
  const isMerged = given.has('merge');
  if (segmentsPerSlice !== undefined && given.has(ARCHIVE_ONLY.name))
    throw new UsageError('--archive-only does not go with --slice: slices are only saved once their rows are checked');
  if (segmentsPerSlice !== undefined) return { slices: { segmentsPerSlice, parallel, isMerged } };
  if (given.has('parallel') || isMerged) throw new UsageError('--parallel and --merge go with --slice');
  return {};
}
