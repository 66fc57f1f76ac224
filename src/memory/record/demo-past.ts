import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDuration } from '../../base/text/duration.ts';
import { DAY_MS, MINUTE_MS, nanosecondsToMs } from '../../base/text/time.ts';
import type { Client } from '../../chain/api/client.ts';
import { isJsonObject, type JsonObject, jsonText, member, parseJson, printJson } from '../../chain/api/json.ts';
import { liquidityProvisions } from '../../chain/resources/liquidity-provisions.ts';
import { walkRows } from '../../chain/resources/walk-rows.ts';
import type { NewSnapshot, ReadList, Snapshots, StoredList } from '../snapshots/index.ts';
import type { ChainReading } from './read-chain.ts';

/** What the demo node has just shown. */
type DemoReading = Omit<ChainReading, 'lists' | 'endedMs' | 'node'> & { readonly lists: readonly StoredList[] };

/**
 * Snapshots of the demo chain from before the start of the node, so that it has a yesterday without the user's own
 * recordings: everything that happened in the demo has a time, so its earlier content follows from its current content.
 * Closing them removes them.
 */
export async function createDemoSnapshots(
  client: Client,
  reading: DemoReading,
  signal: AbortSignal,
): Promise<Snapshots> {
  const { openRecorder } = await import('../snapshots/index.ts');
  const folder = mkdtempSync(join(tmpdir(), 'blockglass-demo-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const recorder = openRecorder({ folder, chainId: reading.chainId, nowMs: () => reading.takenMs });
    const close = (): void => {
      recorder.close();
      remove();
    };
    try {
      const versions = await fetchProvisionHistory(client, reading, signal);
      for (const atMs of earlierMomentsMs(reading)) recorder.add(snapshotAt(reading, versions, atMs));
      recorder.add({ ...reading, ...DEMO_NOW, endedMs: reading.takenMs, lists: reading.lists.filter(isRead) });
      return { ...recorder, close };
    } catch (error) {
      recorder.close();
      throw error;
    }
  } catch (error) {
    remove();
    throw error;
  }
}

const DEMO_NOW = { node: 'demo' } as const;

const isRead = (list: StoredList): list is ReadList => list.kind === 'read';

/** The last moment of yesterday, or else a while after the chain began; and an hour ago. */
function earlierMomentsMs({ takenMs, genesisTime }: DemoReading): readonly number[] {
  const begunMs = Date.parse(genesisTime ?? '') + 30 * MINUTE_MS;
  if (Number.isNaN(begunMs)) return [];
  const midnightMs = takenMs - (takenMs % DAY_MS);
  const firstMs = Math.max(begunMs, midnightMs - 1);
  const lastMs = takenMs - 60 * MINUTE_MS;
  // Oldest first: in the first hour of a day, an hour ago is before the last moment of yesterday.
  return [...new Set([firstMs, Math.max(begunMs, lastMs)])].toSorted((one, other) => one - other);
}

/** Every version of the provisions of each market, oldest first. */
async function fetchProvisionHistory(client: Client, { lists }: DemoReading, signal: AbortSignal) {
  const versions = new Map<string, readonly JsonObject[]>();
  const options = {
    client,
    resource: liquidityProvisions,
    signal,
    onWait: () => {},
    onSmaller: () => {},
    onNote: () => {},
  };
  for (const { list, scope } of lists) {
    if (list !== liquidityProvisions.id || scope === '') continue;
    const rows: JsonObject[] = [];
    const filters = { marketId: [scope] };
    for await (const page of walkRows(options, { filters, size: 1000, newestFirst: true, position: { kind: 'first' } }))
      rows.push(...page.rows);
    versions.set(scope, rows.toReversed());
  }
  return versions;
}

type ProvisionHistory = Awaited<ReturnType<typeof fetchProvisionHistory>>;

/** What the demo had at an earlier time. */
function snapshotAt(reading: DemoReading, versions: ProvisionHistory, atMs: number): NewSnapshot {
  const { genesisTime, lists } = reading;
  const begunMs = Date.parse(genesisTime ?? '');
  const nowMs = nanosecondsToMs(reading.blockTimeNs ?? '') ?? reading.takenMs;
  const blocks = BigInt(reading.blockHeight ?? '0');
  const height = (blocks * BigInt(Math.floor(atMs - begunMs))) / BigInt(Math.max(1, Math.floor(nowMs - begunMs)));
  const moment = { atMs, height, epoch: epochAtTime(lists, atMs - begunMs) };
  return {
    ...{ takenMs: atMs, endedMs: atMs, node: DEMO_NOW.node, genesisTime },
    blockHeight: String(height),
    blockTimeNs: `${atMs}000000`,
    lists: lists.flatMap(list => (isRead(list) ? listAtMoment(list, versions, moment) : [])),
  };
}

interface DemoMoment {
  readonly atMs: number;
  readonly height: bigint;
  readonly epoch: number;
}

function epochAtTime(lists: readonly StoredList[], sinceMs: number): number {
  const parameters = lists.find(({ list }) => list === 'parameters');
  const length = (parameters?.kind === 'read' ? parameters.records : [])
    .map(parseRecord)
    .find(({ key }) => key === 'validators.epoch.length');
  const lengthMs = Number((readDuration(jsonText(length?.value)) ?? 0n) / 1_000_000n);
  return lengthMs === 0 ? 0 : 1 + Math.floor(sinceMs / lengthMs);
}

function listAtMoment(list: ReadList, versions: ProvisionHistory, moment: DemoMoment): readonly ReadList[] {
  const { atMs, height, epoch } = moment;
  const isBefore = (time: unknown): boolean => timeMs(time) <= atMs;
  const rows = (change: (row: JsonObject) => readonly JsonObject[]): readonly ReadList[] => [
    { ...list, records: list.records.flatMap(record => change(parseRecord(record))).map(row => printJson(row)) },
  ];
  switch (list.list) {
    case 'status':
      return rows(row => [{ ...row, blockHeight: String(height), epochSeq: String(epoch) }]);
    case 'bundles':
      return rows(row => (isBefore(row.timestamp) ? [row] : []));
    case 'oracles':
      return rows(row =>
        isBefore(member(member(member(row, 'externalDataSourceSpec'), 'spec'), 'createdAt')) ? [row] : [],
      );
    case 'markets':
      return rows(row => marketAtMoment(row, isBefore));
    case 'fees':
      return Number(list.scope) < epoch ? [list] : [];
    case 'segments':
      return rows(row => (BigInt(jsonText(row.toHeight) || '0') <= height ? [row] : []));
    case 'provisions': {
      const latest = new Map<string, JsonObject>();
      for (const row of versions.get(list.scope) ?? []) if (isBefore(row.updatedAt)) latest.set(jsonText(row.id), row);
      const live = [...latest.values()].filter(row => !ENDED_STATUSES.has(jsonText(row.status)));
      return [{ ...list, records: live.map(row => printJson(row)) }];
    }
    default:
      return [list];
  }
}

const ENDED_STATUSES: ReadonlySet<string> = new Set(['STATUS_CANCELLED', 'STATUS_STOPPED', 'STATUS_REJECTED']);

function marketAtMoment(row: JsonObject, isBefore: (time: unknown) => boolean): readonly JsonObject[] {
  const times = member(row, 'marketTimestamps');
  if (!isBefore(member(times, 'proposed'))) return [];
  if (!isBefore(member(times, 'open')))
    return [{ ...row, state: 'STATE_PENDING', tradingMode: 'TRADING_MODE_OPENING_AUCTION' }];
  const isClosedLater = jsonText(member(times, 'close')) !== '0' && !isBefore(member(times, 'close'));
  return [isClosedLater ? { ...row, state: 'STATE_ACTIVE', tradingMode: 'TRADING_MODE_CONTINUOUS' } : row];
}

const timeMs = (time: unknown): number => (typeof time === 'string' ? (nanosecondsToMs(time) ?? 0) : 0);

function parseRecord(record: string): JsonObject {
  const row = parseJson(record);
  return isJsonObject(row) ? row : {};
}
