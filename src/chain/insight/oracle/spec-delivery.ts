import { type Arrivals, arrivalTime } from './arrival.ts';
import type { DataSource } from './data-source.ts';
import { type Arrival, computeDelivery, type Delivery, patienceFor } from './delivery.ts';
import type { Schedule } from './schedule.ts';

/** What the node knows about a spec. */
interface ObservedSpec {
  readonly source: DataSource;
  readonly schedules: readonly Schedule[];
  /** Unix seconds: when the spec was created. */
  readonly since: bigint;
  /** The time of the node's last block; the node cannot know anything later. */
  readonly heardAt: bigint;
  /** Otherwise `heardAt` is only an assumption. */
  readonly saysBlockTime: boolean;
}

/** Whether the value that was due has arrived at the node. */
export function specDelivery(spec: ObservedSpec, arrivals: Arrivals | undefined): Delivery {
  const { source, schedules } = spec;
  // The chain never misses its own time, even if the node has no data about it.
  return deliveryByArrival(
    spec,
    usesChainTime(source) && !hasMet(schedules, arrivals) ? 'unknown' : arrivalTime(arrivals),
  );
}

/** A node that does not give its last block may be behind, so missing values are not called late. */
export function deliveryByArrival(spec: ObservedSpec, arrival: Arrival): Delivery {
  const { source, schedules, since, heardAt: now, saysBlockTime } = spec;
  const delivery = (by: Arrival): Delivery => computeDelivery({ schedules, now, since }, by, patienceFor(source));
  const judged = delivery(arrival);
  const isMissing = judged.kind === 'overdue' || judged.kind === 'awaited';
  return isMissing && !saysBlockTime ? delivery('unknown') : judged;
}

/** Whether the spec waits for the chain's own time. */
export const usesChainTime = ({ variant }: DataSource): boolean => variant === 'time' || variant === 'time-trigger';

/** Whether the exact second of a spec was met: its value has arrived. */
const hasMet = (schedules: readonly Schedule[], arrivals: Arrivals | undefined): boolean =>
  arrivals?.value !== undefined && schedules.some(({ kind }) => kind === 'exactly');
