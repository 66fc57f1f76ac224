import { didYouMean } from '../../base/text/nearest-word.ts';
import { isRangeEndText, parseTypedRange, RANGE_FORMS, RANGE_WORDS } from '../../chain/range/parse-range.ts';
import { EXPORT_TABLES, type ExportTable, findExportTable } from './export-tables.ts';

/** The parts of an export that were typed. */
export interface TypedExport {
  /** In export order; empty when none was typed. */
  readonly tables: readonly ExportTable[];
  /** As typed: `e20..e25`, `last 3`. */
  readonly range: string | undefined;
  readonly destination: string | undefined;
  readonly isSliced: boolean;
  readonly keepsIncomplete: boolean;
  /** Flags of the preset that the wizard has no field for. */
  readonly left: readonly string[];
}

/** Parses tables, a preset, a range and flags in any order: `ledger,trades e20..e25`, `daily --last 3`. */
export function parseTypedExport(text: string, presets: NamedPresets): TypedExport | { readonly problem: string } {
  const sorted = sortWords(text);
  if ('problem' in sorted) return sorted;
  const { plain, ranges, flags } = sorted;
  const tables = plain.filter(isTables).flatMap(parseTables);
  const others = plain.filter(word => !isTables(word));
  const at = sorted.preset === undefined ? others.findIndex(word => Object.hasOwn(presets, word)) : -1;
  const name = sorted.preset ?? others[at];
  if (name !== undefined && !Object.hasOwn(presets, name))
    return { problem: unknownNameProblem('preset', name, presets) };
  const rest = others.filter((_, index) => index !== at).join(' ');
  const [range, second] = rest === '' ? ranges : [rest, ...ranges];
  if (second !== undefined) return { problem: `give one range, not "${range}" and "${second}"` };
  if (rest !== '' && parseTypedRange(rest) === undefined) return { problem: unknownWordProblem(rest, presets) };
  return mergeWithPreset(name === undefined ? undefined : presets[name], { tables, range, flags });
}

interface TypedParts {
  readonly tables: readonly ExportTable[];
  readonly range: string | undefined;
  readonly flags: readonly string[];
}

/** Typed values override the preset. */
function mergeWithPreset(preset: readonly string[] | undefined, { tables, range, flags }: TypedParts) {
  const [saved, given] = [readPreset(preset ?? []), readPreset(flags)];
  const named = range ?? saved.range;
  if (named !== undefined && parseTypedRange(named) === undefined)
    return { problem: `"${named}" is not a range: ${RANGE_FORMS}` };
  return {
    tables: tables.length > 0 || saved.table === undefined ? tables : [saved.table],
    range: named,
    destination: given.destination ?? saved.destination,
    isSliced: given.isSliced || saved.isSliced,
    keepsIncomplete: given.keepsIncomplete || saved.keepsIncomplete,
    left: saved.left,
  };
}

interface SortedWords {
  readonly plain: readonly string[];
  /** Ranges given as flags. */
  readonly ranges: readonly string[];
  readonly preset: string | undefined;
  /** All other flags, with their values. */
  readonly flags: readonly string[];
}

/** Separates flags from plain words. --table and the flags of a range count as the words they stand for. */
function sortWords(text: string): SortedWords | { readonly problem: string } {
  const words = splitShellWords(text);
  const [plain, flags]: [string[], string[]] = [[], []];
  const values = new Map<string, string>();
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const [, name, joined] = /^(--[^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === undefined) plain.push(word);
    else if (!EXPORT_FLAGS.includes(name))
      return { problem: `the wizard has no field for ${name}${didYouMean(name, EXPORT_FLAGS)}` };
    else if (name === '--keep-incomplete') flags.push(name);
    else {
      const value = joined ?? words[++at];
      if (value === undefined || value === '') return { problem: `${name} needs a value` };
      if (name === '--table') plain.push(value);
      else if (name === '--out' || name === '--slice') flags.push(`${name}=${value}`);
      else values.set(name, value);
    }
  }
  const [from, to, last, range] = ['--from', '--to', '--last', '--range'].map(name => values.get(name));
  if ((from === undefined) !== (to === undefined)) return { problem: 'use --from and --to together' };
  const ranges = [
    range,
    last === undefined ? undefined : `last ${last}`,
    from === undefined ? undefined : `${from}..${to}`,
  ];
  return { plain, flags, ranges: ranges.filter(one => one !== undefined), preset: values.get('--preset') };
}

/** Splits words as a shell does, except that a date and its time stay together. */
const splitShellWords = (text: string): readonly string[] =>
  [...text.replace(/(\d{4}-\d\d-\d\d) (?=\d\d:\d\d)/g, '$1T').matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'),
  );

const parseTables = (word: string): readonly ExportTable[] =>
  splitAtCommas(word).flatMap(part => {
    const table = findExportTable(part);
    return table === undefined ? [] : [table];
  });

const isTables = (word: string): boolean =>
  splitAtCommas(word).length > 0 && splitAtCommas(word).every(part => findExportTable(part) !== undefined);

const splitAtCommas = (word: string): readonly string[] => word.split(',').filter(part => part !== '');

/** Reports the wrong word, and a suggestion. */
function unknownWordProblem(text: string, presets: NamedPresets): string {
  const words = text.split(' ');
  const [first = '', second = '', ...more] = words;
  if (more.length === 0 && isRangeEndText(first) && isRangeEndText(second))
    return `"${text}": did you mean "${first}..${second}"?`;
  const rest = (without: number): string => words.filter((_, index) => index !== without).join(' ');
  const odd = words.findIndex((_, index) => rest(index) === '' || parseTypedRange(rest(index)) !== undefined);
  const wrong = odd < 0 ? text : (words[odd] ?? text);
  const part = splitAtCommas(wrong).find(one => findExportTable(one) === undefined) ?? wrong;
  const known = [...EXPORT_TABLES.map(({ id }) => id), ...Object.keys(presets), ...RANGE_WORDS];
  const meant = didYouMean(part, known);
  return `"${part}" is not a table, preset or range${meant === '' ? `: a range is ${RANGE_FORMS}` : meant}`;
}

function unknownNameProblem(what: string, name: string, presets: NamedPresets): string {
  const names = Object.keys(presets);
  const known = names.length === 0 ? 'there are none' : `there are ${names.join(', ')}`;
  return `there is no ${what} "${name}": ${known}${didYouMean(name, names)}`;
}

/** Saved exports by name, each as the arguments of `blockglass export`. */
export type NamedPresets = { readonly [name: string]: readonly string[] };

/** The parts of a preset that the wizard has fields for. */
interface PresetFields {
  readonly table: ExportTable | undefined;
  /** As typed: `e20..e25`, `last 3`; undefined if the preset has none. */
  readonly range: string | undefined;
  readonly destination: string | undefined;
  readonly isSliced: boolean;
  readonly keepsIncomplete: boolean;
  /** Flags that the wizard has no field for. */
  readonly left: readonly string[];
}

/** Reads the arguments of a preset; unknown ones are ignored or go to `left`. */
export function readPreset(words: readonly string[]): PresetFields {
  const values = readFlags(words);
  const text = (name: string): string | undefined => values.get(name);
  const [from, to, last] = [text('from'), text('to'), text('last')];
  const between = from === undefined || to === undefined ? undefined : `${from}..${to}`;
  return {
    table: findExportTable(text('table') ?? ''),
    range: last === undefined ? (text('range') ?? between) : `last ${last}`,
    destination: text('out'),
    isSliced: values.has('slice'),
    keepsIncomplete: values.has('keep-incomplete'),
    left: [...values.keys()].filter(name => !WIZARD_FLAGS.includes(name)).map(name => `--${name}`),
  };
}

/** Flags that the wizard has fields for. */
const WIZARD_FLAGS: readonly string[] = ['table', 'from', 'to', 'last', 'range', 'out', 'slice', 'keep-incomplete'];

/** The flags of the export command that may be typed or pasted here. */
export const EXPORT_FLAGS: readonly string[] = [...WIZARD_FLAGS, 'preset'].map(name => `--${name}`);

function readFlags(words: readonly string[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  let open: string | undefined;
  for (const word of words) {
    const [, name, value] = /^--([a-z-]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (name !== undefined) {
      values.set(name, value ?? '');
      open = value === undefined ? name : undefined;
    } else if (open !== undefined) {
      values.set(open, word);
      open = undefined;
    }
  }
  return values;
}
