import { countOf } from '../../chain/insight/count-of.ts';
import { arrivalsAmong, arrivalTime, secondsOfNs } from '../../chain/insight/oracle/arrival.ts';
import type { Arrival, Delivery } from '../../chain/insight/oracle/delivery.ts';
import { isOwnTime, judgedDelivery } from '../../chain/insight/oracle/heard-delivery.ts';
import { roughlyInWords, secondsOfMs } from '../../chain/insight/oracle/unix-seconds.ts';
import { onceFor } from '../../chain/resources/once-for.ts';
import { dataBySpec, namesSpecs, readArrived } from '../../chain/resources/oracle-data.ts';
import { oracleSpecs } from '../../chain/resources/oracle-specs.ts';
import type { Row } from '../../chain/resources/resource.ts';
import { few, nameOrId } from './names.ts';
import { dependentMarkets, type SeenSpec, seenSpec, USE_WORDS } from './oracle-use.ts';
import { defineRule, type RuleFinding, unknown } from './rule.ts';
import type { ArrivalsSeen, Known } from './seen.ts';

export const oracleOverdue = defineRule({
  id: 'oracle-overdue',
  about: 'overdue oracle specs',
  needs: ['markets', 'specs', 'arrivals'],
  isPerRecord: true,
  find: (read, known) => {
    const arrivals = arrivedIn(read('arrivals'));
    const { blockTimeMs } = read('arrivals');
    const scheduled = read('specs')
      .map(row => ({ row, spec: seenSpec(row) }))
      .filter(({ spec }) => spec.status === 'STATUS_ACTIVE' && !isOwnTime(spec.source))
      .map(one => ({ ...one, heard: heardOf(one.spec, arrivals, known) }));
    const unheard = scheduled.filter(({ heard }) => heard.delivery.kind === 'was-due');
    const unplanned = scheduled.filter(({ spec }) => isUnreadable(spec, known));
    const unsaid = (count: number, why: string): readonly RuleFinding[] =>
      count === 0 ? [] : [unknown(`overdue or not is not known for ${countOf(count, 'oracle spec')}: ${why}`)];
    return [
      ...scheduled.flatMap(one => overdue(one, known)),
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
function isUnreadable(spec: SeenSpec, { directory, nowMs }: Known): boolean {
  if (spec.source.variant === 'none') return dependentMarkets(directory.markets, spec).length > 0;
  const isUnborn = spec.since > secondsOfMs(nowMs) + CLOCKS_APART;
  return isUnborn || spec.schedules.some(({ kind }) => kind === 'unreadable');
}

/** How many seconds the clocks of a chain and of this machine may differ. */
const CLOCKS_APART = 3600n;

interface Heard {
  readonly delivery: Delivery;
  /** The newest block of the node, Unix seconds. */
  readonly at: bigint;
  /** Older data was not read: it may be overdue for longer. */
  readonly isAtLeast: boolean;
}

/** What arrived, looked through once for all specs. */
interface ArrivedData {
  readonly bySpec: ReadonlyMap<string, readonly Row[]>;
  readonly hasMore: boolean;
  /** Some of it does not say which specs it is for. */
  readonly isOfUnknown: boolean;
  /** How far back it was read; undefined if the node has no more. */
  readonly oldest: bigint | undefined;
  /** The newest block when it was read, Unix seconds; undefined if the node does not say. */
  readonly readAt: bigint | undefined;
}

const arrivedIn = (arrivals: ArrivalsSeen): ArrivedData => ({
  bySpec: dataBySpec(arrivals.rows),
  hasMore: arrivals.hasMore,
  isOfUnknown: arrivals.rows.some(row => !namesSpecs(row)),
  oldest: oldestRead(arrivals),
  readAt: arrivals.blockTimeMs === null ? undefined : secondsOfMs(arrivals.blockTimeMs),
});

function heardOf({ id, source, since, schedules }: SeenSpec, arrivals: ArrivedData, known: Known): Heard {
  const now = secondsOfMs(known.nowMs);
  const { readAt: blockTime } = arrivals;
  const heardAt = blockTime !== undefined && blockTime < now ? blockTime : now;
  const own = (arrivals.bySpec.get(id.toLowerCase()) ?? []).map(seenArrival);
  const among = arrivalsAmong(own, arrivals.hasMore);
  const isAtLeast = among.value === undefined && arrivals.oldest !== undefined;
  const heard: Arrival =
    among.value === undefined && arrivals.oldest !== undefined ? arrivals.oldest : arrivalTime(among);
  // What came later than now cannot be trusted.
  const arrival = typeof heard === 'bigint' && heard > now + CLOCKS_APART ? 'unknown' : heard;
  const spec = { source, schedules, since, heardAt, saysBlockTime: blockTime !== undefined };
  const delivery = judgedDelivery(spec, arrival);
  // Data of no known specs may be what is waited for.
  const isLate = delivery.kind === 'overdue' || delivery.kind === 'awaited';
  if (isLate && arrivals.isOfUnknown) return { delivery: judgedDelivery(spec, 'unknown'), at: heardAt, isAtLeast };
  // Nothing in the newest data proves that a value is late, but not that one came before.
  const isProven = !isAtLeast || delivery.kind === 'overdue' || delivery.kind === 'nothing-due';
  return { delivery: isProven ? delivery : judgedDelivery(spec, 'unknown'), at: heardAt, isAtLeast };
}

/** How far back the data was read if the node has more, which it lists newest first; undefined if it has no more. */
function oldestRead({ rows, hasMore }: ArrivalsSeen): bigint | undefined {
  if (!hasMore || rows.length === 0) return undefined;
  const times = rows.map(row => secondsOfNs(seenArrival(row).broadcastAt));
  return times.reduce((oldest, time) => (oldest === undefined || time === undefined || time < oldest ? time : oldest));
}

const seenArrival = onceFor(readArrived);

interface Scheduled {
  readonly row: Row;
  readonly spec: SeenSpec;
  readonly heard: Heard;
}

function overdue({ row, spec, heard }: Scheduled, { directory }: Known): readonly RuleFinding[] {
  if (heard.delivery.kind !== 'overdue') return [];
  const users = dependentMarkets(directory.markets, spec);
  const late = `${heard.isAtLeast ? 'at least ' : ''}${roughlyInWords(heard.at - heard.delivery.since)}`;
  const words = users.map(
    ({ id, uses }) => `${nameOrId(directory, 'market', id)} ${uses.map(use => USE_WORDS[use]).join(', ')}`,
  );
  const dependence = users.length === 0 ? 'no market loaded here depends on it' : few(words);
  return [
    {
      severity: users.length === 0 ? 'info' : 'warning',
      sentence: `oracle spec ${nameOrId(directory, 'spec', spec.id)} ${late} overdue: ${dependence}`,
      resource: oracleSpecs.id,
      key: oracleSpecs.keyOf(row),
    },
  ];
}
