import { safeLines } from '../text/safe-text.ts';
import type { Command } from './command.ts';
import { EXIT } from './exit-code.ts';
import { UsageError } from './usage-error.ts';

/** Prints what a shell has to be told once. What can stand where the program itself knows, and is asked at each Tab. */
export const completion: Command = {
  form: 'bash|zsh|fish',
  about:
    'the completion script of a shell: blockglass completion bash > ~/.local/share/bash-completion/completions/blockglass',
  examples: ['completion bash', 'completion zsh'],
  flags: [],
  uses: [],
  run: async (given, { stdout }) => {
    const shell = given.words[0] ?? '';
    const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
    if (script === undefined) throw new UsageError(`which shell? one of ${Object.keys(SHELLS).join(', ')}`);
    await stdout.data(script, safeLines);
    return EXIT.done;
  },
};

// `completion values` is asked with the words of the line so far, the last of which is being typed.
const SHELLS: { readonly [shell: string]: string } = {
  // bash takes words apart at colons and at =, but completes what follows the last of them alone.
  bash: `# bash completion of blockglass
_blockglass() {
  local line=\${COMP_LINE:0:COMP_POINT} word value rest
  local -a words
  read -r -a words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  word=\${words[\${#words[@]}-1]}
  rest=""
  [[ $word == *[=:]* ]] && rest=\${word%"\${word##*[=:]}"}
  COMPREPLY=()
  while IFS= read -r value; do
    COMPREPLY+=("$(printf %q "\${value#"$rest"}")")
  done < <("\${words[0]}" completion values "\${words[@]:1}" 2>/dev/null)
}
complete -o default -F _blockglass blockglass
`,
  zsh: `#compdef blockglass
_blockglass() {
  local -a values
  values=("\${(@f)$($words[1] completion values "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  values=("\${(@)values:#}")
  if (( $#values )); then compadd -- "\${values[@]}"; else _files; fi
}
# Loaded by its name at the first Tab, or read at the start of a shell.
if [[ $funcstack[1] == _blockglass ]]; then _blockglass "$@"; else compdef _blockglass blockglass; fi
`,
  fish: `# fish completion of blockglass
function __blockglass_values
  set -l words (commandline -opc) (commandline -ct)
  set -l values ($words[1] completion values $words[2..-1] 2>/dev/null)
  if test (count $values) -gt 0
    printf '%s\\n' $values
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c blockglass -f -a '(__blockglass_values)'
`,
};
