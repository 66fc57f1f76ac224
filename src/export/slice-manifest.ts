import { DestinationError } from './destination-error.ts';
import { type Manifest, readManifest, writeManifest } from './manifest.ts';
import type { ExportPlan, SliceChoice } from './plan.ts';

/** The manifest an export in slices begins with. `node` is the address as it may be stored. */
export function newManifest(of: {
  readonly program: string;
  readonly node: string;
  readonly plan: ExportPlan;
  readonly slices: SliceChoice;
  readonly startedMs: number;
}): Manifest {
  const { program, node, plan, slices, startedMs } = of;
  return {
    format: 1,
    program,
    node,
    chainId: plan.chainId ?? '',
    table: plan.table.id,
    fromBlock: String(plan.fromBlock),
    toBlock: String(plan.toBlock),
    segmentsPerSlice: slices.segmentsPerSlice,
    started: new Date(startedMs).toISOString(),
    finished: null,
    notes: [],
    slices: [],
  };
}

/** The manifest of an earlier run of the same export, or the new one. Throws where the folder is of another export. */
export async function openManifest(folder: string, fresh: Manifest): Promise<Manifest> {
  const found = await readManifest(folder);
  if (found === undefined) {
    await writeManifest(folder, fresh);
    return fresh;
  }
  const isSame =
    found.table === fresh.table &&
    found.fromBlock === fresh.fromBlock &&
    found.toBlock === fresh.toBlock &&
    found.chainId === fresh.chainId;
  if (!isSame)
    throw new DestinationError(
      `${folder} holds another export (${found.table}, blocks ${found.fromBlock} to ${found.toBlock}): choose another folder`,
    );
  if (found.segmentsPerSlice !== fresh.segmentsPerSlice) {
    throw new DestinationError(
      `${folder} was begun with slices of ${found.segmentsPerSlice} segments: go on with --slice ${found.segmentsPerSlice}, or choose another folder for ${fresh.table}`,
    );
  }
  return found;
}
