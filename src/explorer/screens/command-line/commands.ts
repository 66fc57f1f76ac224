import { looksLikeId } from '../../../base/text/ids.ts';
import { type SafeText, safeText, sanitize } from '../../../base/text/safe-text.ts';
import { fitCells, truncateMiddle, widthCells } from '../../../base/text/width.ts';
import { BLANK, fillRows, type Line, lineWidth, type Span, span, textLine } from '../../core/line.ts';
import type { ScreenContext } from '../../core/screen.ts';
import { wrapLine } from '../../core/wrapped-lines.ts';
import type { CommandHelp } from '../../openings.ts';
import type { CommandLine } from './state.ts';

type Commands = readonly CommandHelp[];

const FORM_CELLS = 28;

/** The commands that `:` takes, while its line is typed, and above that line its completions or the problem with it. */
export function drawCommands(
  line: CommandLine,
  { area: { columns, rows }, below: session }: ScreenContext,
): readonly Line[] {
  const commands = line.opening.commands(session);
  const offered = drawOffered(line, columns);
  const below = offered === undefined ? problemLines(line, columns) : [offered];
  const lines = [
    textLine(' Commands', 'strong'),
    BLANK,
    ...commandLines(line.value.text, commands, rows - 2 - below.length),
  ];
  return below.length === 0 ? lines : [...fillRows(lines, rows - below.length), ...below];
}

/** As many as fit; if they do not all fit, those that begin with the typed text. */
function commandLines(typed: string, commands: Commands, rows: number): readonly Line[] {
  const [begun = ''] = typed.trimStart().split(' ');
  const shown = commands.length <= rows ? commands : commands.slice(0, Math.max(0, rows - 1));
  const left = commands.length - shown.length;
  const meant = commands.filter(([form]) => form.startsWith(begun));
  if (begun !== '' && left > 0 && meant.length > 0) return meant.map(commandLine);
  const more = textLine(`  and ${left} more: type their first letters`, 'quiet');
  return [...shown.map(commandLine), ...(left === 0 ? [] : [more])];
}

const commandLine = ([form, meaning]: Commands[number]): Line => [
  span(fitCells(sanitize(`  ${form}`), FORM_CELLS), 'accent'),
  ...textLine(meaning),
];

/** Whether the problem with a line has room to its right. */
export const hasRoomForProblem = ({ value, problem }: CommandLine, columns: number): boolean =>
  problem === null || widthCells(sanitize(` : ${value.text}  ${problem}`)) < columns;

/** The problem with the line in full, if it would be cut to the right of the line: its end contains the suggestion. */
const problemLines = (line: CommandLine, columns: number): readonly Line[] =>
  line.problem === null || hasRoomForProblem(line, columns)
    ? []
    : wrapLine(textLine(` ${line.problem}`, 'bad'), columns);

/** What the line may become, where that is more than one thing; the one that was taken stands out. */
function drawOffered({ walk, offered: candidates }: CommandLine, columns: number): Line | undefined {
  if (candidates.length < 2) return undefined;
  const taken = walk?.kind === 'offered' ? walk.index : -1;
  const spans: Span[] = [span(safeText` `)];
  const room = columns - MORE_CELLS;
  // The accepted completion stays on the line, with those that follow.
  const first = firstShown(candidates, taken, room);
  let shown = first;
  for (const { label } of candidates.slice(first)) {
    const text = labelText(label);
    const isTaken = shown === taken;
    const parts = [
      span(isTaken ? safeText`>` : safeText` `, isTaken ? 'selected' : 'plain'),
      span(text, isTaken ? 'selected' : 'quiet'),
      span(safeText` `),
    ];
    if (shown > first && lineWidth(spans) + lineWidth(parts) > room) break;
    spans.push(...parts);
    shown++;
  }
  const left = candidates.length - (shown - first);
  return left === 0 ? spans : [...spans, ...textLine(` +${left}`, 'quiet')];
}

const MORE_CELLS = 6;
const MAX_LABEL_CELLS = 30;
const ID_CELLS = 10;

const labelText = (label: string): SafeText =>
  truncateMiddle(sanitize(label), looksLikeId(label) ? ID_CELLS : MAX_LABEL_CELLS);

function firstShown(candidates: readonly { readonly label: string }[], taken: number, room: number): number {
  let first = Math.max(0, taken);
  let left = room - 1;
  while (first >= 0) {
    left -= lineWidth([span(labelText(candidates[first]?.label ?? ''))]) + 2;
    if (left < 0) return Math.min(first + 1, Math.max(0, taken));
    first--;
  }
  return 0;
}

/** The rest of what would be completed; '' where there is nothing to complete. */
export function completionRest({ value, problem, walk, offered }: CommandLine): string {
  const [best] = offered;
  if (best === undefined || problem !== null || walk?.kind === 'offered') return '';
  const { text } = value;
  return best.line.toLowerCase().startsWith(text.toLowerCase()) ? best.line.slice(text.length).trimEnd() : '';
}
