import { requestPath, requestRows, requestStatus } from '../../session/model/request-lines.ts';
import type { RequestsView } from '../../session/model/requests.ts';
import type { NodeState, SessionState } from '../../session/model/state.ts';
import { byteCount } from '../../text/byte-count.ts';
import { safeText, sanitize } from '../../text/safe-text.ts';
import { fitCells } from '../../text/width.ts';
import { BLANK, type Line, type Style, span, textLine } from '../line.ts';

type Request = RequestsView['requests'][number];

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
export function drawRequests(state: SessionState, view: RequestsView): readonly Line[] {
  const { columns } = state.screen;
  const shown = COLUMNS.filter(({ from }) => columns >= from);
  const heading = shown.map(({ title, cells, align }) => safeText`${fitCells(sanitize(title), cells, align)} `);
  if (view.requests.length === 0) return [BLANK, textLine('  nothing was asked of a node yet', 'quiet')];
  const rows = view.requests.slice(view.top, view.top + requestRows(state));
  return [
    [span(safeText`  `), ...heading.map(text => span(text, 'quiet')), span(safeText`GET`, 'quiet')],
    ...rows.map((request, index) =>
      drawRequest(request, shown, { node: state.node, isSelected: view.top + index === view.row }),
    ),
  ];
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
