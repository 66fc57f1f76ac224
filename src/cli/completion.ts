import { TABLES } from '../export/tables.ts';
import { flagOf } from '../resources/filter.ts';
import { RESOURCES } from '../resources/registry.ts';
import { safeLines } from '../text/safe-text.ts';
import type { Command, Commands } from './command.ts';
import { EXIT } from './exit-code.ts';
import { commonFlags } from './options.ts';
import { FORMATS } from './output.ts';
import { FILTER_FLAGS } from './resource-flags.ts';
import { UsageError } from './usage-error.ts';

/** The command that prints what a shell completes: the commands it is made for. */
export const completionOf = (commands: Commands): Command => ({
  form: 'bash|zsh|fish',
  about:
    'the completion script of a shell: blockglass completion bash > ~/.local/share/bash-completion/completions/blockglass',
  examples: ['completion bash', 'completion zsh'],
  flags: [],
  uses: [],
  run: async (given, { stdout }) => {
    const shell = given.words[0] ?? '';
    const print = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
    if (print === undefined) throw new UsageError(`which shell? one of ${Object.keys(SHELLS).join(', ')}`);
    await stdout.data(print(await vocabulary(commands)), safeLines);
    return EXIT.done;
  },
});

/** What can stand where on the command line. */
interface Vocabulary {
  readonly commands: readonly { readonly name: string; readonly about: string }[];
  readonly resources: readonly string[];
  /** Commands whose first word is a resource. */
  readonly ofResources: readonly string[];
  /** Words one of which comes first behind a command, by command. */
  readonly choices: ReadonlyMap<string, readonly string[]>;
  /** Flags by command, with their dashes; the filters of a resource come with its name. */
  readonly flags: ReadonlyMap<string, readonly string[]>;
  readonly filters: ReadonlyMap<string, readonly string[]>;
}

async function vocabulary(commands: Commands): Promise<Vocabulary> {
  const loaded = await Promise.all(
    Object.entries(commands).map(async ([name, load]) => ({ name, command: await load() })),
  );
  const filterNames = new Set(FILTER_FLAGS.map(({ name }) => name));
  return {
    commands: loaded.map(({ name, command }) => ({ name, about: command.about })),
    resources: RESOURCES.map(({ id }) => id),
    ofResources: loaded.filter(({ command }) => command.form.startsWith('<resource>')).map(({ name }) => name),
    choices: new Map(
      loaded.flatMap(({ name, command: { form } }) => {
        const [first = ''] = form.split(' ');
        return /^[a-z]+(?:\|[a-z]+)+$/.test(first) ? [[name, first.split('|')] as const] : [];
      }),
    ),
    flags: new Map(
      loaded.map(({ name, command }) => [
        name,
        [...command.flags, ...commonFlags(command.uses)]
          .filter(flag => !filterNames.has(flag.name))
          .map(flag => `--${flag.name}`),
      ]),
    ),
    filters: new Map(RESOURCES.map(({ id, filters }) => [id, filters.map(filter => `--${flagOf(filter)}`)])),
  };
}

const SHELLS: { readonly [shell: string]: (words: Vocabulary) => string } = {
  bash: words => `# bash completion of blockglass
_blockglass() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]}
  case $before in
    --table) COMPREPLY=($(compgen -W "${tables()}" -- "$word")); return ;;
    -o|--output) COMPREPLY=($(compgen -W "${FORMATS.join(' ')}" -- "$word")); return ;;
    --out|--log) COMPREPLY=($(compgen -f -- "$word")); return ;;
  esac
  local words="${commandNames(words)} ${words.resources.join(' ')}"
  if [ "$COMP_CWORD" -gt 1 ]; then
    words=""
    case \${COMP_WORDS[1]} in
${[...words.flags].map(([name, flags]) => `      ${name}) words="${flags.join(' ')}" ;;`).join('\n')}
    esac
    case \${COMP_WORDS[1]} in
      ${words.ofResources.join('|')})
        [ "$COMP_CWORD" -eq 2 ] && words="${words.resources.join(' ')}"
        case \${COMP_WORDS[2]} in
${[...words.filters].map(([id, flags]) => `          ${id}) words="$words ${flags.join(' ')}" ;;`).join('\n')}
        esac ;;
      verify) [[ $word == -* ]] || { COMPREPLY=($(compgen -f -- "$word")); return; } ;;
${[...words.choices].map(([name, choices]) => `      ${name}) [ "$COMP_CWORD" -eq 2 ] && words="${choices.join(' ')}" ;;`).join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _blockglass blockglass
`,
  zsh: words => `#compdef blockglass
_blockglass() {
  local -a commands
  commands=(${words.commands.map(({ name, about }) => `'${name}:${about.replaceAll("'", '').replaceAll(':', ' -')}'`).join(' ')})
  if (( CURRENT == 2 )); then
    _describe command commands
    compadd ${words.resources.join(' ')}
    return
  fi
  case $words[CURRENT-1] in
    --table) compadd ${tables()}; return ;;
    -o|--output) compadd ${FORMATS.join(' ')}; return ;;
    --out|--log) _files; return ;;
  esac
  case $words[2] in
    ${words.ofResources.join('|')})
      (( CURRENT == 3 )) && compadd ${words.resources.join(' ')}
      case $words[3] in
${[...words.filters].map(([id, flags]) => `        ${id}) compadd -- ${flags.join(' ')} ;;`).join('\n')}
      esac ;;
    verify) _files ;;
${[...words.choices].map(([name, choices]) => `    ${name}) (( CURRENT == 3 )) && compadd ${choices.join(' ')} ;;`).join('\n')}
  esac
  case $words[2] in
${[...words.flags].map(([name, flags]) => `    ${name}) compadd -- ${flags.join(' ')} ;;`).join('\n')}
  esac
}
_blockglass "$@"
`,
  fish: words =>
    [
      'complete -c blockglass -f',
      ...words.commands.map(
        ({ name, about }) =>
          `complete -c blockglass -n __fish_use_subcommand -a ${name} -d '${about.replaceAll("'", '')}'`,
      ),
      `complete -c blockglass -n __fish_use_subcommand -a '${words.resources.join(' ')}'`,
      `complete -c blockglass -n '__fish_seen_subcommand_from ${words.ofResources.join(' ')}' -a '${words.resources.join(' ')}'`,
      ...[...words.choices].map(
        ([name, choices]) =>
          `complete -c blockglass -n '__fish_seen_subcommand_from ${name}' -a '${choices.join(' ')}'`,
      ),
      ...[...words.flags].flatMap(([name, flags]) =>
        flags.map(flag => `complete -c blockglass -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}`),
      ),
      ...[...words.filters].flatMap(([id, flags]) =>
        flags.map(flag => `complete -c blockglass -n '__fish_seen_subcommand_from ${id}' -l ${flag.slice(2)}`),
      ),
      `complete -c blockglass -l table -x -a '${tables()}'`,
      '',
    ].join('\n'),
};

const tables = (): string => TABLES.map(({ id }) => id).join(' ');

const commandNames = ({ commands }: Vocabulary): string => commands.map(({ name }) => name).join(' ');
