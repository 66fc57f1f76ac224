import type { Client } from '../api/client.ts';
import { RefusedError } from '../api/errors.ts';
import { checkRange } from './boundaries.ts';
import { fetchBoundaries } from './fetch-boundaries.ts';
import type { ExportPlan } from './plan.ts';

/**
 * A range that was valid when the segments were listed and is refused all the same: the list may have changed since
 * (export-behaviour.md section 5). It is asked for once more, and what it shows is the hint of the error.
 */
export async function explainedRefusal(
  error: unknown,
  { client, plan, signal }: { readonly client: Client; readonly plan: ExportPlan; readonly signal: AbortSignal },
): Promise<unknown> {
  if (!(error instanceof RefusedError) || !isAboutTheRange(error)) return error;
  const found = await fetchBoundaries(client, signal).catch(() => undefined);
  if (found === undefined || found.boundaries.kind === 'rule') return error;
  const range = checkRange(found.boundaries, plan.fromBlock, plan.toBlock);
  const { status, fault, url } = error;
  const hint = range.isValid
    ? 'the node lists segments from the first to the last block of this range, asked again just now, and refuses it all the same: try again later, or another node'
    : `the segments have changed since they were listed, ${range.problem}: choose other bounds`;
  return new RefusedError(status, fault, { url, hint });
}

/** Older nodes call it their own fault (export-behaviour.md section 1.5). */
function isAboutTheRange({ status, fault }: RefusedError): boolean {
  if (status === 400) return true;
  return status === 500 && /contiguous/.test([fault.message, ...fault.details.map(({ message }) => message)].join(' '));
}
