import { type SafeText, safeLines, safeText, sanitize } from '../base/text/safe-text.ts';
import { wrapWords } from '../base/text/width.ts';
import type { Command, Commands } from './command.ts';
import { commonFlags, type Flag } from './options.ts';
import { PREFERENCE_FLAGS } from './preference-flags.ts';

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

/** `blockglass show <resource> <key>`: how a command is called, in its help, the manual and the documentation. */
export const usageOf = (name: string, { form, needs = '' }: Pick<Command, 'form' | 'needs'>): string =>
  ['blockglass', name, needs, form].filter(text => text !== '').join(' ');

/** The help of a command. For one list it shows only the flags of that list, with their meaning there, and examples of it. */
export async function helpFor(name: string, command: Command, list?: string): Promise<SafeText> {
  const flags = [...command.flags.flatMap(flag => flagFor(list, flag)), ...commonFlags(command.uses, command.formats)];
  const examples = list === undefined ? command.examples : (command.examplesOf?.(list) ?? command.examples);
  return safeLines(
    `${list === undefined ? usageOf(name, command) : usageOf(name, command).replace('<resource>', list)}\n\n${indented(command.about, 2)}\n${flags.map(flagLines).join('')}\nFor example:\n${examples.map(example => `  blockglass ${example}\n`).join('')}`,
  );
}

function flagFor(list: string | undefined, flag: Flag): readonly Flag[] {
  const { lists } = flag;
  if (list === undefined || lists === undefined) return [flag];
  return Object.entries(lists).flatMap(([id, about]) => (id === list ? [{ ...flag, about }] : []));
}

/** The help of the program. The tab names are passed in, because loading the lists is slow. */
export const programHelp = (tabs: readonly string[]): SafeText =>
  safeText`${HELP_HEAD}${tabLines(tabs)}${HELP_TAIL}${preferenceLines()}${HELP_END}`;

const HELP_HEAD = safeText`blockglass - a looking glass for a blockchain data node

  blockglass [explore] [tab]      open the explorer, on one of the tabs:
`;

const HELP_TAIL = safeText`  blockglass list <resource>      print a list: one page, --first N, or --all
  blockglass show <resource> <key>
                                  print what a record means, then the record
  blockglass statement --party ID | --market ID
                                  add up liquidity fees over epochs
  blockglass what <value>         say what an id, address, number or name is
  blockglass overview             show the chain and what needs attention
  blockglass status               check whether nodes are healthy; compare them
  blockglass check [rule]...      report problems to a monitoring system
  blockglass record [list|check|prune|export] [snapshot]
                                  store what a node shows, to compare it later;
                                  list, check, remove or export what was stored
  blockglass diff <a> [b]...      compare two moments of a chain, or nodes
  blockglass segments             list history segments and their gaps
  blockglass export --table T --from BLOCK --to BLOCK [--out PATH]
                                  export network history as a checked ZIP
  blockglass verify <file or folder>...
                                  check exports on disk again
  blockglass audit [file or folder]...
                                  compare exported tables: does the money add up
  blockglass convert <file or folder>... --parquet --out DIR
                                  convert exports to Parquet with exact types
  blockglass query <sql> [file or folder]...
                                  run a SQL query over exports on disk
  blockglass answer received|balance|rewards|fills|trades [file or folder]...
                                  answer a question about a party from exports
  blockglass report --party ID [file or folder]...
                                  write one page about a party from exports
  blockglass view <file or folder> [table]
                                  open an export on disk as a table
  blockglass mine add|list|remove [id]...
                                  say which ids are yours
  blockglass node add|use|list|remove [name] [url]
                                  manage saved nodes and the default node
  blockglass config path|show|edit
                                  show or edit the settings
  blockglass serve [--port 3008]  run the embedded node alone
  blockglass completion bash|zsh|fish
                                  print the completion script of a shell
  blockglass --guest --node URL   the explorer for guests of an SSH server
  blockglass help [COMMAND]       show the flags of a command, and two examples

  --node URL        the data node: a URL or profile name (or BLOCKGLASS_NODE)
  --demo            use the embedded demo node; without a node it is the default
                    on a terminal, and has to be said in a script
  --at TIME         answer from a snapshot of blockglass record: its id, or the
                    last one at a time (yesterday, 2h, 2026-10-01)
  --timeout S       longest wait for an answer, in seconds (30)
  -o FORMAT         table, json, ndjson or csv; some commands have fewer
  --no-color        no colours (or NO_COLOR)
  --log FILE        append every request to this file
  --version         print the version

  Options of the explorer. Each has a setting and a variable (BLOCKGLASS_THEME):
`;

const HELP_END = safeText`
Data goes to stdout, everything else to stderr. Exit codes: 0 success,
1 internal error, 2 usage error, 3 refused or not found, 4 node unreachable,
5 invalid data (cannot be trusted), 6 node is behind, 130 interrupted.
check: 0 ok, 1 warning, 2 critical, 3 unknown or failed.
`;

const HELP_INDENT = 34;

const tabLines = (tabs: readonly string[]): SafeText => safeLines(indented(tabs.join(', '), HELP_INDENT));

const PREFERENCE_INDENT = 23;

function preferenceLines(): SafeText {
  const lines = PREFERENCE_FLAGS.map(({ name, value, about }) => {
    const [words = ''] = about.split(' (');
    const form = `  --${name} ${value}`.padEnd(PREFERENCE_INDENT);
    return `${form}${indented(words, PREFERENCE_INDENT).slice(PREFERENCE_INDENT)}`;
  });
  const switches = [
    '  --plain-output       write whole lines, not only changed cells\n',
    '  --screen-reader      print lines for a screen reader (INK_SCREEN_READER=true)\n',
  ];
  return safeLines([...lines, ...switches].join(''));
}

/** Help is always wrapped to this width: a pipe has none. */
const CELLS = 80;
const FLAG_CELLS = 30;
const LONGEST_FORM = 28;

/** Wrapped and indented lines of help. */
function indented(text: string, indent: number): string {
  return wrapWords(sanitize(text), CELLS - indent)
    .map(line => `${' '.repeat(indent)}${line}\n`)
    .join('');
}

/** `--node URL`, `--live[=true|false]` */
export function flagForm({ name, kind, value }: Flag): string {
  if (kind === 'boolean') return `--${name}[=true|false]`;
  return `--${name}${value === undefined ? '' : ` ${value}`}`;
}

function flagLines(flag: Flag): string {
  const { short, about } = flag;
  const form = `  ${short === undefined ? '    ' : `-${short}, `}${flagForm(flag)}`;
  const indent = FLAG_CELLS + 2;
  const said = indented(about, indent);
  return form.length - 2 > LONGEST_FORM ? `${form}\n${said}` : `${form.padEnd(indent)}${said.slice(indent)}`;
}
