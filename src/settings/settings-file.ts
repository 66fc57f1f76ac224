import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Settings } from './settings.ts';
import {
  faultText,
  isUnknown,
  isWhole,
  type KnownSettings,
  ofNoUse,
  readSettings,
  type SettingsFault,
} from './settings-faults.ts';

export interface SettingsFile {
  /** '' where there is no home folder. */
  readonly path: string;
  readonly isThere: boolean;
  /** What of it is right. */
  readonly settings: Settings;
  readonly faults: readonly SettingsFault[];
  /** The faults in a sentence; undefined when there are none that matter. */
  readonly problem?: string;
  /** Members that are undefined are taken away, the others stay as they are. Throws when the file cannot be written. */
  readonly save: (change: { readonly [K in keyof Settings]?: Settings[K] | undefined }) => Promise<void>;
  /** Writes what is made of all that is written there, whether it is right or not. Throws as `save`. */
  readonly edit: (change: (written: Written) => Written) => Promise<void>;
}

type Written = { readonly [member: string]: unknown };

/** Reads the settings. A file that is broken or unreadable costs a sentence, never the start. */
export function openSettings(env: NodeJS.ProcessEnv): SettingsFile {
  const home = env.XDG_CONFIG_HOME || homeFolder(env, '.config');
  if (home === undefined) return { path: '', isThere: false, settings: {}, faults: [], save: homeless, edit: homeless };
  const path = join(home, 'blockglass', 'config.json');
  const isThere = existsSync(path);
  const { settings, faults } = isThere ? readFile(path) : { settings: {}, faults: [] };
  const problem = problemOf(path, faults);
  const edit: SettingsFile['edit'] = async change => {
    if (faults.some(isWhole)) throw new Error(problem);
    await write(path, change);
  };
  const save: SettingsFile['save'] = change => edit(written => ({ ...written, ...change }));
  return { path, isThere, settings, faults, save, edit, ...(problem !== undefined && { problem }) };
}

/** The settings of a file, and what is not right of it. */
export const knownSettings = ({ settings, faults, path }: SettingsFile): KnownSettings => ({
  ...settings,
  faults,
  file: path,
});

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

function readFile(path: string) {
  try {
    return readSettings(readOrdinaryFile(path));
  } catch (error) {
    return ofNoUse(error instanceof Error ? error.message : String(error));
  }
}

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

function problemOf(path: string, faults: readonly SettingsFault[]): string | undefined {
  const [first, ...others] = faults.filter(fault => !isUnknown(fault));
  if (first === undefined) return undefined;
  if (isWhole(first)) return `${path} is not used: ${faultText(first)}`;
  const more = others.length === 0 ? '' : `; ${others.length} more: blockglass config show`;
  return `settings ${faultText(first)}${more}`;
}

/** Whole, or not at all, and for its owner alone. */
async function write(path: string, change: (written: Written) => Written): Promise<void> {
  const { default: Conf } = await import('conf');
  const conf = new Conf<Record<string, unknown>>({
    projectName: 'blockglass',
    configFileMode: 0o600,
    cwd: dirname(path),
  });
  const kept = Object.entries(change(conf.store)).filter(([, value]) => value !== undefined);
  conf.store = Object.fromEntries(kept);
}
