import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { withLock } from '../disk/file-lock.ts';
import { makeFolder } from '../disk/make-folder.ts';
import { readOrdinaryFile, reasonOf } from '../disk/ordinary-file.ts';
import {
  faultText,
  isDoubled,
  isUnknown,
  isWhole,
  MOST_SETTINGS_BYTES,
  readSettings,
  type SettingsFault,
} from './settings-faults.ts';

export type Written = { readonly [member: string]: unknown };

/**
 * Writes what is made of all that is written in the settings now, be it right or not: whole or not at all, and for its
 * owner alone. Throws where it cannot be written, where something would be lost, and where it would not be read again.
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

/** The file behind a link: it is written beside it, and two links to it share one lock. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** What is written there now; it may be another file than the one that was read at the start. */
function readWritten(path: string): { readonly written: Written; readonly faults: readonly SettingsFault[] } {
  const text = readOrdinaryFile(path, MOST_SETTINGS_BYTES) ?? '{}';
  const { faults } = readSettings(text);
  // With two members of one name the first would be lost, though nobody knows which one was meant.
  const doubt = faults.find(fault => isWhole(fault) || isDoubled(fault));
  if (doubt !== undefined) throw new Error(`${faultText(doubt)}; nothing is changed until it is mended`);
  return { written: JSON.parse(text), faults };
}

/** More of something than is read again would take away what is read now. */
function refuseUnreadable(changed: Written, before: readonly SettingsFault[]): void {
  const text = JSON.stringify(changed, null, '\t');
  if (Buffer.byteLength(text) > MOST_SETTINGS_BYTES)
    throw new Error('it would be larger than 1 MiB, and not be read again');
  const known = new Set(before.map(keyOf));
  const worse = readSettings(text).faults.find(fault => !isUnknown(fault) && !known.has(keyOf(fault)));
  if (worse !== undefined) throw new Error(`it would not be read again: ${faultText({ ...worse, line: null })}`);
}

const keyOf = ({ path, problem }: SettingsFault): string => JSON.stringify([path, problem]);
