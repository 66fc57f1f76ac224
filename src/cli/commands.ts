import { type SafeText, safeLines, sanitize } from '../base/text/safe-text.ts';
import { wrapWords } from '../base/text/width.ts';
import { type Command, type Commands, GROUPS } from './command.ts';
import { EXIT_MEANS, EXIT_NOTE } from './exit-code.ts';
import {
  COMMON_FLAGS,
  CONNECTION_AND_SNAPSHOT_FLAGS,
  commonFlags,
  type Flag,
  groupedFlags,
  VERSION_FLAG,
} from './flags.ts';
import { EXPLORER_FLAGS } from './preference-flags.ts';

/** Every command, loaded when it runs. */
export const COMMANDS: Commands = {
  list: async () => (await import('./list.ts')).list,
  show: async () => (await import('./show.ts')).show,
  statement: async () => (await import('./statement.ts')).statement,
  what: async () => (await import('./what.ts')).what,
  overview: async () => (await import('./overview.ts')).overview,
  status: async () => (await import('./status.ts')).status,
  check: async () => (await import('./check.ts')).check,
  record: async () => (await import('./record.ts')).record,
  diff: async () => (await import('./diff.ts')).diff,
  segments: async () => (await import('./segments.ts')).segments,
  fetch: async () => (await import('./fetch.ts')).fetchCommand,
  export: async () => (await import('./export.ts')).exportHistory,
  verify: async () => (await import('./verify.ts')).verify,
  audit: async () => (await import('./audit.ts')).audit,
  convert: async () => (await import('./convert.ts')).convert,
  query: async () => (await import('./query.ts')).query,
  answer: async () => (await import('./answer.ts')).answer,
  report: async () => (await import('./report.ts')).report,
  view: async () => (await import('./view.ts')).view,
  mine: async () => (await import('./mine.ts')).mine,
  node: async () => (await import('./node.ts')).node,
  config: async () => (await import('./config.ts')).config,
  serve: async () => (await import('./serve.ts')).serve,
  completion: async () => (await import('./completion.ts')).completion,
};

/** Every command with its name, by group. */
export async function commandGroups() {
  const commands = await Promise.all(
    Object.entries(COMMANDS).map(async ([name, load]) => ({ name, ...(await load()) })),
  );
  return GROUPS.map(group => ({ group, commands: commands.filter(command => command.group === group) }));
}

/** What a command does, in a line. */
export const summaryOf = ({ about }: Pick<Command, 'about'>): string => about.split(/[:;.(]/)[0] ?? '';

/** `blockglass show <resource> <key>`: how a command is called, in its help, the manual and the documentation. */
export const usageText = (name: string, { form, needs = '' }: Pick<Command, 'form' | 'needs'>): string =>
  ['blockglass', name, needs, form].filter(text => text !== '').join(' ');

/** The help of the program as the build wrote it down: to read it from every command takes 40 ms. */
declare const BLOCKGLASS_HELP: string | undefined;

/** The help of the program: its commands by group. */
export const programHelp = async (): Promise<SafeText> =>
  typeof BLOCKGLASS_HELP === 'string' ? safeLines(BLOCKGLASS_HELP) : writeProgramHelp();

/** Writes the program's help from the descriptions of its commands: a group in a line, to fit a screen. */
export async function writeProgramHelp(): Promise<SafeText> {
  const groups = (await commandGroups()).map(
    ({ group, commands }) => `  ${group.padEnd(GROUP_CELLS)}${commands.map(({ name }) => name).join(', ')}\n`,
  );
  const flags = [...COMMON_FLAGS.filter(({ name }) => PROGRAM_FLAGS.includes(name)), VERSION_FLAG];
  return safeLines(`${HELP_HEAD}${groups.join('')}\n${flags.map(flagLines).join('')}${HELP_END}`);
}

const GROUP_CELLS = 18;
const NAME_CELLS = 12;

/** What each command does, in a line each, by group. */
export async function commandsHelp(): Promise<SafeText> {
  const groups = (await commandGroups()).map(({ group, commands }) => {
    const rows = commands.map(command => `  ${command.name.padEnd(NAME_CELLS)}${summaryOf(command)}\n`);
    return `${group}\n${rows.join('')}`;
  });
  return safeLines(groups.join('\n'));
}

const PROGRAM_FLAGS: readonly string[] = ['node', 'demo', 'help'];

const HELP_HEAD = `blockglass - explore Vega data nodes, and check exports of their history

  blockglass [explore] [tab]      open the explorer
  blockglass COMMAND              run a command

`;

const HELP_END = `
  blockglass help commands        what each command does, in a line
  blockglass help COMMAND         the flags of a command, and two examples
  blockglass help explore         the tabs and flags of the explorer
  blockglass help exit-codes      what the exit codes mean
`;

/** The help of the explorer. The tab names are passed in, because loading the lists is slow. */
export const explorerHelp = (tabs: readonly string[]): SafeText =>
  helpPage({
    usage: 'blockglass [explore] [tab]',
    about: `open the explorer, on one of its tabs: ${tabs.join(', ')}. If no node is named or saved, it uses the embedded demo node. With --guest it is the explorer for guests of an SSH server`,
    flags: [...commonFlags(CONNECTION_AND_SNAPSHOT_FLAGS), ...EXPLORER_FLAGS],
    examples: ['fees --demo', '--guest --node https://node.example:3008'],
  });

/** What the exit codes mean. */
export function exitCodesHelp(): SafeText {
  const codes = Object.entries(EXIT_MEANS).map(
    ([code, means]) => `  ${code.padEnd(CODE_CELLS - 2)}${indentedLines(means, CODE_CELLS).slice(CODE_CELLS)}`,
  );
  return safeLines(`Exit codes\n\n${codes.join('')}\n${indentedLines(EXIT_NOTE, 0)}`);
}

const CODE_CELLS = 7;

/** The help of a command. For one list, only the flags of that list, with their meaning for it, and its examples. */
export function helpFor(name: string, command: Command, list?: string): SafeText {
  const usage = usageText(name, command);
  return helpPage({
    usage: list === undefined ? usage : usage.replace('<resource>', list),
    about: command.about,
    flags: [...command.flags.flatMap(flag => flagForList(list, flag)), ...commonFlags(command.uses, command.formats)],
    examples: list === undefined ? command.examples : (command.examplesOf?.(list) ?? command.examples),
  });
}

function flagForList(list: string | undefined, flag: Flag): readonly Flag[] {
  const { lists } = flag;
  if (list === undefined || lists === undefined) return [flag];
  return Object.entries(lists).flatMap(([id, about]) => (id === list ? [{ ...flag, about }] : []));
}

interface HelpPage extends Pick<Command, 'about' | 'flags' | 'examples'> {
  readonly usage: string;
}

const helpPage = ({ usage, about, flags, examples }: HelpPage): SafeText =>
  safeLines(
    `${usage}\n\n${indentedLines(about, 2)}\n${groupedFlags(flags).map(flagGroupLines).join('\n')}\nFor example:\n${examples.map(example => `  blockglass ${example}\n`).join('')}`,
  );

/** Help is always wrapped to this width: a pipe has none. */
const CELLS = 80;
const FLAG_CELLS = 30;
const MAX_FORM_LENGTH = 28;

/** Wrapped and indented lines of help. */
function indentedLines(text: string, indent: number): string {
  return wrapWords(sanitize(text), CELLS - indent)
    .map(line => `${' '.repeat(indent)}${line}\n`)
    .join('');
}

/** `--node URL`, `--live[=true|false]` */
export function flagForm({ name, kind, value }: Flag): string {
  if (kind === 'boolean') return `--${name}[=true|false]`;
  return `--${name}${value === undefined ? '' : ` ${value}`}`;
}

const flagGroupLines = ({ group, flags }: ReturnType<typeof groupedFlags<Flag>>[number]): string =>
  `${group === undefined ? '' : `${group}:\n`}${flags.map(flagLines).join('')}`;

function flagLines(flag: Flag): string {
  const { short, about } = flag;
  const form = `  ${short === undefined ? '    ' : `-${short}, `}${flagForm(flag)}`;
  const indent = FLAG_CELLS + 2;
  const said = indentedLines(about, indent);
  return form.length - 2 > MAX_FORM_LENGTH ? `${form}\n${said}` : `${form.padEnd(indent)}${said.slice(indent)}`;
}
