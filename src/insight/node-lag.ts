/** How far a node is behind, by the time of its newest block. */
export type Lag =
  /** It does not say of when its newest block is. */
  | { readonly kind: 'unknown' }
  /** Its newest block is from the future: one of two clocks is wrong. */
  | { readonly kind: 'ahead'; readonly ms: number }
  | { readonly kind: 'behind'; readonly ms: number; readonly by: 'clock' | 'core' }
  | { readonly kind: 'current' };

interface BlockTimes {
  /** Age of its newest block by this clock, in ms; null if it is not known. */
  readonly ageMs: number | null;
  /** How far it is behind its core in chain time, in ms. */
  readonly behindCoreMs: number | null;
}

export function lagOf({ ageMs, behindCoreMs }: BlockTimes, maxLagMs: number): Lag {
  if (ageMs === null) return { kind: 'unknown' };
  if (ageMs < -maxLagMs) return { kind: 'ahead', ms: -ageMs };
  const ms = Math.max(ageMs, behindCoreMs ?? 0);
  return ms <= maxLagMs ? { kind: 'current' } : { kind: 'behind', ms, by: ageMs >= ms ? 'clock' : 'core' };
}
