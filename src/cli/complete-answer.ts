import {
  type ExportNames,
  namesOfArchive,
  namesOfParquet,
  namesOfSlices,
  readNamesFile,
} from '../directory/names-file.ts';

/** What the names beside these files call assets and markets, and the parties that they name. */
export function namedBeside(files: readonly string[], flag: string): readonly string[] {
  return files.flatMap(file =>
    [namesOfArchive(file), namesOfSlices(file), namesOfParquet(file)].flatMap(path => wordsIn(path, flag)),
  );
}

function wordsIn(path: string, flag: string): readonly string[] {
  const names = readOrNothing(path)?.names;
  const words = Object.hasOwn(WORDS, flag) ? WORDS[flag] : undefined;
  return names === undefined ? [] : (words?.(names) ?? []).filter(isPlain);
}

const WORDS: { readonly [flag: string]: (names: ExportNames['names']) => readonly string[] } = {
  asset: ({ assets }) => [...assets.values()].map(({ symbol }) => symbol),
  market: ({ markets }) => [...markets.values()].map(({ code }) => code),
  party: ({ validators }) => [...validators.values()].map(({ publicKey }) => publicKey),
};

/** Whether a shell reads it as one word. */
const isPlain = (word: string): boolean => /^[\w./:-]+$/.test(word);

function readOrNothing(path: string) {
  try {
    return readNamesFile(path);
  } catch {
    return undefined;
  }
}
