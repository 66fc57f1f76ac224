import { basename, resolve } from 'node:path';
import type { NodeRequest } from '../../chain/api/request.ts';
import type { RequestedRange } from '../../chain/range/requested-range.ts';
import type { Witness } from '../../chain/range/witnesses.ts';
import { TABLE_SCHEMAS } from '../../tables/columns.ts';
import type { Expectation, ExpectedCsv } from '../check/verdict.ts';
import type { ExportTable } from './export-tables.ts';

/** An export that may be requested: its range was checked with `checkRange`. */
export interface ExportPlan {
  readonly table: ExportTable;
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  readonly chainId?: string;
  readonly runs?: readonly ExpectedCsv[];
  /** Where the segments of the range do not form one chain, and why. */
  readonly broken?: string;
  /** The range as typed, which is recorded next to the files. */
  readonly asked?: RequestedRange;
  /** A folder, or a file name that ends in `.zip`. */
  readonly destination: string;
  /** Whether an existing file may be replaced. */
  readonly mayOverwrite: boolean;
  /** Name an incomplete file `.incomplete.zip` instead of `.part`, so that it can be opened. */
  readonly keepsIncomplete?: boolean;
  /** What other nodes name as its segments, which is recorded with it; none where no other was asked. */
  readonly witnesses?: readonly Witness[];
  /** For an export in slices, into a folder. */
  readonly slices?: SliceChoice;
}

export interface SliceChoice {
  readonly segmentsPerSlice: number;
  /** Slices downloaded at once: 1 or 2. */
  readonly parallel: number;
}

/** The request of an export. Throws RangeError for fromBlock > toBlock, which crashes nodes (export-behaviour.md section 1.8). */
export function exportRequest(plan: ExportPlan): NodeRequest {
  if (plan.fromBlock > plan.toBlock) throw new RangeError('fromBlock is above toBlock');
  return {
    path: 'api/v2/networkhistory/export',
    query: [
      ['fromBlock', String(plan.fromBlock)],
      ['toBlock', String(plan.toBlock)],
      ['table', plan.table.name],
    ],
  };
}

/** The name that nodes give an archive (export-behaviour.md section 1.2): `demo-chain-1-ledger-000001-002000.zip`. */
export function archiveName(plan: Pick<ExportPlan, 'chainId' | 'table' | 'fromBlock' | 'toBlock'>): string {
  return safeFileName(
    `${plan.chainId || 'chain'}-${plan.table.id}-${padded(plan.fromBlock)}-${padded(plan.toBlock)}.zip`,
  );
}

/** The end of an archive name, without the chain id. */
export const archiveNameEnding = (plan: ExportPlan): string =>
  `-${plan.table.id}-${padded(plan.fromBlock)}-${padded(plan.toBlock)}.zip`;

/** Folder name of an export in slices. */
export const sliceFolderName = (plan: ExportPlan): string => archiveName(plan).replace(/\.zip$/, '');

/** The CSVs that the archive should contain; none when the segments are not known. */
export const expectedCsvNames = (plan: ExportPlan): readonly string[] =>
  (plan.runs ?? []).map(run => csvName(plan, run));

/** The name that nodes give a CSV (export-behaviour.md section 1.4). */
export function csvName(plan: ExportPlan, run: ExpectedCsv): string {
  const version = String(run.schemaVersion).padStart(3, '0');
  const name = `${plan.chainId || 'chain'}-${plan.table.id}-${version}-${padded(run.fromBlock)}-${padded(run.toBlock)}`;
  return `${name.replace(/[^A-Za-z0-9._-]/g, '_')}.csv`;
}

/** What the check expects of the archive. */
export function expectedArchive(plan: ExportPlan): Expectation {
  const { table, fromBlock, toBlock, chainId = '', runs } = plan;
  return {
    table: table.id,
    fromBlock,
    toBlock,
    ...(chainId !== '' && { chainId }),
    ...(runs !== undefined && { runs }),
  };
}

/** The file name in a Content-Disposition header, made safe; undefined when there is none. */
export function attachmentFileName(header: string | undefined): string | undefined {
  const name = /filename\*?=(?:UTF-8'')?"?([^";]+)"?/i.exec(header ?? '')?.[1]?.trim();
  return name === undefined || name === '' ? undefined : safeFileName(name);
}

/** A safe file name: no folders, no control characters, no leading dot, at most 200 characters, ending in `.zip`. */
export function safeFileName(name: string): string {
  const base = name
    .replace(/^.*[/\\]/, '')
    .replace(/[^A-Za-z0-9._-]/g, '_')
    .replace(/^\.+/, '');
  const stem = base.replace(/\.zip$/i, '').slice(0, 196);
  return `${stem === '' ? 'export' : stem}.zip`;
}

const padded = (height: bigint): string => String(height).padStart(6, '0');

/**
 * The export that a file name like `<chainId>-<table>-<from>-<to>.zip` stands for, incomplete or not; undefined for any
 * other name.
 */
export function exportFromFileName(
  path: string,
): (Required<Pick<Expectation, 'table' | 'fromBlock' | 'toBlock'>> & Expectation) | undefined {
  const name = basename(resolve(path)).replace(
    /(?:\.\d{1,2})?\.incomplete\.zip$|\.zip(?:\.\d{1,2})?\.(?:part|changed)$/,
    '.zip',
  );
  const match = /^(.+)-([a-z_]+)-(\d{6,19})-(\d{6,19})\.zip$/.exec(name);
  const [, chain = '', table = '', from = '', to = ''] = match ?? [];
  if (!match || !TABLE_SCHEMAS.has(table) || BigInt(from) > BigInt(to)) return undefined;
  const range = { table, fromBlock: BigInt(from), toBlock: BigInt(to) };
  return isExact(chain) ? { ...range, chainId: chain } : range;
}

/** File names have `_` for other characters of a chain id, and `chain` for an unknown one. */
const isExact = (chain: string): boolean => /^[A-Za-z0-9.-]+$/.test(chain) && chain !== 'chain';
