import { didYouMean } from '../text/nearest.ts';
import { FLAGS_TAKEN, type NamedPresets, readPreset } from './preset-choice.ts';
import { isBound, RANGE_FORMS, RANGE_WORDS, rangeNamed } from './range-name.ts';
import { type ExportTable, TABLES, tableNamed } from './tables.ts';

/** An export as far as it was named. */
export interface ExportChoice {
  /** In the order in which they are to come; none where none was named. */
  readonly tables: readonly ExportTable[];
  /** As it is typed for both ends at once. */
  readonly range: string | undefined;
  readonly destination: string | undefined;
  readonly isSliced: boolean;
  readonly keepsIncomplete: boolean;
  /** Flags of a preset that the wizard has nothing for. */
  readonly left: readonly string[];
}

/** Flags as the export command has them, for whoever pastes one. */
export const EXPORT_FLAGS: readonly string[] = [...FLAGS_TAKEN, 'preset'].map(name => `--${name}`);

/** Reads tables, a preset's name, a range and flags, in any order: `ledger,trades e20..e25`, `daily --last 3`. */
export function exportNamed(text: string, presets: NamedPresets): ExportChoice | { readonly problem: string } {
  const sorted = sortWords(text);
  if ('problem' in sorted) return sorted;
  const { plain, ranges, flags } = sorted;
  const tables = plain.filter(isTables).flatMap(tablesIn);
  const others = plain.filter(word => !isTables(word));
  const at = sorted.preset === undefined ? others.findIndex(word => Object.hasOwn(presets, word)) : -1;
  const name = sorted.preset ?? others[at];
  if (name !== undefined && !Object.hasOwn(presets, name)) return { problem: noSuch('preset', name, presets) };
  const rest = others.filter((_, index) => index !== at).join(' ');
  const [range, second] = rest === '' ? ranges : [rest, ...ranges];
  if (second !== undefined) return { problem: `one range, not "${range}" and "${second}"` };
  if (rest !== '' && rangeNamed(rest) === undefined) return { problem: strangeWord(rest, presets) };
  return over(name === undefined ? undefined : presets[name], { tables, range, flags });
}

interface Given {
  readonly tables: readonly ExportTable[];
  readonly range: string | undefined;
  readonly flags: readonly string[];
}

/** What is given takes the place of what a preset says. */
function over(preset: readonly string[] | undefined, { tables, range, flags }: Given) {
  const [kept, given] = [readPreset(preset ?? []), readPreset(flags)];
  const named = range ?? kept.range;
  if (named !== undefined && rangeNamed(named) === undefined)
    return { problem: `"${named}" is no range: ${RANGE_FORMS}` };
  return {
    tables: tables.length > 0 || kept.table === undefined ? tables : [kept.table],
    range: named,
    destination: given.destination ?? kept.destination,
    isSliced: given.isSliced || kept.isSliced,
    keepsIncomplete: given.keepsIncomplete || kept.keepsIncomplete,
    left: kept.left,
  };
}

interface SortedWords {
  readonly plain: readonly string[];
  /** What flags say of the range. */
  readonly ranges: readonly string[];
  readonly preset: string | undefined;
  /** The others, with their values. */
  readonly flags: readonly string[];
}

/** Flags from other words; those that say what a word says without them are as if it stood there. */
function sortWords(text: string): SortedWords | { readonly problem: string } {
  const words = wordsIn(text);
  const [plain, flags]: [string[], string[]] = [[], []];
  const said = new Map<string, string>();
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const [, name, joined] = /^(--[^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === undefined) plain.push(word);
    else if (!EXPORT_FLAGS.includes(name))
      return { problem: `the wizard has nothing for ${name}${didYouMean(name, EXPORT_FLAGS)}` };
    else if (name === '--keep-incomplete') flags.push(name);
    else {
      const value = joined ?? words[++at];
      if (value === undefined || value === '') return { problem: `${name} needs a value behind it` };
      if (name === '--table') plain.push(value);
      else if (name === '--out' || name === '--slice') flags.push(`${name}=${value}`);
      else said.set(name, value);
    }
  }
  const [from, to, last, range] = ['--from', '--to', '--last', '--range'].map(name => said.get(name));
  if ((from === undefined) !== (to === undefined)) return { problem: '--from and --to go together' };
  const ranges = [
    range,
    last === undefined ? undefined : `last ${last}`,
    from === undefined ? undefined : `${from}..${to}`,
  ];
  return { plain, flags, ranges: ranges.filter(one => one !== undefined), preset: said.get('--preset') };
}

/** Words as a shell has them, but that a day and a time of it are one. */
const wordsIn = (text: string): readonly string[] =>
  [...text.replace(/(\d{4}-\d\d-\d\d) (?=\d\d:\d\d)/g, '$1T').matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'),
  );

const tablesIn = (word: string): readonly ExportTable[] =>
  partsOf(word).flatMap(part => {
    const table = tableNamed(part);
    return table === undefined ? [] : [table];
  });

const isTables = (word: string): boolean =>
  partsOf(word).length > 0 && partsOf(word).every(part => tableNamed(part) !== undefined);

const partsOf = (word: string): readonly string[] => word.split(',').filter(part => part !== '');

/** Which of the words that are no range is the one that is wrong, and what it was meant to be. */
function strangeWord(text: string, presets: NamedPresets): string {
  const words = text.split(' ');
  const [first = '', second = '', ...more] = words;
  if (more.length === 0 && isBound(first) && isBound(second)) return `"${text}": did you mean "${first}..${second}"?`;
  const rest = (without: number): string => words.filter((_, index) => index !== without).join(' ');
  const odd = words.findIndex((_, index) => rest(index) === '' || rangeNamed(rest(index)) !== undefined);
  const wrong = odd < 0 ? text : (words[odd] ?? text);
  const part = partsOf(wrong).find(one => tableNamed(one) === undefined) ?? wrong;
  const known = [...TABLES.map(({ id }) => id), ...Object.keys(presets), ...RANGE_WORDS];
  const meant = didYouMean(part, known);
  return `"${part}" is no table, preset or range${meant === '' ? `: a range is ${RANGE_FORMS}` : meant}`;
}

function noSuch(what: string, name: string, presets: NamedPresets): string {
  const names = Object.keys(presets);
  const there = names.length === 0 ? 'there are none' : `there are ${names.join(', ')}`;
  return `no ${what} "${name}": ${there}${didYouMean(name, names)}`;
}
