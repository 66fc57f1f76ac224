import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Schema } from 'conf';

/** What a person can set, in `config.json` of the XDG folder. All of it is optional. */
export interface Settings {
  /** Node to explore when none is named: an address or the name of a profile. */
  readonly node?: string;
  /** Nodes by name, `--node mainnet`: an address, or more than that. */
  readonly profiles?: { readonly [name: string]: string | Profile };
  /** Rows a page, 1-5000. */
  readonly pageSize?: number;
  readonly theme?: 'auto' | 'dark' | 'light' | 'contrast' | 'mono';
  readonly charset?: 'auto' | 'utf-8' | 'ascii';
  /** Times as ages, or of the clock. */
  readonly times?: 'ages' | 'clock';
  /** The selected row is marked at its edges, or as a whole. */
  readonly selection?: 'edges' | 'line';
  readonly mouse?: 'off' | 'on';
  /** Whether the explorer opens as it was left. */
  readonly restore?: 'on' | 'off';
  /** Age of the newest block from which a node is behind, in seconds; 60. */
  readonly maxLagSeconds?: number;
  /** Longest wait for the first byte of an export in the explorer, in seconds; 600. */
  readonly exportWaitSeconds?: number;
  /** Longest silence between two chunks of it, in seconds; 300. */
  readonly exportIdleSeconds?: number;
  /** Columns turned on or off in the explorer, by resource. */
  readonly columns?: { readonly [resource: string]: { readonly [column: string]: boolean } };
  /** The user's own words for ids and addresses: a party, a market, a signer, anything. Shown as `@word`. */
  readonly aliases?: { readonly [id: string]: string };
}

/** A node that is asked under a name. */
export interface Profile {
  readonly url: string;
  /** Of the header, so that one node is not taken for another. */
  readonly colour?: ProfileColour;
  /** Exports by name, as the words of `blockglass export`. */
  readonly presets?: { readonly [name: string]: readonly string[] };
}

export type ProfileColour = (typeof PROFILE_COLOURS)[number];

export const PROFILE_COLOURS = ['green', 'yellow', 'red', 'blue', 'magenta', 'cyan'] as const;

const SCHEMA: Schema<Settings> = {
  node: { type: 'string', minLength: 1 },
  profiles: {
    type: 'object',
    additionalProperties: {
      anyOf: [
        { type: 'string', minLength: 1 },
        {
          type: 'object',
          required: ['url'],
          additionalProperties: false,
          properties: {
            url: { type: 'string', minLength: 1 },
            colour: { enum: PROFILE_COLOURS },
            presets: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
          },
        },
      ],
    },
  },
  pageSize: { type: 'integer', minimum: 1, maximum: 5000 },
  theme: { enum: ['auto', 'dark', 'light', 'contrast', 'mono'] },
  charset: { enum: ['auto', 'utf-8', 'ascii'] },
  times: { enum: ['ages', 'clock'] },
  selection: { enum: ['edges', 'line'] },
  mouse: { enum: ['off', 'on'] },
  restore: { enum: ['on', 'off'] },
  maxLagSeconds: { type: 'integer', minimum: 1, maximum: 86_400 },
  exportWaitSeconds: { type: 'integer', minimum: 1, maximum: 86_400 },
  exportIdleSeconds: { type: 'integer', minimum: 1, maximum: 86_400 },
  columns: {
    type: 'object',
    additionalProperties: { type: 'object', additionalProperties: { type: 'boolean' } },
  },
  aliases: {
    type: 'object',
    maxProperties: 1000,
    propertyNames: { type: 'string', minLength: 4, maxLength: 200 },
    additionalProperties: { type: 'string', minLength: 1, maxLength: 60 },
  },
};

export interface SettingsFile {
  readonly path: string;
  readonly settings: Settings;
  /** Why the file was not used, in a sentence; the explorer goes on without it, a command that has to know the node does not. */
  readonly problem?: string;
  /** Throws when the file cannot be written. */
  readonly save: (change: Partial<Settings>) => Promise<void>;
}

/**
 * Reads the settings. Without a file nothing is loaded to read it, as most starts have none; a file that is broken or
 * unreadable costs a sentence, never the start.
 */
export async function openSettings(env: NodeJS.ProcessEnv): Promise<SettingsFile> {
  const home = env.XDG_CONFIG_HOME || homeFolder(env, '.config');
  if (home === undefined) return { path: '', settings: {}, save: homeless };
  const folder = join(home, 'blockglass');
  const path = join(folder, 'config.json');
  const save = async (change: Partial<Settings>): Promise<void> => (await openConf(folder)).set(change);
  if (!existsSync(path)) return { path, settings: {}, save };
  try {
    // conf takes a list or a text for no settings; the person meant something by it.
    const written = parsed(readOrdinaryFile(path));
    if (typeof written !== 'object' || written === null || Array.isArray(written))
      throw new TypeError('it holds no object');
    return { path, settings: (await openConf(folder)).store, save };
  } catch (error) {
    const reason = withoutAddress(error instanceof Error ? error.message : String(error));
    return { path, settings: {}, problem: `${path} is not used: ${reason}`, save: async () => {} };
  }
}

/** A folder of the person's home; undefined for a user that the machine does not know, as in a container. */
function homeFolder({ HOME }: NodeJS.ProcessEnv, name: string): string | undefined {
  try {
    return join(HOME || homedir(), name);
  } catch {
    return undefined;
  }
}

const homeless = async (): Promise<void> => {
  throw new Error('there is no home folder to keep settings in: set HOME');
};

const MOST_BYTES = 1024 * 1024;

/** Text of a file that ends: a pipe would keep the start waiting, a device may never stop. */
function readOrdinaryFile(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const facts = fstatSync(file);
    if (!facts.isFile()) throw new TypeError('it is no ordinary file');
    if (facts.size > MOST_BYTES) throw new TypeError('it is larger than 1 MiB');
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

// A name that is an address, with a login perhaps, is where a profile's name should be.
const withoutAddress = (reason: string): string =>
  reason.includes('@') ? 'one of its members is not as it should be' : reason;

// What the parser says quotes the text around the mistake, and there may be a password in it.
function parsed(text: string): unknown {
  if (text.startsWith('\ufeff')) throw new TypeError('it begins with a byte order mark: save it as UTF-8 without one');
  try {
    return JSON.parse(text);
  } catch (error) {
    const place = /line \d+ column \d+/.exec(error instanceof Error ? error.message : '');
    throw new TypeError(`it is no JSON${place === null ? '' : `, from ${place[0]} on`}`);
  }
}

async function openConf(folder: string) {
  const { default: Conf } = await import('conf');
  return new Conf<Settings>({ projectName: 'blockglass', schema: SCHEMA, configFileMode: 0o600, cwd: folder });
}
