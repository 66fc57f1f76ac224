import type { Schema } from 'conf';

/** What a person can set, in `config.json` of the XDG folder. All of it is optional. */
export interface Settings {
  /** Node to explore when none is named: an address or the name of a profile. */
  readonly node?: string;
  /** Names for addresses: `--node mainnet`. */
  readonly profiles?: { readonly [name: string]: string };
  /** Rows a page, 1-5000. */
  readonly pageSize?: number;
  /** Columns turned on or off in the explorer, by resource. */
  readonly columns?: { readonly [resource: string]: { readonly [column: string]: boolean } };
}

const SCHEMA: Schema<Settings> = {
  node: { type: 'string', minLength: 1 },
  profiles: { type: 'object', additionalProperties: { type: 'string', minLength: 1 } },
  pageSize: { type: 'integer', minimum: 1, maximum: 5000 },
  columns: {
    type: 'object',
    additionalProperties: { type: 'object', additionalProperties: { type: 'boolean' } },
  },
};

export interface SettingsFile {
  readonly path: string;
  readonly settings: Settings;
  /** Why the file was not used, in a sentence; the program goes on without it. */
  readonly problem?: string;
  readonly save: (change: Partial<Settings>) => void;
}

/** Reads the settings. A file that is broken or unreadable costs a sentence, never the start. */
export async function openSettings(folder?: string): Promise<SettingsFile> {
  const { default: Conf } = await import('conf');
  const options = {
    projectName: 'blockglass',
    projectSuffix: '',
    schema: SCHEMA,
    configFileMode: 0o600,
    ...(folder !== undefined && { cwd: folder }),
  };
  try {
    const conf = new Conf<Settings>(options);
    return { path: conf.path, settings: conf.store, save: change => conf.set(change) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { path: '', settings: {}, problem: `the settings file is not used: ${reason}`, save: () => {} };
  }
}
