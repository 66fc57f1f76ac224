import { safeLines } from '../base/text/safe-text.ts';
import type { Command } from './command.ts';
import { EXIT } from './exit-code.ts';
import { UsageError } from './usage-error.ts';

/** Prints the script that a shell loads once. The values come from the program itself, at each Tab. */
export const completion: Command = {
  group: 'Set up',
  form: 'bash|zsh|fish',
  about:
    'print the completion script of a shell: blockglass completion bash > ~/.local/share/bash-completion/completions/blockglass',
  examples: ['completion bash', 'completion zsh'],
  flags: [],
  uses: [],
  run: async (given, { stdout }) => {
    const shell = given.words[0] ?? '';
    const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
    if (script === undefined)
      throw new UsageError(
        shell === ''
          ? 'missing argument. Usage: blockglass completion bash|zsh|fish'
          : `unknown shell "${shell}". Usage: blockglass completion bash|zsh|fish`,
      );
    await stdout.data(script, safeLines);
    return EXIT.done;
  },
};

// `completion values` gets the words of the line so far; the last one is being typed.
const SHELLS: { readonly [shell: string]: string } = {
  // In bash, $2 is the text that a value replaces: only the part after a colon, = or quote. COMP_WORDS keep their quotes.
  // Inside an open quote, values that need quoting are not offered.
  bash: `# bash completion of blockglass
_blockglass() {
  local line=\${COMP_LINE:0:COMP_POINT} index space value last rest begun
  local -a words=()
  for ((index = 0; index <= COMP_CWORD; index++)); do
    value=\${COMP_WORDS[index]}
    space=\${line%%[![:space:]]*}
    line=\${line#"$space"}
    if ((index == COMP_CWORD)); then value=$line; fi
    last=$((\${#words[@]} - 1))
    if ((last >= 0)) && [[ -z $space ]]; then words[last]+=$value; else words+=("$value"); fi
    line=\${line#"$value"}
  done
  last=$((\${#words[@]} - 1))
  begun=\${words[last]%"$2"}
  words=("\${words[@]//[\\\\\\"\\']/}")
  rest=\${words[last]%"\${2//[\\\\\\"\\']/}"}
  COMPREPLY=()
  while IFS= read -r value; do
    value=\${value#"$rest"}
    printf -v line %q "$value"
    if [[ -z $value || ( $begun == *[\\"\\'] && $line != "$value" ) ]]; then continue; fi
    COMPREPLY+=("$line")
  done < <("\${words[0]/#\\~/$HOME}" completion values "\${words[@]:1}" 2>/dev/null)
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *: ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o default -F _blockglass blockglass
`,
  zsh: `#compdef blockglass
_blockglass() {
  local -a values
  values=("\${(@f)$(\${(Q)~words[1]} completion values "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  values=("\${(@)values:#}")
  if (( $#values )); then compadd -- "\${values[@]}"; else _files; fi
}
# Loaded at the first Tab, or sourced when the shell starts.
if [[ $funcstack[1] == _blockglass ]]; then _blockglass "$@"; else compdef _blockglass blockglass; fi
`,
  fish: `# fish completion of blockglass
function __blockglass_values
  # Without the quotes of the word at the cursor.
  set -l words (commandline -opc) (commandline -ct | string replace -ra '[\\\\\\\\"\\']' '')
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
