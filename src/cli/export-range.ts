import type { Client } from '../api/client.ts';
import { type Bound, type Boundaries, checkRange } from '../export/boundaries.ts';
import { locate } from '../export/locate.ts';
import { PLACE_FORMS, PlaceError, placeNamed } from '../export/place-name.ts';
import type { ExportPlan } from '../export/plan.ts';
import { cutIntoSlices, MANY_SEGMENTS, proposedSlice } from '../export/slices.ts';
import { keptRanges, snapOutward } from '../export/snap-outward.ts';
import { safeLine } from '../text/safe-text.ts';
import type { Context } from './context.ts';
import type { Given } from './options.ts';
import { UsageError } from './usage-error.ts';

/** A height as it stands, or the name of a place as it was typed. */
export function boundFrom(given: Given, name: Bound): bigint | string | undefined {
  const text = given.text(name);
  if (text === undefined) return undefined;
  if (/^\d{1,18}$/.test(text)) return BigInt(text);
  if (placeNamed(text) === undefined) throw new UsageError(`--${name} wants ${PLACE_FORMS}, not "${text}"`);
  return text;
}

interface Surroundings {
  readonly client: Client;
  readonly boundaries: Boundaries;
  readonly context: Context;
}

/** The height that a named place comes to, by the wizard's rule; what was understood is said. */
export async function boundHeight(
  name: Bound,
  bound: bigint | string | undefined,
  { client, boundaries, context }: Surroundings,
): Promise<bigint | undefined> {
  if (typeof bound !== 'string') return bound;
  const located = await locate(client, bound, name, context.signal).catch((error: unknown) => {
    throw error instanceof PlaceError
      ? new UsageError(`--${name}: ${error.message}; ${keptRanges(boundaries)}`)
      : error;
  });
  const snapped = snapOutward(boundaries, name, located);
  if (snapped.kind === 'outside') throw new UsageError(`--${name}: ${snapped.problem}`);
  await context.stderr.safe(safeLine(`--${name} ${snapped.height}: ${snapped.note}`));
  return snapped.height;
}

/** A long range in one request is lost whole with one broken line: what to do about it, or nothing. */
export function slicesHint(plan: ExportPlan, boundaries: Boundaries): string | undefined {
  const range = checkRange(boundaries, plan.fromBlock, plan.toBlock);
  if (plan.slices !== undefined || !range.isValid || range.segments <= MANY_SEGMENTS) return undefined;
  const size = proposedSlice(range.segments);
  const count = cutIntoSlices(plan, boundaries, size).length;
  return `${range.segments} segments in one request: --slice ${size} makes ${count} slices, each verified and kept by itself`;
}
