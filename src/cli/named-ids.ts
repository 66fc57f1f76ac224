import { type Filter, filterProblem } from '../resources/filter.ts';
import type { Context } from './context.ts';
import type { Given } from './options.ts';

/** The filter that each flag sets, by flag name. */
export type IdFlags = ReadonlyMap<string, Filter>;

/** The same flags, with aliases replaced by their ids: `--party me`, `--party @me`. */
export async function withIdsNamed(given: Given, flags: IdFlags, context: Context): Promise<Given> {
  const isOther = (flag: string): boolean => given.texts(flag).some(text => isNoId(flags.get(flag), text));
  if (![...flags.keys()].some(isOther)) return given;
  // Without usable settings there are no aliases, and the word is refused like any other.
  const { aliases } = await context.settings().catch(() => ({ aliases: undefined }));
  const { aliasesById } = await import('../directory/aliases.ts');
  const words = [...aliasesById(aliases)];
  const idOf = (flag: string, text: string): string => {
    if (!isNoId(flags.get(flag), text)) return text;
    const [id, ...others] = words.flatMap(([known, word]) => (isSameWord(word, text) ? [known] : []));
    return id === undefined || others.length > 0 ? text : id;
  };
  const texts = (flag: string): readonly string[] => given.texts(flag).map(text => idOf(flag, text));
  return { ...given, texts, text: flag => texts(flag)[0] };
}

const isNoId = (filter: Filter | undefined, text: string): boolean =>
  filter !== undefined &&
  (filter.kind === 'id' || filter.kind === 'address') &&
  filterProblem(filter, text) !== undefined;

const isSameWord = (word: string, text: string): boolean =>
  word.toLowerCase() === text.trim().replace(/^@/, '').toLowerCase();
