import { shownAddress } from '../chain/api/request.ts';
import type { Boundaries } from '../chain/range/segment-boundaries.ts';
import { queryWitnesses, unifyLoopbackHost, type Witness } from '../chain/range/witnesses.ts';
import type { ExportPlan } from '../history/plan/export-plan.ts';
import { type Context, connect, profileTarget, type Target } from './context.ts';
import type { Flag, ParsedFlags } from './flags.ts';
import { UsageError } from './usage-error.ts';

export const WITNESS_FLAG: Flag = {
  name: 'no-witnesses',
  kind: 'switch',
  group: 'Connection',
  about: 'do not compare segments with the nodes of other profiles',
};

interface WitnessInput {
  readonly plan: ExportPlan;
  readonly boundaries: Boundaries;
  /** The node that is exported from. */
  readonly base: URL;
}

/** What the other profiles of the chain name as the segments of an export: one request to each, at the same time. */
export async function fetchWitnesses(
  { plan, boundaries, base }: WitnessInput,
  given: ParsedFlags,
  context: Context,
): Promise<readonly Witness[]> {
  if (given.has(WITNESS_FLAG.name)) return [];
  const targets = await otherTargets(shownAddress(base), context);
  const nodes = await Promise.all(
    targets.map(async target => ({ name: target.label, client: (await connect(target, given, context)).client })),
  );
  return queryWitnesses(nodes, { boundaries, range: { from: plan.fromBlock, to: plan.toBlock } }, context.signal);
}

/** The profiles of other addresses, each address once. One that is written wrongly is none. */
async function otherTargets(exported: string, { settings }: Context): Promise<readonly Target[]> {
  const known = await settings();
  const others = new Map<string, Target>();
  for (const name of Object.keys(known.profiles ?? {})) {
    const target = usableTarget(() => profileTarget(known, name));
    if (target === undefined) continue;
    const address = unifyLoopbackHost(shownAddress(new URL(target.address)));
    if (address !== unifyLoopbackHost(exported) && !others.has(address)) others.set(address, target);
  }
  return [...others.values()];
}

function usableTarget(read: () => Target | undefined): Target | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}
