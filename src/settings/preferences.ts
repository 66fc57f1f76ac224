/** A preference: set in the settings file under `name`, by the environment, and by the flag of the explorer. */
export interface Preference {
  readonly name: 'theme' | 'charset' | 'times' | 'selection' | 'mouse' | 'restore' | 'pageSize' | 'maxLagSeconds';
  readonly flag: string;
  readonly env: string;
  readonly about: string;
  /** The words it may be, the usual one first; a number has its bounds, and what it usually is. */
  readonly values: readonly string[] | { readonly least: number; readonly most: number; readonly usual: number };
}

// biome-ignore format: a table, a row a preference
export const PREFERENCES: readonly Preference[] = [
  { name: 'theme', flag: 'theme', env: 'BLOCKGLASS_THEME', values: ['auto', 'dark', 'light', 'contrast', 'mono'], about: 'colours' },
  { name: 'charset', flag: 'charset', env: 'BLOCKGLASS_CHARSET', values: ['auto', 'utf-8', 'ascii'], about: 'characters that may be drawn' },
  { name: 'times', flag: 'times', env: 'BLOCKGLASS_TIMES', values: ['ages', 'clock'], about: 'how times are shown' },
  { name: 'selection', flag: 'selection', env: 'BLOCKGLASS_SELECTION', values: ['edges', 'line'], about: 'how the selected row is marked' },
  { name: 'mouse', flag: 'mouse', env: 'BLOCKGLASS_MOUSE', values: ['off', 'on'], about: 'wheel and clicks' },
  { name: 'restore', flag: 'restore', env: 'BLOCKGLASS_RESTORE', values: ['on', 'off'], about: 'tab, filters, order and columns of the last time' },
  { name: 'pageSize', flag: 'page-size', env: 'BLOCKGLASS_PAGE_SIZE', values: { least: 1, most: 5000, usual: 50 }, about: 'rows a page' },
  { name: 'maxLagSeconds', flag: 'max-lag', env: 'BLOCKGLASS_MAX_LAG', values: { least: 1, most: 86_400, usual: 60 }, about: 'age of the newest block from which a node is behind' },
];
