/** Flags without a value that may precede a command. Before a command, --help is the program's. */
export const LEADING_SWITCHES: readonly string[] = [
  '--demo',
  '--guest',
  '--no-color',
  '--plain-output',
  '--screen-reader',
];

/** The words of a command line, its command first: `--node URL list fees` is `list --node URL fees`. */
export function commandFirst(words: readonly string[], commands: readonly string[]): readonly string[] {
  const index = firstPlainIndex(words);
  const word = words[index];
  if (index < 1 || word === undefined || !commands.includes(word)) return words;
  return [word, ...words.slice(0, index), ...words.slice(index + 1)];
}

/** Whether the word after a flag is its value. */
export type TakesValue = (flag: string, next: string | undefined) => boolean;

/** Where the first word is that is neither a flag nor the value of one; -1 when there is none. */
export function firstPlainIndex(words: readonly string[], takesValue: TakesValue = takesLeadingValue): number {
  let isValue = false;
  return words.findIndex((word, index) => {
    const isPlain = !isValue && !word.startsWith('-');
    // `--node=URL` and `-ojson` contain their value.
    isValue = !isValue && /^(?:-.|--[^=]+)$/.test(word) && takesValue(word, words[index + 1]);
    return isPlain;
  });
}

/** Of a flag whose command is not known. */
export const takesLeadingValue = (flag: string): boolean => !LEADING_SWITCHES.includes(flag);

/** The last value of a flag. */
export function lastFlagValue(words: readonly string[], flag: string): string | undefined {
  const at = words.findLastIndex(word => word === flag || word.startsWith(`${flag}=`));
  const word = words[at];
  return word === flag ? words[at + 1] : word?.slice(flag.length + 1);
}
