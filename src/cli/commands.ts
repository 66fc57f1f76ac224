import { type SafeText, safeLines, safeText } from '../text/safe-text.ts';
import type { Command, Commands } from './command.ts';
import { commonFlags, type Flag } from './options.ts';

/** Every command, loaded when it runs. */
export const COMMANDS: Commands = {
  list: async () => (await import('./list.ts')).list,
  show: async () => (await import('./show.ts')).show,
  segments: async () => (await import('./segments.ts')).segments,
  export: async () => (await import('./export.ts')).exportHistory,
  verify: async () => (await import('./verify.ts')).verify,
  serve: async () => (await import('./serve.ts')).serve,
  completion: async () => (await import('./completion.ts')).completionOf(COMMANDS),
};

export async function helpFor(name: string, command: Command): Promise<SafeText> {
  const flags = [...command.flags, ...commonFlags(command.uses)];
  return safeLines(`blockglass ${name} ${command.form}\n\n  ${command.about}\n\n${flags.map(flagLine).join('')}`);
}

/** The help of the program; holds no list that needs loading. */
export const PROGRAM_HELP = safeText`blockglass - a looking glass for a blockchain data node

  blockglass [explore] [tab]        the explorer: parameters, provisions, fees, bundles, oracles, export
  blockglass list <resource>        one page of a list, or --first N, or --all
  blockglass show <resource> <key>  one record, every section of it
  blockglass segments               history segments and the spans without a gap
  blockglass export --table T --from B --to B [--out PATH]
                                    network history as a checked ZIP of CSV files
  blockglass verify <file or folder>
                                    check an export on disk again
  blockglass serve [--port 3008]    the embedded node on its own
  blockglass completion bash|zsh|fish
                                    the completion script of a shell
  blockglass COMMAND --help         what a command takes

  --node URL       the data node (or BLOCKGLASS_NODE, or the name of a profile)
  --demo           the embedded node; what runs when no node is named
  --timeout S      longest wait for an answer, seconds (30)
  -o FORMAT        table, json, ndjson or csv
  --no-color       no colours (or NO_COLOR)
  --plain-output   for the explorer: whole lines are written, not only changed cells
  --log FILE       append every request to this file
  --version        the version

Data goes to stdout, everything else to stderr. Exit codes: 0 done, 1 fault of ours, 2 usage,
3 the node refused, 4 the node cannot be reached, 5 what arrived cannot be trusted, 130 interrupted.
`;

function flagLine({ name, short, value, about }: Flag): string {
  const form = `${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
  const lines = about.replaceAll('\n', `\n${' '.repeat(8)}`);
  return form.length > 28 ? `  ${form}\n${' '.repeat(32)}${lines}\n` : `  ${form.padEnd(30)}${lines}\n`;
}
