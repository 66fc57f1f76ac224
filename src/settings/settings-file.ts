import { lstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { readOrdinaryFile } from '../disk/ordinary-file.ts';
import type { Written } from './edit-settings.ts';
import type { Settings } from './settings.ts';
import {
  faultText,
  isUnknown,
  isWhole,
  type KnownSettings,
  MOST_SETTINGS_BYTES,
  ofNoUse,
  readSettings,
  type SettingsFault,
} from './settings-faults.ts';

export interface SettingsFile {
  /** '' where there is no home folder. */
  readonly path: string;
  readonly isThere: boolean;
  /** Its valid settings. */
  readonly settings: Settings;
  readonly faults: readonly SettingsFault[];
  /** The faults in a sentence; undefined when there are none that matter. */
  readonly problem?: string;
  /** Members that are undefined are taken away, the others stay as they are. Throws when the file cannot be written. */
  readonly save: (change: { readonly [K in keyof Settings]?: Settings[K] | undefined }) => Promise<void>;
  /** Writes what is made of all that is written there, whether it is right or not. Throws as `save`. */
  readonly edit: (change: (written: Written) => Written) => Promise<void>;
}

/** Reads the settings. A file that is broken or unreadable costs a sentence, never the start. */
export function openSettings(env: NodeJS.ProcessEnv): SettingsFile {
  const folder = settingsFolder(env);
  if (folder === undefined)
    return { path: '', isThere: false, settings: {}, faults: [], save: homeless, edit: homeless };
  const path = join(folder, 'blockglass', 'config.json');
  const { isThere, settings, faults } = readFile(path);
  const problem = problemOf(path, faults);
  const edit: SettingsFile['edit'] = async change => {
    if (faults.some(isWhole)) throw new Error(problem);
    await (await import('./edit-settings.ts')).editSettings(path, change);
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

/**
 * Where settings are; undefined for a user that the machine does not know, as in a container. A path that is not
 * absolute would be another one in each folder that one happens to be in, with whatever somebody has put there.
 */
function settingsFolder({ XDG_CONFIG_HOME: named = '', HOME = '' }: NodeJS.ProcessEnv): string | undefined {
  if (isAbsolute(named)) return named;
  try {
    const home = HOME || homedir();
    return isAbsolute(home) ? join(home, '.config') : undefined;
  } catch {
    return undefined;
  }
}

const homeless = async (): Promise<void> => {
  throw new Error('there is no home folder to keep settings in: set HOME');
};

function readFile(path: string): Pick<SettingsFile, 'isThere' | 'settings' | 'faults'> {
  try {
    const text = readOrdinaryFile(path, MOST_SETTINGS_BYTES);
    if (text !== undefined) return { isThere: true, ...readSettings(text) };
    return isLink(path) ? { isThere: true, ...ofNoUse(LEADS_NOWHERE) } : { isThere: false, settings: {}, faults: [] };
  } catch (error) {
    return { isThere: true, ...ofNoUse(error instanceof Error ? error.message : String(error)) };
  }
}

const LEADS_NOWHERE = 'it is a link to a file that is not there: make that file, or take the link away';

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

function problemOf(path: string, faults: readonly SettingsFault[]): string | undefined {
  const [first, ...others] = faults.filter(fault => !isUnknown(fault));
  if (first === undefined) return undefined;
  if (isWhole(first)) return `${path} is not used: ${faultText(first)}`;
  const more = others.length === 0 ? '' : `; ${others.length} more: blockglass config show`;
  return `settings ${faultText(first)}${more}`;
}
