import { notesOn } from '../../../diff/notes.ts';
import { momentText } from '../../../export/range/named-range.ts';
import { countOf } from '../../../insight/count-of.ts';
import { safeText, sanitize } from '../../../text/safe-text.ts';
import { fitCells, truncateMiddle, wrapWords } from '../../../text/width.ts';
import { asRows, BLANK, headLine, type Line, type ScreenRow, type Style, span, textLine } from '../../core/line.ts';
import { selectedLine } from '../../core/looks.ts';
import type { Area, ScreenContext } from '../../core/screen.ts';
import type { NodeState } from '../../services/node/node.ts';
import { type ChangeLine, type ChangesState, lineSentence, linesOf, lineWords } from './state.ts';

/** Rows below the lines, which have the selected one whole. */
const WHOLE_ROWS = 2;

/** Lines below the heading. */
export const changeRows = ({ rows }: Area): number => Math.max(1, rows - 1 - WHOLE_ROWS);

export function changesHead({ answer }: ChangesState): Line {
  if (answer.kind !== 'found') return [CHANGES, span(safeText`since yesterday`, 'quiet')];
  const { before, isLater, found } = answer;
  const unread = found.notCompared.reduce((count, { scopes }) => count + scopes.length, 0);
  const since = `since snapshot ${before.snapshot}, ${momentText(before.takenMs)}${isLater ? ', the oldest' : ''}`;
  const rest = unread === 0 ? [] : [span(sanitize(`; ${countOf(unread, 'list')} not compared`), 'pending')];
  return [CHANGES, span(sanitize(since), 'quiet'), ...rest];
}

const CHANGES = span(safeText` changes  `, 'strong');

export function changesPlace(state: ChangesState, { area }: ScreenContext): string {
  const count = linesOf(state).length;
  const last = Math.min(count, state.top + changeRows(area));
  if (state.answer.kind !== 'found') return '';
  return count === 0 ? 'no changes' : `${state.top + 1}-${last} of ${count}`;
}

export function drawChanges(state: ChangesState, context: ScreenContext): readonly ScreenRow[] {
  const { answer } = state;
  const { area } = context;
  switch (answer.kind) {
    case 'asking': {
      const problem = unreachable(context.shared.node);
      if (problem.length > 0) return asRows([BLANK, ...problem.flatMap(line => wrapped(line, area.columns, 'bad'))]);
      return asRows([BLANK, textLine(`  reading ${answer.list === '' ? 'the node' : answer.list} ...`, 'quiet')]);
    }
    case 'none':
      return asRows([BLANK, ...wrapped(answer.why, area.columns, 'plain')]);
    case 'failed':
      return asRows([BLANK, ...wrapped(answer.problem, area.columns, 'bad')]);
    case 'found':
      return asRows(linesOf(state).length === 0 ? nothing(state, area) : table(state, context));
  }
}

/** Why the node cannot be read now; empty if it can, or may. */
export function unreachable(node: NodeState): readonly string[] {
  if (node.status === 'failed') return node.failure.lines;
  const isSilent = node.chainId === null && node.contact.silentSinceMs !== null;
  return isSilent ? ['The node does not answer, so its chain is not known. The comparison begins once it does.'] : [];
}

const wrapped = (text: string, columns: number, style: Style): readonly Line[] =>
  wrapWords(sanitize(text), Math.max(10, columns - 4)).map(words => [span(safeText`  ${words}`, style)]);

/** What was compared, and what was not. */
function nothing({ answer }: ChangesState, { columns }: Area): readonly Line[] {
  if (answer.kind !== 'found') return [];
  return [
    BLANK,
    textLine(`  no differences in ${countOf(answer.found.compared, 'list')}`, 'good'),
    ...notesOn(answer.found, '').flatMap(note => wrapped(note, columns, 'quiet')),
  ];
}

const WIDTHS = { list: 10, member: 16, least: 56 } as const;

function table(state: ChangesState, { area, shared }: ScreenContext): readonly Line[] {
  const { columns } = area;
  const all = linesOf(state);
  const isWide = columns >= WIDTHS.least;
  const subjectCells = isWide ? Math.min(44, Math.max(20, Math.floor(columns / 3))) : Math.max(10, columns - 22);
  const cells = (line: ChangeLine): readonly string[] => [line.change.resource, line.subject, line.path];
  const drawn = (texts: readonly string[]) => {
    const [list = '', subject = '', member = ''] = texts.map(sanitize);
    const named = fitCells(truncateMiddle(sanitize(subject), subjectCells), subjectCells);
    if (!isWide) return safeText`${named} `;
    const path = fitCells(truncateMiddle(sanitize(member), WIDTHS.member), WIDTHS.member);
    return safeText`${fitCells(sanitize(list), WIDTHS.list)} ${named} ${path} `;
  };
  const rows = all.slice(state.top, state.top + changeRows(area)).map((line, index): Line => {
    const isSelected = state.top + index === state.row;
    const whole: Line = [
      span(isSelected ? safeText`> ` : safeText`  `, 'selected'),
      span(drawn(cells(line)), isSelected ? 'selected' : 'plain'),
      span(sanitize(lineWords(line)), TONES[line.change.change]),
    ];
    return isSelected ? selectedLine(whole, columns, shared) : whole;
  });
  const selected = all[state.row];
  const sentence = selected === undefined ? [] : wrapWords(sanitize(lineSentence(selected)), Math.max(10, columns - 2));
  const gap = Math.max(0, changeRows(area) - rows.length);
  return [
    headLine(
      [span(safeText`  `), span(drawn(['LIST', 'RECORD', 'MEMBER']), 'quiet'), span(safeText`CHANGE`, 'quiet')],
      columns,
    ),
    ...rows,
    ...Array.from({ length: gap }, () => BLANK),
    ...sentence.slice(0, WHOLE_ROWS).map(words => [span(safeText` ${words}`, 'quiet')]),
  ];
}

const TONES: { readonly [change in ChangeLine['change']['change']]: Style } = {
  added: 'good',
  removed: 'bad',
  changed: 'plain',
};
