import { lstatSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { withLock } from '../disk/file-lock.ts';
import { makeFolder } from '../disk/make-folder.ts';
import { readOrdinaryFile, reasonOf } from '../disk/ordinary-file.ts';
import { limitText } from '../text/byte-count.ts';
import type { Settings } from './settings.ts';
import {
  faultText,
  isDoubled,
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
  /** Why its text cannot be read, which no editor can repair. */
  readonly unread?: string;
  /** The faults in a sentence; undefined when there are none that matter. */
  readonly problem?: string;
  /** Removes members that are undefined and keeps the others. Throws when the file cannot be written. */
  readonly save: (change: { readonly [K in keyof Settings]?: Settings[K] | undefined }) => Promise<void>;
  /** Writes a change of the file's whole content, valid or not. Throws like `save`. */
  readonly edit: (change: (written: Written) => Written) => Promise<void>;
}

/** Reads the settings. A broken or unreadable file is reported, but never stops the start. */
export function openSettings(env: NodeJS.ProcessEnv): SettingsFile {
  const folder = settingsFolder(env);
  if (folder === undefined)
    return { path: '', isThere: false, settings: {}, faults: [], save: homeless, edit: homeless };
  const path = join(folder, 'blockglass', 'config.json');
  const { settings, faults, ...file } = readFile(path);
  const problem = problemOf(path, faults);
  const edit: SettingsFile['edit'] = async change => {
    if (faults.some(isWhole)) throw new Error(problem);
    await editSettings(path, change);
  };
  const save: SettingsFile['save'] = change => edit(written => ({ ...written, ...change }));
  return { path, ...file, settings, faults, save, edit, ...(problem !== undefined && { problem }) };
}

/** The settings of a file, with its mistakes. */
export const knownSettings = ({ settings, faults, path }: SettingsFile): KnownSettings => ({
  ...settings,
  faults,
  file: path,
});

/**
 * Where settings are; undefined for a user without a home, as in some containers. A relative path is ignored: it would
 * depend on the current folder, where others may have put files.
 */
export function settingsFolder({ XDG_CONFIG_HOME: named = '', HOME = '' }: NodeJS.ProcessEnv): string | undefined {
  if (isAbsolute(named)) return named;
  try {
    const home = HOME || homedir();
    return isAbsolute(home) ? join(home, '.config') : undefined;
  } catch {
    return undefined;
  }
}

const homeless = async (): Promise<void> => {
  throw new Error('no home folder for the settings. Set HOME.');
};

function readFile(path: string): Pick<SettingsFile, 'isThere' | 'unread' | 'settings' | 'faults'> {
  try {
    const text = readOrdinaryFile(path, MOST_SETTINGS_BYTES);
    if (text !== undefined) return { isThere: true, ...readSettings(text) };
    return isLink(path) ? unreadable(LEADS_NOWHERE) : { isThere: false, settings: {}, faults: [] };
  } catch (error) {
    return unreadable(error instanceof Error ? error.message : String(error));
  }
}

const unreadable = (unread: string) => ({ isThere: true, unread, ...ofNoUse(unread) });

export const LEADS_NOWHERE = 'it links to a missing file. Create that file, or remove the link';

export function isLink(path: string): boolean {
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

export type Written = { readonly [member: string]: unknown };

/**
 * Writes a change of the settings file as it is now, valid or not: whole or not at all, and for its owner only. Throws if
 * it cannot be written, if something would be lost, or if the result would be invalid.
 */
export async function editSettings(path: string, change: (written: Written) => Written): Promise<void> {
  try {
    makeFolder(dirname(path));
    const place = realPath(path);
    await withLock(place, async () => {
      const { written, faults } = readWritten(path);
      const changed = Object.fromEntries(Object.entries(change(written)).filter(([, value]) => value !== undefined));
      refuseUnreadable(changed, faults);
      const { default: Conf } = await import('conf');
      const conf = new Conf<Record<string, unknown>>({
        projectName: 'blockglass',
        configFileMode: 0o600,
        cwd: dirname(path),
      });
      conf.store = changed;
    });
  } catch (error) {
    throw new Error(`${path}: ${reasonOf(error)}`);
  }
}

/** The file behind a link: it is replaced in its own folder, and two links to it share one lock. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The current content; the file may have changed since the start. */
function readWritten(path: string): { readonly written: Written; readonly faults: readonly SettingsFault[] } {
  const text = readOrdinaryFile(path, MOST_SETTINGS_BYTES) ?? '{}';
  const { faults } = readSettings(text);
  // Of two members with one name, the first would be lost, although it may be the one that was meant.
  const doubt = faults.find(fault => isWhole(fault) || isDoubled(fault));
  if (doubt !== undefined) throw new Error(`${faultText(doubt)}; nothing is changed until it is fixed`);
  return { written: JSON.parse(text), faults };
}

/** Throws if the result would be too large, or would have new mistakes. */
function refuseUnreadable(changed: Written, before: readonly SettingsFault[]): void {
  const text = JSON.stringify(changed, null, '\t');
  if (Buffer.byteLength(text) > MOST_SETTINGS_BYTES)
    throw new Error(`it would be larger than the limit of ${limitText(MOST_SETTINGS_BYTES)}`);
  const known = new Set(before.map(keyOf));
  const worse = readSettings(text).faults.find(fault => !isUnknown(fault) && !known.has(keyOf(fault)));
  if (worse !== undefined) throw new Error(`it would not be valid: ${faultText(worse)}`);
}

const keyOf = ({ path, problem }: SettingsFault): string => JSON.stringify([path, problem]);
