import { lstatSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { withLock } from '../disk/file-lock.ts';
import { makeFolder } from '../disk/make-folder.ts';
import { readOrdinaryFile, systemErrorReason } from '../disk/ordinary-file.ts';
import { formatByteLimit } from '../text/byte-count.ts';
import type { Settings } from './settings.ts';
import {
  isDuplicate,
  isUnknownSetting,
  isWholeFileFault,
  MAX_SETTINGS_BYTES,
  readSettings,
  type SettingsFault,
  type SettingsWithFaults,
  settingsFaultText,
  unusableFile,
} from './settings-faults.ts';

export interface SettingsFile {
  /** '' without a home folder. */
  readonly path: string;
  readonly isThere: boolean;
  /** Its valid settings. */
  readonly settings: Settings;
  readonly faults: readonly SettingsFault[];
  /** The faults in a sentence; undefined when there are none that matter. */
  readonly problem?: string;
  /** Removes members that are undefined and keeps the others. Throws when the file cannot be written. */
  readonly save: (change: { readonly [K in keyof Settings]?: Settings[K] | undefined }) => Promise<void>;
  /** Writes a change of the file's whole content, valid or not. Throws like `save`. */
  readonly edit: (change: (written: SettingsContent) => SettingsContent) => Promise<void>;
}

/** Reads the settings. A broken or unreadable file is reported, but never stops the start. */
export function openSettings(env: NodeJS.ProcessEnv): SettingsFile {
  const folder = settingsFolder(env);
  if (folder === undefined)
    return { path: '', isThere: false, settings: {}, faults: [], save: refuseWithoutHome, edit: refuseWithoutHome };
  const path = join(folder, 'blockglass', 'config.json');
  const { settings, faults, ...file } = readSettingsFile(path);
  const problem = faultsProblem(path, faults);
  const edit: SettingsFile['edit'] = async change => {
    if (faults.some(isWholeFileFault)) throw new Error(problem);
    await editSettingsFile(path, change);
  };
  const save: SettingsFile['save'] = change => edit(written => ({ ...written, ...change }));
  return { path, ...file, settings, faults, save, edit, ...(problem !== undefined && { problem }) };
}

/** The settings of a file, with its mistakes. */
export const settingsWithFaults = ({ settings, faults, path }: SettingsFile): SettingsWithFaults => ({
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

const refuseWithoutHome = async (): Promise<void> => {
  throw new Error('no home folder for the settings. Set HOME.');
};

function readSettingsFile(path: string): Pick<SettingsFile, 'isThere' | 'settings' | 'faults'> {
  try {
    const text = readOrdinaryFile(path, MAX_SETTINGS_BYTES);
    if (text !== undefined) return { isThere: true, ...readSettings(text) };
    if (!isLink(path)) return { isThere: false, settings: {}, faults: [] };
    return { isThere: true, ...unusableFile(BROKEN_LINK) };
  } catch (error) {
    return { isThere: true, ...unusableFile(error instanceof Error ? error.message : String(error)) };
  }
}

export const BROKEN_LINK = 'it links to a missing file. Create that file, or remove the link';

export function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

function faultsProblem(path: string, faults: readonly SettingsFault[]): string | undefined {
  const [first, ...others] = faults.filter(fault => !isUnknownSetting(fault));
  if (first === undefined) return undefined;
  if (isWholeFileFault(first)) return `${path} is not used: ${settingsFaultText(first)}`;
  const more = others.length === 0 ? '' : `; ${others.length} more: blockglass config show`;
  return `settings ${settingsFaultText(first)}${more}`;
}

export type SettingsContent = { readonly [member: string]: unknown };

/**
 * Writes a change to the current settings file, valid or not: whole or not at all, with access for its owner only. Throws
 * if it cannot be written, if something would be lost, or if the result would be invalid.
 */
export async function editSettingsFile(
  path: string,
  change: (written: SettingsContent) => SettingsContent,
): Promise<void> {
  try {
    makeFolder(dirname(path));
    const place = resolveLink(path);
    await withLock(place, async () => {
      const { written, faults } = readContent(path);
      const changed = Object.fromEntries(Object.entries(change(written)).filter(([, value]) => value !== undefined));
      refuseInvalid(changed, faults);
      const { default: Conf } = await import('conf');
      const conf = new Conf<Record<string, unknown>>({
        projectName: 'blockglass',
        configFileMode: 0o600,
        cwd: dirname(path),
      });
      conf.store = changed;
    });
  } catch (error) {
    throw new Error(`${path}: ${systemErrorReason(error)}`);
  }
}

/** The file behind a link: it is replaced in its own folder, and two links to it share one lock. */
export function resolveLink(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The current content; the file may have changed since the start. */
function readContent(path: string): { readonly written: SettingsContent; readonly faults: readonly SettingsFault[] } {
  const text = readOrdinaryFile(path, MAX_SETTINGS_BYTES) ?? '{}';
  const { faults } = readSettings(text);
  // Of two members with one name, the first would be lost, although it may be the one that was meant.
  const doubt = faults.find(fault => isWholeFileFault(fault) || isDuplicate(fault));
  if (doubt !== undefined) throw new Error(`${settingsFaultText(doubt)}; nothing is changed until it is fixed`);
  return { written: JSON.parse(text), faults };
}

/** Throws if the result would be too large, or would have new mistakes. */
function refuseInvalid(changed: SettingsContent, before: readonly SettingsFault[]): void {
  const text = JSON.stringify(changed, null, '\t');
  if (Buffer.byteLength(text) > MAX_SETTINGS_BYTES)
    throw new Error(`it would be larger than the limit of ${formatByteLimit(MAX_SETTINGS_BYTES)}`);
  const known = new Set(before.map(faultKey));
  const worse = readSettings(text).faults.find(fault => !isUnknownSetting(fault) && !known.has(faultKey(fault)));
  if (worse !== undefined) throw new Error(`it would not be valid: ${settingsFaultText(worse)}`);
}

const faultKey = ({ path, problem }: SettingsFault): string => JSON.stringify([path, problem]);
