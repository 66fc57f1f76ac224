import { RateLimitedError, RefusedError } from '../../../src/chain/api/errors.ts';
import { parseJson } from '../../../src/chain/api/json.ts';
import { NO_NAMES } from '../../../src/chain/directory/directory.ts';
import { explainOracleSpec } from '../../../src/chain/explain/oracle-specs.ts';
import { listedBoundaries } from '../../../src/chain/range/segment-boundaries.ts';
import type { Segment } from '../../../src/chain/range/segment-history.ts';
import type { Session } from '../../../src/explorer/app/session.ts';
import type { EntryReport, Verdict } from '../../../src/history/check/verdict.ts';
import type { ExportResult } from '../../../src/history/download/export-result.ts';
import { FULL_RECORDS } from '../../chain/resources/full-records.ts';
import { ratedProgress } from '../../support/progress.ts';
import { startExport } from './export-scenes.ts';
import { answerPage, type FakeWorld, last, press, startSession, told } from './fake-world.ts';
import { pageOf, provisionPage } from './provision-pages.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export const SMALL: Size = { columns: 40, rows: 12 };
export const USUAL: Size = { columns: 80, rows: 24 };
export const LARGE: Size = { columns: 120, rows: 40 };

const FACTS = { blockHeight: '24031', blockTimeNs: '1799999994000000000', rate: { limitPerSecond: 20 } };

export async function table(size: Size) {
  const { session, world } = await startSession(size);
  await answerPage(world, provisionPage(1), FACTS);
  return { session, world };
}

export async function filters(size: Size) {
  const { session, world } = await table(size);
  press(session, 'f', 'tab', 'down');
  return { session, world };
}

export async function inspector(size: Size) {
  const { session, world } = await startSession({ ...size, tab: 'oracles' });
  const records = FULL_RECORDS.filter(([id]) => id === 'oracles').map(([, record]) => record);
  world.explains = async (_, row, around) => explainOracleSpec(row, { ...KNOWN, around });
  await answerPage(world, pageOf(records), FACTS);
  press(session, 'enter');
  await session.idle();
  return { session, world };
}

const KNOWN = { directory: NO_NAMES, nowMs: 1_800_000_000_000, ask: async () => undefined };

export async function help(size: Size) {
  const { session, world } = await table(size);
  press(session, '?');
  return { session, world };
}

export async function copyMenu(size: Size) {
  const { session, world } = await inspector(size);
  press(session, 'j', 'y');
  return { session, world };
}

export async function commandLine(size: Size) {
  const { session, world } = await table(size);
  press(session, ':');
  session.dispatch({ type: 'type-text', value: 'size 9999' });
  press(session, 'enter');
  return { session, world };
}

export async function failed(size: Size) {
  const { session, world } = await table(size);
  const inner = 'partyID: zz: decoding: not a valid hex id (or well known exception)';
  const detail = { type: 'vega.ErrorDetail', code: '280001', message: 'failed to get liquidity provision', inner };
  const fault = { code: 3, message: 'InvalidArgument error', details: [{ ...detail, rest: {} }] };
  const url = 'http://127.0.0.1:3008/api/v2/liquidity/provisions?partyId=zz';
  press(session, 'n');
  last(world.pages).fail(new RefusedError(400, fault, { url, hint: 'check the filters' }));
  await told();
  return { session, world };
}

export async function limited(size: Size) {
  const { session, world } = await startSession(size);
  const retryAtMs = world.clockMs + 2500;
  const message = 'HTTP 429: api request rate limit exceeded';
  last(world.pages).fail(new RateLimitedError(message, { url: 'http://127.0.0.1:3008/api/v2/x', retryAtMs }));
  await told();
  return { session, world };
}

export async function empty(size: Size) {
  const { session, world } = await startSession(size);
  await answerPage(world, pageOf([]), FACTS);
  return { session, world };
}

export async function demanding(size: Size) {
  const { session, world } = await startSession(size);
  const detail = { type: '', code: '280001', message: '', inner: 'market or party filters are required', rest: {} };
  const fault = { code: 13, message: 'Internal error', details: [detail] };
  last(world.pages).fail(new RefusedError(500, fault, { url: '', hint: '' }));
  await told();
  return { session, world };
}

const segment = (from: number, to: number, databaseVersion: string): Segment => ({
  fromHeight: BigInt(from),
  toHeight: BigInt(to),
  historySegmentId: `Qm${to}`,
  previousHistorySegmentId: from === 1 ? '' : `Qm${from - 1}`,
  databaseVersion,
  chainId: 'fake-chain-1',
});

export async function wizard(size: Size, step: 'table' | 'range' | 'destination' | 'review' | 'progress') {
  const { session, world } = await startExport({ ...size });
  const segments = [segment(1, 1000, '93'), segment(1001, 2000, '94'), segment(5001, 5500, '94')];
  last(world.segments).answer({ boundaries: listedBoundaries(segments), hint: null });
  await told();
  if (step !== 'table') await toRange(session, world, step);
  return { session, world };
}

async function toRange(session: Session, world: FakeWorld, step: string): Promise<void> {
  press(session, 'enter');
  session.dispatch({ type: 'type-text', value: '1' });
  press(session, 'tab');
  session.dispatch({ type: 'type-text', value: step === 'range' ? '1999' : '2000' });
  if (step === 'range') return;
  press(session, 'enter');
  if (step === 'destination') return;
  press(session, 'enter');
  const path = '/home/me/fake-chain-1-ledger-000001-002000.zip';
  last(world.checks).answer({ path, exists: false, problem: null, freeBytes: 12_300_000_000 });
  await told();
  if (step === 'review') return;
  press(session, 'enter');
  const entryName = 'fake-chain-1-ledger-093-000001-001000.csv';
  const parts = { unit: 'block', done: 0, failed: 0, underWay: 1000, of: 2000 } as const;
  const progress = { bytes: 12_345_678, elapsedMs: 2500, entries: 1, rows: 54_321, entryName, parts };
  last(world.exports).asked.onProgress(ratedProgress(progress));
}

export async function result(size: Size, ended: ExportResult) {
  const { session, world } = await wizard(size, 'progress');
  last(world.exports).answer(ended);
  await told();
  return { session, world };
}

export const entry = (name: string, members: Partial<EntryReport> = {}): EntryReport => ({
  name,
  byteOffset: 0,
  schemaVersion: 93,
  fromBlock: 1n,
  toBlock: 1000n,
  rows: 54_321,
  columns: ['vega_time', 'height'],
  bytes: 1000,
  compressedBytes: 500,
  crc32: '00000000',
  longestLineBytes: 100,
  isWhole: true,
  findings: [],
  ...members,
});

const checked = { findings: [], notes: [], bytes: 12_345_678, sha256: 'ab'.repeat(32) };
const first = entry('fake-chain-1-ledger-093-000001-001000.csv');
const second = entry('fake-chain-1-ledger-094-001001-002000.csv', { schemaVersion: 94, columns: ['a', 'b', 'c'] });

const complete: Verdict = {
  ...checked,
  kind: 'complete',
  reason: 'everything that was asked for is there',
  entries: [first, second],
  notes: ['the schema changes at block 1001'],
};

const incomplete: Verdict = {
  ...checked,
  kind: 'incomplete',
  reason: 'the node broke off in fake-chain-1-ledger-094-001001-002000.csv',
  entries: [first, { ...second, isWhole: false }],
  nodeError: {
    code: 13,
    message: 'Internal error',
    details: [{ type: '', code: '10000', message: 'failed to open segment', inner: 'no such file', json: '{}' }],
  },
};

const path = '/home/me/fake-chain-1-ledger-000001-002000.zip';
export const SAVED = { kind: 'saved', path, verdict: complete, elapsedMs: 4200 } as const;
export const NOT_COMPLETE: ExportResult = {
  kind: 'not-complete',
  partPath: `${path}.part`,
  verdict: incomplete,
  brokenBy: null,
  elapsedMs: 4200,
};

/** Rows full of what no terminal should be sent. */
export const HOSTILE_ROW = {
  id: '\u001b]0;owned\u0007\u001b[2J',
  marketId: '\u009b2J\u0000\r\n\t',
  reference: '\u202e\u2066\u200b漢字👩‍👩‍👧 e\u0301\u0301\u0301\u0301\u0301\u0301',
  status: 'STATUS_\u001b[31m',
  buys: parseJson('[{"\\u001b[2J":"\\u009b","orderId":"\\u001b[2J","liquidityOrder":{}}]'),
};
