export const THEME_NAMES = ['auto', 'dark', 'light', 'contrast', 'mono'] as const;
export const CHARSETS = ['auto', 'utf-8', 'ascii'] as const;
export const TIME_STYLES = ['ages', 'clock'] as const;
export const SELECTION_STYLES = ['line', 'edges'] as const;
export const PREVIEW_MODES = ['on', 'off'] as const;
export const RESTORE_MODES = ['on', 'off'] as const;
/** What the explorer opens with: a tab, or the one that was shown last. */
export const START_TABS = [
  ...(['overview', 'last', 'parameters', 'provisions', 'fees', 'bundles'] as const),
  ...(['oracles', 'markets', 'validators', 'history'] as const),
] as const;
export const NODE_CHECK_MODES = ['on', 'off'] as const;

/** Limits and default of a number. */
export interface NumberBounds {
  readonly least: number;
  readonly most: number;
  readonly usual: number;
}

export const PAGE_SIZES: NumberBounds = { least: 1, most: 5000, usual: 50 };
export const LAG_SECONDS: NumberBounds = { least: 1, most: 86_400, usual: 60 };

/** A preference: set in the settings file under `name`, by the environment, and by the flag of the explorer. */
export interface Preference {
  readonly name:
    | 'theme'
    | 'charset'
    | 'times'
    | 'selection'
    | 'preview'
    | 'restore'
    | 'nodeCheck'
    | 'startTab'
    | 'pageSize'
    | 'maxLagSeconds';
  readonly flag: string;
  readonly env: string;
  readonly about: string;
  /** Its words, the default first, or its bounds. */
  readonly values: readonly string[] | NumberBounds;
}

// biome-ignore format: a table, a row a preference
export const PREFERENCES: readonly Preference[] = [
  { name: 'theme', flag: 'theme', env: 'BLOCKGLASS_THEME', values: THEME_NAMES, about: 'colours' },
  { name: 'charset', flag: 'charset', env: 'BLOCKGLASS_CHARSET', values: CHARSETS, about: 'characters to draw with' },
  { name: 'times', flag: 'times', env: 'BLOCKGLASS_TIMES', values: TIME_STYLES, about: 'how times are shown' },
  { name: 'selection', flag: 'selection', env: 'BLOCKGLASS_SELECTION', values: SELECTION_STYLES, about: 'how the selected row is marked' },
  { name: 'preview', flag: 'preview', env: 'BLOCKGLASS_PREVIEW', values: PREVIEW_MODES, about: 'the selected record next to the list, from 110 columns' },
  { name: 'restore', flag: 'restore', env: 'BLOCKGLASS_RESTORE', values: RESTORE_MODES, about: 'restore filters, order and columns of the last run' },
  { name: 'startTab', flag: 'start-tab', env: 'BLOCKGLASS_START_TAB', values: START_TABS, about: 'what the explorer opens with' },
  { name: 'nodeCheck', flag: 'node-check', env: 'BLOCKGLASS_NODE_CHECK', values: NODE_CHECK_MODES, about: 'check the node once a minute to keep the header up to date' },
  { name: 'pageSize', flag: 'page-size', env: 'BLOCKGLASS_PAGE_SIZE', values: PAGE_SIZES, about: 'rows per page' },
  { name: 'maxLagSeconds', flag: 'max-lag', env: 'BLOCKGLASS_MAX_LAG', values: LAG_SECONDS, about: 'a node is behind when its newest block is older, in seconds' },
];
