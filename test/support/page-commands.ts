import { blocksOf, type Page } from './pages.ts';

/** A command of a page, as a shell would read it, and what the page shows as its output. */
export interface PageCommand {
  readonly path: string;
  readonly line: string;
  /** The output of a `console` block; undefined where the page shows none. */
  readonly shown?: string;
}

/** Exit codes of commands that give a verdict, by which an example does what it shows; 0 of all others. */
const VERDICTS: Readonly<Record<string, readonly number[]>> = { check: [0, 1, 2], diff: [0, 1] };

export const codesOf = (command: string): readonly number[] => VERDICTS[command] ?? [0];

/** Every command line with `blockglass` in the blocks of a page, also those behind `&&`, in a pipe or in `$(...)`. */
export const commandsOf = ({ path, text }: Page): readonly PageCommand[] =>
  blocksOf(text).flatMap(({ language, code }): readonly PageCommand[] => {
    if (language === 'sh')
      return inOneLine(code)
        .split('\n')
        .filter(line => /(?:^|&& |\$\(|\| |; do |^[A-Z_]+=\S+ )blockglass /.test(line))
        .map(line => ({ path, line }));
    if (language !== 'console') return [];
    return code
      .split(/^\$ /m)
      .slice(1)
      .map(part => {
        const [line = '', ...rest] = part.split('\n');
        return { path, line, shown: rest.join('\n') };
      });
  });

/** A loop is one line, as it is one command. */
const inOneLine = (code: string): string =>
  code.replace(/^for .*; do\n[\s\S]*?^done$/gm, loop =>
    loop
      .replace(/; do\n\s*/, '; do ')
      .replace(/\n\s*(?=done)/, '; ')
      .replace(/\n\s*/g, '; '),
  );

/** The words behind each `blockglass` of a shell line, without variables, comments and redirections. */
export function callsIn(line: string): readonly (readonly string[])[] {
  const inner = [...line.matchAll(/\$\(([^)]*)\)/g)].map(([, text = '']) => text);
  const outer = line.replace(/"?\$\([^)]*\)"?/g, 'SELECT');
  return [outer, ...inner].flatMap(text =>
    partsOf(wordsOf(text)).flatMap(words => {
      const at = words.indexOf('blockglass');
      const isFirst = at >= 0 && words.slice(0, at).every(word => word === 'do' || /^[A-Z_]+=/.test(word));
      return isFirst ? [words.slice(at + 1)] : [];
    }),
  );
}

/** Words, with quotes taken off; `|`, `&&`, `;` and redirections are words of their own; a comment ends the line. */
function wordsOf(text: string): readonly string[] {
  const tokens = text.matchAll(
    /(?:'([^']*)'|"([^"]*)"|(&&|\|\||[|;>])|(#.*)|((?:\\.|[^\s'"|;>&#])(?:\\.|[^\s'"|;>&])*))(\s*)/g,
  );
  const words: string[] = [];
  let isJoined = false;
  for (const [, single, double, sign, comment, bare, gap = ''] of tokens) {
    if (comment !== undefined) break;
    const word = single ?? double ?? sign ?? bare ?? '';
    if (isJoined && sign === undefined) words[words.length - 1] += word;
    else words.push(word);
    isJoined = gap === '' && sign === undefined;
  }
  return words;
}

function partsOf(words: readonly string[]): readonly (readonly string[])[] {
  const parts: string[][] = [[]];
  let isTarget = false;
  for (const word of words) {
    if (['&&', '||', '|', ';'].includes(word)) parts.push([]);
    else if (word === '>') isTarget = true;
    else if (isTarget) isTarget = false;
    else parts.at(-1)?.push(word);
  }
  return parts;
}
