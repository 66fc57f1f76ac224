import type { EditedText } from '../../../base/text/edit-text.ts';
import { sanitize } from '../../../base/text/safe-text.ts';
import { fieldRow } from '../../core/field-row.ts';
import { textLine, toScreenRows } from '../../core/line.ts';
import type { FormScreen, ScreenContext, Step } from '../../core/screen.ts';
import type { CommandLineOpening } from '../../openings.ts';
import { linesStartingWith } from '../../services/history/history.ts';
import { completionRest, drawCommands, hasRoomForProblem } from './commands.ts';
import { type CommandLine, cursorAtEnd } from './state.ts';

type CommandLineEvent =
  | { readonly type: 'run' }
  | { readonly type: 'complete' | 'recall'; readonly direction: 1 | -1 }
  | { readonly type: 'edited'; readonly value: EditedText };

/** The line that takes commands, with its completions and the earlier entries. */
export const commandLineScreen: FormScreen<CommandLine, CommandLineEvent, CommandLineOpening> = {
  kind: 'form',
  title: 'the command line',
  needs: null,
  isOverlay: true,
  open: opening => ({ opening, value: cursorAtEnd(''), problem: null, offered: [], walk: null }),
  // biome-ignore format: a table, a row a key
  keys: [
    { keys: ['enter'], event: { type: 'run' }, title: 'run or keep the text', group: 'Field', footer: 'done' },
    { keys: ['tab'], event: { type: 'complete', direction: 1 }, title: 'complete; repeat for the next suggestion', group: 'Field', footer: 'complete', disabledReason: nothingOffered },
    { keys: ['right'], event: { type: 'complete', direction: 1 }, title: 'complete, at the end of the text', group: 'Field', disabledReason: nothingOffered, when: ({ value }) => value.at === value.text.length },
    { keys: ['shift-tab'], event: { type: 'complete', direction: -1 }, title: 'the one offered before', group: 'Field', disabledReason: nothingOffered },
    { keys: ['up'], event: { type: 'recall', direction: 1 }, title: 'the previous line with this start', group: 'Field', footer: 'history', disabledReason: noEarlierCommand },
    { keys: ['down'], event: { type: 'recall', direction: -1 }, title: 'the line after', group: 'Field', disabledReason: noLaterCommand },
  ],
  handlers: {
    edited: (line, { value }, context) => ({
      state:
        value.text === line.value.text
          ? { ...line, value }
          : withOffered({ ...line, value, problem: null, walk: null }, context),
    }),
    complete: (line, { direction }, context) => ({ state: cycleCompletion(line, direction, context) }),
    recall: (line, { direction }, context) => ({ state: recallCommand(line, direction, context) }),
    run,
  },
  input: {
    field: ({ value }) => ({ value, label: 'command', edited: edited => ({ type: 'edited', value: edited }) }),
    status: (line, { area, isOnTop }) => {
      const { value, problem } = line;
      const after = problem !== null && hasRoomForProblem(line, area.columns) ? textLine(`  ${problem}`, 'bad') : [];
      const parts = { before: textLine(' : ', 'accent'), after, ghost: sanitize(completionRest(line)) };
      return fieldRow({ ...value, isFocused: isOnTop }, area.columns, parts);
    },
    problem: ({ problem }) => problem ?? '',
  },
  settle: line => line,
  body: (line, context) => toScreenRows(drawCommands(line, context)),
};

function run(line: CommandLine, _: unknown, { below }: ScreenContext): Step<CommandLine> {
  const { opening, value } = line;
  const outcome = opening.run(below, value.text);
  // A line that something is wrong with stays in the field.
  if ('problem' in outcome) return { state: { ...line, problem: outcome.problem } };
  return { state: null, messages: [{ type: 'command-entered', line: value.text }, ...outcome.actions] };
}

const withOffered = (line: CommandLine, { below }: ScreenContext): CommandLine => ({
  ...line,
  offered: line.opening.offers(below, line.value.text),
});

/** Takes what the line may become; again, what else it may. */
function cycleCompletion(line: CommandLine, direction: 1 | -1, context: ScreenContext): CommandLine {
  const { walk, value, offered } = line;
  const from = walk?.kind === 'offered' ? walk : { typed: value.text, index: direction === 1 ? -1 : 0 };
  if (offered.length === 0) return line;
  const index = (from.index + direction + offered.length) % offered.length;
  const taken = { ...line, value: cursorAtEnd(offered[index]?.line ?? value.text), problem: null };
  // A single completion counts as typed: the next key continues from there.
  if (offered.length === 1) return withOffered({ ...taken, walk: null }, context);
  return { ...taken, walk: { kind: 'offered', typed: from.typed, index } };
}

/** An older or newer entry that begins with the typed text; at the end, the typed text itself. */
function recallCommand(line: CommandLine, direction: 1 | -1, context: ScreenContext): CommandLine {
  const { from, lines } = matchingHistory(line, context);
  const index = Math.max(-1, Math.min(from.index + direction, lines.length - 1));
  const walk = index === -1 ? null : ({ kind: 'recalled', typed: from.typed, index } as const);
  return withOffered({ ...line, value: cursorAtEnd(lines[index] ?? from.typed), problem: null, walk }, context);
}

function matchingHistory({ walk, value }: CommandLine, { shared }: ScreenContext) {
  const from = walk?.kind === 'recalled' ? walk : { typed: value.text, index: -1 };
  return { from, lines: linesStartingWith(shared.history, from.typed) };
}

function nothingOffered({ offered }: CommandLine): string | undefined {
  return offered.length > 0 ? undefined : 'nothing is offered here';
}

function noEarlierCommand(line: CommandLine, context: ScreenContext): string | undefined {
  const { from, lines } = matchingHistory(line, context);
  return from.index + 1 < lines.length ? undefined : 'nothing was entered here before';
}

function noLaterCommand(line: CommandLine, context: ScreenContext): string | undefined {
  return matchingHistory(line, context).from.index < 0 ? 'this is the line that is typed' : undefined;
}
