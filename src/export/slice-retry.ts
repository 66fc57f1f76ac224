import { NetworkError, RateLimitedError, RefusedError, TimeoutError } from '../api/errors.ts';
import type { Pause } from './progress.ts';
import type { ExportResult } from './result.ts';

/** A slice is tried so often when the line breaks; an error of the node's own ends the export at once. */
const TRIES = 4;

export interface Tried {
  /** How often, this one included. */
  readonly times: number;
  /** The first wait, which grows from one to the next, in ms. */
  readonly baseMs: number;
  readonly nowMs: number;
}

/** How long to wait before a slice is tried again, and why; undefined when that would not help. */
export function pauseAfter(result: ExportResult, { times, baseMs, nowMs }: Tried): Pause | undefined {
  if (times >= TRIES || result.kind === 'cancelled') return undefined;
  const leftMs = baseMs * 2 ** (times - 1) * (0.75 + Math.random() / 2);
  const broken: Pause = { reason: 'broken-line', leftMs };
  if (result.kind === 'not-complete') return isLineBroken(result) ? broken : undefined;
  if (result.kind !== 'failed') return undefined;
  const { error } = result;
  if (error instanceof RateLimitedError)
    return { reason: 'rate-limit', leftMs: Math.max(leftMs, error.retryAtMs - nowMs) };
  if (error instanceof NetworkError || error instanceof TimeoutError) return broken;
  return error instanceof RefusedError && [502, 503, 504].includes(error.status) ? broken : undefined;
}

const LINE_FAULTS = new Set(['cut', 'unconfirmed-end', 'empty-body']);

function isLineBroken({ verdict }: Extract<ExportResult, { readonly kind: 'not-complete' }>): boolean {
  const [gravest] = verdict.findings;
  return gravest !== undefined && LINE_FAULTS.has(gravest.fault);
}
