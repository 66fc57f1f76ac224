import type { Directory } from '../../chain/directory/directory.ts';
import { countOf, countText } from '../../chain/insight/count-of.ts';
import { arrivalTime, newestArrivals, nsToSeconds } from '../../chain/insight/oracle/arrival.ts';
import type { Arrival, Delivery } from '../../chain/insight/oracle/delivery.ts';
import { deliveryByArrival, usesChainTime } from '../../chain/insight/oracle/spec-delivery.ts';
import { msToSeconds, roughPeriod } from '../../chain/insight/oracle/unix-seconds.ts';
import { onceFor } from '../../chain/resources/once-for.ts';
import { groupBySpec, namesSpecs, readDataArrival } from '../../chain/resources/oracle-data.ts';
import { oracleSpecs } from '../../chain/resources/oracle-specs.ts';
import type { Row } from '../../chain/resources/resource.ts';
import { listFewNames, nameOrId } from './name-texts.ts';
import { dependentMarkets, type RuleSpec, readSpecOnce, USE_VERBS, USE_WORDS } from './oracle-use.ts';
import { defineRule, type ListedFinding, listedUnknown } from './rule.ts';
import type { ObservedArrivals, RuleContext } from './rule-input.ts';

export const oracleOverdue = defineRule({
  id: 'oracle-overdue',
  about: 'overdue oracle specs',
  subject: 'Oracle specs',
  needs: ['markets', 'specs', 'arrivals'],
  isPerRecord: true,
  find: (read, known) => {
    const arrivals = collectArrivals(read('arrivals'));
    const { blockTimeMs } = read('arrivals');
    const scheduled = read('specs')
      .map(row => ({ row, spec: readSpecOnce(row) }))
      .filter(({ spec }) => spec.status === 'STATUS_ACTIVE' && !usesChainTime(spec.source))
      .map(one => ({ ...one, heard: observeDelivery(one.spec, arrivals, known) }));
    const unheard = scheduled.filter(({ heard }) => heard.delivery.kind === 'was-due');
    const unplanned = scheduled.filter(({ spec }) => isUnreadable(spec, known));
    const unsaid = (count: number, why: string): readonly ListedFinding[] =>
      count === 0
        ? []
        : [
            listedUnknown(
              'Oracle specs',
              `not known whether ${countOf(count, 'oracle spec')} ${count === 1 ? 'is' : 'are'} overdue: ${why}`,
              `overdue or not: not known for ${countText(count)}`,
            ),
          ];
    return [
      ...scheduled.flatMap(one => overdueFindings(one, known)),
      ...unsaid(
        unheard.length,
        blockTimeMs === null
          ? 'the node does not give the time of its newest block'
          : 'their last values cannot be read',
      ),
      ...unsaid(unplanned.length, 'their times cannot be read'),
    ];
  },
});

/** A spec of no source at all matters only if a market depends on it. */
function isUnreadable(spec: RuleSpec, { directory, nowMs }: RuleContext): boolean {
  if (spec.source.variant === 'none') return dependentMarkets(directory.markets, spec).length > 0;
  const isUnborn = spec.since > msToSeconds(nowMs) + CLOCKS_APART;
  return isUnborn || spec.schedules.some(({ kind }) => kind === 'unreadable');
}

/** How many seconds the clocks of a chain and of this machine may differ. */
const CLOCKS_APART = 3600n;

interface ObservedDelivery {
  readonly delivery: Delivery;
  /** The newest block of the node, Unix seconds. */
  readonly at: bigint;
  /** Older data was not read: it may be overdue for longer. */
  readonly isAtLeast: boolean;
}

/** What arrived, looked through once for all specs. */
interface CollectedArrivals {
  readonly bySpec: ReadonlyMap<string, readonly Row[]>;
  readonly hasMore: boolean;
  /** Some of the data does not give its specs. */
  readonly isOfUnknown: boolean;
  /** How far back it was read; undefined if the node has no more. */
  readonly oldest: bigint | undefined;
  /** The newest block when it was read, Unix seconds; undefined if the node does not report it. */
  readonly readAt: bigint | undefined;
}

const collectArrivals = (arrivals: ObservedArrivals): CollectedArrivals => ({
  bySpec: groupBySpec(arrivals.rows),
  hasMore: arrivals.hasMore,
  isOfUnknown: arrivals.rows.some(row => !namesSpecs(row)),
  oldest: oldestArrivalTime(arrivals),
  readAt: arrivals.blockTimeMs === null ? undefined : msToSeconds(arrivals.blockTimeMs),
});

function observeDelivery(
  { id, source, since, schedules }: RuleSpec,
  arrivals: CollectedArrivals,
  known: RuleContext,
): ObservedDelivery {
  const now = msToSeconds(known.nowMs);
  const { readAt: blockTime } = arrivals;
  const heardAt = blockTime !== undefined && blockTime < now ? blockTime : now;
  const own = (arrivals.bySpec.get(id.toLowerCase()) ?? []).map(readArrivalOnce);
  const among = newestArrivals(own, arrivals.hasMore);
  const isAtLeast = among.value === undefined && arrivals.oldest !== undefined;
  const heard: Arrival =
    among.value === undefined && arrivals.oldest !== undefined ? arrivals.oldest : arrivalTime(among);
  // Data from the future cannot be trusted.
  const arrival = typeof heard === 'bigint' && heard > now + CLOCKS_APART ? 'unknown' : heard;
  const spec = { source, schedules, since, heardAt, saysBlockTime: blockTime !== undefined };
  const delivery = deliveryByArrival(spec, arrival);
  // Data without known specs may be the awaited data.
  const isLate = delivery.kind === 'overdue' || delivery.kind === 'awaited';
  if (isLate && arrivals.isOfUnknown) return { delivery: deliveryByArrival(spec, 'unknown'), at: heardAt, isAtLeast };
  // Nothing in the newest data proves that a value is late, but not that one came before.
  const isProven = !isAtLeast || delivery.kind === 'overdue' || delivery.kind === 'nothing-due';
  return { delivery: isProven ? delivery : deliveryByArrival(spec, 'unknown'), at: heardAt, isAtLeast };
}

/** How far back the data was read if the node has more, which it lists newest first; undefined if it has no more. */
function oldestArrivalTime({ rows, hasMore }: ObservedArrivals): bigint | undefined {
  if (!hasMore || rows.length === 0) return undefined;
  const times = rows.map(row => nsToSeconds(readArrivalOnce(row).broadcastAt));
  return times.reduce((oldest, time) => (oldest === undefined || time === undefined || time < oldest ? time : oldest));
}

const readArrivalOnce = onceFor(readDataArrival);

interface Scheduled {
  readonly row: Row;
  readonly spec: RuleSpec;
  readonly heard: ObservedDelivery;
}

function overdueFindings({ row, spec, heard }: Scheduled, { directory }: RuleContext): readonly ListedFinding[] {
  if (heard.delivery.kind !== 'overdue') return [];
  const users = dependentMarkets(directory.markets, spec);
  const late = `${heard.isAtLeast ? 'at least ' : ''}${roughPeriod(heard.at - heard.delivery.since)}`;
  const words = users.map(
    ({ id, uses }) => `${nameOrId(directory, 'market', id)} ${uses.map(use => USE_WORDS[use]).join(', ')}`,
  );
  const dependence = users.length === 0 ? 'no market loaded here depends on it' : listFewNames(words);
  const name = nameOrId(directory, 'spec', spec.id);
  return [
    {
      subject: `Oracle ${name}`,
      fact: `${late} late: ${shortDependence(users, directory)}`,
      severity: users.length === 0 ? 'info' : 'warning',
      sentence: `oracle spec ${name} ${late} overdue: ${dependence}`,
      resource: oracleSpecs.id,
      key: oracleSpecs.keyOf(row),
    },
  ];
}

/** The first market that depends on a spec, and how many more do. */
function shortDependence(users: ReturnType<typeof dependentMarkets>, directory: Directory): string {
  const [first, ...others] = users;
  const [use] = first?.uses ?? [];
  if (first === undefined || use === undefined) return 'no market loaded here needs it';
  const more = others.length === 0 ? '' : ` and ${countText(others.length)} more`;
  return `${USE_VERBS[use]} ${nameOrId(directory, 'market', first.id)}${more}`;
}
