import { sanitize } from '../text/safe-text.ts';
import { wrapWords } from '../text/width.ts';
import type { Flag } from './options.ts';

/** Help is read on terminals of this many cells, and in pipes that have no width at all. */
const CELLS = 80;
const FLAG_CELLS = 30;
const LONGEST_FORM = 28;
const BLOCK_INDENT = 8;

/** Lines of help, each of them behind so many spaces. */
export function indented(text: string, indent: number): string {
  return wrapWords(sanitize(text), CELLS - indent)
    .map(line => `${' '.repeat(indent)}${line}\n`)
    .join('');
}

/** What a flag is called and does; what it says in lines of its own stays below it, in columns if it has any. */
export function flagLines({ name, short, value, about }: Flag): string {
  const form = `  ${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
  const [first = '', ...block] = about.split('\n');
  const indent = FLAG_CELLS + 2;
  const said = indented(first, indent);
  const head = form.length - 2 > LONGEST_FORM ? `${form}\n${said}` : `${form.padEnd(indent)}${said.slice(indent)}`;
  return `${head}${block.map(blockLine).join('')}`;
}

function blockLine(line: string): string {
  const name = /^\S+ {2,}/.exec(line)?.[0] ?? '';
  const indent = BLOCK_INDENT + name.length;
  return `${' '.repeat(BLOCK_INDENT)}${name}${indented(line.slice(name.length), indent).slice(indent)}`;
}
