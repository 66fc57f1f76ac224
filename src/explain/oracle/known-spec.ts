import type { SpecUse } from '../../directory/directory.ts';
import { nameOf } from '../../directory/directory.ts';
import { definitionKey, usesOfSpec } from '../../directory/market-specs.ts';
import { type Keccak, loadKeccak } from '../../insight/keccak.ts';
import { CHAIN_TIME } from '../../insight/oracle/condition.ts';
import type { DataSigner, DataSource, Property, PropertyFilter } from '../../insight/oracle/data-source.ts';
import type { Schedule } from '../../insight/oracle/schedule.ts';
import { type Arrival, type Due, dueTimes, type Standing, standingOf } from '../../insight/oracle/standing.ts';
import { patienceFor, schedulesOf } from '../../insight/oracle/timing.ts';
import { secondsOfMs } from '../../insight/oracle/unix-seconds.ts';
import { type OracleSpec, readOracleSpec } from '../../resources/oracle-spec.ts';
import type { Row } from '../../resources/resource.ts';
import type { SafeText } from '../../text/safe-text.ts';
import type { Knowledge } from '../explanation.ts';
import { type Arrivals, arrivalsOf, arrivalTime, blockTimeOf, secondsOfNs } from './arrived.ts';
import { type CalledMethod, calledMethod, spelt } from './called-method.ts';

/** All that is known of a spec: its record, the clock, and what the node and the directory say of it. */
export interface KnownSpec extends OracleSpec {
  /** Unix seconds. */
  readonly now: bigint;
  /** The time of the last block that the node has: what came later it cannot know. */
  readonly heardAt: bigint;
  /** Else it is taken to have heard of everything until now, which nobody says. */
  readonly saysBlockTime: boolean;
  readonly schedules: readonly Schedule[];
  readonly due: Due;
  /** A spec that is deactivated is due no more, and nobody says since when. */
  readonly standing: Standing | { readonly kind: 'over' };
  /** Of a call of a contract. */
  readonly called: CalledMethod | undefined;
  readonly arrivals: Arrivals | undefined;
  /** Undefined where no market is known. */
  readonly markets: readonly UsingMarket[] | undefined;
  /** How many of them were looked at. */
  readonly knownMarkets: number;
  /** What its values are called and what they mean. */
  readonly properties: ReadonlyMap<string, Property>;
  /** An address as it is to be read. */
  readonly spelt: (address: string) => string;
  readonly nameOfSigner: (signer: DataSigner) => SafeText | undefined;
}

export interface UsingMarket {
  readonly id: string;
  readonly name: SafeText | undefined;
  readonly state: string;
  readonly uses: readonly SpecUse['use'][];
}

/** Puts together what is known of the record. */
export async function knownSpec(row: Row, { directory, nowMs, ask }: Knowledge): Promise<KnownSpec> {
  const spec = readOracleSpec(row);
  const { source } = spec;
  const [arrivals, called, keccak, blockTime] = await Promise.all([
    arrivalsOf(spec.id, ask),
    source.variant === 'eth-oracle' ? calledMethod(source) : undefined,
    hasAddress(source) ? loadKeccak() : undefined,
    blockTimeOf(ask),
  ]);
  const now = secondsOfMs(nowMs);
  const heardAt = blockTime !== undefined && blockTime < now ? blockTime : now;
  const since = secondsOfNs(spec.createdAt) ?? 0n;
  const schedules = schedulesOf(source, since);
  const timing = { schedules, now, since };
  // Its own time the chain does not miss, whatever is kept of it.
  const isOwnTime = source.variant === 'time' || source.variant === 'time-trigger';
  const arrival = isOwnTime && !hasMet(schedules, arrivals) ? 'unknown' : arrivalTime(arrivals);
  const standing = (by: Arrival): Standing => standingOf({ ...timing, now: heardAt }, by, patienceFor(source));
  return {
    ...{ ...spec, now, heardAt, saysBlockTime: blockTime !== undefined, schedules, called, arrivals },
    ...(spec.status === 'STATUS_DEACTIVATED'
      ? OVER
      : {
          due: { last: dueTimes({ ...timing, now: heardAt }).last, next: dueTimes(timing).next },
          standing: standingBy(standing(arrival), standing('unknown'), blockTime !== undefined),
        }),
    markets: usedBy(spec, directory),
    knownMarkets: directory.markets.size,
    properties: new Map([...BUILT_IN, ...demandsOf(source).map(({ key }) => key)].map(key => [key.name, key])),
    spelt: address => speltWhereKnown(address, keccak),
    nameOfSigner: ({ kind, id }) => nameOf(directory, kind === 'address' ? 'submitter' : 'party', id),
  };
}

/** Whether the one second that a spec waits for was met: a value of it has come. */
const hasMet = (schedules: readonly Schedule[], arrivals: Arrivals | undefined): boolean =>
  arrivals?.value !== undefined && schedules.some(({ kind }) => kind === 'exactly');

const OVER = { due: { last: undefined, next: undefined }, standing: { kind: 'over' } } as const;

/** A node that does not say its last block may be behind: nothing is late by what it does not have. */
function standingBy(told: Standing, untold: Standing, saysBlockTime: boolean): Standing {
  const isLacking = told.kind === 'overdue' || told.kind === 'awaited';
  return isLacking && !saysBlockTime ? untold : told;
}

// What the chain tells of its own time.
const BUILT_IN: readonly Property[] = ['vegaprotocol.builtin.timestamp', 'vegaprotocol.builtin.timetrigger'].map(
  name => ({ ...CHAIN_TIME, name }),
);

const hasAddress = (source: DataSource): boolean =>
  source.variant === 'eth-oracle' ||
  (source.variant === 'oracle' && source.signers.some(({ kind }) => kind === 'address'));

const speltWhereKnown = (address: string, keccak: Keccak | undefined): string =>
  keccak === undefined ? address : spelt(address, keccak);

/** What has to be there and hold, one after the other; the time of the chain has a name of its own. */
export function demandsOf(source: DataSource): readonly PropertyFilter[] {
  switch (source.variant) {
    case 'eth-oracle':
    case 'oracle':
      return source.filters;
    case 'time':
      return source.conditions.length === 0 ? [] : [{ key: CHAIN_TIME, conditions: source.conditions.slice(0, 1) }];
    case 'time-trigger':
      return source.conditions.length === 0 ? [] : [{ key: CHAIN_TIME, conditions: source.conditions }];
    case 'none':
      return [];
  }
}

function usedBy({ id, data }: OracleSpec, directory: Knowledge['directory']): readonly UsingMarket[] | undefined {
  if (directory.markets.size === 0) return undefined;
  const spec = { id, definition: definitionKey(data) };
  return [...directory.markets].flatMap(([market, { specs, state }]) => {
    const uses = usesOfSpec(specs, spec);
    return uses.length > 0 ? [{ id: market, name: nameOf(directory, 'market', market), state, uses }] : [];
  });
}
