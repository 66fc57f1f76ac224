import { formatByteCount } from '../../../base/text/byte-count.ts';
import { safeText } from '../../../base/text/safe-text.ts';
import { timeOfDay } from '../../../base/text/time.ts';
import { BLANK, type ScreenRow, type Style, span, textLine, toScreenRows } from '../../core/line.ts';
import { linesRangeText, listLines } from '../../core/list.ts';
import { type RuleParts, ruleTitle } from '../../core/rule.ts';
import type { ScreenContext } from '../../core/screen.ts';
import { fitTable, GAPS, type ListColumn, tableHead, tableRow } from '../../core/table.ts';
import type { NodeState } from '../../services/node/node.ts';
import { MAX_LOGGED_REQUESTS } from '../../services/request-ring.ts';
import { requestPath, requestStatus } from './request-lines.ts';
import { type RequestLog, visibleRowCount } from './state.ts';

type Request = RequestLog['requests'][number];

export const REQUESTS_HEAD: RuleParts = [
  ruleTitle('Requests'),
  [span(safeText`newest first, the last ${MAX_LOGGED_REQUESTS} of this run`, 'quiet')],
];

export const requestsPosition = (log: RequestLog, { area }: ScreenContext): string =>
  log.requests.length === 0 ? 'no requests' : linesRangeText(log, log.requests.length, visibleRowCount(area));

/** The last requests, newest first; the selected one is marked. */
export function drawRequests(log: RequestLog, context: ScreenContext): readonly ScreenRow[] {
  const { columns } = context.area;
  if (log.requests.length === 0) return toScreenRows([BLANK, textLine('  no request was sent yet', 'quiet')]);
  const table = fitTable(requestColumns(context.shared.node), columns, { ...GAPS, gap: 1 });
  const drawn = log.requests.slice(log.top, log.top + visibleRowCount(context.area));
  return toScreenRows([tableHead(table, columns), ...listLines(drawn, log, context, row => tableRow(table, row))]);
}

const requestColumns = (node: NodeState): readonly ListColumn<Request>[] => [
  { title: 'UTC', cells: 8, cell: request => textLine(timeOfDay(request.sentAtMs)) },
  { title: 'STATUS', cells: 9, cell: request => textLine(requestStatus(request), TONES[request.outcome.kind]) },
  { title: 'TOOK', cells: 8, align: 'right', yields: 1, cell: ({ elapsedMs }) => textLine(`${elapsedMs} ms`) },
  { title: 'RECEIVED', cells: 8, align: 'right', yields: 2, cell: ({ wireBytes }) => textLine(size(wireBytes)) },
  { title: 'LEFT', cells: 4, align: 'right', yields: 2, cell: ({ budgetLeft }) => textLine(String(budgetLeft ?? '-')) },
  {
    ...{ title: 'GET', cells: 'rest', least: 26, isName: true },
    cell: request => [
      ...(request.attempt > 1 ? textLine(`retry ${request.attempt - 1} `, 'pending') : []),
      ...textLine(requestPath(request, node)),
    ],
  },
];

const TONES: { readonly [kind in Request['outcome']['kind']]: Style } = {
  answered: 'good',
  streaming: 'pending',
  cancelled: 'quiet',
  failed: 'bad',
};

const size = (bytes: number | null): string => (bytes === null ? '-' : formatByteCount(bytes));
