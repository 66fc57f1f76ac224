import { isHexBytes, readAddress } from '../../../base/text/ids.ts';
import type { SafeText } from '../../../base/text/safe-text.ts';
import { jsonText, member } from '../../api/json.ts';
import { readPage } from '../../api/page.ts';
import { nameOf, type SpecUse } from '../../directory/directory.ts';
import { definitionKey, usesOfSpec } from '../../directory/market-specs.ts';
import { checksumAddress } from '../../insight/address.ts';
import { type Keccak, loadKeccak } from '../../insight/keccak.ts';
import { type AbiFunction, argumentText, findFunction } from '../../insight/oracle/abi.ts';
import { type Arrivals, newestArrivals, nsToSeconds } from '../../insight/oracle/arrival.ts';
import { CHAIN_TIME_PROPERTY } from '../../insight/oracle/condition.ts';
import type {
  ContractCall,
  DataSigner,
  DataSource,
  Property,
  PropertyFilter,
} from '../../insight/oracle/data-source.ts';
import { type Delivery, type DueTimes, dueTimes, sourceSchedules } from '../../insight/oracle/delivery.ts';
import type { Schedule } from '../../insight/oracle/schedule.ts';
import { specDelivery } from '../../insight/oracle/spec-delivery.ts';
import { msToSeconds } from '../../insight/oracle/unix-seconds.ts';
import { isDataOf, readDataArrival } from '../../resources/oracle-data.ts';
import { type OracleSpec, readOracleSpec } from '../../resources/oracle-specs.ts';
import type { Row } from '../../resources/resource.ts';
import type { Ask, ExplainContext } from '../explanation.ts';

/** Everything known about a spec: its record, the clock, and what the node and the directory add. */
export interface KnownSpec extends OracleSpec {
  /** Unix seconds; of the newest block on a chain that has ended. */
  readonly now: bigint;
  /** How long the node has had no later block, where that is more than a delay; 0 otherwise, and on a chain that has ended. */
  readonly silentFor: bigint;
  /** The newest block stands for now. */
  readonly isStopped: boolean;
  /** The time of the node's last block; the node cannot know anything later. */
  readonly heardAt: bigint;
  /** Otherwise `heardAt` is now, which is only an assumption. */
  readonly saysBlockTime: boolean;
  readonly schedules: readonly Schedule[];
  readonly due: DueTimes;
  /** A deactivated spec is never due again; since when is unknown. */
  readonly delivery: Delivery | { readonly kind: 'over' };
  /** Set for contract calls. */
  readonly called: CalledMethod | undefined;
  readonly arrivals: Arrivals | undefined;
  /** Undefined if no market is loaded. */
  readonly markets: readonly UsingMarket[] | undefined;
  /** How many markets were checked. */
  readonly knownMarkets: number;
  /** Names and types of its values. */
  readonly properties: ReadonlyMap<string, Property>;
  /** Puts an address in checksum case. */
  readonly inChecksumCase: (address: string) => string;
  readonly nameOfSigner: (signer: DataSigner) => SafeText | undefined;
}

export interface UsingMarket {
  readonly id: string;
  readonly name: SafeText | undefined;
  readonly state: string;
  readonly uses: readonly SpecUse['use'][];
}

export async function loadKnownSpec(
  row: Row,
  { directory, nowMs, hasEnded = false, ask }: ExplainContext,
): Promise<KnownSpec> {
  const spec = readOracleSpec(row);
  const { source } = spec;
  const [arrivals, called, keccak, blockTime] = await Promise.all([
    fetchArrivals(spec.id, ask),
    source.variant === 'eth-oracle' ? calledMethod(source) : undefined,
    hasAddress(source) ? loadKeccak() : undefined,
    fetchBlockTime(ask),
  ]);
  const clock = msToSeconds(nowMs);
  const heardAt = blockTime !== undefined && blockTime < clock ? blockTime : clock;
  const silentFor = !hasEnded && clock - heardAt > LATE ? clock - heardAt : 0n;
  const isStopped = hasEnded || silentFor > 0n;
  const now = hasEnded ? heardAt : clock;
  // The next time is computed from the node's newest data, as nothing is known about later times.
  const since = nsToSeconds(spec.createdAt) ?? 0n;
  const schedules = sourceSchedules(source, since);
  const timing = { schedules, now, since };
  const saysBlockTime = blockTime !== undefined;
  return {
    ...{ ...spec, now, silentFor, isStopped, heardAt, saysBlockTime, schedules, called, arrivals },
    ...(spec.status === 'STATUS_DEACTIVATED'
      ? OVER
      : {
          due: {
            last: dueTimes({ ...timing, now: heardAt }).last,
            next: dueTimes({ ...timing, now: isStopped ? heardAt : now }).next,
          },
          delivery: specDelivery({ source, schedules, since, heardAt, saysBlockTime }, arrivals),
        }),
    markets: findUsingMarkets(spec, directory),
    knownMarkets: directory.markets.size,
    properties: new Map([...BUILT_IN, ...sourceFilters(source).map(({ key }) => key)].map(key => [key.name, key])),
    inChecksumCase: address => checksumCaseIfKnown(address, keccak),
    nameOfSigner: ({ kind, id }) => nameOf(directory, kind === 'address' ? 'submitter' : 'party', id),
  };
}

/** A node this many seconds behind is not mentioned. */
const LATE = 120n;

const OVER = { due: { last: undefined, next: undefined }, delivery: { kind: 'over' } } as const;

// The properties of the chain's own time.
const BUILT_IN: readonly Property[] = ['vegaprotocol.builtin.timestamp', 'vegaprotocol.builtin.timetrigger'].map(
  name => ({ ...CHAIN_TIME_PROPERTY, name }),
);

const hasAddress = (source: DataSource): boolean =>
  source.variant === 'eth-oracle' ||
  (source.variant === 'oracle' && source.signers.some(({ kind }) => kind === 'address'));

const checksumCaseIfKnown = (address: string, keccak: Keccak | undefined): string =>
  keccak === undefined ? address : checksummedAddress(address, keccak);

/** The conditions of a source in order; chain time is a property of its own. */
export function sourceFilters(source: DataSource): readonly PropertyFilter[] {
  switch (source.variant) {
    case 'eth-oracle':
    case 'oracle':
      return source.filters;
    case 'time':
      return source.conditions.length === 0
        ? []
        : [{ key: CHAIN_TIME_PROPERTY, conditions: source.conditions.slice(0, 1) }];
    case 'time-trigger':
      return source.conditions.length === 0 ? [] : [{ key: CHAIN_TIME_PROPERTY, conditions: source.conditions }];
    case 'none':
      return [];
  }
}

function findUsingMarkets(
  { id, data }: OracleSpec,
  directory: ExplainContext['directory'],
): readonly UsingMarket[] | undefined {
  if (directory.markets.size === 0) return undefined;
  const spec = { id, definition: definitionKey(data) };
  return [...directory.markets].flatMap(([market, { specs, state }]) => {
    const uses = usesOfSpec(specs, spec);
    return uses.length > 0 ? [{ id: market, name: nameOf(directory, 'market', market), state, uses }] : [];
  });
}

/** The method a spec calls, as described by its ABI. */
export type CalledMethod =
  | { readonly problem: string }
  | {
      readonly method: AbiFunction;
      /** `getPrice(bytes32 feed) view returns (int256)` */
      readonly declaration: string;
      /** `getPrice(bytes32)` and its four-byte selector; undefined if nodes do not accept one of its types. */
      readonly signature: string | undefined;
      readonly selector: string | undefined;
    };

async function calledMethod({ abi, method: key }: ContractCall): Promise<CalledMethod> {
  const method = findFunction(abi, key);
  if ('problem' in method) return method;
  const { canonicalSignature, functionDeclaration, functionSelector } = await import(
    '../../insight/oracle/function-signature.ts'
  );
  const signature = canonicalSignature(method);
  const selector = signature === undefined ? undefined : functionSelector(signature, await loadKeccak());
  return { method, declaration: functionDeclaration(method), signature, selector };
}

interface NamedArgument {
  /** '' if the ABI has none. */
  readonly name: string;
  readonly type: string;
  /** JSON text, as sent. */
  readonly raw: string;
  readonly value: string;
}

/** The arguments with their names and types from the ABI. */
export const namedArguments = ({ args }: ContractCall, called: CalledMethod): readonly NamedArgument[] =>
  args.map((raw, index) => {
    const { name, type } = ('problem' in called ? undefined : called.method.inputs[index]) ?? { name: '', type: '' };
    return { name, type, raw, value: argumentText(raw, type) };
  });

/** An address in EIP-55 checksum case; other text is not changed. */
const checksummedAddress = (address: string, keccak: Keccak): string =>
  readAddress(address) === undefined ? address : checksumAddress(address, keccak);

/** Undefined if the node does not serve it, or not now (node-behaviour.md section 5). */
export async function fetchArrivals(specId: string, ask: Ask): Promise<Arrivals | undefined> {
  if (!isHexBytes(specId)) return undefined;
  const query = [
    ['oracleSpecId', specId],
    ['pagination.first', String(MAX_ARRIVALS_READ)],
    ['pagination.newestFirst', 'true'],
  ] as const;
  const answer = await ask({ path: 'api/v2/oracle/data', query });
  const page = answer === undefined ? undefined : readPage(answer, 'oracleData');
  if (page === undefined) return undefined;
  const own = page.records.filter(record => isDataOf(record, specId));
  // Data of other specs means that the node ignores the filter, so data of this spec may follow later.
  return newestArrivals(own.map(readDataArrival), page.hasNextPage || own.length < page.records.length);
}

/** The Unix second of the last block the node has stored; undefined if not reported. */
async function fetchBlockTime(ask: Ask): Promise<bigint | undefined> {
  return nsToSeconds(jsonText(member(await ask({ path: 'api/v2/vega/time', query: [] }), 'timestamp')));
}

// Enough to find the last value before some errors.
const MAX_ARRIVALS_READ = 10;
