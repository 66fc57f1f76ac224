import { byteCount } from '../../../text/byte-count.ts';
import { safeText, sanitize } from '../../../text/safe-text.ts';
import { fitCells } from '../../../text/width.ts';
import { asRows, BLANK, headLine, type Line, type ScreenRow, type Style, span, textLine } from '../../core/line.ts';
import { selectedLine } from '../../core/looks.ts';
import type { ScreenContext } from '../../core/screen.ts';
import type { NodeState } from '../../services/node/node.ts';
import { MOST_LOGGED } from '../../services/request-ring.ts';
import { requestPath, requestStatus } from './request-lines.ts';
import { type RequestLog, rowsIn } from './state.ts';

type Request = RequestLog['requests'][number];

export const REQUESTS_HEAD: Line = [
  span(safeText` requests  `, 'strong'),
  span(safeText`newest first; the last ${MOST_LOGGED} of this run`, 'quiet'),
];

export function requestsPlace({ requests, top }: RequestLog, { area }: ScreenContext): string {
  const last = Math.min(requests.length, top + rowsIn(area));
  return requests.length === 0 ? 'no requests' : `${top + 1}-${last} of ${requests.length}`;
}

interface RequestColumn {
  readonly title: string;
  readonly cells: number;
  readonly align: 'left' | 'right';
  /** Cells of a screen on which it has room. */
  readonly from: number;
  readonly text: (request: Request) => string;
}

const COLUMNS: readonly RequestColumn[] = [
  { title: 'UTC', cells: 8, align: 'left', from: 0, text: request => clock(request.sentAtMs) },
  { title: 'STATUS', cells: 9, align: 'left', from: 0, text: requestStatus },
  { title: 'TOOK', cells: 8, align: 'right', from: 60, text: ({ elapsedMs }) => `${elapsedMs} ms` },
  { title: 'RECEIVED', cells: 8, align: 'right', from: 70, text: ({ wireBytes }) => size(wireBytes) },
  { title: 'LEFT', cells: 4, align: 'right', from: 70, text: ({ budgetLeft }) => String(budgetLeft ?? '-') },
];

/** The last requests, newest first; the selected one is marked. */
export function drawRequests(log: RequestLog, { shared, area }: ScreenContext): readonly ScreenRow[] {
  const { columns } = area;
  const shown = COLUMNS.filter(({ from }) => columns >= from);
  const heading = shown.map(({ title, cells, align }) => safeText`${fitCells(sanitize(title), cells, align)} `);
  if (log.requests.length === 0) return asRows([BLANK, textLine('  nothing was asked of a node yet', 'quiet')]);
  const rows = log.requests.slice(log.top, log.top + rowsIn(area));
  return asRows([
    headLine([span(safeText`  `), ...heading.map(text => span(text, 'quiet')), span(safeText`GET`, 'quiet')], columns),
    ...rows.map((request, index) => {
      const isSelected = log.top + index === log.row;
      const drawn = drawRequest(request, shown, { node: shared.node, isSelected });
      return isSelected ? selectedLine(drawn, columns, shared) : drawn;
    }),
  ]);
}

function drawRequest(
  request: Request,
  shown: readonly RequestColumn[],
  { node, isSelected }: { readonly node: NodeState; readonly isSelected: boolean },
): Line {
  const again = request.attempt > 1 ? `retry ${request.attempt - 1} ` : '';
  return [
    span(isSelected ? safeText`> ` : safeText`  `, 'selected'),
    ...shown.map(({ title, cells, align, text }) =>
      span(
        safeText`${fitCells(sanitize(text(request)), cells, align)} `,
        title === 'STATUS' ? toneOf(request) : 'plain',
      ),
    ),
    span(sanitize(again), 'pending'),
    span(sanitize(requestPath(request, node)), isSelected ? 'selected' : 'plain'),
  ];
}

const TONES: { readonly [kind in Request['outcome']['kind']]: Style } = {
  answered: 'good',
  streaming: 'pending',
  cancelled: 'quiet',
  failed: 'bad',
};

const toneOf = ({ outcome }: Request): Style => TONES[outcome.kind];

const clock = (ms: number): string => new Date(ms).toISOString().slice(11, 19);

const size = (bytes: number | null): string => (bytes === null ? '-' : byteCount(bytes));
