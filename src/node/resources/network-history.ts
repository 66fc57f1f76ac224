import type { Chain } from '../demo/chain.ts';
import type { HistorySource } from '../demo/history/history-source.ts';
import { entryParts } from '../demo/history/tables.ts';
import { goJson } from '../gateway/go-json.ts';
import type { Operation, StreamOperation, UnaryOperation } from '../gateway/operation.ts';
import { type ExportFraming, jsonBody, zipBody } from '../history/export-framing.ts';
import { type ExportPlan, planExport, tableEnum } from '../history/export-plan.ts';
import { type ArchiveEntry, exportMessages } from '../history/export-stream.ts';

export interface HistoryParts {
  readonly source: HistorySource;
  readonly framing: ExportFraming;
  readonly clock: () => number;
}

export function networkHistoryOperations(parts: HistoryParts): readonly Operation[] {
  return [listSegments(parts.source.chain), exportTable(parts)];
}

function listSegments(chain: Chain): UnaryOperation {
  const segments = chain.segments.toReversed().map(segment => ({
    fromHeight: String(segment.fromHeight),
    toHeight: String(segment.toHeight),
    historySegmentId: segment.historySegmentId,
    previousHistorySegmentId: segment.previousHistorySegmentId,
    databaseVersion: String(segment.databaseVersion),
    chainId: segment.chainId,
  }));
  const body = goJson({ segments });
  return { kind: 'unary', path: '/api/v2/networkhistory/segments', accept: () => () => body };
}

function exportTable(parts: HistoryParts): StreamOperation {
  return {
    kind: 'stream',
    path: '/api/v2/networkhistory/export',
    accept: ({ query, deadlineMs }) => {
      const request = {
        fromBlock: query.int64('from_block') ?? 0n,
        toBlock: query.int64('to_block') ?? 0n,
        table: query.enumName('table', tableEnum),
      };
      return () => reply(parts, planExport(parts.source.chain.segments, request), deadlineMs);
    },
  };
}

function reply({ source, framing, clock }: HistoryParts, plan: ExportPlan, deadlineMs: number) {
  const isOverdue = () => clock() >= deadlineMs;
  const messages = (signal: AbortSignal) => exportMessages(archiveEntries(source, plan), { signal, isOverdue });
  if (framing === 'json') {
    const contentType = ['Content-Type', 'application/json'] as const;
    return {
      headers: [contentType],
      body: (signal: AbortSignal) => jsonBody(messages(signal), plan.fileName),
    };
  }
  return {
    headers: [
      ['Content-Disposition', `attachment;filename=${plan.fileName}`],
      ['Content-Type', 'application/zip'],
    ] as const,
    body: (signal: AbortSignal) => zipBody(messages(signal)),
  };
}

function archiveEntries(source: HistorySource, plan: ExportPlan): readonly ArchiveEntry[] {
  return plan.entries.map(entry => ({
    name: entry.name,
    parts: () => entryParts(source, plan.table, entry),
  }));
}
