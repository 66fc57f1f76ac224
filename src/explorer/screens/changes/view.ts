import { type SafeText, safeText, sanitize, sliceSafe } from '../../../base/text/safe-text.ts';
import { momentText } from '../../../base/text/time.ts';
import { truncateMiddle, widthCells, wrapWords } from '../../../base/text/width.ts';
import { countOf } from '../../../chain/insight/count-of.ts';
import { comparisonNotes, earlierBlockNotes } from '../../../memory/diff/comparison-notes.ts';
import { BLANK, type Line, line, type ScreenRow, type Style, span, textLine, toScreenRows } from '../../core/line.ts';
import { linesRangeText, wholeHeight, wholeLines } from '../../core/list.ts';
import { fittingParts, type RuleParts, ruleTitle } from '../../core/rule.ts';
import type { Area, ScreenContext } from '../../core/screen.ts';
import { fitTable, GAPS, type ListColumn, tableHead, tableRow } from '../../core/table.ts';
import type { ChangesSince } from '../../services/changes/changes.ts';
import { coreHealth } from '../../services/node/health.ts';
import type { NodeState } from '../../services/node/node.ts';
import { type ChangeLine, type ChangesState, changeSentence, changeText } from './state.ts';

/** The longest form that fits; each form includes the parts that were not compared. */
export function changesHead({ answer }: ChangesState, { area, shared }: ScreenContext): RuleParts {
  if (answer.kind !== 'found') return [CHANGES, [span(safeText`since yesterday`, 'quiet')]];
  const { before, isLater, found } = answer;
  const unread = found.notCompared.reduce((count, { scopes }) => count + scopes.length, 0);
  const [rest, shortRest] =
    unread === 0 ? ['', ''] : [`; ${countOf(unread, 'list')} not compared`, `; ${unread} not compared`];
  const since = `since ${isLater ? 'oldest ' : ''}snapshot ${before.snapshot}`;
  const time = momentText(before.takenMs);
  const minute = time.replace(/:\d\d UTC$/, ' UTC');
  const from = before.node === shared.node.address || shared.node.label === 'demo' ? '' : ` of ${before.node}`;
  const lines = [
    [`${since}${from}, ${time}`, rest],
    [`${since}, ${time}`, rest],
    [`${since}, ${minute}`, rest],
    [`${since}, ${minute}`, shortRest],
    [`since ${minute}`, rest],
    [`since ${minute}`, shortRest],
    [`snapshot ${before.snapshot}`, shortRest],
  ].map(
    ([what = '', not = '']): RuleParts => [CHANGES, [span(sanitize(what), 'quiet'), span(sanitize(not), 'pending')]],
  );
  const health = coreHealth(shared)?.text;
  const cells = area.columns - (health === undefined ? 0 : `${health} (07:13:56)`.length + 4);
  return fittingParts(lines, cells);
}

/** The compared snapshots, and the parts that were not compared. */
export const comparedNotes = ({ before, after, found }: ChangesSince, more: string): readonly string[] => [
  `compared with snapshot ${before.snapshot} of ${before.node}, ${momentText(before.takenMs)}`,
  ...earlierBlockNotes(before, after),
  ...comparisonNotes(found, more),
];

const CHANGES = ruleTitle('Changes');

export function changesPosition(state: ChangesState, context: ScreenContext): string {
  const count = state.lines.length;
  if (state.answer.kind !== 'found') return '';
  if (count === 0) return state.answer.found.compared === 0 ? 'nothing compared' : 'no changes';
  return linesRangeText(state, count, wholeHeight(state, context));
}

export function drawChanges(state: ChangesState, context: ScreenContext): readonly ScreenRow[] {
  const { answer } = state;
  const { area } = context;
  switch (answer.kind) {
    case 'asking': {
      const problem = unreachableReason(context.shared.node);
      if (problem.length > 0)
        return toScreenRows([BLANK, ...problem.flatMap(line => wrapped(line, area.columns, 'bad'))]);
      return toScreenRows([BLANK, textLine(`  reading ${answer.list === '' ? 'the node' : answer.list} ...`, 'quiet')]);
    }
    case 'none':
      return toScreenRows([BLANK, ...wrapped(answer.why, area.columns, 'plain')]);
    case 'failed':
      return toScreenRows([BLANK, ...wrapped(answer.problem, area.columns, 'bad')]);
    case 'found':
      return toScreenRows(state.lines.length === 0 ? noChangesLines(state, area) : table(state, context));
  }
}

/** Why the node cannot be read now; empty if it can, or may. */
export function unreachableReason(node: NodeState): readonly string[] {
  if (node.status === 'failed') return node.failure.lines;
  const isSilent = node.chainId === null && node.contact.silentSinceMs !== null;
  return isSilent ? ['The node does not answer, so its chain is not known. The comparison begins once it does.'] : [];
}

const wrapped = (text: string, columns: number, style: Style): readonly Line[] =>
  wrapWords(sanitize(text), Math.max(10, columns - 4)).map(words => [span(safeText`  ${words}`, style)]);

/** The scope of the comparison, and the parts that were not compared. */
function noChangesLines({ answer }: ChangesState, { columns }: Area): readonly Line[] {
  if (answer.kind !== 'found') return [];
  return [
    BLANK,
    answer.found.compared === 0
      ? textLine('  no list could be compared', 'pending')
      : textLine(`  no differences in ${countOf(answer.found.compared, 'list')}`, 'good'),
    ...comparedNotes(answer, '').flatMap(note => wrapped(note, columns, 'quiet')),
  ];
}

/** The last steps of a path that fit: `..commitmentAmount`. */
function endOfPath(path: SafeText, cells: number): SafeText {
  const dots = [...path.matchAll(/\./g)].map(({ index }) => index);
  const ends = dots.map(dot => safeText`..${sliceSafe(path, dot + 1)}`);
  const whole = [path, ...ends].find(text => widthCells(text) <= cells);
  return whole ?? truncateMiddle(sliceSafe(path, (dots.at(-1) ?? -1) + 1), cells);
}

function table(state: ChangesState, context: ScreenContext): readonly Line[] {
  const { columns } = context.area;
  const fitted = fitTable(changeColumns(columns), columns, { ...GAPS, gap: 1 });
  const lines = wholeLines(state.lines, state, context, {
    draw: (line, isSelected) => tableRow(fitted, line, isSelected),
    sentence: changeSentence,
  });
  return [tableHead(fitted, columns), ...lines];
}

const changeColumns = (screen: number): readonly ListColumn<ChangeLine>[] => [
  { title: 'LIST', cells: 10, yields: 2, isName: true, cell: ({ change }) => textLine(change.resource) },
  {
    ...{ title: 'RECORD', cells: Math.min(44, Math.max(20, Math.floor(screen / 3))), least: 18, isName: true },
    cell: ({ subject }, cells) => line(truncateMiddle(subject, cells)),
  },
  {
    ...{ title: 'MEMBER', cells: 18, yields: 1, isName: true },
    cell: ({ path }, cells) => line(endOfPath(sanitize(path), cells)),
  },
  { title: 'CHANGE', cells: 'rest', least: 19, cell: row => textLine(changeText(row), TONES[row.change.change]) },
];

const TONES: { readonly [change in ChangeLine['change']['change']]: Style } = {
  added: 'good',
  removed: 'bad',
  changed: 'plain',
  'only-in-a': 'plain',
  'only-in-b': 'plain',
};
