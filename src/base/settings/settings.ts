import type {
  CHARSETS,
  NODE_CHECK_MODES,
  PREVIEW_MODES,
  RESTORE_MODES,
  SELECTION_STYLES,
  START_TABS,
  THEME_NAMES,
  TIME_STYLES,
} from './preferences.ts';

/** The settings in `config.json` of the XDG folder, all optional. */
export interface Settings {
  /** Node to explore when none is named: an address or the name of a profile. */
  readonly node?: string;
  /** Nodes by name, `--node mainnet`: an address, or more than that. */
  readonly profiles?: { readonly [name: string]: string | Profile };
  /** Rows a page, 1-5000; each resource has its own default. */
  readonly pageSize?: number;
  readonly theme?: (typeof THEME_NAMES)[number];
  readonly charset?: (typeof CHARSETS)[number];
  /** Times as ages or clock times. */
  readonly times?: (typeof TIME_STYLES)[number];
  /** The selected row is a bar, or is marked at its edges. */
  readonly selection?: (typeof SELECTION_STYLES)[number];
  /** Whether a wide list previews its selected record. */
  readonly preview?: (typeof PREVIEW_MODES)[number];
  /** Whether the explorer opens in its last state. */
  readonly restore?: (typeof RESTORE_MODES)[number];
  /** What the explorer opens with. */
  readonly startTab?: (typeof START_TABS)[number];
  /** One request a minute. */
  readonly nodeCheck?: (typeof NODE_CHECK_MODES)[number];
  /** A node is behind when its newest block is older, in seconds; 60. */
  readonly maxLagSeconds?: number;
  /** Longest wait for the first byte of an export in the explorer, in seconds; 600. */
  readonly exportWaitSeconds?: number;
  /** Longest silence between two chunks of an export, in seconds; 300. */
  readonly exportIdleSeconds?: number;
  /** The folder with the histories of all chains. */
  readonly history?: string;
  /** Most space for the Parquet of fetched history, in GiB; 20. */
  readonly maxParquetGiB?: number;
  /** Columns turned on or off in the explorer, by resource. */
  readonly columns?: { readonly [resource: string]: { readonly [column: string]: boolean } };
  /** The user's own words for ids and addresses: a party, a market, a signer, anything. Shown as `@word`. */
  readonly aliases?: { readonly [id: string]: string };
}

/** A node with a name. */
export interface Profile {
  readonly url: string;
  /** Colour of the header, to tell nodes apart. */
  readonly colour?: ProfileColour;
  /** The node is live, and behind when its newest block is older, in seconds. */
  readonly maxLagSeconds?: number;
  /** The folder with the histories of all chains, instead of the one in the settings. */
  readonly history?: string;
  /** Exports by name, as the words of `blockglass export`. */
  readonly presets?: { readonly [name: string]: readonly string[] };
}

export type ProfileColour = (typeof PROFILE_COLOURS)[number];

export const PROFILE_COLOURS = ['green', 'yellow', 'red', 'blue', 'magenta', 'cyan'] as const;
