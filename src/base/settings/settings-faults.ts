import { decodeSettings } from './decode-settings.ts';
import { type SettingPath, UNKNOWN_SETTING_PROBLEM } from './decoders.ts';
import { doubledMembers, JsonMistake } from './doubled-members.ts';
import type { Settings } from './settings.ts';

/** A mistake in the settings file. */
export interface SettingsFault {
  /** The member that it is in; empty when the whole file is unusable. */
  readonly path: SettingPath;
  readonly problem: string;
}

/** Larger settings files are neither read nor written. */
export const MAX_SETTINGS_BYTES = 1024 * 1024;

/** The valid settings, and the faults. */
export interface SettingsWithFaults extends Settings {
  readonly faults?: readonly SettingsFault[];
  /** Path of the file. */
  readonly file?: string;
}

/** Reads the text of a settings file; no message quotes it, since it may hold a login. */
export function readSettings(text: string): { readonly settings: Settings; readonly faults: readonly SettingsFault[] } {
  if (text.startsWith('\ufeff')) return unusableFile('it begins with a byte order mark: save it as UTF-8 without one');
  try {
    const twice = doubledMembers(text);
    const faults: SettingsFault[] = twice.map(path => ({ path, problem: DUPLICATE_PROBLEM }));
    const settings = decodeSettings(JSON.parse(text), (problem, path = []) => {
      faults.push({ path, problem });
      return undefined;
    });
    if (settings === undefined) return unusableFile('it is not a JSON object');
    return { settings: withoutDuplicates(settings, twice), faults };
  } catch (error) {
    if (error instanceof JsonMistake) return unusableFile(`it is not valid JSON: ${error.message}`, error.path);
    throw error;
  }
}

/** Of two nodes with one name, either could be meant, so both are dropped. */
function withoutDuplicates({ node, profiles, ...rest }: Settings, twice: readonly SettingPath[]): Settings {
  const keys = new Set(twice.map(path => JSON.stringify(path)));
  const isTwice = (...path: SettingPath): boolean => keys.has(JSON.stringify(path));
  const sound = Object.entries(profiles ?? {}).filter(
    ([name]) => !isTwice('profiles', name) && !isTwice('profiles', name, 'url'),
  );
  return {
    ...rest,
    ...(node !== undefined && !isTwice('node') && { node }),
    ...(profiles !== undefined && !isTwice('profiles') && { profiles: Object.fromEntries(sound) }),
  };
}

/** Marks the whole file as unusable, because of a problem at this member. */
export const unusableFile = (problem: string, at: SettingPath = []) => ({
  settings: {},
  faults: [{ path: [], problem: at.length === 0 ? problem : `${problem}, at ${pathText(at)}` }],
});

/** A fault in a sentence: `profiles.main.url: must be text`. */
export const settingsFaultText = ({ path, problem }: SettingsFault): string =>
  path.length === 0 ? problem : `${pathText(path)}: ${problem}`;

/** The same with the file it is in. */
export const settingsFaultTextWithFile = (file: string, fault: SettingsFault): string =>
  `${file}: ${settingsFaultText(fault)}`;

/** An unknown member is harmless: a later release may use it. */
export const isUnknownSetting = ({ problem }: SettingsFault): boolean => problem === UNKNOWN_SETTING_PROBLEM;

const DUPLICATE_PROBLEM = 'appears twice';

/** Its object has another member of that name. */
export const isDuplicate = ({ problem }: SettingsFault): boolean => problem === DUPLICATE_PROBLEM;

/** Whether the whole file is unusable. */
export const isWholeFileFault = ({ path }: SettingsFault): boolean => path.length === 0;

// A name may be an address with a password, put in the wrong place.
const pathText = (path: SettingPath): string =>
  path.map(name => (/^[\p{L}\p{N} _.-]{1,70}$/u.test(String(name)) ? String(name) : '***')).join('.');

/**
 * The mistake that leaves open which node is meant by a name, or by the settings if there is none. Another node must not
 * be contacted instead.
 */
export function nodeAmbiguity(
  { faults = [], node }: SettingsWithFaults,
  wanted: string | undefined,
): SettingsFault | undefined {
  const name = wanted ?? node;
  return faults.find(fault => {
    const [member, profile, part] = fault.path;
    if (member === undefined) return true;
    if (member === 'node') return wanted === undefined;
    if (member !== 'profiles' || name === undefined) return false;
    return profile === undefined || (profile === name && (part === undefined || part === 'url'));
  });
}
