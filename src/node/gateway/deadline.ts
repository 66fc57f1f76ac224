import { newGatewayFailure } from './failure.ts';

const UNIT_MS: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
};

/**
 * The deadline from the `Grpc-Timeout` header of a request; Infinity without one (node-behaviour.md section 1.2).
 */
export function deadlineMs(header: string | undefined, nowMs: number): number {
  if (header === undefined) return Number.POSITIVE_INFINITY;
  const parts = /^(\d+)([HMSmun])$/.exec(header);
  const perUnit = UNIT_MS[parts?.[2] ?? ''];
  if (!parts || perUnit === undefined) throw newGatewayFailure(3, `invalid grpc-timeout: ${header}`);
  return nowMs + Number(parts[1]) * perUnit;
}

export function newDeadlineFailure() {
  return newGatewayFailure(4, 'context deadline exceeded');
}
