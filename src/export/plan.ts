import type { NodeRequest } from '../api/request.ts';
import type { AskedRange } from './asked-range.ts';
import type { Expectation, ExpectedRun } from './check/verdict.ts';
import type { ExportTable } from './tables.ts';

/** An export that may be asked for: its bounds were checked against the node's boundaries. */
export interface ExportPlan {
  readonly table: ExportTable;
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  readonly chainId?: string;
  readonly runs?: readonly ExpectedRun[];
  /** Kept beside the files; undefined where nobody named a range. */
  readonly asked?: AskedRange;
  /** Folder, or the whole file name when it ends in `.zip`. */
  readonly destination: string;
  /** A file of that name may be replaced. */
  readonly mayOverwrite: boolean;
  /** A file that is not complete is called `.incomplete.zip` instead of `.part`, for whoever wants to look into it. */
  readonly keepsIncomplete?: boolean;
  /** Given for an export in slices, into a folder. */
  readonly slices?: SliceChoice;
}

export interface SliceChoice {
  readonly segmentsPerSlice: number;
  /** Slices on their way at once: 1 or 2. */
  readonly parallel: number;
  /** Also write one CSV per schema version. */
  readonly isMerged: boolean;
}

export function exportRequest(plan: ExportPlan): NodeRequest {
  // A deployed node dies of fromBlock > toBlock (export-behaviour.md section 1.8): never sent, whoever made the plan.
  if (plan.fromBlock > plan.toBlock) throw new RangeError('fromBlock above toBlock');
  return {
    path: 'api/v2/networkhistory/export',
    query: [
      ['fromBlock', String(plan.fromBlock)],
      ['toBlock', String(plan.toBlock)],
      ['table', plan.table.name],
    ],
  };
}

/** `demo-chain-1-ledger-000001-002000.zip`, as nodes name it (export-behaviour.md section 1.2). */
export function archiveName(plan: Pick<ExportPlan, 'chainId' | 'table' | 'fromBlock' | 'toBlock'>): string {
  return safeFileName(
    `${plan.chainId || 'chain'}-${plan.table.id}-${padded(plan.fromBlock)}-${padded(plan.toBlock)}.zip`,
  );
}

/** How the name of an archive of this table and range ends, whatever the chain is called. */
export const nameTail = (plan: ExportPlan): string =>
  `-${plan.table.id}-${padded(plan.fromBlock)}-${padded(plan.toBlock)}.zip`;

/** Folder of an export in slices. */
export const folderName = (plan: ExportPlan): string => archiveName(plan).replace(/\.zip$/, '');

/** The CSVs that the archive should hold, when the segments are known. */
export const expectedCsvNames = (plan: ExportPlan): readonly string[] =>
  (plan.runs ?? []).map(run => csvName(plan, run));

/** The name nodes give a CSV (export-behaviour.md section 1.4). */
export function csvName(plan: ExportPlan, run: ExpectedRun): string {
  const version = String(run.schemaVersion).padStart(3, '0');
  const name = `${plan.chainId || 'chain'}-${plan.table.id}-${version}-${padded(run.fromBlock)}-${padded(run.toBlock)}`;
  return `${name.replace(/[^A-Za-z0-9._-]/g, '_')}.csv`;
}

/** What the check is to hold the archive against. */
export function expectationOf(plan: ExportPlan): Expectation {
  const { table, fromBlock, toBlock, chainId = '', runs } = plan;
  return {
    table: table.id,
    fromBlock,
    toBlock,
    ...(chainId !== '' && { chainId }),
    ...(runs !== undefined && { runs }),
  };
}

/** The file name of a Content-Disposition header, made safe; undefined when it names none. */
export function dispositionName(header: string | undefined): string | undefined {
  const name = /filename\*?=(?:UTF-8'')?"?([^";]+)"?/i.exec(header ?? '')?.[1]?.trim();
  return name === undefined || name === '' ? undefined : safeFileName(name);
}

/** A name without folders, control characters or a leading dot, at most 200 long, ending in `.zip`. */
export function safeFileName(name: string): string {
  const base = name
    .replace(/^.*[/\\]/, '')
    .replace(/[^A-Za-z0-9._-]/g, '_')
    .replace(/^\.+/, '');
  const stem = base.replace(/\.zip$/i, '').slice(0, 196);
  return `${stem === '' ? 'export' : stem}.zip`;
}

const padded = (height: bigint): string => String(height).padStart(6, '0');
